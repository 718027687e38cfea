import { renderCatalogRecord, rowOf } from "../catalog/catalog-table.js";
import { numberField, type RecordKind, type StoredRecord, textField } from "../catalog/records.js";
import { type FoundRecords, loadReferences, type Reference } from "../catalog/references.js";
import { toWireId, toWireIdOrNull } from "../http/wire-types.js";
import type { Reader } from "../store/delivery-store.js";
import { orderReferences } from "./rules.js";
import type { AddressIn } from "./schema.js";
import type { StoredItem, StoredOrder, StoredReturn } from "./stored-order.js";

const shownKinds: ReadonlySet<string> = new Set<RecordKind>(["clients", "goods", "warehouses", "specificities"]);

export function viewReferences(orders: readonly StoredOrder[]): readonly Reference[] {
  return orders.flatMap((order) => orderReferences(order, "")).filter(({ kind }) => shownKinds.has(kind));
}

/** Written field by field, because spreading an object costs ten times as much. */
export function renderOrder(order: StoredOrder, found: FoundRecords) {
  const clientRecord = order.clientId === null ? undefined : found.get("clients")?.get(order.clientId)?.body;
  return {
    orderId: toWireId(order.orderId),
    codeAlias: order.codeAlias,
    isInternetPayment: order.isInternetPayment,
    internetPaymentUrl: order.internetPaymentUrl,
    statusId: order.statusId,
    deliveryStatusId: order.deliveryStatusId,
    isAgreed: order.isAgreed,
    returnReasonId: toWireIdOrNull(order.returnReasonId),
    courierId: toWireIdOrNull(order.courierId),
    clientId: toWireIdOrNull(order.clientId),
    supplierId: toWireIdOrNull(order.supplierId),
    client: renderClient(order, clientRecord),
    paymentId: toWireId(order.paymentId),
    originalPaymentId: toWireId(order.originalPaymentId),
    frUsedPaymentId: toWireIdOrNull(order.frUsedPaymentId),
    amountToPay: order.amountToPay,
    prePaymentSum: order.prePaymentSum,
    cash: order.cash,
    addressFrom: order.addressFromLine ?? addressLine(order.addressFromEntity),
    addressTo: order.addressToLine ?? addressLine(order.addressToEntity),
    addressFromEntity: order.addressFromEntity,
    addressToEntity: order.addressToEntity,
    phone: order.phone ?? textField(clientRecord, "phone"),
    deliveryTimeFrom: order.deliveryTimeFrom,
    deliveryTimeTo: order.deliveryTimeTo,
    description: order.description,
    goods: order.goods.map((item) => renderItem(item, found)),
    payments: [...(order.namedPayments ?? []), ...order.payments].map(({ byCourier: _ours, ...payment }) => payment),
    receiptStatusId: order.receiptStatusId,
    frReceiptStatusId: order.frReceiptStatusId,
    isReturned: order.isReturned,
    isEdited: order.isEdited,
    isRefund: order.isRefund,
    returnedOrderId: toWireIdOrNull(order.originalOrderId),
    returnedOrder: order.returnedOrder === null ? null : renderReturn(order.returnedOrder),
  };
}

export type OrderView = ReturnType<typeof renderOrder>;

export async function renderOrders(
  db: Reader,
  resource: number,
  orders: readonly StoredOrder[],
): Promise<readonly OrderView[]> {
  const found = await loadReferences(db, resource, viewReferences(orders));
  return orders.map((order) => renderOrder(order, found));
}

function renderClient(order: StoredOrder, record: StoredRecord | undefined) {
  if (order.clientId !== null) {
    return {
      firstname: textField(record, "firstname"),
      lastname: textField(record, "lastname"),
      email: textField(record, "email"),
      inn: textField(record, "inn"),
    };
  }
  if (order.client === null) return null;
  const { firstname, lastname, email } = order.client;
  return { firstname, lastname, email, inn: null };
}

/** Such as `101000, Москва, Ленина, 1, 12`. */
function addressLine(address: AddressIn | null): string | null {
  if (address === null) return null;
  const { postindex, city, street, home, apartment } = address;
  return [postindex, city, street, home, apartment].filter(Boolean).join(", ");
}

function renderItem(item: StoredItem, found: FoundRecords) {
  const good = item.goodId === null ? undefined : found.get("goods")?.get(item.goodId);
  return {
    goodId: toWireIdOrNull(item.goodId),
    count: item.count,
    price: item.price,
    total: item.total,
    discountTotal: item.discountTotal,
    taxId: toWireIdOrNull(item.taxId),
    position: item.position,
    unit: item.unit,
    vedCode: item.vedCode,
    countryCode: item.countryCode,
    customDeclarationCode: item.customDeclarationCode,
    markValue: item.markValue,
    markBinaryValue: item.markBinaryValue,
    weight: item.weight,
    description: item.description,
    title: textField(good?.body, "title"),
    article: textField(good?.body, "article"),
    calcId: numberField(good?.body, "calcId"),
    multiplicity: numberField(good?.body, "multiplicity"),
    imageUrl: textField(good?.body, "imageUrl"),
    imageBigUrl: textField(good?.body, "imageBigUrl"),
    isActive: good === undefined ? null : toFlag(good.isActive),
    parentId: toWireIdOrNull(textField(good?.body, "parentId")),
    returnReasonId: toWireIdOrNull(item.returnReasonId),
    canceledItems: item.canceledItems.map((canceled) => ({
      ...canceled,
      returnReasonId: toWireIdOrNull(canceled.returnReasonId),
    })),
    warehouses: item.warehouses.map(({ warehouseId, count, tookCount }) =>
      Object.assign(recordIn(found, "warehouses", warehouseId), { count, tookCount }),
    ),
    specificities: item.specificities.map(({ specificityId, price, count }) =>
      Object.assign(recordIn(found, "specificities", specificityId), { price, count }),
    ),
  };
}

/** A record that an order names is never removed from the database. */
function recordIn(found: FoundRecords, kind: "warehouses" | "specificities", id: string) {
  const record = found.get(kind)?.get(id);
  return record === undefined ? {} : renderCatalogRecord(rowOf(kind), record);
}

function renderReturn(returned: StoredReturn) {
  return {
    returnedOrderId: toWireId(returned.returnedOrderId),
    returnReasonId: toWireIdOrNull(returned.returnReasonId),
    createdAt: returned.createdAt,
    returnedPayments: returned.returnedPayments.map(({ refundId: _ours, ...payment }) => payment),
    returnedGoods: returned.returnedGoods.map(({ refundId: _ours, ...good }) => ({
      ...good,
      goodId: toWireIdOrNull(good.goodId),
      returnReasonId: toWireIdOrNull(good.returnReasonId),
    })),
  };
}

function toFlag(value: boolean): 0 | 1 {
  return value ? 1 : 0;
}
