/** The order endpoints. */

import { checkShape } from "@fiscald/shared/http/schema-problems.js";
import { z } from "zod";
import { type DeliveryCall, type DeliveryOperation, readOperation, writeOperation } from "../backend/backend.js";
import { createOrders, deleteOrder, editOneOrder, replaceOrders, updateManyOrders } from "../changes/change-orders.js";
import { orderCreateExample, orderExample, refundCreateExample } from "../changes/examples.js";
import { badRequest } from "../http/api-errors.js";
import { noBody } from "../http/endpoint.js";
import { pagingQuery, toPage } from "../http/paging.js";
import { batchOf, idIn } from "../http/wire-types.js";
import type { CommitScope } from "../orders/order-change.js";
import { listOrders, requireOrder } from "../orders/rows.js";
import { multipleUpdateIn, orderCreateIn, orderEditIn, orderReplaceIn, refundQuery } from "../orders/schema.js";
import { isPeriodAsked, listOrdersWithStatus, statusPeriodOf, statusPeriodQuery } from "../orders/status-period.js";
import { renderOrders } from "../orders/view.js";
import { orderOut } from "../orders/view-schema.js";
import type { Reader, Writer } from "../store/delivery-store.js";

const tag = "orders";
const byId = z.object({ orderId: idIn, ...refundQuery });
const getQuery = z.object({ orderId: idIn.optional(), ...refundQuery, ...pagingQuery, ...statusPeriodQuery });
type GetQuery = z.output<typeof getQuery>;

export function commitScope(call: DeliveryCall<unknown, unknown>, tx: Writer): CommitScope {
  const { backend, caller, now } = call;
  return { backend, tx, resource: caller.resource, source: caller.name, now };
}

const createOperation = writeOperation({
  method: "post",
  path: "/orders",
  tag,
  summary: "Creates the orders of an array, all or none; with isRefund=1 refund orders",
  query: z.object(refundQuery),
  body: batchOf(orderCreateIn),
  answers: { 201: z.array(orderOut) },
  example: {
    body: [orderCreateExample],
    otherBodies: { "refund of a part": [refundCreateExample] },
    answer: [orderExample],
  },
  async run(call, tx) {
    return { status: 201, body: await createOrders(commitScope(call, tx), call.body, call.query.isRefund === true) };
  },
});

const getOperation = readOperation({
  method: "get",
  path: "/orders",
  tag,
  summary: "One order by its id; or the list of orders; or those that had a delivery status within a period",
  query: getQuery,
  headers: Object.keys(statusPeriodQuery),
  answers: { 200: z.union([orderOut, z.array(orderOut)]) },
  example: { query: { orderId: "1042" }, answer: orderExample },
  async run(call, db) {
    const { orderId, isRefund } = call.query;
    const { resource } = call.caller;
    refuseIdleFilters(call.query);
    if (orderId !== undefined) {
      const order = await requireOrder(db, resource, { orderId, isRefund });
      const [view] = await renderOrders(db, resource, [order]);
      return { status: 200, body: view };
    }
    return { status: 200, body: await list(db, call) };
  },
});

/** A filter that changes nothing would give the caller other orders than he asked for. */
function refuseIdleFilters({ orderId, isRefund, ...others }: GetQuery): void {
  if (orderId === undefined && isRefund !== undefined) throw badRequest("needs orderId beside it", "isRefund");
  if (orderId !== undefined && isPeriodAsked(others)) {
    throw badRequest("is of one order: the journal parameters are of the list", "orderId");
  }
}

async function list(
  db: Reader,
  { backend, caller, query, now }: DeliveryCall<Parameters<typeof statusPeriodOf>[0], null>,
) {
  const period = statusPeriodOf(query, now);
  const page = toPage(query, backend.rules.pageBase);
  const orders =
    period === null
      ? await listOrders(db, caller.resource, page)
      : await listOrdersWithStatus(db, caller.resource, period, page);
  return renderOrders(db, caller.resource, orders);
}

const editOperation = writeOperation({
  method: "put",
  path: "/orders",
  tag,
  summary: "Changes the given fields of one order",
  query: byId,
  body: orderEditIn,
  answers: { 201: orderOut },
  example: {
    query: { orderId: "1042" },
    body: { statusId: 1, description: "Оплачен на сайте" },
    answer: { ...orderExample, statusId: 1, description: "Оплачен на сайте" },
  },
  async run(call, tx) {
    return { status: 201, body: await editOneOrder(commitScope(call, tx), call.query, call.body) };
  },
});

const manyOperation = writeOperation({
  method: "put",
  path: "/orders/multipleUpdate",
  tag,
  summary: "Changes a few attributes of many orders at once",
  query: z.object({}),
  body: multipleUpdateIn,
  answers: { 204: null },
  example: { body: { orderIds: [1042, 1043], attributes: { deliveryStatusId: 1, courierId: "7" } } },
  async run(call, tx) {
    await updateManyOrders(commitScope(call, tx), call.body);
    return { status: 204 };
  },
});

const replaceOperation = writeOperation({
  method: "post",
  path: "/orders/replace",
  tag,
  summary: "Updates the orders of an array that are known, creates the others",
  query: z.object(refundQuery),
  body: batchOf(orderReplaceIn),
  answers: { 201: z.array(orderOut) },
  example: { body: [orderCreateExample], answer: [orderExample] },
  async run(call, tx) {
    const readNew = (position: number) => checkShape(orderCreateIn, call.body[position], [position]);
    const isRefund = call.query.isRefund === true;
    return { status: 201, body: await replaceOrders(commitScope(call, tx), call.body, isRefund, readNew) };
  },
});

const deleteOperation = writeOperation({
  method: "delete",
  path: "/orders",
  tag,
  summary: "Hides one order",
  query: byId,
  body: noBody,
  answers: { 204: null },
  example: { query: { orderId: "1042" } },
  async run(call, tx) {
    await deleteOrder(commitScope(call, tx), call.query);
    return { status: 204 };
  },
});

export const orderOperations: readonly DeliveryOperation[] = [
  createOperation,
  getOperation,
  editOperation,
  manyOperation,
  replaceOperation,
  deleteOperation,
];
