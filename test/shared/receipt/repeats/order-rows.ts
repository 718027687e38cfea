/**
 * A decision on a receipt as text: `sale 90 | return 100, sale 100 queued -> new instead of 1`. The receipt that is
 * offered stands before the bar. The earlier receipts of the order stand behind it, newest first and numbered from the
 * last one; `{a,b}` makes a row for each. Behind a receipt's kind stand its roubles, and `#1` or `#2` as its receiptId.
 */
import { kopecks } from "@fiscald/shared/amounts.js";
import { toReceiptId } from "@fiscald/shared/ids.js";
import type { SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { decideRepeat } from "@fiscald/shared/receipt/repeats/decide-repeat.js";
import type { EarlierReceipt, Offer, RepeatDecision } from "@fiscald/shared/receipt/repeats/repeat-decision.js";
import { asItIs } from "@fiscald/shared/texts.js";
import { makeItem, makeReceipt } from "../../../support/make-job.js";

export const ids = ["1", "2"].map((digit) => toReceiptId(`7b0c3a52-0000-4000-8000-00000000000${digit}`));
const correction = { type: "self", date: "2026-07-14" } as const;
const back = { operation: "return" } as const;
/** The fields of each kind: `method` is tag 1214 of the position, `form` is the form of payment. */
const kinds: Readonly<Record<string, Partial<SaleReceipt> & { readonly method?: number; readonly form?: number }>> = {
  sale: {},
  return: back,
  prepayment: { method: 1 },
  "prepayment-return": { ...back, method: 1 },
  offset: { form: 2 },
  "offset-return": { ...back, form: 2 },
  credit: { form: 3, method: 6 },
  "credit-return": { ...back, form: 3 },
  "pay-off": { method: 7 },
  correction: { correction },
  "order-correction": { correction: { ...correction, ofOrder: true } },
  "return-correction": { ...back, correction },
};
const flags: Readonly<Record<string, Partial<EarlierReceipt>>> = {
  ...{ untold: { told: "no" }, "told-now": { told: "meanwhile" }, told: { told: "yes" } },
  ...{ "old-shift": { isInOpenShift: () => false }, "tried-again": { wasTriedAgain: () => true } },
  ...{ "by-person": { isByOperator: true, told: "no" }, "third-try": { tries: 3 }, "second-try": { tries: 2 } },
};
const callers: Readonly<Record<string, Partial<Offer>>> = {
  kit: { from: "kit" },
  "put-back": { from: "kit", isPutBack: true },
  approve: { from: "site", isPutBack: true },
  "print-anyway": { from: "shop", lifted: { printAnyway: true, beyondSold: false } },
  "beyond-sold": { from: "shop", lifted: { printAnyway: false, beyondSold: true } },
};
const states = ["queued", "held", "printing", "unsure", "printed", "failed", "cancelled"] as const;

export function receiptOf(text: string): SaleReceipt {
  const [kind = "", roubles = "", ...words] = text.split(" ");
  const { method, form, ...facts } = kinds[kind] ?? fail(text);
  const price = kopecks(Math.round(Number(roubles) * 100));
  const fixed = words.find((word) => word.startsWith("fixes:"))?.slice(6);
  return makeReceipt({
    ...facts,
    lines: [makeItem({ price, ...(method === undefined ? {} : { method }) })],
    ...(form === undefined ? {} : { payments: [{ typeClose: form, sum: price }] }),
    receiptId: ids[["#1", "#2"].findIndex((word) => words.includes(word))] ?? null,
    ...(fixed === undefined ? {} : { requisites: { additional: signOf(Number(fixed)) } }),
  });
}

function signOf(id: number): string {
  return String(1_000_000_000 + id);
}

export function earlier(id: number, receipt: EarlierReceipt["receipt"], ...words: readonly string[]): EarlierReceipt {
  const state = states.find((name) => words.includes(name)) ?? "printed";
  const found = words.flatMap((word) => flags[word] ?? []);
  return {
    ...{ id, receipt, state, name: asItIs(`FD ${id}`), doneParts: 0, tries: state === "failed" ? 1 : 0 },
    told: state === "printed" || state === "failed" ? "yes" : "no",
    fiscalSign: state === "printed" ? signOf(id) : null,
    ...{ isInOpenShift: () => true, isStillInItsShift: () => true, wasTriedAgain: () => false },
    ...Object.assign({}, ...found),
  };
}

function earlierOf(text: string): readonly EarlierReceipt[] {
  const list = text.trim() === "" ? [] : text.trim().split(", ");
  return list.map((one, at) => earlier(list.length - at, receiptOf(one), ...one.split(" ")));
}

export function inWords(decision: RepeatDecision<EarlierReceipt>): string {
  const note = "warning" in decision && decision.warning !== null ? ` (${decision.warning})` : "";
  const instead = "replaces" in decision ? decision.replaces.map(({ id }) => ` instead of ${id}`).join("") : "";
  switch (decision.action) {
    case "new":
      return `new${instead}${note}`;
    case "again":
      return `again ${decision.of.id}${decision.isChanged ? " as changed" : ""}${instead}`;
    case "refuse": {
      const { code, because, isPrinted, again, asks } = decision;
      const more = [...(isPrinted ? ["as it"] : []), ...(again ? ["later"] : []), ...(asks === null ? [] : [asks])];
      return [`refused ${code.replace(/^\w+\./, "")} by ${because.id}`, ...more].join(", ");
    }
    default:
      return `${decision.action} ${decision.of.id}${note}`;
  }
}

/** Returns the row with the decision that was made. */
function decidedRow(row: string): string {
  const [left = ""] = row.split(" -> ");
  const [offer = "", list = ""] = left.split(" |");
  const [text = "", caller] = offer.split(" by ");
  const options = caller === undefined ? {} : (callers[caller] ?? fail(row));
  return `${left} -> ${inWords(decideRepeat({ receipt: receiptOf(text), from: "site", ...options }, earlierOf(list)))}`;
}

function variants(row: string): readonly string[] {
  const [braces, inside = ""] = /\{([^}]*)\}/.exec(row) ?? [];
  return braces === undefined ? [row] : inside.split(",").flatMap((one) => variants(row.replace(braces, one)));
}

/** Each title is one test of all its rows. */
export function testRows(tables: Readonly<Record<string, readonly string[]>>): void {
  test.each(Object.entries(tables))("%s", (_title, rows) => {
    const wanted = rows.flatMap(variants);
    expect(wanted.map(decidedRow)).toEqual(wanted);
  });
}

function fail(text: string): never {
  throw new Error(`no such row: ${text}`);
}
