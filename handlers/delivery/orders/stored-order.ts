/** A stored order: ids as text, money and counts as exact decimal numbers, times as the API writes them. */

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
  readonly client: InlineClient | null;
  readonly paymentId: string;
  readonly originalPaymentId: string;
  readonly frUsedPaymentId: string | null;
  readonly amountToPay: number;
  readonly prePaymentSum: number | null;
  readonly cash: number | null;
  readonly addressFromEntity: Address | null;
  readonly addressToEntity: Address | null;
  /** A delivery address given as one line; null = composed from its parts. */
  readonly addressToLine: string | null;
  readonly phone: string | null;
  readonly deliveryTimeFrom: string;
  readonly deliveryTimeTo: string;
  readonly description: string | null;
  readonly goods: readonly StoredItem[];
  readonly payments: readonly StoredPayment[];
  readonly receiptStatusId: PrintStatus;
  readonly frReceiptStatusId: PrintStatus;
  readonly isReturned: boolean;
  readonly isEdited: boolean;
  readonly returnedOrder: StoredReturn | null;
}

export type DeliveryStatus = 0 | 1 | 2 | 3 | 4 | 5 | 6;
/** 0 not printed, 1 printed, 2 error. */
export type PrintStatus = 0 | 1 | 2;

export interface InlineClient {
  readonly firstname: string | null;
  readonly lastname: string | null;
  readonly email: string | null;
}

export interface Address {
  readonly postindex?: string | undefined;
  readonly city: string;
  readonly street: string;
  readonly home: string;
  readonly apartment?: string | undefined;
  readonly latitude?: string | undefined;
  readonly longitude?: string | undefined;
  readonly isUseExternalGeo: string | boolean;
}

export interface StoredItem {
  readonly goodId: string | null;
  readonly count: number;
  readonly price: number;
  readonly total: number;
  readonly discountTotal: number;
  /** The item's own, else the good's at that time. */
  readonly taxId: string | null;
  readonly position: number | null;
  readonly unit: string | null;
  readonly vedCode: string | null;
  readonly countryCode: string | null;
  readonly customDeclarationCode: string | null;
  readonly markValue: string | null;
  readonly markBinaryValue: string | null;
  readonly weight: number | null;
  readonly description: string | null;
  readonly warehouses: readonly StoredItemWarehouse[];
  readonly specificities: readonly StoredItemSpecificity[];
  /** Why the position was refused or returned. */
  readonly returnReasonId: string | null;
  readonly canceledItems: readonly CanceledItem[];
}

export interface StoredItemWarehouse {
  readonly warehouseId: string;
  readonly count: number;
  /** The courier's collected money for it so far. */
  readonly tookCount: number;
}

export interface StoredItemSpecificity {
  readonly specificityId: string;
  readonly price: number;
  readonly count: number;
}

export interface CanceledItem {
  readonly returnReasonId: string | null;
  readonly count: number;
  readonly createdAt: string;
}

export interface StoredPayment {
  readonly paymentId: string;
  readonly paymentTypeId: string;
  readonly price: number;
  readonly paidIn: string;
  readonly cardMask: string | null;
  readonly rrn: string | null;
  readonly cardAuth: string | null;
}

/** All refunds of a sale together; id, reason and time are those of the last one. */
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
  /** The refund order. */
  readonly refundId: string;
  readonly createdAt: string;
}
