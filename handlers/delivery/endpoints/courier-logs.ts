import type { z } from "zod";
import { type DeliveryCall, type DeliveryOperation, writeOperation } from "../backend/backend.js";
import { carriedOrder, shopOfCourier } from "../couriers/courier-orders.js";
import { correctionIn, locationIn, registerLogIn, terminalLogIn } from "../couriers/courier-schemas.js";
import { batchOf, parseApiTime, toWireId, toWireIdOrNull } from "../http/wire-types.js";
import { type FeedKind, recordFeed } from "../orders/fiscal-records.js";
import type { Writer } from "../store/delivery-store.js";

const tag = "logs";
const MINUTE_MS = 60_000;

const locationsOperation = writeOperation({
  method: "post",
  path: "/locations",
  summary: "Where the courier was: one point a minute is kept, others are left out without complaint",
  body: batchOf(locationIn),
  example: {
    body: [{ createdAt: "2026-11-20 14:05:00", longitude: "37.63", latitude: "55.76", accuracy: 12, orderId: 1042 }],
  },
  async run(call, tx) {
    for (const point of call.body) await keepPoint(call, tx, point);
  },
});

async function keepPoint(
  call: DeliveryCall<unknown, unknown>,
  tx: Writer,
  point: z.output<typeof locationIn>,
): Promise<void> {
  const { orderId, createdAt } = point;
  const courierId = call.caller.courier?.courierId ?? "";
  const carried = orderId === undefined ? null : await carriedOrder(call, tx, { ...point, orderId });
  const time = parseApiTime(createdAt) ?? call.now;
  const body = {
    orderId: toWireIdOrNull(orderId ?? null),
    deliveryStatusId: carried?.order.deliveryStatusId ?? null,
    returnReasonId: toWireIdOrNull(carried?.order.returnReasonId ?? null),
    orderStatusId: carried?.order.statusId ?? null,
    courierId: toWireId(courierId),
    longitude: point.longitude,
    latitude: point.latitude,
    accuracy: point.accuracy ?? null,
    createdAt,
  };
  await tx
    .insertInto("delivery_locations")
    .values({
      resource: carried?.scope.resource ?? call.caller.resource,
      owner: call.caller.resource,
      courier_id: courierId,
      minute: Math.floor(time / MINUTE_MS),
      body: JSON.stringify(body),
      created_at: time,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

type LogEntry = {
  readonly orderId: string | null;
  readonly resourceId?: number | undefined;
  readonly [field: string]: unknown;
};

interface LogSpec {
  readonly path: string;
  readonly kind: FeedKind;
  readonly idField: string;
  readonly element: z.ZodType<LogEntry>;
  readonly example: unknown;
}

const listOf: Readonly<Record<FeedKind, string>> = {
  terminal: "/bankTerminalLogs",
  register: "/fiscalRegistratorLogs",
  correction: "/correctionReceipts",
};

function logOperation({ path, kind, idField, element, example }: LogSpec): DeliveryOperation {
  return writeOperation({
    method: "post",
    path,
    tag,
    summary: `Entries for GET ${listOf[kind]} of the delivery API; an entry that is known already is left alone`,
    body: batchOf(element),
    example: { body: [example] },
    async run(call, tx) {
      const courierId = call.caller.courier?.courierId ?? "";
      for (const [position, entry] of call.body.entries()) {
        const { orderId, resourceId: _shop, ...given } = entry;
        const id = String(entry[idField]);
        // In the API's document a correction receipt names no order, and its courier's id is a string.
        const of =
          kind === "correction" ? { courierId } : { courierId: toWireId(courierId), orderId: toWireIdOrNull(orderId) };
        const resource = await shopOfEntry(call, tx, entry, `[${position}].`);
        const body = { ...given, [idField]: toWireId(id), ...of };
        const order = { orderId, courierId };
        await recordFeed(tx, { resource, now: call.now }, { kind, id: `${courierId}:${id}`, order, body });
      }
    },
  });
}

/** The order's shop, else the courier's, else the shop that a courier of the cabinet names. */
async function shopOfEntry(
  call: DeliveryCall<unknown, unknown>,
  tx: Writer,
  { orderId, resourceId }: LogEntry,
  place: string,
): Promise<number> {
  if (orderId !== null) return (await carriedOrder(call, tx, { orderId, resourceId })).scope.resource;
  return shopOfCourier(tx, call.caller, { resourceId, place });
}

export const courierLogOperations: readonly DeliveryOperation[] = [
  locationsOperation,
  logOperation({
    path: "/terminalLogs",
    kind: "terminal",
    idField: "terminalLogId",
    element: terminalLogIn,
    example: {
      terminalLogId: 1,
      orderId: 1042,
      amount: 500,
      cardNumber: "220012******1234",
      transactionCreatedAt: "2026-11-20 14:05:00",
    },
  }),
  logOperation({
    path: "/registerLogs",
    kind: "register",
    idField: "frId",
    element: registerLogIn,
    example: { frId: 1, orderId: 1042, amount: 500, commandExecutedAt: "2026-11-20 14:05:00" },
  }),
  logOperation({
    path: "/correctionReceipts",
    kind: "correction",
    idField: "correctionReceiptId",
    element: correctionIn,
    example: {
      correctionReceiptId: 1,
      serialNumber: "00106700000001",
      amount: 100,
      commandExecutedAt: "2026-11-20 14:05:00",
    },
  }),
];
