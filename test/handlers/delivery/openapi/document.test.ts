import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Ajv2020 } from "ajv/dist/2020.js";
import express from "express";
import { catalogRows } from "#handlers/delivery/catalog/catalog-table.js";
import { createDocsRouter } from "#handlers/delivery/openapi/docs-page.js";
import { createOpenApiDocument } from "#handlers/delivery/openapi/document.js";
import { root } from "../../../support/read-imports.js";
import { listen } from "../delivery-world.js";
import {
  catalogRequests,
  dictionaryTables,
  endpointRows,
  enumerations,
  listPaging,
  nestedCatalogRequests,
  ownRows,
  parameters,
  type RequestTable,
  requestTables,
  responseTables,
  type SpecType,
} from "../spec-tables.js";
import { fieldsPage } from "./fields-page.js";

type Json = ReturnType<typeof JSON.parse>;

const document: Json = JSON.parse(JSON.stringify(createOpenApiDocument()));
const schemas: Record<string, Json> = document.components.schemas;

test("handlers/delivery/FIELDS.md is up to date with the schemas (else: npm run docs)", () => {
  expect(readFileSync(join(root, "handlers/delivery/FIELDS.md"), "utf8")).toBe(fieldsPage(createOpenApiDocument()));
});

test("the tables of endpoints in handlers/delivery/README.md name each address of the API", () => {
  const page = readFileSync(join(root, "handlers/delivery/README.md"), "utf8");
  const named = Object.keys(document.paths).map((path) => path.replace(/^\/(courier\/)?v1/, ""));
  const missing = named.filter((path) => {
    const shown = path.replace(/^\/dictionary\/.*/, "/dictionary/{name}");
    return !page.includes(`\`${shown}\``) && !page.includes(`\`${path.replace(/\/replace$/, "")}\``);
  });
  expect(missing).toEqual([]);
});

describe("the OpenAPI document", () => {
  test("the OpenAPI document has exactly the endpoints of the API's document, with their status of success", () => {
    const rows = Object.entries(document.paths)
      .filter(([path]) => path.startsWith("/v1/"))
      .flatMap(([path, methods]: [string, Json]) =>
        Object.entries(methods).map(([method, operation]: [string, Json]) => {
          const success = Object.keys(operation.responses).filter((status) => status < "300");
          return `${method} ${path.slice(3)} ${success}`;
        }),
      );
    expect(rows.sort()).toEqual([...endpointRows, ...ownRows].map((row) => row.join(" ")).sort());
  });

  test.each(Object.entries(requestTables))(
    "the schema %s has the fields and types of its table in the API's document",
    (place, table) => {
      expectFields(partOf(place), table);
    },
  );

  test.each(["OrderEdit", "OrderReplace"])(
    "the schema %s has the fields and types of OrderCreate, and only its id is required",
    (name) => {
      const { required = {}, optional = {} } = requestTables["OrderCreate"] ?? {};
      const { orderId: _id, ...rest } = { ...required, ...optional };
      const isReplace = name === "OrderReplace";
      const id = { orderId: "id" as const };
      expectFields(schemas[name], { required: isReplace ? id : {}, optional: isReplace ? rest : { ...id, ...rest } });
    },
  );

  test.each(Object.entries(responseTables))(
    "the answer %s has the fields and types of its table in the API's document",
    (place, table) => {
      const schema = partOf(place);
      // An answer to a request that writes may have warnings.
      const fields = Object.keys(schema.properties).filter((name) => name !== "warnings");
      expect(fields.sort()).toEqual(Object.keys(table).sort());
      expect(schema.additionalProperties).toBe(false);
      for (const [field, type] of Object.entries(table))
        expect({ field, types: typesOf(schema.properties[field]) }).toEqual({ field, types: wantedTypes(type) });
    },
  );

  test.each(Object.entries(enumerations))("the field %s allows exactly the API's values", (place, values) => {
    const schema = partOf(place);
    expect(schema.enum).toEqual(values);
  });

  test.each(Object.entries(dictionaryTables))(
    "/dictionary/%s answers with the fields of its table in the API's document",
    (name, table) => {
      const { schema } = document.paths[`/v1/dictionary/${name}`].get.responses[200].content["application/json"];
      expect(Object.keys(schema.items.properties).toSorted()).toEqual(Object.keys(table).toSorted());
      for (const [field, type] of Object.entries(table))
        expect(typesOf(schema.items.properties[field])).toEqual(wantedTypes(type));
    },
  );

  const bodyOf = (method: string, path: string) =>
    document.paths[`/v1${path}`][method].requestBody.content["application/json"].schema;

  test.each(Object.entries(catalogRequests))(
    "POST /%s accepts the fields and types of its table in the API's document",
    (kind, table) => {
      expectFields(bodyOf("post", `/${kind}`).items, table);
    },
  );

  test.each(Object.entries(catalogRequests))(
    "the bodies of PUT and replace of /%s have the fields and types of POST, and only the id is required",
    (kind, table) => {
      const [idField = ""] = Object.keys(table.required);
      const { [idField]: id = "id", ...rest } = { ...table.required, ...table.optional };
      expectFields(bodyOf("put", `/${kind}`), { required: {}, optional: { [idField]: id, ...rest } });
      expectFields(bodyOf("post", `/${kind}/replace`).items, { required: { [idField]: id }, optional: rest });
    },
  );

  test.each(Object.entries(nestedCatalogRequests))("%s accepts the fields and types of a creation", (place, table) => {
    const [kind, field = ""] = place.split(".");
    expectFields(plain(bodyOf("post", `/${kind}`).items.properties[field]), table);
  });

  test("exactly the resources that the API's document gives pages have page parameters", () => {
    const paging = catalogRows.map(({ kind, isPaged }) => [kind, isPaged === true ? "page, count" : "none"]);
    expect(Object.fromEntries(paging)).toEqual(listPaging);
  });

  test.each(Object.entries(parameters))(
    "the operation %s has the query parameters of its row in the API's document",
    (row, table) => {
      const [method = "", path] = row.split(" ");
      const found = document.paths[`/v1${path}`][method].parameters.filter((one: Json) => one.in === "query");
      const named = (isRequired: boolean) =>
        found.filter((one: Json) => one.required === isRequired).map((one: Json) => one.name);
      expect(named(true).sort()).toEqual([...table.required].sort());
      expect(named(false).sort()).toEqual([...table.optional].sort());
      for (const { name, schema } of found)
        if (name === "page" || name === "count") expect(schema).toEqual({ type: "integer", minimum: 0 });
    },
  );

  test("no answer's schema allows further properties", () => {
    const open: string[] = [];
    visit(document.paths, "", (value, at) => {
      if (
        (at.includes("/responses/") || at.includes("/components/responses")) &&
        value.type === "object" &&
        value.additionalProperties !== false
      )
        open.push(at);
    });
    expect(open).toEqual([]);
  });

  test("every example of the OpenAPI document fits its schema", () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: "api", components: document.components });
    let checked = 0;
    visit(document.paths, "", (value, at) => {
      if (value.schema === undefined || at.includes("parameters")) return;
      const schema = JSON.parse(JSON.stringify(value.schema).replaceAll('"#/components', '"api#/components'));
      for (const example of examplesOf(value)) {
        const isValid = ajv.validate(schema, example);
        expect({ at, errors: isValid ? null : ajv.errorsText() }).toEqual({ at, errors: null });
        checked += 1;
      }
    });
    expect(checked).toBeGreaterThan(90);
  });

  test("each body and each answer of the OpenAPI document has an example", () => {
    const without: string[] = [];
    for (const [path, methods] of Object.entries<Json>(document.paths)) {
      for (const [method, { requestBody, responses }] of Object.entries<Json>(methods)) {
        const contents = { body: requestBody, 200: responses[200], 201: responses[201] };
        for (const [part, holder] of Object.entries<Json>(contents)) {
          const content = holder?.content?.["application/json"];
          if (content !== undefined && examplesOf(content).length === 0) without.push(`${method} ${path} ${part}`);
        }
      }
    }
    expect(without).toEqual([]);
  });

  test("an independent linter finds nothing wrong in the OpenAPI document", async () => {
    const config = await createConfig({ extends: ["recommended-strict"] });
    const source = JSON.stringify(document);
    const problems = await lintFromString({ source, absoluteRef: "/openapi.json", config });
    expect(problems.map(({ ruleId, message, location: [at] }) => `${ruleId}: ${message} ${at?.pointer}`)).toEqual([]);
  });

  test("every field and parameter of the OpenAPI document has a description", () => {
    const without: string[] = [];
    const parts = { ...schemas, paths: document.paths, webhooks: document.webhooks };
    visit(parts, "", (value, at) => {
      if (/\/(example|value)(\/|$)/.test(at) && !at.includes("properties")) return;
      const isObject = value.type === "object" && typeof value.properties === "object";
      for (const [name, field] of Object.entries<Json>(isObject ? value.properties : {}))
        if (typeof field.description !== "string") without.push(`${at}.${name}`);
      for (const parameter of Array.isArray(value.parameters) ? value.parameters : [])
        if (typeof parameter.description !== "string" && typeof parameter.schema.description !== "string")
          without.push(`${at} ${parameter.name}`);
    });
    expect(without).toEqual([]);
  });

  test("the OpenAPI document has a server, one security rule for all, and an example of a refund order", () => {
    expect(document).toMatchObject({ servers: [{ url: "/" }], security: [{ shopToken: [] }] });
    expect(createOpenApiDocument({ publicUrl: "https://shop.example/" }).servers[0]?.["url"]).toBe(
      "https://shop.example",
    );
    const content = document.paths["/v1/orders"].post.requestBody.content["application/json"];
    expect(examplesOf(content)).toContainEqual([
      expect.objectContaining({ isRefund: true, payments: [expect.anything()] }),
    ]);
  });

  test("every reference in the OpenAPI document leads to a schema", () => {
    const text = JSON.stringify(document);
    for (const [, name] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g))
      expect(Object.keys(schemas)).toContain(name);
    expect(text).not.toContain("#/$defs");
  });

  test("the OpenAPI document is served as JSON and as a page that loads nothing from other hosts", async () => {
    const server = createServer(express().use(createDocsRouter()));
    const origin = await listen(server);
    const served = await (await fetch(`${origin}/openapi.json`)).json();
    const page = await (await fetch(`${origin}/docs`)).text();
    const script = await fetch(`${origin}/redoc.standalone.js`);
    const text = await script.text();
    server.close();
    expect(served).toEqual(document);
    expect(script.headers.get("content-type")).toContain("javascript");
    expect(script.headers.get("content-encoding")).toBe("gzip");
    expect(text).toContain("Redoc");
    expect(page.match(/(src|href|spec-url)="[^"]*"/g)).toEqual([
      'spec-url="openapi.json"',
      'src="redoc.standalone.js"',
      'href="openapi.json"',
    ]);
  });
});

function examplesOf({ example, examples }: Json): readonly Json[] {
  if (examples === undefined) return example === undefined ? [] : [example];
  return Object.values<Json>(examples).map(({ value }) => value);
}

function visit(value: Json, at: string, see: (value: Json, at: string) => void): void {
  if (typeof value !== "object" || value === null) return;
  see(value, at);
  for (const [key, inner] of Object.entries(value)) visit(inner, `${at}/${key}`, see);
}

function expectFields(schema: Json, { required, optional }: RequestTable) {
  const fields = { ...required, ...optional };
  expect(Object.keys(schema.properties).sort()).toEqual(Object.keys(fields).sort());
  expect([...(schema.required ?? [])].sort()).toEqual(Object.keys(required).sort());
  for (const [field, type] of Object.entries(fields))
    expect({ field, types: typesOf(schema.properties[field]) }).toEqual({ field, types: acceptedTypes(type) });
}

/** The schema of a place such as `OrderItem.warehouses`, without null; of an array the schema of its elements. */
function partOf(place: string): Json {
  const [name = "", ...fields] = place.split(".");
  return fields.reduce((schema, field) => plain(schema.properties[field]), plain(schemas[name]));
}

function plain(schema: Json): Json {
  if (schema.$ref !== undefined) return plain(schemas[schema.$ref.split("/").at(-1)]);
  if (schema.anyOf !== undefined) return plain(schema.anyOf.find((part: Json) => part.type !== "null"));
  return schema.type === "array" ? plain(schema.items) : schema;
}

/** The types of a property without null: of its variants, its values, or its reference. */
function typesOf(schema: Json): readonly string[] {
  const found = new Set<string>();
  const collect = (part: Json): void => {
    if (part.$ref !== undefined) collect(schemas[part.$ref.split("/").at(-1)]);
    else if (part.anyOf !== undefined) part.anyOf.forEach(collect);
    else if (part.type !== undefined) for (const type of [part.type].flat()) found.add(type);
    else for (const value of part.enum ?? [part.const]) found.add(value === null ? "null" : typeof value);
  };
  collect(schema);
  found.delete("null");
  return [...found].map((type) => (type === "integer" ? "number" : type)).sort();
}

const sentTypes: Record<SpecType, readonly string[]> = {
  id: ["number", "string"],
  string: ["string"],
  number: ["number"],
  sum: ["number"],
  flag: ["number"],
  boolean: ["boolean"],
  object: ["object"],
  array: ["array"],
  any: ["boolean", "string"],
};

function wantedTypes(type: SpecType): readonly string[] {
  return sentTypes[type];
}

/** Types in requests: the document's, and those that callers send besides (54-fz 15). */
function acceptedTypes(type: SpecType): readonly string[] {
  if (type === "sum") return ["number", "string"];
  return type === "flag" ? ["boolean", "number", "string"] : sentTypes[type];
}
