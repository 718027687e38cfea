/** Types the commands of the pages that lead a new reader to a first receipt. */
import { typePage } from "../support/type-page.js";

test("a reader who types the commands of handlers/WITHOUT-NODE.md gets a printed receipt at the end", () =>
  typePage("handlers/WITHOUT-NODE.md"));

test.each(["WITHOUT-NODE.ru.md", "FROM-CLOUD.md", "FROM-CLOUD.ru.md"])(
  "a reader who types the commands of %s gets a printed receipt at the end",
  (page) => typePage(`handlers/${page}`),
);
