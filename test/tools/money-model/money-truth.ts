/** The documents that the shop's tills and the courier's register really printed for an order. Pure. */
import { itemsOf, type SaleReceipt, totalOf } from "@fiscald/shared/receipt/receipt.js";

/** A document of the shop's print server. Times are numbers of steps. */
export interface OurDocument {
  readonly by: "us";
  readonly receipt: SaleReceipt;
  /** True: a person at the till ordered it, and not the shop. */
  readonly isByOperator?: boolean;
  readonly handedOutAt: number;
  readonly at: number;
}

export const isByOperator = (document: MoneyDocument) => document.by === "us" && document.isByOperator === true;

/** A document of the courier's own register, with its order and whether it is a sale or a return. */
export interface CourierDocument {
  readonly by: "courier";
  readonly operation: "sale" | "return";
  readonly orderId: string;
  /** The refund order of the document. Null: the sale itself, as a whole. */
  readonly refundId: string | null;
  /**
   * The sum of the sale, or the cost of the refund order's goods. Null: all that was left at that moment. `unnamed`:
   * nobody has said how much of a sale it is; a prepayment is returned as a whole.
   */
  readonly sum: number | "unnamed" | null;
  /** True: a refund order named it later; a prepayment was then already returned as a whole. */
  readonly isNamedLater?: boolean;
  readonly at: number;
}

export type MoneyDocument = OurDocument | CourierDocument;

/** `prepaid back`: the return of a prepayment that no settlement has used. */
export type DocumentKind = "prepayment" | "sale" | "prepaid back" | "sale back";

export interface KnownDocument {
  readonly kind: DocumentKind;
  readonly by: "us" | "courier";
  readonly sum: number;
  /** The refund order. Null: the order's own. */
  readonly refundId: string | null;
  /** From `outAt` on a register had it; at `at` it was known to be printed. */
  readonly outAt: number;
  readonly at: number;
  /** The receipt, if the shop's print server printed it. */
  readonly receipt: SaleReceipt | null;
}

export const isOfPrepayment = (receipt: SaleReceipt) => itemsOf(receipt).every(({ method }) => method !== 4);

/**
 * A return of the courier's register belongs to the sale, if a register had the sale at that moment, else to the
 * prepayment, whose money was taken whatever its receipt does. Its sum is the cost of the refund order's goods.
 */
export function knownDocuments(documents: readonly MoneyDocument[], orderId: string): readonly KnownDocument[] {
  const known: KnownDocument[] = documents.flatMap((one) => (one.by === "us" ? [ofUs(one, orderId)] : []));
  const ofCourier = documents.flatMap((one) => (one.by === "courier" ? [one] : []));
  for (const { sum, at } of ofCourier.filter(({ operation }) => operation === "sale")) {
    known.push({
      kind: "sale",
      by: "courier",
      sum: typeof sum === "number" ? sum : 0,
      refundId: null,
      outAt: at,
      at,
      receipt: null,
    });
  }
  const totalIn = (kind: DocumentKind, before: number) =>
    known.filter((one) => one.kind === kind && one.at < before).reduce((sum, one) => sum + one.sum, 0);
  const wasOut = (kind: DocumentKind, when: number) => known.some((one) => one.kind === kind && one.outAt < when);
  for (const one of ofCourier.filter(({ operation }) => operation === "return")) {
    const { refundId, sum, at, isNamedLater = false } = one;
    const isOfSale = wasOut("sale", at) || !wasOut("prepayment", Number.POSITIVE_INFINITY);
    const [kind, given] = isOfSale ? (["sale back", "sale"] as const) : (["prepaid back", "prepayment"] as const);
    // When a receipt was printed twice, the second one is put right at its register: no return belongs to it.
    const all = known.filter((one) => one.kind === given).toSorted(byTime)[0]?.sum ?? 0;
    const left = Math.max(0, all - totalIn(kind, at));
    const ofSale = typeof sum === "number" ? sum : sum === null ? left : 0;
    const ofPrepayment = typeof sum === "number" && !isNamedLater ? Math.min(left, sum) : left;
    const part = isOfSale ? ofSale : ofPrepayment;
    known.push({ kind, by: "courier", sum: part, refundId, outAt: at, at, receipt: null });
  }
  return known.toSorted(byTime);
}

const byTime = (one: KnownDocument, other: KnownDocument) => one.at - other.at;

function ofUs({ receipt, handedOutAt: outAt, at }: OurDocument, orderId: string): KnownDocument {
  const prepaid = isOfPrepayment(receipt);
  const isSale = receipt.operation === "sale";
  const kind = isSale ? (prepaid ? "prepayment" : "sale") : prepaid ? "prepaid back" : "sale back";
  const refundId = receipt.orderId === orderId ? null : receipt.orderId;
  return { kind, by: "us", sum: totalOf(receipt), refundId, outAt, at, receipt };
}
