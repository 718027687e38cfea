/** Logs unknown fields of a request body, so that a misspelt field is noticed. */
import { knownKeysAt, nearestWord, type SchemaNode, schemaNode } from "@fiscald/shared/known-keys.js";
import type { Logger } from "@fiscald/shared/logger.js";
import { z } from "zod";
import type { Caller } from "../store/access-tokens.js";
import { type ApiOperation, noBody } from "./endpoint.js";

export type FieldWatch = (operation: ApiOperation, caller: Caller, body: unknown) => void;

/** The deepest nesting that is looked at; no request of ours is deeper. */
const MAX_DEPTH = 16;

/** The most warnings, because callers can invent any number of fields. */
const MOST_FIELDS = 1000;

/** Warns once per token and field. Fields of answers are allowed: callers send records back as they got them. */
export function createFieldWatch(operations: readonly ApiOperation[], logger: Logger): FieldWatch {
  const warned = new Set<string>();
  const bodies = new Map<ApiOperation, SchemaNode>();
  let answered: ReadonlySet<string> | null = null;

  return (operation, caller, body) => {
    if (operation.body === noBody) return;
    const node = bodies.get(operation) ?? toNode(operation.body, "input");
    bodies.set(operation, node);
    for (const { field, nearest } of unknownFields(node, body)) {
      answered ??= new Set(operations.flatMap(answerNames));
      const key = JSON.stringify([caller.resource, caller.name, field]);
      if (answered.has(nameAt(field)) || warned.has(key) || warned.size >= MOST_FIELDS) continue;
      warned.add(key);
      const meant = nearest === null ? "" : `; "${nearest}" is near it`;
      logger.warn(`field "${field}" of a request is not known and was not read${meant}`, {
        resource: caller.resource,
        token: caller.name,
        request: `${operation.method.toUpperCase()} ${operation.path}`,
      });
    }
  };
}

interface UnknownField {
  /** The field's path, such as `goods[].qty`. */
  readonly field: string;
  readonly nearest: string | null;
}

function unknownFields(root: SchemaNode, body: unknown): readonly UnknownField[] {
  const found = new Map<string, UnknownField>();
  const known = new Map<string, readonly string[]>();
  const visit = (value: unknown, at: string, path: readonly PropertyKey[]): void => {
    if (path.length > MAX_DEPTH) return;
    if (Array.isArray(value)) {
      const [field, inside] = [at === "" ? "" : `${at}[]`, [...path, 0]];
      for (const element of value) visit(element, field, inside);
      return;
    }
    if (typeof value !== "object" || value === null) return;
    const keys = known.get(at) ?? knownKeysAt(root, path);
    known.set(at, keys);
    // The schema has no object at this place, and so the value as a whole is wrong.
    if (keys.length === 0) return;
    const fieldOf = (name: string) => (at === "" ? name : `${at}.${name}`);
    for (const [name, inner] of Object.entries(value)) {
      if (!keys.includes(name)) {
        const field = fieldOf(shown(name));
        found.set(field, { field, nearest: nearestWord(name, keys) });
      } else if (typeof inner === "object") visit(inner, fieldOf(name), [...path, name]);
    }
  };
  visit(body, "", []);
  return [...found.values()];
}

/** The field's name in a form that a log can hold. */
function shown(name: string): string {
  return name.slice(0, 64).replace(/[^\p{L}\p{N}_$ -]/gu, "?");
}

function nameAt(field: string): string {
  return field.slice(field.lastIndexOf(".") + 1);
}

function answerNames({ answer }: ApiOperation): readonly string[] {
  return answer === null ? [] : namesIn(toNode(answer, "output"));
}

function namesIn(node: SchemaNode): readonly string[] {
  const parts = [...Object.values(node.properties ?? {}), ...(node.anyOf ?? []), ...(node.oneOf ?? [])];
  const inner = node.items === undefined ? parts : [...parts, node.items];
  return [...Object.keys(node.properties ?? {}), ...inner.flatMap(namesIn)];
}

/** The JSON Schema without `$ref`: each part is written out where it is used. */
function toNode(schema: z.ZodType, io: "input" | "output"): SchemaNode {
  return schemaNode.parse(z.toJSONSchema(schema, { io, unrepresentable: "any", metadata: z.registry() }));
}
