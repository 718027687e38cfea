/** Random requests made from the document: no status 500, no undocumented status, no undeclared field. */
import fc from "fast-check";
import { type Api, checkAnswersAgainstDocument, logIn, newOrder } from "../delivery-world.js";
import { describeOnBothStores, useWorld } from "../use-world.js";
import { placesOf, schemasOf, withPut } from "./hostile-places.js";
import { endless, hostileJson, hostileNumbers, hostileTexts, hostileValues, noise } from "./hostile-values.js";

const apiDocument = checkAnswersAgainstDocument();

type Json = ReturnType<typeof JSON.parse>;

const document: Json = JSON.parse(JSON.stringify(apiDocument));
const RUNS = Number(process.env.FISCALD_FUZZ_RUNS ?? 20);

const schemas = schemasOf(document);
/** Values that a database, its drivers or its indexes cannot hold. Random values rarely include them. */
const unholdable: readonly Json[] = ["a\0b", "x\ud800", 2 ** 31, -1, 2 ** 53 - 1, noise(3999), endless];

/** Values that fit a schema. Ids are small, so that requests name one another's objects. */
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
      return fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constantFrom(7, 501, 1042, 0, -1, ...hostileNumbers));
    case "number":
      return fc.oneof(
        fc.integer({ min: 0, max: 99 }),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.constantFrom(...hostileNumbers),
      );
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
            fc.constantFrom(...hostileTexts),
          );
  }
}

/** For an address: values of the schema, and any text that is short enough. */
function inAddress(schema: Json): fc.Arbitrary<string> {
  const texts = [...hostileTexts.filter((text) => text.length < 3000), ...hostileNumbers.map(String)];
  return fc.oneof(fitting(schema), fc.constantFrom(...texts)).map((value) => String(value).slice(0, 3000));
}

/** HTTP lets through Latin-1 without control characters. */
const headerText = fc.oneof(
  fc.constantFrom("deliveryStatusId=2", '{"deliveryStatusId":2}', "2026-11-20 14:05:00", "2", "key"),
  fc.string({ unit: fc.integer({ min: 32, max: 255 }).map((code) => String.fromCharCode(code === 127 ? 32 : code)) }),
);

const anyValue: fc.Arbitrary<Json> = fc.oneof(fc.jsonValue(), fc.constantFrom(...hostileValues));

/** A fitting value, the same with something broken, or the document's example with one value broken. */
function request(schema: Json, example: Json): fc.Arbitrary<Json> {
  return fc.oneof(
    fitting(schema),
    anyValue,
    fitting(schema).chain(broken),
    { weight: 2, arbitrary: broken(example) },
    { weight: 2, arbitrary: broken(example).chain(broken) },
  );
}

function broken(value: Json): fc.Arbitrary<Json> {
  if (typeof value !== "object" || value === null) return anyValue;
  const keys = Object.keys(value);
  if (keys.length === 0) return anyValue;
  return fc.constantFrom(...keys).chain((key) =>
    fc.oneof(anyValue, { weight: 4, arbitrary: broken(value[key]) }).map((inner) => {
      const copy = Array.isArray(value) ? [...value] : { ...value };
      Reflect.set(copy, key, inner);
      return copy;
    }),
  );
}

describeOnBothStores("random requests to the delivery API", (newDatabase) => {
  // Test calls of registrations reach no address.
  const options = { delivery: { allowPrivateCallbacks: false, resolve: async () => [] } };
  const used = useWorld(newDatabase, "one shop", options);
  let courier: Api;

  beforeAll(async () => {
    await used.shop.post("/userRoles", [{ roleId: 2, title: "Курьер" }]);
    const paid = { isInternetPayment: 1, internetPaymentUrl: "https://shop.example", statusId: 1 };
    const warehouses = [{ warehouseId: 1, count: 2 }];
    const goods = [{ goodId: 501, count: 2, price: 250.5, total: 501, discountTotal: 0, warehouses }];
    await used.shop.post("/orders", [newOrder({ ...paid, goods }), newOrder({ orderId: 1043 })]);
    courier = await logIn(used.world, used.shop);
  });

  const operations = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, operation]) => [method.toUpperCase(), path, operation] as const),
  );

  test.each(operations)("%s %s answers each random request by the API's document", async (method, path, operation) => {
    const within = (where: string, valuesOf: (parameter: Json) => fc.Arbitrary<string>) => {
      const values: Record<string, fc.Arbitrary<string>> = {};
      for (const parameter of operation.parameters)
        if (parameter.in === where) values[parameter.name] = valuesOf(parameter);
      return fc
        .record<Record<string, string>, string>(values, { requiredKeys: [] })
        .map((given): Record<string, string> => ({ ...given }));
    };
    const query = within("query", ({ schema, example }) =>
      example === undefined ? inAddress(schema) : fc.oneof(fc.constant(String(example)), inAddress(schema)),
    );
    const headers = within("header", () => headerText);
    const content = operation.requestBody?.content["application/json"];
    const body =
      content === undefined ? fc.constant(undefined) : request(content.schema, content.example).map(hostileJson);
    const base = path.startsWith("/courier/v1") ? "/courier/v1" : "/v1";
    const endsOwnSession = method === "DELETE" && path === "/courier/v1/sessions";
    await fc.assert(
      fc.asyncProperty(query, headers, body, async (values, extra, sent) => {
        const api = base === "/v1" ? used.shop : endsOwnSession ? used.world.api("gone", base) : courier;
        const options = { query: values, headers: { "content-type": "application/json", ...extra } };
        const target = path.slice(base.length);
        // The document declares status 500, so the world's check accepts it: it is excluded here.
        const reply =
          method === "GET"
            ? await api.get(target, values, extra)
            : method === "DELETE"
              ? await api.delete(target, values)
              : await (method === "PUT" ? api.put : api.post)(target, sent, options);
        expect(reply.status).not.toBe(500);
      }),
      { numRuns: RUNS },
    );
  });

  let fresh = 100_000;
  /** A creation needs a new id, which is the first field of its elements. */
  function withFreshId(body: Json): Json {
    const [idField] = Array.isArray(body) ? Object.keys(body[0] ?? {}) : [];
    if (idField === undefined) return body;
    fresh += 1;
    return [{ ...body[0], [idField]: fresh }, ...body.slice(1)];
  }

  test.each(operations.filter(([, , operation]) => operation.requestBody !== undefined))(
    "%s %s accepts or refuses text that no database can hold, at every place of its body",
    async (method, path, operation) => {
      const { schema, example } = operation.requestBody.content["application/json"];
      const base = path.startsWith("/courier/v1") ? "/courier/v1" : "/v1";
      const api = base === "/v1" ? used.shop : courier;
      const query: Record<string, string> = {};
      for (const { name, in: where, example: value } of operation.parameters)
        if (where === "query" && value !== undefined) query[name] = String(value);
      const isCreation = method === "POST" && !path.endsWith("/replace");
      for (const place of placesOf(schemas, schema))
        for (const put of unholdable) {
          const value = isCreation ? withFreshId(example) : example;
          const body = hostileJson(withPut(schemas, { schema, value, place, put }));
          const options = { query, headers: { "content-type": "application/json" } };
          const target = path.slice(base.length);
          const { status } = await (method === "PUT" ? api.put : api.post)(target, body, options);
          if (status === 500) throw new Error(`500 for ${JSON.stringify(put).slice(0, 40)} at ${place.join(".")}`);
        }
    },
  );

  test("an undocumented path gets 400 or 404, whatever characters it has", async () => {
    const odd = [
      "%00",
      "%ff",
      "%ed%a0%80",
      "%2e%2e",
      "2147483648",
      "-1",
      "0",
      "1.5",
      "x".repeat(3000),
      "a/".repeat(500),
    ];
    const headers = { authorization: `Bearer ${used.shop.access.token}` };
    const seen = new Set<number>();
    for (const base of ["/v1", "/v1/orders", "/courier/v1", "/courier/v1/orders", "/fiscal"])
      for (const part of odd)
        for (const method of ["GET", "POST"])
          seen.add((await fetch(`${used.world.origin}${base}/${part}`, { method, headers })).status);
    expect([...seen].filter((status) => status !== 400 && status !== 404)).toEqual([]);
  });
});
