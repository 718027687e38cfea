/** An order as it is stored: ids as text, money and counts as exact decimal numbers, times as the API writes them. */
import type { AddressIn, ClientIn, ItemIn, PaymentIn } from "./schema.js";

export interface StoredOrder {
  readonly orderId: string;
  readonly isRefund: boolean;
  /** The sale that a refund belongs to. */
  readonly originalOrderId: string | null;
  readonly codeAlias: string | null;
  readonly isInternetPayment: 0 | 1;
  readonly internetPaymentUrl: string | null;
  readonly statusId: 0 | 1;
  readonly deliveryStatusId: DeliveryStatus;
  readonly isAgreed: boolean;
  readonly returnReasonId: string | null;
  readonly courierId: string | null;
  readonly clientId: string | null;
  readonly supplierId: string | null;
  readonly client: ClientIn | null;
  readonly paymentId: string;
  readonly originalPaymentId: string;
  readonly frUsedPaymentId: string | null;
  readonly amountToPay: number;
  readonly prePaymentSum: number | null;
  readonly cash: number | null;
  readonly addressFromEntity: AddressIn | null;
  readonly addressToEntity: AddressIn | null;
  /** An address given as one line; null = composed from its parts. Orders of earlier versions have no such line. */
  readonly addressFromLine?: string | null;
  readonly addressToLine: string | null;
  readonly phone: string | null;
  readonly deliveryTimeFrom: string;
  readonly deliveryTimeTo: string;
  readonly description: string | null;
  readonly goods: readonly StoredItem[];
  /** What couriers collected for a sale; of a refund order what goes back. */
  readonly payments: readonly StoredPayment[];
  /** Payments of a sale that the shop names, by which refund orders find it. Nothing is collected by them. */
  readonly namedPayments?: readonly StoredPayment[];
  readonly receiptStatusId: PrintStatus;
  readonly frReceiptStatusId: PrintStatus;
  readonly isReturned: boolean;
  readonly isEdited: boolean;
  readonly returnedOrder: StoredReturn | null;
}

export type DeliveryStatus = 0 | 1 | 2 | 3 | 4 | 5 | 6;
/** State of an order's receipt: 0 not printed, 1 printed, 2 error. */
export type PrintStatus = 0 | 1 | 2;

/** A position as it was sent. `taxId` is its own, else that of its good when the order was made. */
export interface StoredItem extends Readonly<Omit<ItemIn, "warehouses" | "specificities">> {
  /** `tookCount`: how much the courier took at the warehouse so far. */
  readonly warehouses: readonly (Listed<ItemIn["warehouses"]> & { readonly tookCount: number })[];
  readonly specificities: readonly Listed<ItemIn["specificities"]>[];
  /** Why the position was refused or returned. */
  readonly returnReasonId: string | null;
  readonly canceledItems: readonly CanceledItem[];
}

type Listed<List> = List extends readonly (infer Element)[] ? Readonly<Element> : never;

export interface CanceledItem {
  readonly returnReasonId: string | null;
  readonly count: number;
  readonly createdAt: string;
}

export type StoredPayment = Readonly<PaymentIn>;

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
