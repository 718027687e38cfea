/** The pages that take a reader from nothing to a receipt, followed to the letter. */
import { typePage } from "../support/type-page.js";

test("whoever types the delivery API's first page has a printed receipt at its end", () =>
  typePage("handlers/delivery/FIRST-ORDER.md"));

test("whoever types handlers/WITHOUT-NODE.md has a printed receipt at its end", () =>
  typePage("handlers/WITHOUT-NODE.md"));

test.each(["FROM-CLOUD.md", "FROM-CLOUD.ru.md"])("whoever types %s has a printed receipt at its end", (page) =>
  typePage(`handlers/${page}`),
);
