/** What was really printed of an order and of its refund orders, by our tills and by the courier's own register; pure. */
import { itemsOf, type SaleReceipt, totalOf } from "@fiscald/shared/receipt/receipt.js";

/** A document that our print server printed. Times are numbers of steps. */
export interface OurDocument {
  readonly by: "us";
  readonly receipt: SaleReceipt;
  /** A person at the till ordered it, and not the shop. */
  readonly isByOperator?: boolean;
  readonly handedOutAt: number;
  readonly at: number;
}

/** A return that a person at the till had printed. */
export const isByOperator = (document: MoneyDocument) => document.by === "us" && document.isByOperator === true;

/** A document of the courier's own register, which names an order and whether it sold or gave back. */
export interface CourierDocument {
  readonly by: "courier";
  readonly operation: "sale" | "return";
  readonly orderId: string;
  /** The refund order that it is of; null: of the sale itself, as a whole. */
  readonly refundId: string | null;
  /**
   * What was sold, or what the refund order's goods cost; null: all that was left at that moment. Without a name nobody has said
   * how much of a sale it is; a prepayment goes back whole.
   */
  readonly sum: number | "unnamed" | null;
  /** A refund order named it after it had come: of a prepayment the whole had gone back by then. */
  readonly isNamedLater?: boolean;
  readonly at: number;
}

export type MoneyDocument = OurDocument | CourierDocument;

/** `prepaid back`: of a prepayment that nothing was settled with. */
export type DocumentKind = "prepayment" | "sale" | "prepaid back" | "sale back";

export interface KnownDocument {
  readonly kind: DocumentKind;
  readonly by: "us" | "courier";
  readonly sum: number;
  /** The refund order; null for the order's own. */
  readonly refundId: string | null;
  /** A register had it from then on; that it was printed was known at `at`. */
  readonly outAt: number;
  readonly at: number;
  /** The receipt, if our print server printed it. */
  readonly receipt: SaleReceipt | null;
}

export const isOfPrepayment = (receipt: SaleReceipt) => itemsOf(receipt).every(({ method }) => method !== 4);

/**
 * What the courier's register gave back is of the sale, where that was out at that moment, else of the prepayment, whose
 * money was taken whatever its receipt does: as much of it as a refund order's goods cost.
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
    // Of one that was printed twice the other is put right at its register: no return is of that.
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
