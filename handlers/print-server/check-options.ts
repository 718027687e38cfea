/** Checks options that plain JavaScript passes. Each mistake becomes a sentence that names the option. */
import { Fault } from "@fiscald/shared/fault.js";
import { checkShape, kindOf } from "@fiscald/shared/http/schema-problems.js";
import { type ReceiptId, toReceiptId } from "@fiscald/shared/ids.js";
import { nearestWord } from "@fiscald/shared/known-keys.js";
import { z } from "zod";

const isItSet = "is the environment variable set that it comes from?";

/** Fault `config.invalid` names every unknown or wrong option, but no value: a value may be a secret. */
export function throwIfWrongOptions(schema: z.ZodObject, options: unknown): void {
  // The caller may have passed the transaction itself in place of `{ within: tx }`.
  if ("within" in schema.shape && (hasTables(options) || hasMethod(options, "query"))) {
    throw new Fault("config.invalid", { message: "`within` is an option: write { within: tx }.", place: "within" });
  }
  const { problems } = checkShape(schema, isObject(options) ? options : {});
  const [first] = problems ?? [];
  if (problems === null || first === undefined) return;
  const lines = problems.map(({ place, message }) => {
    const isKnown = Object.hasOwn(schema.shape, /^\w*/.exec(place)?.[0] ?? "");
    const words = isKnown ? message : noOption(place, Object.keys(schema.shape));
    return `\`${place}\` ${words}${words.endsWith("?") ? "" : "."}`;
  });
  throw new Fault("config.invalid", { message: lines.join("\n"), place: first.place });
}

function noOption(name: string, names: readonly string[]): string {
  const near = nearestWord(name, names);
  return near === null ? `is no option: there are ${names.join(", ")}` : `is no option; \`${near}\` is`;
}

function custom(is: (value: unknown) => boolean, error: (value: unknown) => string) {
  return z.custom(is, { error: ({ input }) => error(input) });
}

export const aFunction = custom(
  (value) => typeof value === "function",
  (value) => `must be a function, not ${kindOf(value)}`,
);

const text = custom((value) => typeof value === "string", wordsOfText);

function wordsOfText(value: unknown): string {
  return value === undefined ? `is missing: ${isItSet}` : `must be text, not ${kindOf(value)}`;
}

/** A shorter secret could be guessed. */
const LEAST_SECRET = 16;

function secretFrom(least: number) {
  return custom(
    // The prefix of a signing secret adds nothing to its strength.
    (value) => typeof value === "string" && value.replace(/^whsec_/, "").length >= least,
    (value) => {
      if (value === "") return `is empty: ${isItSet}`;
      return typeof value === "string"
        ? `is shorter than ${least} characters, and could be guessed`
        : wordsOfText(value);
    },
  );
}

function oneAuth(least: number) {
  const secret = secretFrom(least);
  const ways = [
    z.object({ kind: z.literal("signature"), secret }),
    z.object({ kind: z.literal("bearer"), token: secret }),
    z.object({ kind: z.literal("basic"), user: text, password: secret }),
    z.object({ kind: z.literal("header"), name: text, value: secret }),
    z.object({ kind: z.literal("query"), secret }),
    z.object({ kind: z.literal("none") }),
  ] as const;
  return z.discriminatedUnion("kind", ways, {
    error: ({ code, input }) =>
      code === "invalid_union"
        ? `is none of ${ways.map(({ shape }) => shape.kind.value).join(", ")}`
        : `must be like { kind: "signature", secret: "whsec_..." }, not ${kindOf(input)}`,
  });
}

/** Fault `config.invalid` that names what is wrong with `auth`. `least`: the fewest characters of a secret. */
export function checkAuth(auth: unknown, least = LEAST_SECRET): void {
  const one = oneAuth(least);
  const list = z.array(one).min(1, { error: "is an empty list: nobody could call" });
  throwIfWrongOptions(z.object({ auth: Array.isArray(auth) ? list : one }), { auth: auth ?? null });
}

export const aStore = custom(
  (value) => isObject(value) && !("then" in value),
  (value) =>
    isObject(value)
      ? "is a promise: write `await openReceiptStore(...)`"
      : `must be a receipt store, not ${kindOf(value)}`,
);
export const noSource = "is missing: give the router a `store` (await openReceiptStore(...)) or a `nextReceipt`";

const someDatabase = "a file, postgres://..., or `await openStore(...)`";

export const aDatabase = custom(
  (value) => (typeof value === "string" ? value !== "" : hasTables(value)),
  (value) =>
    value === undefined || value === ""
      ? `is missing (${someDatabase}): ${isItSet}`
      : `must be ${someDatabase}, not ${kindOf(value)}`,
);

/** Refuses Kysely's `db`, on which each statement would be a transaction of its own. */
export const within = custom(
  (value) =>
    value === undefined ||
    (hasTables(value) ? Reflect.get(value, "isTransaction") === true : hasMethod(value, "query")),
  (value) =>
    hasTables(value)
      ? "must be an open transaction, not the database: `store.transaction((tx) => ... { within: tx })`"
      : "must be a transaction of Kysely, or have `query(sql, values)`: see OWN-TRANSACTION.md",
);

export const aKey = custom(
  (value) => value === undefined || (typeof value === "string" && value.trim() !== ""),
  (value) => `must be the id of the refund or payment as text, not ${value === "" ? "empty" : kindOf(value)}`,
);

/** Refuses an id that is not text: plain JavaScript may pass the whole answer of `enqueue` in its place. */
export function checkReceiptId(receiptId: string): ReceiptId {
  if (typeof receiptId === "string") return toReceiptId(receiptId);
  const message = "`receiptId` must be text: `enqueue` answers { receiptId, isNew, state }, write its `.receiptId`.";
  throw new Fault("config.invalid", { message, place: "receiptId" });
}

export const aSite = custom(
  (value) => value !== undefined,
  () => 'is missing: createTestTill({ site }) takes the router itself, or "http://..."',
);

export const aLogger = withMethods("a logger", ["error", "warn", "info", "debug"]);
export const aClock = withMethods("a clock", ["now", "monotonic", "sleep", "setTimer"]);

function withMethods(what: string, names: readonly string[]) {
  return custom(
    (value) => names.every((name) => hasMethod(value, name)),
    (value) => `must be ${what} with ${names.join(", ")}, not ${kindOf(value)}`,
  );
}

export function hasMethod(value: unknown, name: string): boolean {
  return (isObject(value) || typeof value === "function") && typeof Reflect.get(value, name) === "function";
}

function hasTables(value: unknown): value is object {
  return isObject(value) && "withTables" in value;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
