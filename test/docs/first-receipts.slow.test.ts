/** Types the commands of the pages that lead a new reader to a first receipt. */
import { typePage } from "../support/type-page.js";

test("the commands of handlers/WITHOUT-NODE.md, typed as they stand, end with a printed receipt", () =>
  typePage("handlers/WITHOUT-NODE.md"));

test.each(["WITHOUT-NODE.ru.md", "FROM-CLOUD.md", "FROM-CLOUD.ru.md"])(
  "the commands of %s, typed as they stand, end with a printed receipt",
  (page) => typePage(`handlers/${page}`),
);
