/** Types the examples of the delivery API's first page exactly as they are printed. */
import { typePage } from "../../support/type-page.js";

test("the five examples on the delivery API's page, typed as they stand, show what the page shows", () =>
  typePage("handlers/delivery/README.md"));
