/** Random valid and invalid requests made from the document: no 500, no undocumented code, no undeclared field. */
import fc from "fast-check";
import { databaseKinds, type TestDatabase } from "../../support/site-databases.js";
import { apiDocument, type DeliveryWorld, fillCatalog, openWorld, type Shop } from "./delivery-world.js";

type Json = ReturnType<typeof JSON.parse>;

const document: Json = JSON.parse(JSON.stringify(apiDocument));
const RUNS = Number(process.env.FISCALD_FUZZ_RUNS ?? 20);

/** Values that fit a schema, small ids first so that requests meet one another's objects. */
function fitting(schema: Json, depth = 0): fc.Arbitrary<Json> {
  if (schema.$ref !== undefined) return fitting(document.components.schemas[schema.$ref.split("/").at(-1)], depth);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((part: Json) => fitting(part, depth)));
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.const !== undefined) return fc.constant(schema.const);
  switch (schema.type) {
    case "object":
      return fc.record(
        Object.fromEntries(
          Object.entries<Json>(schema.properties ?? {}).map(([name, part]) => [name, fitting(part, depth + 1)]),
        ),
        { requiredKeys: schema.required ?? [] },
      );
    case "array":
      return fc.array(fitting(schema.items, depth + 1), { minLength: schema.minItems ?? 0, maxLength: 3 });
    case "integer":
      return fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constantFrom(7, 501, 1042, 0, -1));
    case "number":
      return fc.oneof(fc.integer({ min: 0, max: 99 }), fc.double({ noNaN: true, noDefaultInfinity: true }));
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    default:
      return schema.pattern?.includes("-\\d{2} ") === true
        ? fc.constant("2026-11-20 14:05:00")
        : fc.oneof(
            fc.constantFrom("1", "7", "501", "1042", "10.50", "НДС 10%"),
            fc.string({ maxLength: 12, unit: "binary" }),
          );
  }
}

/** What HTTP lets through: Latin-1 without control characters. */
const headerText = fc.oneof(
  fc.constantFrom("deliveryStatusId=2", '{"deliveryStatusId":2}', "2026-11-20 14:05:00", "2", "key"),
  fc.string({ unit: fc.integer({ min: 32, max: 255 }).map((code) => String.fromCharCode(code === 127 ? 32 : code)) }),
);

/** The same, with something broken in one request out of two. */
function request(schema: Json): fc.Arbitrary<Json> {
  return fc.oneof(fitting(schema), fc.jsonValue(), fitting(schema).chain(broken));
}

function broken(value: Json): fc.Arbitrary<Json> {
  if (typeof value !== "object" || value === null) return fc.jsonValue();
  const keys = Object.keys(value);
  if (keys.length === 0) return fc.jsonValue();
  return fc.constantFrom(...keys).chain((key) =>
    fc.oneof(fc.jsonValue(), broken(value[key])).map((inner) => {
      const copy = Array.isArray(value) ? [...value] : { ...value };
      Reflect.set(copy, key, inner);
      return copy;
    }),
  );
}

describe.each(databaseKinds.map((kind) => [kind.name, kind] as const))("a fuzz run on %s", (_name, kind) => {
  const testKind = kind.skipped === null ? test : test.skip;
  let database: TestDatabase;
  let world: DeliveryWorld;
  let shop: Shop;
  let courierToken: string;

  beforeAll(async () => {
    if (kind.skipped !== null) return;
    database = await kind.create();
    // Test calls of registrations go nowhere.
    world = await openWorld(database, { delivery: { allowPrivateCallbacks: false, resolve: async () => [] } });
    shop = await world.shop();
    await fillCatalog(shop);
    const { store } = world.delivery.backend;
    await store.transaction((tx) =>
      tx.insertInto("delivery_settings").values({ name: "licenses", value: "9" }).execute(),
    );
    const login = {
      resourceId: shop.access.resource.id,
      courierId: 7,
      password: "letmein-2026",
      deviceId: "d",
      deviceTitle: "D",
    };
    courierToken = (await world.api(null, "/courier/v1").post("/sessions", login)).body.token;
  });
  afterAll(async () => {
    if (kind.skipped !== null) return;
    await world.close();
    await database.drop();
  });

  const operations = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, operation]) => [method.toUpperCase(), path, operation] as const),
  );

  testKind.each(operations)(
    "%s %s answers every request by the document",
    async (method, path, operation) => {
      const queries = operation.parameters.filter((parameter: Json) => parameter.in === "query");
      const query = fc.record(
        Object.fromEntries(
          queries.map((parameter: Json) => [parameter.name, fitting(parameter.schema).map((value) => String(value))]),
        ),
        { requiredKeys: [] },
      );
      const headers = fc.record(
        Object.fromEntries(
          operation.parameters
            .filter((parameter: Json) => parameter.in === "header")
            .map((parameter: Json) => [parameter.name, headerText]),
        ),
        { requiredKeys: [] },
      );
      const schema = operation.requestBody?.content["application/json"].schema;
      const body = schema === undefined ? fc.constant(undefined) : request(schema);
      const base = path.startsWith("/courier/v1") ? "/courier/v1" : "/v1";
      const endsOwnSession = method === "DELETE" && path === "/courier/v1/sessions";
      await fc.assert(
        fc.asyncProperty(query, headers, body, async (parameters, sentHeaders, sent) => {
          const token = base === "/v1" ? shop.access.token : endsOwnSession ? "gone" : courierToken;
          const api = world.api(token, base);
          const values: Record<string, string> = {};
          for (const [name, value] of Object.entries(parameters)) values[name] = String(value);
          const extra: Record<string, string> = {};
          for (const [name, value] of Object.entries(sentHeaders)) extra[name] = String(value);
          const options = { query: values, headers: extra };
          const target = path.slice(base.length);
          // The world checks each answer against the document; 500 is declared there, so it is checked here.
          const reply =
            method === "GET"
              ? await api.get(target, values, extra)
              : method === "DELETE"
                ? await api.delete(target, values)
                : method === "PUT"
                  ? await api.put(target, sent, options)
                  : await api.post(target, sent, options);
          expect(reply.status).not.toBe(500);
        }),
        { numRuns: RUNS },
      );
    },
    60_000,
  );
});
