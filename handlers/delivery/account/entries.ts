/**
 * The account of one sale: an entry for each receipt of the sale and of its refund orders. An entry's state changes,
 * its content never does. Only this file counts what is left of a prepayment or a sale. Pure.
 */
import { formatRoubles, type Kopecks, kopecks, sumKopecks } from "@fiscald/shared/amounts.js";
import type { Payment, TaxSystem } from "@fiscald/shared/receipt/receipt.js";
import { prepaidSum } from "../orders/receipt-policy.js";
import type { KnownOrder } from "../orders/rows.js";
import type { StoredOrder } from "../orders/stored-order.js";
import type { ReceiptContent } from "./order-receipt.js";
import { formsLeft, PREPAYMENT_OFFSET } from "./payment-forms.js";
import { beyondRates, type GivenLine, linesLeft } from "./refundable.js";

export type EntryKind = "prepayment" | "sale" | "return";

/**
 * `queued`: in the handler kit's store. `handed`: a print server has it. `registered`, `failed`, `unknown`: the print
 * server's result, which may come late. `void`: withdrawn from the queue.
 */
export type EntryState = "queued" | "handed" | "registered" | "failed" | "unknown" | "void";

export interface AccountEntry extends ReceiptContent {
  readonly seq: number;
  readonly kind: EntryKind;
  /** `seq` of the prepayment or sale that a return gives back. Null: neither was known. */
  readonly basisSeq: number | null;
  /** Null: no refund order, as for the return of a whole sale. */
  readonly refundId: string | null;
  /** `operator`: a person at the till had the receipt printed. */
  readonly by: "shop" | "courier" | "operator";
  readonly state: EntryState;
  readonly receiptId: string | null;
  readonly fn: string | null;
  readonly fd: string | null;
  /**
   * True for a courier's document, which names no lines. A sale then has the order's lines of that moment. A return
   * without a refund order has no lines if it is of a sale, and gives back the whole if it is of a prepayment.
   */
  readonly isAssumed: boolean;
  /** What a receipt of ours says besides its money, as text to compare. */
  readonly details: string | null;
  /** Why the print server has not printed the receipt. Absent without a reason, or if the receipt has not failed. */
  readonly failure?: string;
  readonly createdAt: number;
}

export interface Account {
  readonly saleId: string;
  readonly sale: StoredOrder;
  readonly isHidden: boolean;
  /** The sale's refund orders. A deleted one is included only if it gave something back. */
  readonly refunds: readonly KnownOrder[];
  readonly entries: readonly AccountEntry[];
  /** The lines of the last alert to the shop, sums and documents first; null while the account balances. */
  readonly alert: string | null;
}

export function isLive({ state }: AccountEntry): boolean {
  return state !== "failed" && state !== "void";
}

/** A print server has or had the receipt, so it cannot be withdrawn any more. */
export function isOut({ state }: AccountEntry): boolean {
  return state === "handed" || state === "unknown" || state === "registered";
}

export function isOpenEntry({ state }: AccountEntry): boolean {
  return state === "queued" || state === "handed" || state === "unknown";
}

export function isRegistered({ state }: AccountEntry): boolean {
  return state === "registered";
}

/** The sale or prepayment that counts: a registered one, else one that a print server has, else a queued one. */
export function currentOf(entries: readonly AccountEntry[], kind: "prepayment" | "sale"): AccountEntry | null {
  const live = entries.filter((one) => one.kind === kind && isLive(one));
  return live.find(isRegistered) ?? live.find(isOut) ?? live[0] ?? null;
}

/** A return whose sale failed, was withdrawn or never existed counts against the prepayment, where there is one. */
export function basisOf(entries: readonly AccountEntry[], { basisSeq }: AccountEntry): "prepayment" | "sale" {
  const basis = entries.find(({ seq }) => seq === basisSeq);
  const isOfSale = basis?.kind === "sale" && isLive(basis);
  return !isOfSale && currentOf(entries, "prepayment") !== null ? "prepayment" : "sale";
}

export function returnsOf(
  entries: readonly AccountEntry[],
  basis: "prepayment" | "sale",
  except?: AccountEntry | null,
): readonly AccountEntry[] {
  return entries.filter(
    (one) => one.kind === "return" && isLive(one) && one.seq !== except?.seq && basisOf(entries, one) === basis,
  );
}

/** The receipt that a return made now gives back: the sale if it is handed out, else the prepayment. */
export function basisNow(entries: readonly AccountEntry[]): AccountEntry | null {
  const [sale, prepayment] = [currentOf(entries, "sale"), currentOf(entries, "prepayment")];
  return sale !== null && isOut(sale) ? sale : (prepayment ?? sale);
}

/** A return of the courier's register that no refund order names. */
export function isUnnamed({ kind, by, refundId, isAssumed, state }: AccountEntry): boolean {
  return kind === "return" && by === "courier" && refundId === null && isAssumed && state === "registered";
}

/** The whole sale came back, so the return needed no refund order. */
export function isReturnOfWhole(entry: AccountEntry): boolean {
  return entry.refundId === null && entry.by !== "operator" && !isUnnamed(entry);
}

/** Tells the shop of returns that it did not ask for: a person at the till had them printed. */
export function returnedAtTill({ entries }: Pick<Account, "entries">): readonly string[] {
  return entries.flatMap(({ by, state, total, fd }) => {
    if (by !== "operator" || state === "failed") return [];
    const is =
      state === "registered" ? `is returned at the till by a person (FD ${fd})` : "may be returned at the till";
    return [`${formatRoubles(total)} ${is}: look at the money, and give nothing back for it a second time.`];
  });
}

/** We made a prepayment receipt, even if it failed. Otherwise another program took the prepayment. */
export function isPrepaidHere(entries: readonly AccountEntry[]): boolean {
  return entries.some(({ kind, state }) => kind === "prepayment" && state !== "void");
}

/** How much of our prepayment its sales use. `except`: an entry that is left out. */
export function usedOf(entries: readonly AccountEntry[], except?: AccountEntry | null): Kopecks {
  const sales = entries.filter((one) => one.kind === "sale" && isLive(one) && one.seq !== except?.seq);
  // A certificate has the form of an offset too, and pays the rest beside the prepayment.
  const prepaid = entries.filter((one) => one.kind === "prepayment" && isLive(one));
  const most = Math.max(0, ...prepaid.map(({ total }) => total));
  return sumKopecks(sales.map((one) => kopecks(Math.min(most, offsetIn(one)))));
}

/** The part of the receipt that the order's prepayment pays; a certificate has the same form. */
export function offsetOf(entry: AccountEntry, sale: StoredOrder): Kopecks {
  return kopecks(entry.kind === "prepayment" ? 0 : Math.min(offsetIn(entry), prepaidSum(sale)));
}

export function offsetIn({ payments }: Pick<AccountEntry, "payments">): Kopecks {
  return sumKopecks(payments.filter(({ typeClose }) => typeClose === PREPAYMENT_OFFSET).map(({ sum }) => sum));
}

/** What of a prepayment or a sale can still be returned. A receipt without a result yet counts as registered. */
export interface Left {
  /** Kopecks; negative where more went back, or was used, than there was. */
  readonly total: number;
  readonly lines: readonly GivenLine[];
  readonly forms: readonly Payment[];
  /** All payments of the receipt, even if they have been given back. */
  readonly taken: readonly Payment[];
  readonly beyondRates: Kopecks;
  readonly taxSystem: TaxSystem | null;
}

export function leftOf(entries: readonly AccountEntry[], basis: AccountEntry, except?: AccountEntry | null): Left {
  const kind = basis.kind === "prepayment" ? "prepayment" : "sale";
  const returns = returnsOf(entries, kind, except);
  const used = kind === "prepayment" ? usedOf(entries, except) : 0;
  const payments = kind === "prepayment" ? basis.payments : paidOf(entries, basis);
  const returned = sumKopecks(returns.map(({ total }) => total));
  const isWhole = kind === "prepayment" && returns.some(({ isAssumed }) => isAssumed);
  const back = returns.flatMap(({ lines }) => lines);
  return {
    total: basis.total - used - (isWhole ? Math.max(returned, basis.total) : returned),
    lines: linesLeft(basis.lines, back),
    forms: formsLeft(
      payments,
      returns.flatMap((one) => one.payments),
    ),
    taken: payments,
    beyondRates: beyondRates(basis.lines, back),
    taxSystem: basis.taxSystem,
  };
}

/** The prepayment goes back in the form in which it was taken, and a certificate beside it as a certificate. */
function paidOf(entries: readonly AccountEntry[], sold: AccountEntry): readonly Payment[] {
  const prepayment = currentOf(entries, "prepayment");
  const sum = kopecks(Math.min(offsetIn(sold), prepayment?.total ?? 0));
  const typeClose = prepayment?.payments[0]?.typeClose ?? PREPAYMENT_OFFSET;
  return formsLeft([...sold.payments, { typeClose, sum }], [{ typeClose: PREPAYMENT_OFFSET, sum }]);
}

export function sumsByTax({ lines }: Pick<AccountEntry, "lines">): Map<string | null, Kopecks> {
  const sums = new Map<string | null, Kopecks>();
  for (const { line, of } of lines) sums.set(of.taxId, kopecks((sums.get(of.taxId) ?? 0) + line.total));
  return sums;
}
