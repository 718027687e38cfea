/** How far a fiscal document agrees with a receipt of ours. An order mark is tag 1086 inside tag 1084. */
import type { DocumentItem, FiscalDocument } from "@fiscald/drivers/fiscal-document.js";
import { formatMark, markedOrderId, parseMark } from "@fiscald/shared/receipt/order-mark.js";
import { documentTypeOf, itemsOf, ownPropertyOf, type SaleReceipt, totalOf } from "@fiscald/shared/receipt/receipt.js";
import type { Job } from "../../store/job.js";

/**
 * - `equal`: a receipt that was read in full, with the same direction, total and lines.
 * - `similar`: read in full and without contradiction, but names cut short or another contact leave a doubt.
 * - `unread`: what could be read agrees, and the rest could not be read.
 * - `other`: the document contradicts the receipt, or is no receipt at all.
 */
export type Agreement = "equal" | "similar" | "unread" | "other";

/** The register may round off a receipt's total by less than one rouble. */
export const TOTAL_TOLERANCE_KOPECKS = 100;

/** Tags 1178 (day of the settlement that is corrected) and 1192 (fiscal sign of the document that is corrected). */
const CORRECTED_DAY = 1178;
const CORRECTED_SIGN = 1192;

/** Shift documents, reports and confirmations are no order's receipt. */
export function countsAsReceipt({ type }: Pick<FiscalDocument, "type">): boolean {
  return type === "receipt" || type === "correction" || type === "unknown";
}

export function compareDocument(document: FiscalDocument, receipt: SaleReceipt): Agreement {
  if (!couldBeForm(document, receipt) || contradictsHead(document, receipt)) return "other";
  if (document.body !== "full") return "unread";
  switch (isOfSums(document, receipt) ? "same" : compareLines(receipt, document.items)) {
    case "other":
      return "other";
    case "same":
      if (
        document.type !== documentTypeOf(receipt) ||
        hasOtherBasis(document, receipt) ||
        hasOtherContact(document, receipt) ||
        hasOtherProperty(document, receipt)
      )
        return "similar";
      return hasNumbers(document) ? "equal" : "unread";
    case "respelt":
    case "unclear":
      return "similar";
  }
}

/** Only a correction can be a correction's document, but a register may show a plain receipt in another form. */
export function couldBeForm({ type }: Pick<FiscalDocument, "type">, { correction }: SaleReceipt): boolean {
  return countsAsReceipt({ type }) && (correction === undefined || type !== "receipt");
}

/** Whether both are corrections, and the document has no positions, as in FFD 1.05. */
function isOfSums({ type, items }: FiscalDocument, { correction }: SaleReceipt): boolean {
  return type === "correction" && items.length === 0 && correction !== undefined;
}

/** A direction or total that the register did not show contradicts nothing. */
export function contradictsHead(
  { operation, total }: Pick<FiscalDocument, "operation" | "total">,
  receipt: SaleReceipt,
): boolean {
  if (operation !== null && operation !== receipt.operation) return true;
  return total !== null && Math.abs(total - totalOf(receipt)) > TOTAL_TOLERANCE_KOPECKS;
}

/** Whether shift and time, which the result to the site contains, could be read. */
export function hasNumbers({ shift, time }: Pick<FiscalDocument, "shift" | "time">): boolean {
  return shift !== null && time !== null;
}

/** A register may show the corrected day as one day earlier, or spell the fiscal sign differently: no match is excluded. */
function hasOtherBasis({ tags }: FiscalDocument, { correction, requisites }: SaleReceipt): boolean {
  if (correction === undefined) return false;
  const { [CORRECTED_DAY]: day, [CORRECTED_SIGN]: sign } = tags?.head ?? {};
  return day !== correction.date || sign !== requisites?.additional;
}

/** A register may write a contact differently, so another contact makes a match uncertain, not impossible. */
function hasOtherContact({ contact }: FiscalDocument, receipt: SaleReceipt): boolean {
  if (contact === null || receipt.contact === null) return false;
  const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\d@.]/gu, "");
  return plain(contact) !== plain(receipt.contact);
}

/** Whether tag 1086 lacks the receipt's own text. Only characters that no code page holds may be respelt. */
function hasOtherProperty({ mark }: FiscalDocument, receipt: SaleReceipt): boolean {
  const own = ownPropertyOf(receipt);
  return own !== null && markedOrderId(mark ?? "") !== markedOrderId(own.value);
}

/** The order mark (tag 1086) on this job's receipt. Null without a site's order, and for service jobs. */
export function markTextOf({ receipt, mark }: Pick<Job, "receipt" | "mark">): string | null {
  return receipt.kind === "receipt" && mark !== null ? formatMark(receipt.orderId, mark) : null;
}

/** Null: the document has no order mark. A receipt with its own tag 1084 has no order mark either. */
export function markBeside(receipt: SaleReceipt, { mark }: Pick<FiscalDocument, "mark">): string | null {
  const own = ownPropertyOf(receipt);
  if (own === null || mark === null) return mark;
  return mark === own.value || parseMark(mark) === null ? null : mark;
}

/** The order id is for people. The kit may offer a `receiptId` at several addresses, so its digits alone count. */
export function isSameMark(found: string, own: string, { receiptId }: Pick<SaleReceipt, "receiptId">): boolean {
  const [one, other] = [parseMark(found), parseMark(own)];
  if (one === null || other === null || one.issuer === null || other.issuer === null) return false;
  return one.digits === other.digits && (one.issuer === other.issuer || receiptId !== null);
}

/** Null: the mark has the former form, without an issuer. Undefined: another order's mark, or none. */
export function issuerOfOrder(found: string, receipt: Pick<SaleReceipt, "orderId">): string | null | undefined {
  const mark = parseMark(found);
  return mark === null || mark.orderId !== markedOrderId(receipt.orderId) ? undefined : mark.issuer;
}

/** `respelt`: equal but for characters that no code page holds. `unclear`: one name may be the other, cut short. */
export type LineComparison = "same" | "respelt" | "unclear" | "other";

interface NamedSum {
  readonly name: string;
  readonly sum: number;
}

/**
 * Compares positions by name and sum. A position that the driver had split in two counts as one. A name that the code
 * page cannot hold, or that may be cut short, never proves another receipt.
 */
export function compareLines(receipt: SaleReceipt, items: readonly DocumentItem[]): LineComparison {
  const ours = itemsOf(receipt).map(({ name, total }) => ({ name: normalize(name), sum: total }));
  const theirs = items.map(({ name, sum }) => ({ name: normalize(name), sum }));
  const survives = ours.every(({ name }) => survivesCodePage(name));
  if (sameSums(sumsByName(ours), sumsByName(theirs))) return survives ? "same" : "respelt";
  if (theirs.length === 0 || !survives) return "unclear";
  const allFound = ours.every(({ name }) => theirs.some((other) => couldBe(name, other.name)));
  const noneForeign = theirs.every(({ name }) => ours.some((own) => couldBe(own.name, name)));
  if (!allFound || !noneForeign) return "other";
  const cutShort = theirs.some(({ name }) => !ours.some((own) => own.name === name));
  return cutShort ? "unclear" : "other";
}

function sumsByName(lines: readonly NamedSum[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { name, sum } of lines) sums.set(name, (sums.get(name) ?? 0) + sum);
  return sums;
}

function sameSums(ours: ReadonlyMap<string, number>, theirs: ReadonlyMap<string, number>): boolean {
  return ours.size === theirs.size && [...ours].every(([name, sum]) => theirs.get(name) === sum);
}

/** Registers read back a question mark for a character that no code page holds. */
function normalize(name: string): string {
  return name.normalize("NFC").replace(/\s+/g, " ").trim().replace(unsafe, "?");
}

/** ASCII, Russian letters and the number sign are in every code page that a register uses (CP866, CP1251). */
const unsafe = /[^\x20-\x7eА-Яа-яЁё№]/gu;

function survivesCodePage(name: string): boolean {
  return !name.includes("?");
}

function couldBe(own: string, read: string): boolean {
  return own.startsWith(read) || read.startsWith(own);
}
