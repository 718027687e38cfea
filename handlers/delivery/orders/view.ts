/** An order as the API shows it (spec: Order with its response-only fields), and the schema that closes it. */

import { numberField, type StoredRecord, textField } from "../catalog/records.js";
import type { FoundRecords, Reference } from "../catalog/references.js";
import { formatWireTime, toWireId, toWireIdOrNull } from "../http/wire-types.js";
import type { Address, StoredItem, StoredOrder, StoredReturn } from "./stored-order.js";

/** The records that a view of these orders shows something of. */
export function viewReferences(orders: readonly StoredOrder[]): readonly Reference[] {
  const place = "";
  return orders.flatMap((order) => [
    ...(order.clientId === null ? [] : [{ kind: "clients" as const, id: order.clientId, place }]),
    ...order.goods.flatMap((item) => [
      ...(item.goodId === null ? [] : [{ kind: "goods" as const, id: item.goodId, place }]),
      ...item.warehouses.map(({ warehouseId }) => ({ kind: "warehouses" as const, id: warehouseId, place })),
      ...item.specificities.map(({ specificityId }) => ({ kind: "specificities" as const, id: specificityId, place })),
    ]),
  ]);
}

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
    addressFrom: addressLine(order.addressFromEntity),
    addressTo: order.addressToLine ?? addressLine(order.addressToEntity),
    addressFromEntity: order.addressFromEntity,
    addressToEntity: order.addressToEntity,
    phone: order.phone ?? textField(clientRecord, "phone"),
    deliveryTimeFrom: order.deliveryTimeFrom,
    deliveryTimeTo: order.deliveryTimeTo,
    description: order.description,
    goods: order.goods.map((item) => renderItem(item, found)),
    payments: order.payments,
    receiptStatusId: order.receiptStatusId,
    frReceiptStatusId: order.frReceiptStatusId,
    isReturned: order.isReturned,
    isEdited: order.isEdited,
    isRefund: order.isRefund,
    returnedOrder: order.returnedOrder === null ? null : renderReturn(order.returnedOrder),
  };
}

export type OrderView = ReturnType<typeof renderOrder>;

export function renderClient(order: StoredOrder, record: StoredRecord | undefined) {
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

/** `101000, Москва, Ленина, 1, 12` */
function addressLine(address: Address | null): string | null {
  if (address === null) return null;
  const { postindex, city, street, home, apartment } = address;
  return [postindex, city, street, home, apartment].filter((part) => part !== undefined && part !== "").join(", ");
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
      returnReasonId: toWireIdOrNull(canceled.returnReasonId),
      count: canceled.count,
      createdAt: canceled.createdAt,
    })),
    warehouses: item.warehouses.map((taken) => renderItemWarehouse(taken, found)),
    specificities: item.specificities.map((chosen) => renderItemSpecificity(chosen, found)),
  };
}

function renderItemWarehouse(taken: StoredItem["warehouses"][number], found: FoundRecords) {
  const warehouse = found.get("warehouses")?.get(taken.warehouseId);
  const text = (field: string) => textField(warehouse?.body, field);
  return {
    warehouseId: toWireId(taken.warehouseId),
    count: taken.count,
    tookCount: taken.tookCount,
    title: text("title"),
    firstname: text("firstname"),
    lastname: text("lastname"),
    phone: text("phone"),
    city: text("city"),
    street: text("street"),
    house: text("house"),
    apartment: text("apartment"),
    latitude: text("latitude"),
    longitude: text("longitude"),
    description: text("description"),
    updatedAt: warehouse === undefined ? null : formatWireTime(warehouse.updatedAt),
    isActive: warehouse === undefined ? null : toFlag(warehouse.isActive),
  };
}

function renderItemSpecificity(chosen: StoredItem["specificities"][number], found: FoundRecords) {
  const specificity = found.get("specificities")?.get(chosen.specificityId);
  const text = (field: string) => textField(specificity?.body, field);
  return {
    specificityId: toWireId(chosen.specificityId),
    price: chosen.price,
    count: chosen.count,
    parentId: toWireIdOrNull(text("parentId")),
    title: text("title"),
    value: text("value"),
    imageUrl: text("imageUrl"),
    imageBigUrl: text("imageBigUrl"),
    article: text("article"),
    isActive: specificity === undefined ? null : toFlag(specificity.isActive),
  };
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
