/** The walks of the delivery API's first page, typed to the letter, and its table of endpoints. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { courierOperations, deliveryOperations } from "#handlers/delivery/endpoints/all-endpoints.js";
import { root } from "../../support/read-imports.js";
import { typePage } from "../../support/type-page.js";

test("a reader who types the five walks of the delivery API's page sees what the page shows", () =>
  typePage("handlers/delivery/README.md"));

test("the table of endpoints names every path", () => {
  const page = readFileSync(join(root, "handlers/delivery/README.md"), "utf8");
  const paths = [
    ...deliveryOperations.map(({ path }) => path),
    ...courierOperations.map(({ path }) => `/courier/v1${path}`),
  ].filter((path) => !/^\/(?!orders|permissions|partner)\w+\/replace$/.test(path));
  expect([...new Set(paths)].filter((path) => !page.includes(`\`${path}\``))).toEqual([]);
});
