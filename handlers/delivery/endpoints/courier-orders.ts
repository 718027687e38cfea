/** A report is answered with the order as it is after the report. */
import { formatRoubles } from "@fiscald/shared/amounts.js";
import { z } from "zod";
import { isSold } from "../account/edit-limits.js";
import { loadCatalogFacts, requireAccount } from "../account/load-accounts.js";
import { givenBackOf, printedSale } from "../account/money-findings.js";
import { type DeliveryCall, type DeliveryOperation, readOperation, writeOperation } from "../backend/backend.js";
import type { ActionId } from "../catalog/permissions.js";
import { groupBy } from "../catalog/records.js";
import { loadNamed, namedOrNone } from "../catalog/references.js";
import { buildPayment } from "../changes/build.js";
import { orderExample, receiptExample } from "../changes/examples.js";
import {
  addPayments,
  type CarriedOrder,
  carriedOrder,
  carriedOrders,
  changeItem,
  commitOne,
  documentsOf,
  findCarried,
  type OrderPointer,
  refundOf,
  warnOfExcess,
} from "../couriers/courier-orders.js";
import { needsOfPayments, requireRights } from "../couriers/courier-rights.js";
import {
  canceledIn,
  carriedOrderOut,
  paymentsIn,
  receiptIn,
  returnsIn,
  statusIn,
  takenIn,
} from "../couriers/courier-schemas.js";
import { invalid, throwIfProblems } from "../http/api-errors.js";
import type { OperationExample } from "../http/endpoint.js";
import { pagingQuery, toPageIfAsked } from "../http/paging.js";
import { formatApiTime, idIn, parseApiTime } from "../http/wire-types.js";
import type { CommitScope } from "../orders/order-change.js";
import { canceledPortions, collectedSum, followCollection, goodsSum, prepaidSum } from "../orders/receipt-policy.js";
import { orderProblems, orderReferences, toQuantity } from "../orders/rules.js";
import { refundQuery } from "../orders/schema.js";
import type { StoredOrder, StoredPayment } from "../orders/stored-order.js";
import { renderOrders } from "../orders/view.js";
import { refundableOf } from "../refunds/link-refunds.js";
import { loadBreaks, PART_OF_PIECE } from "../refunds/marked-goods.js";
import { nextRefundId } from "../refunds/refund-rows.js";
import { commitAccounts } from "../settling/settle-accounts.js";
import type { Reader, Writer } from "../store/delivery-store.js";

const DAY_MS = 24 * 60 * 60 * 1000;

const carriedExample = { ...orderExample, resourceId: 1, displayId: "A-1042" };

async function renderCarried(db: Reader, carried: readonly CarriedOrder[]) {
  const shown = [];
  for (const [resourceId, own] of groupBy(carried, ({ resource }) => resource)) {
    const orders = own.map(({ order }) => order);
    for (const view of await renderOrders(db, resourceId, orders))
      shown.push({ ...view, resourceId, displayId: view.codeAlias ?? String(view.orderId) });
  }
  return shown;
}

const listOperation = readOperation({
  path: "/orders",
  summary: "One of the courier's orders by its id, or all of them; displayId is the code alias where there is one",
  query: z.object({ orderId: idIn.optional(), ...refundQuery, ...pagingQuery }),
  answer: z.union([carriedOrderOut, z.array(carriedOrderOut)]),
  example: { answer: [carriedExample] },
  async run({ backend, caller, query }, db) {
    const { orderId, isRefund } = query;
    await requireRights({ db, caller, resource: caller.resource }, ["order.view"]);
    if (orderId !== undefined) {
      return (await renderCarried(db, [await findCarried(db, caller.courier, { orderId, isRefund })]))[0];
    }
    const page = toPageIfAsked(query, backend.rules.pageBase);
    return renderCarried(db, caller.courier === null ? [] : await carriedOrders(db, caller.courier, { page }));
  },
});

interface Carried {
  readonly scope: CommitScope;
  readonly order: StoredOrder;
}

type ReportBody = OrderPointer & { readonly receipt?: { readonly dateTimeReceipt: string } | undefined };

interface ReportSpec<Body extends z.ZodType<ReportBody>> {
  readonly path: string;
  readonly summary: string;
  readonly body: Body;
  readonly example: OperationExample["body"];
  needs?(body: z.output<Body>, carried: Carried): Promise<readonly ActionId[]>;
  run(call: DeliveryCall<object, z.output<Body>>, carried: Carried): Promise<unknown>;
}

function reportOperation<Body extends z.ZodType<ReportBody>>(spec: ReportSpec<Body>): DeliveryOperation {
  return writeOperation({
    method: "post",
    path: spec.path,
    summary: spec.summary,
    query: z.object({}),
    body: spec.body,
    answer: carriedOrderOut,
    example: { body: spec.example, answer: carriedExample },
    async run(call: DeliveryCall<object, z.output<Body>>, tx: Writer) {
      const { caller, body } = call;
      if ((parseApiTime(body.receipt?.dateTimeReceipt ?? "") ?? 0) > call.now + DAY_MS)
        throw invalid("receipt.dateTimeReceipt", "is more than a day ahead");
      const carried = await carriedOrder(call, tx, body);
      const { resource } = carried.scope;
      const ofReport = (await spec.needs?.(body, carried)) ?? [];
      const needs = body.receipt === undefined ? ofReport : [...ofReport, "receipt.print" as const];
      await requireRights({ db: tx, caller, resource, ...(body.receipt && { warn: call.warn }) }, needs);
      await spec.run(call, carried);
      const { orderId, isRefund } = carried.order;
      const now = await findCarried(tx, caller.courier, { orderId, isRefund, resourceId: resource });
      return (await renderCarried(tx, [now]))[0];
    },
  });
}

const statusOperation = reportOperation({
  path: "/orders/status",
  summary: "A new delivery status, with the place and, where one was printed, the courier's own receipt",
  body: statusIn,
  example: { orderId: 1042, deliveryStatusId: 3, longitude: "37.63", latitude: "55.76", accuracy: 12 },
  async needs({ deliveryStatusId }) {
    if (deliveryStatusId === 5) return ["order.cancel"];
    return deliveryStatusId === 6 ? ["order.return"] : [];
  },
  async run({ backend, body }, { scope, order }) {
    const reason = await knownReason(scope, body.returnReasonId, "returnReasonId");
    const moved: StoredOrder = {
      ...order,
      deliveryStatusId: body.deliveryStatusId,
      returnReasonId: reason === undefined ? order.returnReasonId : reason,
    };
    const { strictTransitions } = backend.rules;
    throwIfProblems(orderProblems({ before: order, after: moved, place: "", strictTransitions }));
    const { longitude = null, latitude = null, accuracy = null } = body;
    const at = { longitude, latitude, accuracy };
    const isWhole = body.deliveryStatusId === 6;
    const operation = isWhole ? "return" : "sale";
    const change = { before: order, after: moved };
    await commitOne({ ...scope, at }, change, { operation, isWhole, receipt: body.receipt });
  },
});

const takenOperation = reportOperation({
  path: "/orders/taken",
  summary: "Positions that were taken from their warehouses",
  body: takenIn,
  example: { orderId: 1042, items: [{ goodId: 501, warehouseId: 1, tookCount: 2 }] },
  async run({ body }, { scope, order }) {
    let goods = order.goods;
    for (const [position, taken] of body.items.entries()) {
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

const canceledOperation = reportOperation({
  path: "/orders/canceledItems",
  summary: "Positions, or parts of them, that the buyer did not take",
  body: canceledIn,
  example: { orderId: 1042, items: [{ goodId: 501, returnReasonId: 1, count: 1 }] },
  needs: async () => ["order.cancelItem"],
  async run({ body, now }, { scope, order }) {
    let goods = order.goods;
    const breaks = await loadBreaks(scope.tx, scope.resource, goods);
    for (const [position, canceled] of body.items.entries()) {
      const { count } = canceled;
      const returnReasonId =
        (await knownReason(scope, canceled.returnReasonId, `items[${position}].returnReasonId`)) ?? null;
      goods = changeItem(goods, canceled, `items[${position}]`, (item) => {
        const parts = [...item.canceledItems.map((part) => part.count), count].map(toQuantity);
        const left = toQuantity(item.count) - parts.reduce((sum, part) => sum + part, 0);
        if (left < 0) return invalid(`items[${position}].count`, "is more than is left");
        if (left > 0 && breaks(item, count)) return invalid(`items[${position}].count`, PART_OF_PIECE);
        const part = { returnReasonId, count, createdAt: formatApiTime(now) };
        const canceledItems = [...item.canceledItems, part];
        return { ...item, canceledItems, returnReasonId: left === 0 ? returnReasonId : item.returnReasonId };
      });
    }
    // The money collected before may cover what the order costs now.
    const after = followCollection(order, { ...order, goods });
    const isPaidByShop = order.statusId === 1 && prepaidSum(order) === 0 && collectedSum(order) <= 0;
    // Cancellations before the shop's last edit count no more, except for money that couriers gave back for them.
    const earlier = canceledPortions(order).length > 0 ? (order.canceledPaid ?? 0) : Math.max(0, -collectedSum(order));
    const canceledPaid = earlier + goodsSum(order) - goodsSum(after);
    await commitOne(scope, { before: order, after: isPaidByShop ? { ...after, canceledPaid } : after });
  },
});

const paymentsOperation = reportOperation({
  path: "/orders/payments",
  summary: "Money that the courier took; a payment that is known already is left alone",
  body: paymentsIn,
  example: {
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
  needs: ({ payments }, { scope, order }) => needsOfPayments(scope, order, payments),
  async run({ body, warn }, { scope, order }) {
    if (order.isInternetPayment === 1 && body.payments.some(({ price }) => price > 0)) {
      warn("payments", "are taken at the door for an order of the internet: its receipt is none of the internet");
    }
    const named = orderReferences({ payments: body.payments }, "");
    throwIfProblems((await loadNamed(scope.tx, scope.resource, named)).problems);
    const paid = await stillPaid(scope, order, await addPayments(scope, order, body.payments.map(buildPayment)));
    warnOfExcess(warn, paid);
    await commitOne(scope, { before: order, after: paid }, { operation: "sale", receipt: body.receipt });
  },
});

/** Money that a courier gives back of a printed sale is a fact, but the sale stays paid until a return is printed. */
async function stillPaid({ tx, resource, warn }: CommitScope, before: StoredOrder, after: StoredOrder) {
  if (after.isRefund || collectedSum(after) >= collectedSum(before)) return after;
  const account = await requireAccount(tx, resource, before.orderId);
  const { sum } = givenBackOf({ ...account, sale: after }, await loadCatalogFacts(tx, resource, [after]));
  if (sum > 0) {
    const what =
      printedSale(account) === null
        ? "more than was taken of an order that is not sold: no receipt says so"
        : "of a printed sale: its receipt of a return comes with the goods, by /orders/returns";
    warn?.("payments", `give back ${formatRoubles(sum)} ${what}`);
  }
  return isSold(account) ? { ...after, statusId: before.statusId } : after;
}

const returnsOperation = reportOperation({
  path: "/orders/returns",
  summary: "Goods and money that went back: becomes the refund order of the sale, which `returnedOrder` names",
  body: returnsIn,
  example: { orderId: 1042, returnReasonId: 1, goods: [{ goodId: 501, count: 1 }], payments: [] },
  needs: async ({ payments }, { scope, order }) => [
    "order.return",
    ...(await needsOfPayments(scope, order, payments ?? [])).filter((action) => action === "payment.cash"),
  ],
  async run({ body, warn }, { scope, order }) {
    const goods = [];
    for (const [position, good] of body.goods.entries()) {
      const place = `goods[${position}].returnReasonId`;
      goods.push({ ...good, returnReasonId: await knownReason(scope, good.returnReasonId, place) });
    }
    const payments = (body.payments ?? []).map(buildPayment);
    const account = await requireAccount(scope.tx, scope.resource, order.orderId);
    const earlier = account.refunds.map((found) => found.order);
    requireNewPayments(order, earlier, payments);
    const refund = refundOf(refundableOf(account), {
      refundId: await nextRefundId(scope.tx, scope.resource, order.orderId),
      returnReasonId: (await knownReason(scope, body.returnReasonId, "returnReasonId")) ?? null,
      goods,
      payments,
      isPrinted: body.receipt !== undefined,
    });
    warnOfExcess(warn, refund);
    const documents = documentsOf(refund, { operation: "return", receipt: body.receipt });
    await commitAccounts(scope, [{ before: null, after: refund, place: "" }], { documents });
  },
});

/** Refuses a payment that an earlier return gave back. A payment of the sale itself may go back in parts. */
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

const receiptOperation = reportOperation({
  path: "/orders/receipts",
  summary: "A receipt of the courier's own register; best sent with the status, payment or return it belongs to",
  body: receiptIn,
  example: { orderId: 1042, operation: "sale", receipt: receiptExample },
  async run({ body: { operation, receipt } }, { scope, order }) {
    if (order.isRefund && operation === "sale") throw invalid("operation", "must be return: the order is a refund");
    await commitOne(scope, { before: order, after: order }, { operation, receipt });
  },
});

/** Null for the id 0, by which the application means no reason. */
async function knownReason<Id extends string | null | undefined>(scope: CommitScope, id: Id, place: string) {
  if (id === null || id === undefined) return id;
  const references = [{ kind: "orderReturnReasons" as const, id, place, mayBeNone: true }];
  const { found, problems } = await loadNamed(scope.tx, scope.resource, references);
  throwIfProblems(problems);
  return namedOrNone(found, "orderReturnReasons", id);
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
