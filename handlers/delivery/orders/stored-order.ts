/** An order as it is stored: ids as text, money and counts as exact decimal numbers, times as the API writes them. */
import type { ItemIn, OrderCreate, PaymentIn } from "./schema.js";

/** A field that the request left out is null, or has its default. */
type Given<Fields> = { readonly [Name in keyof Fields]-?: Exclude<Fields[Name], undefined> };

type Own = "courierId" | "goods" | "payments" | "addressFrom" | "addressTo" | "returnedOrderId";

export interface StoredOrder extends Given<Omit<OrderCreate, Own>> {
  readonly courierId: string | null;
  readonly originalOrderId: string | null;
  readonly originalPaymentId: string;
  readonly frUsedPaymentId: string | null;
  /** The address as one line. Null: it was given in parts. Absent in orders of earlier versions. */
  readonly addressFromLine?: string | null;
  readonly addressToLine: string | null;
  readonly goods: readonly StoredItem[];
  /** Of a sale: what couriers collected. Of a refund order: what goes back to the buyer. */
  readonly payments: readonly StoredPayment[];
  /** Payments that the shop names for a sale. Refund orders find the sale by them; they are no collected money. */
  readonly namedPayments?: readonly StoredPayment[];
  /** Kopecks that couriers cancelled while the shop, and not a courier's money, had made the order paid. */
  readonly canceledPaid?: number;
  readonly receiptStatusId: PrintStatus;
  readonly frReceiptStatusId: PrintStatus;
  readonly isReturned: boolean;
  readonly isEdited: boolean;
  readonly returnedOrder: StoredReturn | null;
}

export type DeliveryStatus = 0 | 1 | 2 | 3 | 4 | 5 | 6;
export type PrintStatus = 0 | 1 | 2;

/** `taxId` is the position's own, else the good's at the time when the order was made. */
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
