/** Builds an OpenAPI 3.1 document from the same schemas that check the requests. */
import { z } from "zod";
import { errorSchema } from "../http/api-errors.js";
import { type ApiOperation, noBody } from "../http/endpoint.js";
import { describeField } from "./field-descriptions.js";

export type JsonObject = { readonly [key: string]: unknown };

export interface OpenApiDocument {
  readonly openapi: "3.1.0";
  readonly info: JsonObject;
  readonly servers: readonly JsonObject[];
  readonly security: readonly JsonObject[];
  readonly tags: readonly JsonObject[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, JsonObject>>>>;
  readonly webhooks: JsonObject;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonObject>>;
    readonly responses: Readonly<Record<string, JsonObject>>;
    readonly securitySchemes: JsonObject;
  };
}

type DescribedOperation = Omit<ApiOperation, "execute">;

export interface DocumentPart {
  readonly base: string;
  readonly operations: readonly DescribedOperation[];
  readonly security: string;
}

export interface DocumentParts {
  readonly title: string;
  readonly description: string;
  readonly publicUrl: string;
  readonly parts: readonly DocumentPart[];
  readonly securitySchemes: JsonObject;
  readonly tagDescriptions?: Readonly<Record<string, string>>;
  /** Schema and example of answers from status 400 up. Default: the delivery API's. */
  readonly error?: { readonly schema: z.ZodType; readonly example: JsonObject };
  /** Puts the delivery API's text in front of each field's own description; default true. */
  readonly hasApiFields?: boolean;
  /** Requests that this API sends to others, with their bodies. */
  readonly webhooks?: (bodyOf: (schema: z.ZodType) => JsonObject) => JsonObject;
}

const COMPONENTS = "#/components/schemas/";

const errorStatuses: Readonly<Record<number, string>> = {
  400: "Incorrect request",
  401: "Token missing or invalid",
  403: "Insufficient rights",
  404: "Object not found",
  413: "The body is larger than allowed",
  422: "Data failed validation",
  429: "Too many requests; see Retry-After",
  500: "Internal service error",
};

const successTitles: Readonly<Record<number, string>> = { 200: "Done", 201: "Created", 204: "Done, empty body" };

export function buildDocument(options: DocumentParts): OpenApiDocument {
  const { title, description, publicUrl, parts, securitySchemes, tagDescriptions = {}, webhooks } = options;
  const inWords = (parts: JsonObject) => objectOf(options.hasApiFields === false ? parts : described(parts));
  const schemas = new Map<string, JsonObject>();
  const paths: Record<string, Record<string, JsonObject>> = {};
  for (const { base, operations, security } of parts) {
    for (const operation of operations) {
      const path = `${base}${operation.path}`;
      paths[path] = { ...paths[path], [operation.method]: describe(operation, base, security, schemas) };
    }
  }
  const calls = webhooks?.((schema) => jsonContent(toSchema(schema, "output", schemas), undefined)) ?? {};
  const responses = errorResponses(schemas, options.error ?? { schema: errorSchema, example: {} });
  return {
    openapi: "3.1.0",
    info: { title, version: "1.0.0", description, license: { name: "MIT", identifier: "MIT" } },
    servers: [{ url: publicUrl.replace(/(?<=.)\/+$/, ""), description: "The shop's site" }],
    security: parts.slice(0, 1).map(({ security }) => ({ [security]: [] })),
    tags: tagsOf(paths, tagDescriptions),
    paths: Object.fromEntries(Object.entries(paths).map(([path, methods]) => [path, eachIn(methods, inWords)])),
    webhooks: inWords(calls),
    components: {
      schemas: eachIn(Object.fromEntries(schemas), inWords),
      responses: eachIn(responses, inWords),
      securitySchemes,
    },
  };
}

function eachIn(parts: Readonly<Record<string, JsonObject>>, inWords: (part: JsonObject) => JsonObject) {
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, inWords(part)]));
}

function tagsOf(
  paths: OpenApiDocument["paths"],
  descriptions: Readonly<Record<string, string>>,
): readonly JsonObject[] {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const names = operations.flatMap(({ tags }) => (Array.isArray(tags) ? tags.map(String) : []));
  return [...new Set(names)].map((name) => ({ name, description: descriptions[name] ?? `About ${name}` }));
}

function describe(
  operation: DescribedOperation,
  base: string,
  security: string,
  schemas: Map<string, JsonObject>,
): JsonObject {
  const { body, example } = operation;
  return {
    operationId: operationId(operation, base),
    tags: [base.includes("courier") ? `courier ${operation.tag}` : operation.tag],
    summary: operation.summary,
    security: operation.open === true ? [] : [{ [security]: [] }],
    parameters: [...parametersOf(operation, schemas), ...(operation.method === "get" ? [] : [idempotencyHeader])],
    ...(body === noBody
      ? {}
      : {
          requestBody: {
            required: true,
            content: jsonContent(toSchema(body, "input", schemas), example.body, example.otherBodies),
          },
        }),
    responses: { ...success(operation, schemas), ...errorReferences },
  };
}

const idempotencyHeader = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "The same key within 24 hours gives the first answer again, without a second effect.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};

function operationId({ method, path }: DescribedOperation, base: string): string {
  const words = `${method}${base.includes("courier") ? "-courier" : ""}${path.replace(/\{(.*)\}/, "by-$1")}`.split(
    /[/-]/,
  );
  return words.map((word, position) => (position === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join("");
}

function parametersOf({ query, headers = [], path, example }: DescribedOperation, schemas: Map<string, JsonObject>) {
  const schema = toSchema(query, "input", schemas);
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(objectOf(schema.properties)).flatMap(([name, value]) => {
    const { description = describeField(name), ...schema } = objectOf(value);
    const common = { name, description, ...parameterValue(schema, example.query?.[name]) };
    if (path.endsWith(`{${name}}`)) return [{ ...common, in: "path", required: true }];
    const inQuery = { ...common, in: "query", required: required.includes(name) };
    // HTTP forbids brackets in the name of a header.
    return headers.includes(name) && !name.includes("[")
      ? [inQuery, { ...common, in: "header", required: false }]
      : [inQuery];
  });
}

/** A whole number is text in an address, but a reader of the document should see a number. */
function parameterValue(schema: JsonObject, example: string | undefined): JsonObject {
  const { pattern: _ofText, ...plain } = schema;
  const isNumber = schema["type"] === "integer";
  return {
    schema: isNumber ? plain : schema,
    ...(example === undefined ? {} : { example: isNumber ? Number(example) : example }),
  };
}

function success({ status, answer, example }: DescribedOperation, schemas: Map<string, JsonObject>): JsonObject {
  const description = successTitles[status] ?? "Done";
  if (answer === null) return { [status]: { description } };
  return { [status]: { description, content: jsonContent(toSchema(answer, "output", schemas), example.answer) } };
}

const errorReferences = Object.fromEntries(
  Object.keys(errorStatuses).map((status) => [status, { $ref: `#/components/responses/Error${status}` }]),
);

function errorResponses(
  schemas: Map<string, JsonObject>,
  error: NonNullable<DocumentParts["error"]>,
): Record<string, JsonObject> {
  const schema = toSchema(error.schema.meta({ id: "Error" }), "output", schemas);
  return Object.fromEntries(
    Object.entries(errorStatuses).map(([status, description]) => [
      `Error${status}`,
      { description, content: jsonContent(schema, { error: true, message: description, ...error.example }) },
    ]),
  );
}

function jsonContent(schema: JsonObject, example: unknown, others?: Readonly<Record<string, unknown>>): JsonObject {
  if (example === undefined) return { "application/json": { schema } };
  if (others === undefined) return { "application/json": { schema, example } };
  const named = Object.entries({ usual: example, ...others }).map(([summary, value]) => [
    summary.replaceAll(" ", "-"),
    { summary, value },
  ]);
  return { "application/json": { schema, examples: Object.fromEntries(named) } };
}

function toSchema(schema: z.ZodType, io: "input" | "output", schemas: Map<string, JsonObject>): JsonObject {
  const text = JSON.stringify(z.toJSONSchema(schema, { io, target: "draft-2020-12" }));
  const { $schema: _dialect, $defs, ...plain } = objectOf(JSON.parse(text.replaceAll("#/$defs/", COMPONENTS)));
  for (const [name, definition] of Object.entries({
    ...objectOf($defs),
    ...(typeof plain.id === "string" ? { [plain.id]: plain } : {}),
  })) {
    const { id: _name, ...named } = objectOf(definition);
    schemas.set(name, named);
  }
  return typeof plain.id === "string" ? { $ref: `${COMPONENTS}${plain.id}` } : plain;
}

function described(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(described);
  if (typeof value !== "object" || value === null) return value;
  const schema = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, described(inner)]));
  const { properties } = schema;
  if (typeof properties !== "object" || properties === null) return schema;
  const fields = Object.entries(properties).map(([name, field]) => [name, withDescription(name, objectOf(field))]);
  return { ...schema, properties: Object.fromEntries(fields) };
}

function withDescription(name: string, field: JsonObject): JsonObject {
  const texts = [describeField(name), field["description"]].filter((text) => text !== undefined);
  return texts.length === 0 ? field : { ...field, description: texts.join(" ") };
}

function objectOf(value: unknown): JsonObject {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
