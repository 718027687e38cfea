/** Options of the router and of the test till as a site in plain JavaScript gives them: a mistake is a sentence. */
import { showValue } from "@fiscald/shared/exchange/lenient-fields.js";
import { Fault } from "@fiscald/shared/fault.js";

/** Fields of each kind of `auth`; the last one is the secret. */
const authFields: ReadonlyMap<unknown, readonly string[]> = new Map([
  ["signature", ["secret"]],
  ["bearer", ["token"]],
  ["basic", ["user", "password"]],
  ["header", ["name", "value"]],
  ["query", ["secret"]],
  ["none", []],
]);

const isItSet = "is the environment variable set that it comes from?";

/** Fault `config.invalid` that names the option. No secret is shown. */
export function checkAuth(auth: unknown, place = "auth"): void {
  if (Array.isArray(auth)) {
    if (auth.length === 0) throw invalid(place, "is an empty list: nobody could call");
    for (const [index, one] of auth.entries()) checkAuth(one, `${place}[${index}]`);
    return;
  }
  if (typeof auth !== "object" || auth === null) {
    throw invalid(place, `must be like { kind: "signature", secret: "whsec_..." }, not ${nameOf(auth)}`);
  }
  const fields: Readonly<Record<string, unknown>> = { ...auth };
  const wanted = authFields.get(fields["kind"]);
  if (wanted === undefined) {
    const flaw = fields["kind"] === undefined ? "is missing" : `is ${showValue(fields["kind"])}`;
    throw invalid(`${place}.kind`, `${flaw}: there are ${[...authFields.keys()].join(", ")}`);
  }
  for (const name of wanted) checkText(fields[name], `${place}.${name}`);
  const secret = wanted.at(-1) ?? "";
  if (fields[secret] === "") throw invalid(`${place}.${secret}`, `is empty: ${isItSet}`);
}

function checkText(value: unknown, place: string): void {
  if (value === undefined) throw invalid(place, `is missing: ${isItSet}`);
  if (typeof value !== "string") throw invalid(place, `must be text, not ${nameOf(value)}`);
}

/** Fault `config.invalid` for a router without a source of receipts. */
export function checkSource(options: unknown): void {
  const { store, nextReceipt } = fieldsOf(options);
  if (store === undefined) {
    if (typeof nextReceipt === "function") return;
    throw invalid("store", "is missing: give the router a `store` (await openReceiptStore(...)) or a `nextReceipt`");
  }
  if (typeof store !== "object" || store === null) {
    throw invalid("store", `must be a receipt store, not ${nameOf(store)}`);
  }
  if ("then" in store) throw invalid("store", "is a promise: write `await openReceiptStore(...)`");
}

/** What an option may be; "any" is looked at elsewhere. */
export type OptionKind = "function" | "number" | "list" | "any";

/** Fault `config.invalid` for an option that there is not, or of another kind: it would be left out without a word. */
export function checkOptions(options: object, kinds: Readonly<Record<string, OptionKind>>): void {
  for (const [name, value] of Object.entries(options)) {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (kind === undefined) throw invalid(name, `is no option: there are ${Object.keys(kinds).join(", ")}`);
    const is = Array.isArray(value) ? "list" : typeof value;
    if (value === undefined || kind === "any" || is === kind) continue;
    throw invalid(name, `must be a ${kind}, not ${nameOf(value)}`);
  }
}

/** Fault `config.invalid` for a store without an address, or of a kind that the kit does not have. */
export function checkDatabase(options: unknown): void {
  const { database } = fieldsOf(options);
  const wanted = "a file, postgres://..., or `await openStore(...)`";
  if (database === undefined || database === "") throw invalid("database", `is missing (${wanted}): ${isItSet}`);
  if (typeof database === "string") return;
  if (typeof database !== "object" || database === null || !("withTables" in database)) {
    throw invalid("database", `must be ${wanted}, not ${nameOf(database)}`);
  }
}

/** Fault `config.invalid` for a test till without a site. */
export function checkTill(options: unknown): void {
  if (fieldsOf(options)["site"] === undefined) {
    throw invalid("site", 'is missing: createTestTill({ site }) takes the router itself, or "http://..."');
  }
}

/** Fault `config.invalid` for a transaction of another driver. */
export function checkWithin(within: unknown): void {
  if (within === undefined || (typeof within === "object" && within !== null && "withTables" in within)) return;
  throw invalid(
    "within",
    "must be a transaction of Kysely, or of the kit's own `openStore`: enqueue after your commit",
  );
}

function invalid(place: string, flaw: string): Fault {
  const end = flaw.endsWith("?") ? "" : ".";
  return new Fault("config.invalid", { message: `\`${place}\` ${flaw}${end}`, place });
}

function fieldsOf(options: unknown): Readonly<Record<string, unknown>> {
  return typeof options === "object" && options !== null ? { ...options } : {};
}

/** Of a value that may be a secret. */
export function nameOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
