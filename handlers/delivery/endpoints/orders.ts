import { checkShape } from "@fiscald/shared/http/schema-problems.js";
import { z } from "zod";
import { type DeliveryOperation, readOperation, writeOperation } from "../backend/backend.js";
import { deleteOrder, editOneOrder, updateManyOrders, writeOrders } from "../changes/change-orders.js";
import { orderCreateExample, orderExample, refundCreateExample } from "../changes/examples.js";
import { badRequest } from "../http/api-errors.js";
import { noBody } from "../http/endpoint.js";
import { pagingQuery, toPage } from "../http/paging.js";
import { batchOf, idIn } from "../http/wire-types.js";
import { commitScope } from "../orders/order-change.js";
import { listOrders, requireOrder } from "../orders/rows.js";
import {
  multipleUpdateIn,
  type OrderCreate,
  type OrderReplace,
  orderCreateIn,
  orderEditIn,
  orderReplaceIn,
  refundQuery,
} from "../orders/schema.js";
import { isPeriodAsked, listOrdersWithStatus, statusPeriodOf, statusPeriodQuery } from "../orders/status-period.js";
import { renderOrders } from "../orders/view.js";
import { orderOut } from "../orders/view-schema.js";

const byId = z.object({ orderId: idIn, ...refundQuery });
const getQuery = z.object({ orderId: idIn.optional(), ...refundQuery, ...pagingQuery, ...statusPeriodQuery });
type GetQuery = z.output<typeof getQuery>;

const createOperation = writeOperation({
  method: "post",
  path: "/orders",
  summary: "Creates the orders of an array, all or none; with isRefund=1 refund orders",
  query: z.object(refundQuery),
  body: batchOf(orderCreateIn),
  answer: z.array(orderOut),
  example: {
    body: [orderCreateExample],
    otherBodies: { "refund of a part": [refundCreateExample] },
    answer: [orderExample],
  },
  async run(call, tx) {
    const isRefundVariant = call.query.isRefund === true;
    const readNew = (value: OrderCreate) => ({ value, problems: null });
    return await writeOrders(commitScope(call, tx), call.body, { isRefundVariant, isNew: true, readNew });
  },
});

const getOperation = readOperation({
  path: "/orders",
  summary: "One order by its id; or the list of orders; or those that had a delivery status within a period",
  query: getQuery,
  headers: Object.keys(statusPeriodQuery),
  answer: z.union([orderOut, z.array(orderOut)]),
  example: { query: { orderId: "1042" }, answer: orderExample },
  async run({ backend, caller: { resource }, query, now }, db) {
    refuseIdleFilters(query);
    const { orderId, isRefund } = query;
    if (orderId !== undefined) {
      const [view] = await renderOrders(db, resource, [await requireOrder(db, resource, { orderId, isRefund })]);
      return view;
    }
    const page = toPage(query, backend.rules.pageBase);
    const period = statusPeriodOf(query, now);
    const asked = period === null ? listOrders(db, resource, page) : listOrdersWithStatus(db, resource, period, page);
    return renderOrders(db, resource, await asked);
  },
});

/** A filter without effect is refused: the answer would have other orders than the caller has asked for. */
function refuseIdleFilters({ orderId, isRefund, ...others }: GetQuery): void {
  if (orderId === undefined && isRefund !== undefined) throw badRequest("needs orderId beside it", "isRefund");
  if (orderId !== undefined && isPeriodAsked(others)) {
    throw badRequest("is of one order: the journal parameters are of the list", "orderId");
  }
}

const editOperation = writeOperation({
  method: "put",
  path: "/orders",
  summary: "Changes the given fields of one order",
  query: byId,
  body: orderEditIn,
  answer: orderOut,
  example: {
    query: { orderId: "1042" },
    body: { statusId: 1, description: "Оплачен на сайте" },
    answer: { ...orderExample, statusId: 1, description: "Оплачен на сайте" },
  },
  async run(call, tx) {
    return await editOneOrder(commitScope(call, tx), call.query, call.body);
  },
});

const manyOperation = writeOperation({
  method: "put",
  path: "/orders/multipleUpdate",
  summary: "Changes a few attributes of many orders at once, of all or of none",
  body: multipleUpdateIn,
  example: { body: { orderIds: [1042, 1043], attributes: { deliveryStatusId: 1, courierId: "7" } } },
  async run(call, tx) {
    await updateManyOrders(commitScope(call, tx), call.body);
  },
});

const replaceOperation = writeOperation({
  method: "post",
  path: "/orders/replace",
  summary: "Updates the orders of an array that are known, creates the others",
  query: z.object(refundQuery),
  body: batchOf(orderReplaceIn),
  answer: z.array(orderOut),
  example: { body: [orderCreateExample], answer: [orderExample] },
  async run(call, tx) {
    const readNew = (element: OrderReplace, position: number) => checkShape(orderCreateIn, element, [position]);
    const isRefundVariant = call.query.isRefund === true;
    return await writeOrders(commitScope(call, tx), call.body, { isRefundVariant, isNew: false, readNew });
  },
});

const deleteOperation = writeOperation({
  method: "delete",
  path: "/orders",
  summary: "Hides one order",
  query: byId,
  body: noBody,
  example: { query: { orderId: "1042" } },
  async run(call, tx) {
    await deleteOrder(commitScope(call, tx), call.query);
  },
});

export const orderEndpoints: readonly DeliveryOperation[] = [
  createOperation,
  getOperation,
  editOperation,
  manyOperation,
  replaceOperation,
  deleteOperation,
];
