import { z } from "zod";
import { type DeliveryOperation, readOperation } from "../backend/backend.js";
import { CABINET, jsonObject, sharesCourier } from "../catalog/records.js";
import { requiredPagingQuery, toPage } from "../http/paging.js";
import {
  formatApiTime,
  idIn,
  idOrNull,
  idOut,
  textOrNull,
  timeOut,
  timeQuery,
  toWireIdOrNull,
} from "../http/wire-types.js";
import { findOrders, keyText, requireOrder } from "../orders/rows.js";
import { refundQuery } from "../orders/schema.js";
import { deliveryStatusOut, journalItem } from "../orders/view-schema.js";

const journalRecord = z
  .strictObject({
    event: z.literal(["create", "update"]),
    source: z.string(),
    courierId: textOrNull,
    createdAt: timeOut,
    beforeItem: journalItem.nullable(),
    afterItem: journalItem.nullable(),
  })
  .meta({ id: "JournalRecord" });

const statusChange = z
  .strictObject({
    statusId: deliveryStatusOut,
    returnReasonId: idOrNull,
    longitude: textOrNull,
    latitude: textOrNull,
    accuracy: z.number().nullable(),
    createdAt: timeOut,
  })
  .meta({ id: "DeliveryStatusChange" });

export const locationRecord = z
  .strictObject({
    orderId: idOrNull,
    deliveryStatusId: deliveryStatusOut.nullable(),
    returnReasonId: idOrNull,
    orderStatusId: z.literal([0, 1]).nullable(),
    courierId: idOut,
    longitude: z.string(),
    latitude: z.string(),
    accuracy: z.number().nullable(),
    createdAt: timeOut,
  })
  .meta({ id: "Location" });

const journalOperation = readOperation({
  path: "/journal",
  summary: "Changes of one order, oldest first",
  query: z.object({ entityId: idIn, startedAt: timeQuery.optional(), ...refundQuery, ...requiredPagingQuery }),
  answer: z.array(journalRecord),
  example: {
    query: { entityId: "1042", page: "1", count: "20" },
    answer: [
      {
        event: "update",
        source: "shop",
        courierId: "7",
        createdAt: "2026-11-20 14:05:00",
        beforeItem: { statusId: 0 },
        afterItem: { statusId: 1 },
      },
    ],
  },
  async run({ backend, caller, query }, db) {
    const page = toPage(query, backend.rules.pageBase);
    const sale = { orderId: query.entityId, isRefund: false };
    // Without `isRefund` the id means a refund order only if no sale has it, not even a deleted one.
    const isRefund = query.isRefund ?? !(await findOrders(db, caller.resource, [query.entityId])).has(keyText(sale));
    const rows = await db
      .selectFrom("delivery_journal")
      .selectAll()
      .where((is) => is.and({ resource: caller.resource, order_id: query.entityId, is_refund: isRefund ? 1 : 0 }))
      .$if(query.startedAt !== undefined, (rest) => rest.where("created_at", ">=", query.startedAt ?? 0))
      .orderBy("id")
      .limit(page.limit)
      .offset(page.offset)
      .execute();
    return rows.map((row) => ({
      event: row.event,
      source: row.source,
      courierId: row.courier_id,
      createdAt: formatApiTime(row.created_at),
      beforeItem: row.before_item === null ? null : jsonObject(row.before_item),
      afterItem: row.after_item === null ? null : jsonObject(row.after_item),
    }));
  },
});

const statusesOperation = readOperation({
  path: "/orders/journalStatuses",
  summary: "Delivery statuses that an order has had, oldest first",
  query: z.object({ orderId: idIn, ...refundQuery }),
  answer: z.array(statusChange),
  example: {
    query: { orderId: "1042" },
    answer: [
      {
        statusId: 0,
        returnReasonId: null,
        longitude: null,
        latitude: null,
        accuracy: null,
        createdAt: "2026-11-20 14:05:00",
      },
    ],
  },
  async run({ caller, query }, db) {
    const order = await requireOrder(db, caller.resource, query);
    const rows = await db
      .selectFrom("delivery_status_changes")
      .selectAll()
      .where((is) => is.and({ resource: caller.resource, order_id: order.orderId, is_refund: order.isRefund ? 1 : 0 }))
      .orderBy("id")
      .execute();
    return rows.map((row) => ({
      statusId: row.status_id,
      returnReasonId: toWireIdOrNull(row.return_reason_id),
      longitude: row.longitude,
      latitude: row.latitude,
      accuracy: row.accuracy,
      createdAt: formatApiTime(row.created_at),
    }));
  },
});

const locationsOperation = readOperation({
  path: "/locations",
  summary: "Where a courier was, oldest first",
  query: z.object({ courierId: idIn, createdAt: timeQuery.optional(), ...requiredPagingQuery }),
  answer: z.array(locationRecord),
  example: {
    query: { courierId: "7", page: "1", count: "20" },
    answer: [
      {
        orderId: 1042,
        deliveryStatusId: 2,
        returnReasonId: null,
        orderStatusId: 1,
        courierId: 7,
        longitude: "37.63",
        latitude: "55.76",
        accuracy: 12,
        createdAt: "2026-11-20 14:05:00",
      },
    ],
  },
  async run({ caller, query }, db) {
    const page = toPage(query, 1);
    const isShared = await sharesCourier(db, caller.resource, query.courierId);
    const rows = await db
      .selectFrom("delivery_locations")
      .select("body")
      .where("resource", "in", isShared ? [CABINET, caller.resource] : [caller.resource])
      .where("courier_id", "=", query.courierId)
      .$if(query.createdAt !== undefined, (rest) => rest.where("created_at", ">=", query.createdAt ?? 0))
      .orderBy("created_at")
      .orderBy("id")
      .limit(page.limit)
      .offset(page.offset)
      .execute();
    return rows.map((row) => jsonObject(row.body));
  },
});

export const historyOperations: readonly DeliveryOperation[] = [
  journalOperation,
  statusesOperation,
  locationsOperation,
];
