/** Finds unknown fields of a request body, so that the answer and the log name a misspelt field. */
import { pathText } from "@fiscald/shared/exchange/order-problem.js";
import { knownKeysAt, nearestWord, type SchemaNode, schemaNode } from "@fiscald/shared/known-keys.js";
import type { Logger } from "@fiscald/shared/logger.js";
import { z } from "zod";
import type { Caller } from "../store/access-tokens.js";
import type { Problem } from "./api-errors.js";
import { type ApiOperation, noBody } from "./endpoint.js";

export type FieldWatch = (operation: ApiOperation, caller: Caller, body: unknown) => readonly Problem[];

/** No request of the API is nested deeper. */
const MAX_DEPTH = 16;

/** Callers can invent any number of fields: `MOST_FIELDS` limits log lines, `MOST_WARNINGS` one answer. */
const MOST_FIELDS = 1000;
const MOST_WARNINGS = 100;

/** Logs each unknown field once per token. Fields of answers are no mistake, because callers send records back. */
export function createFieldWatch(operations: readonly ApiOperation[], logger: Logger): FieldWatch {
  const warned = new Set<string>();
  const bodies = new Map<ApiOperation, SchemaNode>();
  let answered: ReadonlySet<string> | null = null;

  return (operation, caller, body) => {
    if (operation.body === noBody) return [];
    const node = bodies.get(operation) ?? toNode(operation.body, "input");
    bodies.set(operation, node);
    const warnings: Problem[] = [];
    for (const { field, place, nearest } of unknownFields(node, body)) {
      answered ??= new Set(
        operations.flatMap(({ answer }) => (answer === null ? [] : namesIn(toNode(answer, "output")))),
      );
      if (answered.has(field.slice(field.lastIndexOf(".") + 1))) continue;
      const message = `is not known and was not read${nearest === null ? "" : `; "${nearest}" is near it`}`;
      warnings.push({ place, message });
      const key = JSON.stringify([caller.resource, caller.name, field]);
      if (warned.has(key) || warned.size >= MOST_FIELDS) continue;
      warned.add(key);
      logger.warn(`field "${field}" of a request ${message}`, {
        resource: caller.resource,
        token: caller.name,
        request: `${operation.method.toUpperCase()} ${operation.path}`,
      });
    }
    return warnings;
  };
}

interface UnknownField {
  /** The field's path in any element, such as `goods[].qty`. */
  readonly field: string;
  /** The field's place in the body, such as `[2].goods[0].qty`. */
  readonly place: string;
  readonly nearest: string | null;
}

function unknownFields(root: SchemaNode, body: unknown): readonly UnknownField[] {
  const found: UnknownField[] = [];
  const known = new Map<string, readonly string[]>();
  const visit = (value: unknown, at: string, path: readonly PropertyKey[]): void => {
    if (path.length > MAX_DEPTH || found.length === MOST_WARNINGS) return;
    if (Array.isArray(value)) {
      const field = at === "" ? "" : `${at}[]`;
      for (const [index, element] of value.entries()) visit(element, field, [...path, index]);
      return;
    }
    if (typeof value !== "object" || value === null) return;
    const keys = known.get(at) ?? knownKeysAt(root, path);
    known.set(at, keys);
    // The schema has no object at this place, so the value as a whole is wrong.
    if (keys.length === 0) return;
    const fieldOf = (name: string) => (at === "" ? name : `${at}.${name}`);
    for (const [name, inner] of Object.entries(value)) {
      if (!keys.includes(name)) {
        const place = pathText([...path, shown(name)]);
        const longer = name.length < 4 ? undefined : keys.find((key) => key.startsWith(name));
        found.push({ field: fieldOf(shown(name)), place, nearest: longer ?? nearestWord(name, keys) });
      } else if (typeof inner === "object") visit(inner, fieldOf(name), [...path, name]);
    }
  };
  visit(body, "", []);
  return found;
}

function shown(name: string): string {
  return name.slice(0, 64).replace(/[^\p{L}\p{N}_$ -]/gu, "?");
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
