import { z } from "zod";
import { requireAccount } from "../account/load-accounts.js";
import { type DeliveryOperation, readOperation, writeOperation } from "../backend/backend.js";
import { checkReferences } from "../catalog/references.js";
import { buildPayment } from "../changes/build.js";
import { orderExample, receiptExample } from "../changes/examples.js";
import {
  addPayments,
  carriedOrder,
  carriedOrders,
  changeItem,
  commitOne,
  documentsOf,
  refundOf,
} from "../couriers/courier-orders.js";
import {
  canceledIn,
  carriedOrderOut,
  paymentsIn,
  receiptIn,
  returnsIn,
  statusIn,
  takenIn,
} from "../couriers/courier-schemas.js";
import { invalid, refuse } from "../http/api-errors.js";
import { pagingQuery, toPageIfAsked } from "../http/paging.js";
import { formatApiTime } from "../http/wire-types.js";
import type { CommitScope } from "../orders/order-change.js";
import { followCollection } from "../orders/receipt-policy.js";
import { orderProblems, orderReferences, toQuantity } from "../orders/rules.js";
import type { StoredOrder, StoredPayment } from "../orders/stored-order.js";
import { renderOrders } from "../orders/view.js";
import { refundableOf } from "../refunds/link-refunds.js";
import { loadBreaks, PART_OF_PIECE } from "../refunds/marked-goods.js";
import { nextRefundId } from "../refunds/refund-rows.js";
import { commitAccounts } from "../settling/settle-accounts.js";

const listOperation = readOperation({
  path: "/orders",
  summary: "The courier's orders, all or page by page; displayId is the code alias where there is one",
  query: z.object(pagingQuery),
  answer: z.array(carriedOrderOut),
  example: { answer: [{ ...orderExample, resourceId: 1, displayId: "A-1042" }] },
  async run({ backend, caller, query }, db) {
    const page = toPageIfAsked(query, backend.rules.pageBase);
    const carried = caller.courier === null ? [] : await carriedOrders(db, caller.courier, { page });
    const body = [];
    for (const resourceId of new Set(carried.map(({ resource }) => resource))) {
      const orders = carried.flatMap(({ resource, order }) => (resource === resourceId ? [order] : []));
      const views = await renderOrders(db, resourceId, orders);
      for (const [index, { codeAlias, orderId }] of orders.entries())
        body.push({ ...views[index], resourceId, displayId: codeAlias ?? orderId });
    }
    return body;
  },
});

const statusOperation = writeOperation({
  method: "post",
  path: "/orders/status",
  summary: "A new delivery status, with the place and, where one was printed, the courier's own receipt",
  body: statusIn,
  example: { body: { orderId: 1042, deliveryStatusId: 3, longitude: "37.63", latitude: "55.76", accuracy: 12 } },
  async run(call, tx) {
    const { body } = call;
    const { scope, order } = await carriedOrder(call, tx, body);
    await requireReason(scope, body.returnReasonId ?? null, "returnReasonId");
    const moved: StoredOrder = {
      ...order,
      deliveryStatusId: body.deliveryStatusId,
      returnReasonId: body.returnReasonId === undefined ? order.returnReasonId : body.returnReasonId,
    };
    const { strictTransitions } = call.backend.rules;
    refuse(orderProblems({ before: order, after: moved, place: "", strictTransitions }));
    const { longitude = null, latitude = null, accuracy = null } = body;
    const at = { longitude, latitude, accuracy };
    const isWhole = body.deliveryStatusId === 6;
    const operation = isWhole ? "return" : "sale";
    const change = { before: order, after: moved };
    await commitOne({ ...scope, at }, change, { operation, isWhole, receipt: body.receipt });
  },
});

const takenOperation = writeOperation({
  method: "post",
  path: "/orders/taken",
  summary: "Positions that were taken from their warehouses",
  body: takenIn,
  example: { body: { orderId: 1042, items: [{ goodId: 501, warehouseId: 1, tookCount: 2 }] } },
  async run(call, tx) {
    const { scope, order } = await carriedOrder(call, tx, call.body);
    let goods = order.goods;
    for (const [position, taken] of call.body.items.entries()) {
      goods = changeItem(goods, taken, `items[${position}]`, (item) => {
        if (!item.warehouses.some(({ warehouseId }) => warehouseId === taken.warehouseId)) {
          return invalid(`items[${position}].warehouseId`, "is not a warehouse of this position");
        }
        const warehouses = item.warehouses.map((known) =>
          known.warehouseId === taken.warehouseId ? { ...known, tookCount: taken.tookCount } : known,
        );
        return { ...item, warehouses };
      });
    }
    await commitOne(scope, { before: order, after: { ...order, goods } });
  },
});

const canceledOperation = writeOperation({
  method: "post",
  path: "/orders/canceledItems",
  summary: "Positions, or parts of them, that the buyer did not take",
  body: canceledIn,
  example: { body: { orderId: 1042, items: [{ goodId: 501, returnReasonId: 1, count: 1 }] } },
  async run(call, tx) {
    const { scope, order } = await carriedOrder(call, tx, call.body);
    let goods = order.goods;
    const breaks = await loadBreaks(tx, scope.resource, goods);
    for (const [position, canceled] of call.body.items.entries()) {
      const { returnReasonId, count } = canceled;
      await requireReason(scope, returnReasonId, `items[${position}].returnReasonId`);
      goods = changeItem(goods, canceled, `items[${position}]`, (item) => {
        const parts = [...item.canceledItems.map((part) => part.count), count].map(toQuantity);
        const left = toQuantity(item.count) - parts.reduce((sum, part) => sum + part, 0);
        if (left < 0) return invalid(`items[${position}].count`, "is more than is left");
        if (left > 0 && breaks(item, count)) return invalid(`items[${position}].count`, PART_OF_PIECE);
        const part = { returnReasonId, count, createdAt: formatApiTime(call.now) };
        const canceledItems = [...item.canceledItems, part];
        return { ...item, canceledItems, returnReasonId: left === 0 ? returnReasonId : item.returnReasonId };
      });
    }
    // Money that was collected before may cover what the order costs now.
    await commitOne(scope, { before: order, after: followCollection(order, { ...order, goods }) });
  },
});

const paymentsOperation = writeOperation({
  method: "post",
  path: "/orders/payments",
  summary: "Money that the courier took; a payment that is known already is left alone",
  body: paymentsIn,
  example: {
    body: {
      orderId: 1042,
      payments: [
        {
          paymentId: "p-1",
          paymentTypeId: "1",
          price: 500,
          paidIn: "2026-11-20 14:05:00",
          cardMask: "220012******1234",
          rrn: "632814000001",
          cardAuth: "A1B2C3",
        },
      ],
      receipt: receiptExample,
    },
  },
  async run(call, tx) {
    const { scope, order } = await carriedOrder(call, tx, call.body);
    const references = orderReferences({ payments: call.body.payments }, "");
    await checkReferences(tx, scope.resource, references);
    const paid = await addPayments(scope, order, call.body.payments.map(buildPayment));
    const { receipt } = call.body;
    await commitOne(scope, { before: order, after: paid }, { operation: "sale", receipt });
  },
});

const returnsOperation = writeOperation({
  method: "post",
  path: "/orders/returns",
  summary: "Goods and money that went back: becomes the refund order of the sale",
  body: returnsIn,
  example: { body: { orderId: 1042, returnReasonId: 1, goods: [{ goodId: 501, count: 1 }], payments: [] } },
  async run(call, tx) {
    const { body } = call;
    const { scope, order } = await carriedOrder(call, tx, { ...body, isRefund: false });
    for (const reason of [body.returnReasonId, ...body.goods.map((good) => good.returnReasonId)]) {
      await requireReason(scope, reason ?? null, "returnReasonId");
    }
    const payments = body.payments.map(buildPayment);
    const account = await requireAccount(scope.tx, scope.resource, order.orderId);
    const earlier = account.refunds.map((found) => found.order);
    requireNewPayments(order, earlier, payments);
    const refund = refundOf(refundableOf(account), {
      refundId: await nextRefundId(tx, scope.resource, order.orderId),
      returnReasonId: body.returnReasonId ?? null,
      goods: body.goods,
      payments,
      isPrinted: body.receipt !== undefined,
    });
    const documents = documentsOf(refund, { operation: "return", receipt: body.receipt });
    await commitAccounts(scope, [{ before: null, after: refund, place: "" }], { documents });
  },
});

/** Refuses a payment that an earlier return gave back. A payment of the sale itself may be given back in parts. */
function requireNewPayments(
  sale: StoredOrder,
  refunds: readonly StoredOrder[],
  payments: readonly StoredPayment[],
): void {
  const ids = (order: StoredOrder) => order.payments.map(({ paymentId }) => paymentId);
  const returned = refunds.flatMap(ids).filter((id) => !ids(sale).includes(id));
  for (const [position, { paymentId }] of payments.entries()) {
    if (returned.includes(paymentId)) throw invalid(`payments[${position}].paymentId`, "was given back already");
  }
}

const receiptOperation = writeOperation({
  method: "post",
  path: "/orders/receipts",
  summary: "A receipt of the courier's own register; best sent with the status, payment or return it belongs to",
  body: receiptIn,
  example: { body: { orderId: 1042, operation: "sale", receipt: receiptExample } },
  async run(call, tx) {
    const { operation, receipt } = call.body;
    const { scope, order } = await carriedOrder(call, tx, call.body);
    if (order.isRefund && operation === "sale") throw invalid("operation", "must be return: the order is a refund");
    await commitOne(scope, { before: order, after: order }, { operation, receipt });
  },
});

async function requireReason(scope: CommitScope, id: string | null, place: string): Promise<void> {
  if (id === null) return;
  const references = [{ kind: "orderReturnReasons" as const, id, place }];
  await checkReferences(scope.tx, scope.resource, references);
}

export const courierOrderOperations: readonly DeliveryOperation[] = [
  listOperation,
  statusOperation,
  takenOperation,
  canceledOperation,
  paymentsOperation,
  returnsOperation,
  receiptOperation,
];
