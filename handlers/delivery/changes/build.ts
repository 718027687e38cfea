import { givenFields } from "@fiscald/shared/receipt/receipt.js";
import { isSameGood } from "../account/refundable.js";
import { textField } from "../catalog/records.js";
import type { FoundRecords } from "../catalog/references.js";
import { byCouriers, collectedSum, followCollection, isCollected } from "../orders/receipt-policy.js";
import type { AddressIn, ItemIn, OrderCreate, OrderEdit, PaymentIn } from "../orders/schema.js";
import { maskCard } from "../orders/schema.js";
import type { StoredItem, StoredOrder, StoredPayment } from "../orders/stored-order.js";

/** Missing tax rates come from the goods as they are now, or from a refund order's sale (link-refunds.ts). */
export function buildOrder(input: OrderCreate, isRefund: boolean, found: FoundRecords): StoredOrder {
  // Written field by field, because spreading an object costs fifty times as much.
  return {
    orderId: input.orderId,
    isRefund,
    originalOrderId: isRefund ? (input.returnedOrderId ?? null) : null,
    codeAlias: input.codeAlias ?? null,
    isInternetPayment: input.isInternetPayment ?? 0,
    internetPaymentUrl: input.internetPaymentUrl ?? null,
    statusId: input.statusId,
    deliveryStatusId: input.deliveryStatusId,
    isAgreed: input.isAgreed ?? false,
    returnReasonId: input.returnReasonId ?? null,
    courierId: input.courierId,
    clientId: input.clientId ?? null,
    supplierId: input.supplierId ?? null,
    client: input.client ?? null,
    paymentId: input.paymentId,
    originalPaymentId: input.paymentId,
    frUsedPaymentId: null,
    amountToPay: input.amountToPay,
    prePaymentSum: input.prePaymentSum ?? null,
    cash: input.cash ?? null,
    addressFromEntity: input.addressFromEntity ?? null,
    addressToEntity: input.addressToEntity ?? null,
    addressFromLine: oneLine(input.addressFrom, input.addressFromEntity),
    addressToLine: oneLine(input.addressTo, input.addressToEntity),
    phone: input.phone ?? null,
    deliveryTimeFrom: input.deliveryTimeFrom,
    deliveryTimeTo: input.deliveryTimeTo,
    description: input.description ?? null,
    goods: (input.goods ?? []).map((item) => buildItem(item, isRefund, found)),
    payments: isRefund ? (input.payments ?? []).map(buildPayment) : [],
    namedPayments: isRefund ? [] : (input.payments ?? []).map(buildPayment),
    receiptStatusId: 0,
    frReceiptStatusId: 0,
    isReturned: false,
    isEdited: false,
    returnedOrder: null,
  };
}

export function editOrder(before: StoredOrder, edit: OrderEdit, found: FoundRecords): StoredOrder {
  const { orderId: _fixed, isRefund: _too, returnedOrderId: _linked, goods: items, payments, ...fields } = edit;
  const { addressFrom: _from, addressTo: _to, ...given } = givenFields(fields);
  const goods = items === undefined ? before.goods : mergeItems(before, items, found);
  const edited: StoredOrder = {
    ...before,
    ...given,
    ...addressesOf(edit),
    goods,
    ...(payments === undefined ? {} : paymentsOf(before, payments.map(buildPayment))),
    isEdited: before.isEdited || !isSame(before.goods, goods),
    ...(edit.statusId === 0 && before.canceledPaid !== undefined ? { canceledPaid: 0 } : {}),
  };
  // The paid status follows the collected money only where this edit changes whether that money covers the order.
  const isMoved = collectedSum(before) > 0 && isCollected(before) !== isCollected(edited);
  return edit.statusId === undefined && isMoved ? followCollection(before, edited) : edited;
}

/** The address as one line; null if the address is given in parts, because the parts are used instead of the line. */
function oneLine(line: string | null | undefined, parts: AddressIn | null | undefined): string | null {
  return (parts ?? null) === null ? line || null : null;
}

/** A line replaces the parts, and parts replace the line. Both stay when the caller sends our answer back. */
function addressesOf(edit: OrderEdit) {
  const { addressFrom, addressTo, addressFromEntity: from, addressToEntity: to } = edit;
  return {
    ...(addressFrom === undefined && (from ?? null) === null ? {} : { addressFromLine: oneLine(addressFrom, from) }),
    ...(addressFrom === undefined ? {} : { addressFromEntity: from ?? null }),
    ...(addressTo === undefined && (to ?? null) === null ? {} : { addressToLine: oneLine(addressTo, to) }),
    ...(addressTo === undefined ? {} : { addressToEntity: to ?? null }),
  };
}

/** The payments that the shop names; an order keeps the payments that a courier reported. */
function paymentsOf(before: StoredOrder, given: readonly StoredPayment[]) {
  const reported = byCouriers(before);
  const named = given.filter(({ paymentId }) => !reported.some((one) => one.paymentId === paymentId));
  return before.isRefund ? { payments: [...named, ...reported] } : { namedPayments: named };
}

/** Keeps what the courier noted on positions that are sent again. A new count may exclude a cancelled part. */
function mergeItems(
  { goods, isRefund }: StoredOrder,
  items: readonly ItemIn[],
  found: FoundRecords,
): readonly StoredItem[] {
  const all = items.map((item) => buildItem(item, isRefund, found));
  return all.map((built, index) => {
    const same = sameBefore(goods, all, index);
    const known = same ?? goods[index];
    if (known === undefined || known.goodId !== built.goodId) return built;
    const marked = isRefund ? known : same;
    const merged = {
      ...built,
      returnReasonId: marked?.returnReasonId ?? null,
      canceledItems: marked?.canceledItems ?? [],
      warehouses: built.warehouses.map((taken) => ({
        ...taken,
        tookCount: known.warehouses.find(({ warehouseId }) => warehouseId === taken.warehouseId)?.tookCount ?? 0,
      })),
    };
    // The same position of a refund order was sent again, without the tax rate that had come from the sale.
    return isRefund && built.taxId === null && isSame({ ...merged, taxId: known.taxId }, known) ? known : merged;
  });
}

/** The position before the edit; equal positions are matched in order. Undefined: their number has changed. */
function sameBefore(
  before: readonly StoredItem[],
  after: readonly StoredItem[],
  index: number,
): StoredItem | undefined {
  const item = after[index];
  if (item === undefined) return undefined;
  const isLike = (one: StoredItem) => isSamePosition(one, item);
  const alike = before.filter(isLike);
  const turn = after.slice(0, index).filter(isLike).length;
  return alike.length === after.filter(isLike).length ? alike[turn] : undefined;
}

function isSamePosition(one: StoredItem, other: StoredItem): boolean {
  return (
    isSameGood(one, other) &&
    one.count === other.count &&
    one.position === other.position &&
    one.markValue === other.markValue &&
    one.markBinaryValue === other.markBinaryValue
  );
}

function buildItem(item: ItemIn, isRefund: boolean, found: FoundRecords): StoredItem {
  const good = item.goodId === null ? undefined : found.get("goods")?.get(item.goodId)?.body;
  return {
    goodId: item.goodId,
    count: item.count,
    price: item.price,
    total: item.total,
    discountTotal: item.discountTotal,
    taxId: item.taxId ?? (isRefund ? null : textField(good, "taxId")),
    position: item.position,
    unit: item.unit,
    vedCode: item.vedCode,
    countryCode: item.countryCode,
    customDeclarationCode: item.customDeclarationCode,
    markValue: item.markValue,
    markBinaryValue: item.markBinaryValue,
    weight: item.weight,
    description: item.description,
    warehouses: (item.warehouses ?? []).map((taken) => ({ ...taken, tookCount: 0 })),
    specificities: item.specificities ?? [],
    returnReasonId: null,
    canceledItems: [],
  };
}

export function buildPayment(payment: PaymentIn): StoredPayment {
  return { ...payment, cardMask: maskCard(payment.cardMask) };
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
