/** The pages that take a reader from nothing to a receipt, followed to the letter. */
import { typePage } from "../support/type-page.js";

test("a reader who types the commands of handlers/WITHOUT-NODE.md gets a printed receipt at the end", () =>
  typePage("handlers/WITHOUT-NODE.md"));

test.each(["WITHOUT-NODE.ru.md", "FROM-CLOUD.md", "FROM-CLOUD.ru.md"])(
  "typing the commands of %s prints a receipt at the end",
  (page) => typePage(`handlers/${page}`),
);
