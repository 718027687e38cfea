/** An order as it is stored: ids as text, money and counts as exact decimal numbers, times as the API writes them. */
import type { ItemIn, OrderCreate, PaymentIn } from "./schema.js";

/** Fields as a request gave them; a field that was left out is null, or has its default. */
type Given<Fields> = { readonly [Name in keyof Fields]-?: Exclude<Fields[Name], undefined> };

/** The fields that a stored order has in another form than its request. */
type Own = "courierId" | "goods" | "payments" | "addressFrom" | "addressTo" | "returnedOrderId";

export interface StoredOrder extends Given<Omit<OrderCreate, Own>> {
  readonly courierId: string | null;
  readonly originalOrderId: string | null;
  readonly originalPaymentId: string;
  readonly frUsedPaymentId: string | null;
  /** An address given as one line; null = composed from its parts. Orders of earlier versions have no such line. */
  readonly addressFromLine?: string | null;
  readonly addressToLine: string | null;
  readonly goods: readonly StoredItem[];
  /** What couriers collected for a sale; of a refund order what goes back. */
  readonly payments: readonly StoredPayment[];
  /** Payments that the shop names for a sale, by which refund orders find it, and which are no collected money. */
  readonly namedPayments?: readonly StoredPayment[];
  /** What couriers cancelled while the shop, and no courier's money, had called the order paid, in kopecks. */
  readonly canceledPaid?: number;
  readonly receiptStatusId: PrintStatus;
  readonly frReceiptStatusId: PrintStatus;
  readonly isReturned: boolean;
  readonly isEdited: boolean;
  readonly returnedOrder: StoredReturn | null;
}

export type DeliveryStatus = 0 | 1 | 2 | 3 | 4 | 5 | 6;
export type PrintStatus = 0 | 1 | 2;

/** A position as it was sent. `taxId` is the position's own, else that of its good when the order was made. */
export interface StoredItem extends Readonly<Omit<ItemIn, "warehouses" | "specificities">> {
  /** `tookCount`: how much the courier took at the warehouse so far. */
  readonly warehouses: readonly (Listed<ItemIn["warehouses"]> & { readonly tookCount: number })[];
  readonly specificities: readonly Listed<ItemIn["specificities"]>[];
  readonly returnReasonId: string | null;
  readonly canceledItems: readonly CanceledItem[];
}

type Listed<List> = List extends readonly (infer Element)[] ? Readonly<Element> : never;

export interface CanceledItem {
  readonly returnReasonId: string | null;
  readonly count: number;
  readonly createdAt: string;
}

/** `byCourier`: a courier moved the money. Other payments of a refund order only link it to its sale. */
export type StoredPayment = Readonly<PaymentIn> & { readonly byCourier?: boolean };

/** All refunds of a sale together. The id, reason and time are those of the last refund. */
export interface StoredReturn {
  readonly returnedOrderId: string;
  readonly returnReasonId: string | null;
  readonly createdAt: string;
  readonly returnedPayments: readonly (ReturnEntry & {
    readonly paymentId: string;
    readonly paymentTypeId: string;
    readonly sum: number;
  })[];
  readonly returnedGoods: readonly (ReturnEntry & {
    readonly goodId: string | null;
    readonly returnReasonId: string | null;
    readonly count: number;
    readonly sum: number;
  })[];
}

export interface ReturnEntry {
  readonly refundId: string;
  readonly createdAt: string;
}
