/** Writes FIELDS.md, the fields of every entity of the shops' API: which are accepted, stored and returned. */
import type { JsonObject, OpenApiDocument } from "#handlers/delivery/openapi/build-document.js";
import { describeField } from "#handlers/delivery/openapi/field-descriptions.js";

/** A row for each entity. Fields of creations and changes are accepted; fields of answers are returned. */
export function fieldsPage({ paths, components }: OpenApiDocument): string {
  const named = new Set<string>();
  const entities = new Set(Object.keys(paths).map((path) => path.replace(/\/replace$/, "")));
  const rows = [...entities].flatMap((path) => {
    const own = objectOf(paths[path]);
    const write = objectOf(own["post"] ?? objectOf(paths[`${path}/replace`])["post"] ?? own["put"]);
    const accepted = fieldsOf(bodyOf(write["requestBody"]));
    const written = fieldsOf(answerOf(write));
    const returned = written.size > 0 ? written : fieldsOf(answerOf(objectOf(own["get"])));
    if (!path.startsWith("/v1/") || accepted.size + returned.size === 0) return [];
    const names = [...accepted.keys()];
    for (const name of [...names, ...returned.keys()]) named.add(name.split(".").at(-1) ?? name);
    const columns = [
      names.filter((name) => accepted.get(name) === true),
      names.filter((name) => accepted.get(name) !== true),
      returned.size === 0 ? [] : names.filter((name) => !returned.has(name)),
      [...returned.keys()].filter((name) => !accepted.has(name) && !name.startsWith("warnings")),
    ];
    const cells = columns.map((fields) => fields.map((name) => `\`${name}\``).join(", "));
    return [`| \`${path.slice(3)}\` | ${cells.join(" | ")} |`];
  });
  const meanings = [...named].toSorted().map((name) => `| \`${name}\` | ${describeField(name) ?? ""} |`);
  return `${intro}\n${rows.join("\n")}\n\n${meaning}\n${meanings.join("\n")}\n`;

  /** The fields below the schema, each with whether it is required in its object. */
  function fieldsOf(schema: JsonObject, place = ""): ReadonlyMap<string, boolean> {
    const { $ref, anyOf, items, properties, required } = schema;
    if (typeof $ref === "string") return fieldsOf(objectOf(components.schemas[$ref.split("/").at(-1) ?? ""]), place);
    const parts = Array.isArray(anyOf) ? anyOf : items === undefined ? [] : [items];
    const below = parts.flatMap((part) => [...fieldsOf(objectOf(part), place)]);
    const own = Object.entries(objectOf(properties)).flatMap(([name, field]) => [
      [`${place}${name}`, Array.isArray(required) && required.includes(name)] as const,
      ...fieldsOf(objectOf(field), `${place}${name}.`),
    ]);
    return new Map([...below, ...own]);
  }
}

const intro = `<!-- Made by npm run docs from the schemas of the endpoints. -->

# The fields of the delivery API

What is accepted is stored, a courier's password as its hash, the provider's password not at all; what is only returned
is made here, or comes from couriers, registers and commands. An edit (PUT) and a replacement take the same fields, all
but the id optional. Types and bounds: \`/docs\` of a running site.

| Entity | Required | May be left out | Accepted and never returned | Only returned |
|---|---|---|---|---|`;

const meaning = `## What each field means

A name has one meaning everywhere.

| Field | Means |
|---|---|`;

function answerOf(operation: JsonObject): JsonObject {
  return bodyOf(Object.values(objectOf(operation["responses"]))[0]);
}

function bodyOf(part: unknown): JsonObject {
  return objectOf(objectOf(objectOf(objectOf(part)["content"])["application/json"])["schema"]);
}

function objectOf(value: unknown): JsonObject {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
