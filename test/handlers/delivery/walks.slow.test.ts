/** The walks of the delivery API's first page, typed to the letter. */
import { typePage } from "../../support/type-page.js";

test("a reader who types the five walks of the delivery API's page sees what the page shows", () =>
  typePage("handlers/delivery/README.md"));
