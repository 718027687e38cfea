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
  const { store, nextReceipt }: Readonly<Record<string, unknown>> =
    typeof options === "object" && options !== null ? { ...options } : {};
  if (store === undefined) {
    if (typeof nextReceipt === "function") return;
    throw invalid("store", "is missing: give the router a `store` (await openReceiptStore(...)) or a `nextReceipt`");
  }
  if (typeof store !== "object" || store === null) {
    throw invalid("store", `must be a receipt store, not ${nameOf(store)}`);
  }
  if ("then" in store) throw invalid("store", "is a promise: write `await openReceiptStore(...)`");
}

function invalid(place: string, flaw: string): Fault {
  return new Fault("config.invalid", { message: `\`${place}\` ${flaw}.`, place });
}

/** Of a value that may be a secret. */
function nameOf(value: unknown): string {
  return value === undefined || value === null ? String(value) : `a ${typeof value}`;
}
