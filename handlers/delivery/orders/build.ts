/** From requests to stored orders; pure. */

import { collectedSum, followCollection, isCollected } from "../account/receipt-policy.js";
import { isSameGood } from "../account/refundable.js";
import { textField } from "../catalog/records.js";
import type { FoundRecords } from "../catalog/references.js";
import { maskCard } from "./mask-card.js";
import type { ItemIn, OrderCreate, OrderEdit, PaymentIn } from "./schema.js";
import type { StoredItem, StoredOrder, StoredPayment } from "./stored-order.js";

/** A new order. Taxes that its items leave out are taken from the goods, as they are now; a refund's from its sale (link-refunds.ts). */
export function buildOrder(input: OrderCreate, isRefund: boolean, found: FoundRecords): StoredOrder {
  const { goods = [], payments = [], ...given } = input;
  return {
    ...notGiven,
    ...given,
    isRefund,
    originalPaymentId: given.paymentId,
    goods: goods.map((item) => buildItem(item, isRefund, found)),
    payments: isRefund ? payments.map(buildPayment) : [],
  };
}

/** Fields that a request may leave out, and those that come later. */
const notGiven = {
  originalOrderId: null,
  codeAlias: null,
  isInternetPayment: 0,
  internetPaymentUrl: null,
  isAgreed: false,
  returnReasonId: null,
  clientId: null,
  supplierId: null,
  client: null,
  frUsedPaymentId: null,
  prePaymentSum: null,
  cash: null,
  addressFromEntity: null,
  addressToEntity: null,
  addressToLine: null,
  phone: null,
  description: null,
  receiptStatusId: 0,
  frReceiptStatusId: 0,
  isReturned: false,
  isEdited: false,
  returnedOrder: null,
} as const;

/** The order with the given fields changed; absent fields stay. */
export function editOrder(before: StoredOrder, edit: OrderEdit, found: FoundRecords): StoredOrder {
  const { orderId: _fixed, isRefund: _too, goods: items, payments, ...given } = edit;
  const goods = items === undefined ? before.goods : mergeItems(before, items, found);
  const edited: StoredOrder = {
    ...before,
    ...withoutUndefined(given),
    // An address line without parts stays when the caller sends back the empty entity of our answer.
    addressToLine: (edit.addressToEntity ?? null) === null ? before.addressToLine : null,
    goods,
    payments: before.isRefund && payments !== undefined ? payments.map(buildPayment) : before.payments,
    isEdited: before.isEdited || !isSame(before.goods, goods),
  };
  // A shop that names the status, or edits something else, is believed.
  const isMoved = collectedSum(before) > 0 && isCollected(before) !== isCollected(edited);
  return edit.statusId === undefined && isMoved ? followCollection(before, edited) : edited;
}

type Defined<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

function withoutUndefined<Fields extends object>(fields: Fields): Defined<Fields> {
  const defined: Defined<Fields> = { ...fields };
  for (const [name, value] of Object.entries(fields)) if (value === undefined) Reflect.deleteProperty(defined, name);
  return defined;
}

/**
 * Positions that are sent again keep the courier's marks. What he cancelled is a part of the position that he saw: another
 * count may leave it out already.
 */
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
    // The same refund position was sent again, without the tax rate that came from the sale.
    return isRefund && built.taxId === null && isSame({ ...merged, taxId: known.taxId }, known) ? known : merged;
  });
}

/** The position as it was; of several that are alike the one in the same turn. Undefined where they have become more or fewer. */
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
  const { warehouses = [], specificities = [], ...given } = item;
  const good = item.goodId === null ? undefined : found.get("goods")?.get(item.goodId)?.body;
  return {
    ...given,
    taxId: item.taxId ?? (isRefund ? null : textField(good, "taxId")),
    warehouses: warehouses.map((taken) => ({ ...taken, tookCount: 0 })),
    specificities,
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
