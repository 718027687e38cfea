/** Says what a schema refuses, in texts that a caller of an HTTP API understands. */
import type { z } from "zod";
import { pathText } from "../exchange/order-problem.js";

export type Checked<Value> =
  | { readonly value: Value; readonly problems: null }
  | { readonly value: null; readonly problems: readonly SchemaProblem[] };

export interface SchemaProblem {
  /** The place in the body, such as `[2].goods[0].price`. */
  readonly place: string;
  readonly message: string;
  /** The value as a whole is of another kind than the schema wants. */
  readonly isWrongKind: boolean;
}

/** The value as the schema returns it, or every problem with it. `below`: the place of the value, such as `[2]`. */
export function checkShape<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  below: readonly PropertyKey[] = [],
): Checked<z.output<Schema>> {
  const parsed = schema.safeParse(value, { error: wordsFor });
  if (parsed.success) return { value: parsed.data, problems: null };
  return { value: null, problems: parsed.error.issues.flatMap((issue) => problemsOf(issue, value, below)) };
}

function problemsOf(issue: z.core.$ZodIssue, value: unknown, below: readonly PropertyKey[]): readonly SchemaProblem[] {
  const at = (path: readonly PropertyKey[], message: string): SchemaProblem => ({
    place: pathText([...below, ...path]),
    message,
    isWrongKind: path.length === 0 && issue.code === "invalid_type",
  });
  if (issue.code === "unrecognized_keys") return issue.keys.map((key) => at([...issue.path, key], issue.message));
  // A missing value gets a text of its own, unless the schema's text lists the allowed values.
  const isListed = issue.code === "custom" || (issue.code === "invalid_union" && issue.discriminator !== undefined);
  if (!isListed && issue.path.length > 0 && valueAt(value, issue.path) === undefined) {
    return [at(issue.path, `is required${misspelt(value, issue.path)}`)];
  }
  return [at(issue.path, issue.message)];
}

/** A hint at a key that is like the missing one: `order_id` beside a missing `orderId`. */
function misspelt(value: unknown, path: readonly PropertyKey[]): string {
  const parent = valueAt(value, path.slice(0, -1));
  const name = plainName(String(path.at(-1)));
  if (typeof parent !== "object" || parent === null) return "";
  const near = Object.keys(parent).find((key) => plainName(key) === name);
  return near === undefined ? "" : `, and is not written as ${near}`;
}

function plainName(name: string): string {
  return name.replaceAll(/[\s_-]/g, "").toLowerCase();
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, part) => {
    if (typeof inner !== "object" || inner === null) return undefined;
    return Object.hasOwn(inner, part) ? Reflect.get(inner, part) : undefined;
  }, value);
}

/** Texts for issues whose schema has no text of its own. */
function wordsFor(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return `must be ${kindNamed(issue.expected)}, not ${kindOf(issue.input)}`;
    case "too_small":
      return sizeWords(issue.origin, "at least", Number(issue.minimum), issue.inclusive !== false);
    case "too_big":
      return sizeWords(issue.origin, "at most", Number(issue.maximum), issue.inclusive !== false);
    case "invalid_value":
      return `must be ${issue.values.length === 1 ? "" : "one of "}${issue.values.map(String).join(", ")}`;
    case "unrecognized_keys":
      return "is not known here";
    case "invalid_union":
      return `must be ${unionKinds(issue.errors) || "of another form"}`;
    default:
      return "is not written as this field is";
  }
}

function sizeWords(origin: string, limit: "at least" | "at most", size: number, inclusive: boolean): string {
  if (origin === "string") {
    return limit === "at least" && size === 1 ? "must not be empty" : `must have ${limit} ${size} characters`;
  }
  if (origin === "array") return `must have ${limit} ${size} elements`;
  if (inclusive) return `must be ${limit} ${size}`;
  return `must be ${limit === "at least" ? "above" : "below"} ${size}`;
}

function unionKinds(branches: readonly (readonly z.core.$ZodIssue[])[]): string {
  const kinds = branches.flatMap(([first]) => (first?.code === "invalid_type" ? [kindNamed(first.expected)] : []));
  return [...new Set(kinds)].join(" or ");
}

const kinds: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "an array",
  object: "an object",
  record: "an object",
  null: "null",
  function: "a function",
};

function kindNamed(expected: string): string {
  return kinds[expected] ?? expected;
}

/** The kind of a value. A text is not shown, because it may be a secret. */
export function kindOf(input: unknown): string {
  if (input === null) return "null";
  if (Array.isArray(input)) return "an array";
  if (typeof input === "number" && !Number.isInteger(input))
    return Number.isFinite(input) ? "a fraction" : String(input);
  return typeof input === "boolean" ? String(input) : kindNamed(typeof input);
}
