import { isFault } from "@fiscald/shared/fault.js";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { courierOperations, deliveryOperations } from "#handlers/delivery/endpoints/all-endpoints.js";
import { parseBody } from "#handlers/delivery/http/endpoint.js";
import { createOpenApiDocument } from "#handlers/delivery/openapi/document.js";
import { complete, type Place, placesOf, schemaAt, schemasOf, withPut } from "./hostile-places.js";
import { noise } from "./hostile-values.js";

type Json = ReturnType<typeof JSON.parse>;

const document: Json = JSON.parse(JSON.stringify(createOpenApiDocument()));
const schemas = schemasOf(document);
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema({ $id: "api", components: document.components });

const bodies = [
  ...deliveryOperations.map((operation) => ({ base: "/v1", operation })),
  ...courierOperations.map((operation) => ({ base: "/courier/v1", operation })),
].flatMap(({ base, operation }) => {
  const { method, path, body } = operation;
  const content = document.paths[`${base}${path}`][method].requestBody?.content["application/json"];
  if (content === undefined) return [];
  const { schema, example = content.examples?.usual.value } = content;
  return [
    { title: `${method.toUpperCase()} ${base}${path}`, body, schema, example, places: placesOf(schemas, schema) },
  ];
});

type Body = (typeof bodies)[number];

/** `[0].goods[0].price` */
function textOf(place: Place): string {
  return place
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`))
    .join("")
    .replace(/^\./, "");
}

/** The place at which the body with `put` is refused; null: the body is accepted. */
function refusedAt({ body, schema, example }: Body, place: Place, put: unknown): string | null {
  try {
    parseBody(body, withPut(schemas, { schema, value: example, place, put }));
    return null;
  } catch (error) {
    if (!isFault(error)) throw error;
    return error.place;
  }
}

/** The values that are not refused at the place or below it, each with the answer. */
function missed(asked: Body, place: Place, values: readonly unknown[]): readonly string[] {
  const wanted = textOf(place);
  return values.flatMap((put) => {
    const at = refusedAt(asked, place, put);
    return at?.startsWith(wanted) === true ? [] : [`${wanted} = ${JSON.stringify(put).slice(0, 40)}: ${at ?? "taken"}`];
  });
}

/** A value may be accepted in these forms, of which the document shows only the canonical form. */
function spellingsOf(value: unknown): readonly unknown[] {
  const isNothing = value === "" || (Array.isArray(value) && value.length === 0);
  return [value, typeof value === "number" ? String(value) : value, isNothing ? null : value];
}

const wrong = [null, true, 1.5, -1, "x", "", [], {}, [[]]];
const decimals = /d\{1,6\}/;
const counts = /\b(count|tookCount|multiplicity)$/;

/** Wrong values that a JSON Schema does not exclude, by the field's schema and place. */
const onlyLooksRight: readonly (readonly [schema: RegExp, where: RegExp, values: readonly unknown[]])[] = [
  [/compared as trimmed text/, /./, [" ", "x".repeat(65), "a\0b", "x\ud800", "a\nb"]],
  [decimals, /(?<!count|tookCount|multiplicity)$/i, [1.005, "1.005", 100_000_000, 1e21]],
  [decimals, counts, [0.0000001, 10_000_000]],
  [decimals, /(\/orders.*\bcount|multiplicity)$/, [0, -0.000001, "-1"]],
  [decimals, /(amountToPay|cash|tookCount|goods\[0\]\.price|\/goods(\/replace)? (\[0\]\.)?price)$/, [-0.01]],
  [/"maxLength":4000/, /./, ["a\0b", "x\ud800", noise(4001)]],
  [
    /"maxLength":(32|64|200|2000)\b/,
    /(?<!isUseExternalGeo|customDeclarationCode)$/,
    ["a\0b", "a\nb", "\udc00", noise(2001)],
  ],
  [/2026-11-20 14:05:00/, /./, ["2026-02-30 10:00:00", "2026-11-21T09:00:00Z"]],
  [/./, /resourceId$/, [2 ** 31]],
  [/./, /(customDeclarationCode|unit|\/(goods|suppliers|specificities)\S* \S*title)$/, ["x\u202e", "\u0007", "\ufffd"]],
];

describe.each(bodies)("$title", (asked) => {
  test("each place of the request refuses what the API's document does not allow there", () => {
    const found = asked.places.flatMap((place) => {
      const fits = fitsOf(schemaAt(schemas, asked.schema, place));
      return missed(
        asked,
        place,
        wrong.filter((value) => !spellingsOf(value).some((spelling) => fits(spelling))),
      );
    });
    expect(found).toEqual([]);
  });

  test("each place of the request refuses a value that only looks valid", () => {
    const found = asked.places.flatMap((place) => {
      const schema = JSON.stringify(schemaAt(schemas, asked.schema, place));
      const kinds = onlyLooksRight.filter(
        ([known, where]) => known.test(schema) && where.test(`${asked.title} ${textOf(place)}`),
      );
      return missed(
        asked,
        place,
        kinds.flatMap(([, , values]) => values),
      );
    });
    expect(found).toEqual([]);
  });

  test("each list of the request takes as many elements as the API's document says, and no more", () => {
    for (const place of [[], ...asked.places]) {
      const list = arrayIn(schemaAt(schemas, asked.schema, place));
      if (list === undefined) continue;
      const [element = complete(schemas, list.items)] =
        place.reduce((value, step) => value?.[step], asked.example) ?? [];
      const elements = (count: number) => Array.from({ length: count }, () => element);
      expect(refusedAt(asked, place, elements(list.maxItems))).toBeNull();
      expect(refusedAt(asked, place, elements(list.maxItems + 1))).toBe(place.length === 0 ? "body" : textOf(place));
    }
  });
});

const compiled = new Map<string, ValidateFunction>();

function fitsOf(schema: Json): ValidateFunction {
  const text = JSON.stringify(schema).replaceAll('"#/components', '"api#/components');
  const fits = compiled.get(text) ?? ajv.compile(JSON.parse(text));
  compiled.set(text, fits);
  return fits;
}

function arrayIn(schema: Json): Json | undefined {
  return [schema, ...(schema.anyOf ?? [])].map((part) => schemas.resolve(part)).find(({ type }) => type === "array");
}
