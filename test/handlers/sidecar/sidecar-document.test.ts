import { rateWords, vatCodes } from "@fiscald/shared/receipt/vat.js";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Ajv2020 } from "ajv/dist/2020.js";
import { createReceiptsDocument } from "#handlers/sidecar/mount-sidecar.js";
import { createSqliteFile } from "../../support/site-databases.js";
import { openSidecarWorld } from "./sidecar-world.js";

type Json = ReturnType<typeof JSON.parse>;

const document: Json = JSON.parse(JSON.stringify(createReceiptsDocument()));
const operations: readonly (readonly [string, Json])[] = Object.entries(document.paths).flatMap(
  ([path, methods]: [string, Json]) =>
    Object.entries(methods).map(([method, operation]: [string, Json]) => [`${method} ${path}`, operation] as const),
);

test("the sidecar's document is valid for a linter of OpenAPI", async () => {
  const config = await createConfig({ extends: ["recommended"] });
  const problems = await lintFromString({ source: JSON.stringify(document), config });
  expect(problems.map(({ message, location }) => `${location[0]?.pointer}: ${message}`)).toEqual([]);
});

test("the sidecar's document has every call, and the result that is sent to the shop", () => {
  expect(operations.map(([name]) => name).sort()).toEqual([
    "delete /receipts/{receiptId}",
    "get /receipts",
    "get /receipts/callback",
    "get /receipts/{receiptId}",
    "post /receipts",
    "post /receipts/callback",
  ]);
  expect(Object.keys(document.webhooks)).toEqual(["receiptResult"]);
});

test("every example of the sidecar's document fits its own schema, and an order of neither format fits none", () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: "api", components: document.components });
  const compiled = (schema: object) =>
    ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"api#/components')));
  let count = 0;
  for (const [, { requestBody, responses }] of operations) {
    for (const { content } of [requestBody, responses[200]].filter((one) => one !== undefined)) {
      const { schema, example, examples = {} } = content["application/json"];
      const given = [example, ...Object.values(examples).map((one: Json) => one.value)];
      for (const value of given.filter((one) => one !== undefined)) {
        const validate = compiled(schema);
        expect([validate(value), validate.errors]).toEqual([true, null]);
        count += 1;
      }
    }
  }
  expect(count).toBe(9);
  const order = compiled({ $ref: "#/components/schemas/Order" });
  expect(order({ response: { orderId: "A-1", taskTable: [{ type: "Sell" }] } })).toBe(false);
});

test("the sidecar's document has every rate, and its field descriptions are not those of the delivery API", () => {
  const said = JSON.stringify(document);
  for (const code of vatCodes) expect(said).toContain(`"${rateWords[code]}"`);
  for (const word of ["agent", "courier", "clientId"]) expect(said).not.toContain(word);
});

test("the sidecar's root shows its page, with a script and a document from this server alone", async () => {
  const world = await openSidecarWorld(await createSqliteFile());
  try {
    for (const path of ["/", "/receipts/docs"]) {
      const page = await fetch(`${world.origin}${path}`);
      expect([page.status, page.headers.get("content-security-policy")]).toEqual([
        200,
        expect.stringContaining("default-src 'none'"),
      ]);
      const text = await page.text();
      for (const [, address = ""] of text.matchAll(/(?:src|href|spec-url)="([^"]*)"/g)) {
        expect([address, (await fetch(`${world.origin}${address}`)).status]).toEqual([address, 200]);
      }
    }
  } finally {
    await world.close();
  }
  const shop = await openSidecarWorld(await createSqliteFile(), { pageAtRoot: false });
  expect((await fetch(`${shop.origin}/`)).status).toBe(404);
  await shop.close();
});
