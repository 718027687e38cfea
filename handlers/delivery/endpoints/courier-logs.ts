import { formatRoubles } from "@fiscald/shared/amounts.js";
import { z } from "zod";
import { CABINET, sharesCourier } from "../catalog/records.js";
import { carriedOrder } from "../couriers/courier-orders.js";
import { correctionIn, locationIn, registerLogIn, terminalLogIn } from "../couriers/courier-schemas.js";
import { invalid } from "../http/api-errors.js";
import { batchOf, parseWireTime, toWireId, toWireIdOrNull } from "../http/wire-types.js";
import { maskCard } from "../orders/mask-card.js";
import { toKopecks } from "../orders/rules.js";
import type { Writer } from "../store/delivery-store.js";
import type { FeedKind } from "./fiscal-records.js";
import { type Call, type Operation, writeOperation } from "./operation.js";

const tag = "logs";
const MINUTE_MS = 60_000;

const locationsOperation = writeOperation({
  method: "post",
  path: "/locations",
  tag: "locations",
  summary: "Where the courier was: one point a minute is kept, others are left out without complaint",
  query: z.object({}),
  body: batchOf(locationIn),
  answers: { 204: null },
  example: {
    body: [{ createdAt: "2026-11-20 14:05:00", longitude: "37.63", latitude: "55.76", accuracy: 12, orderId: 1042 }],
  },
  async run(call, tx) {
    for (const point of call.body) await keepPoint(call, tx, point);
    return { status: 204 };
  },
});

async function keepPoint(call: Call<unknown, unknown>, tx: Writer, point: z.output<typeof locationIn>): Promise<void> {
  const { orderId, createdAt } = point;
  const courierId = call.caller.courier?.courierId ?? "";
  const carried = orderId === undefined ? null : await carriedOrder(call, tx, { ...point, orderId });
  const time = parseWireTime(createdAt) ?? call.now;
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

interface LogEntry {
  readonly orderId?: string | undefined;
  readonly resourceId?: number | undefined;
}

interface LogSpec<Element extends z.ZodType<LogEntry>> {
  readonly path: string;
  readonly kind: FeedKind;
  readonly element: Element;
  readonly example: z.input<Element>;
  recordOf(entry: z.output<Element>, courierId: string): Readonly<Record<string, unknown>>;
  idOf(entry: z.output<Element>): string;
}

function logOperation<Element extends z.ZodType<LogEntry>>(spec: LogSpec<Element>): Operation {
  return writeOperation({
    method: "post",
    path: spec.path,
    tag,
    summary: `Entries for GET ${spec.path} of the delivery API; an entry that is known already is left alone`,
    query: z.object({}),
    body: batchOf(spec.element),
    answers: { 204: null },
    example: { body: [spec.example] },
    async run(call, tx) {
      const courierId = call.caller.courier?.courierId ?? "";
      for (const [position, entry] of call.body.entries()) {
        const resource = await shopOfEntry(call, tx, entry, `[${position}].`);
        await tx
          .insertInto("delivery_feed_records")
          .values({
            resource,
            kind: spec.kind,
            record_id: `${courierId}:${spec.idOf(entry)}`,
            courier_id: courierId,
            order_id: entry.orderId ?? null,
            body: JSON.stringify(spec.recordOf(entry, courierId)),
            created_at: call.now,
          })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      }
      return { status: 204 };
    },
  });
}

/** The shop of an entry: the order's, else the courier's, else the one that a courier of the cabinet names. */
async function shopOfEntry(
  call: Call<unknown, unknown>,
  tx: Writer,
  { orderId, resourceId }: LogEntry,
  place: string,
): Promise<number> {
  if (orderId !== undefined) return (await carriedOrder(call, tx, { orderId, resourceId })).scope.resource;
  const { courier, resource } = call.caller;
  if (resource !== CABINET) {
    if (resourceId === undefined || resourceId === resource) return resource;
    throw invalid(`${place}resourceId`, "is not the courier's shop");
  }
  if (resourceId === undefined) throw invalid(`${place}resourceId`, "is needed: the courier works for several shops");
  if (courier !== null && (await sharesCourier(tx, resourceId, courier.courierId))) return resourceId;
  throw invalid(`${place}resourceId`, "is no shop of this courier");
}

interface CommonEntry extends LogEntry {
  readonly errorCode?: string | undefined;
  readonly errorText?: string | undefined;
  readonly serialNumber?: string | undefined;
  readonly amount?: number | undefined;
}

function commonFields(entry: CommonEntry, courierId: string) {
  return {
    courierId: toWireId(courierId),
    errorCode: entry.errorCode ?? null,
    errorText: entry.errorText ?? null,
    serialNumber: entry.serialNumber ?? null,
    amount: entry.amount === undefined ? null : formatRoubles(toKopecks(entry.amount)),
    orderId: toWireIdOrNull(entry.orderId ?? null),
  };
}

export const courierLogOperations: readonly Operation[] = [
  locationsOperation,
  logOperation({
    path: "/terminalLogs",
    kind: "terminal",
    element: terminalLogIn,
    example: {
      terminalLogId: 1,
      orderId: 1042,
      amount: 500,
      cardNumber: "220012******1234",
      transactionCreatedAt: "2026-11-20 14:05:00",
    },
    recordOf: (entry, courierId) => ({
      terminalLogId: toWireId(entry.terminalLogId),
      ...commonFields(entry, courierId),
      cardNumber: maskCard(entry.cardNumber ?? null),
      paymentSystem: entry.paymentSystem ?? null,
      transactionCreatedAt: entry.transactionCreatedAt,
    }),
    idOf: (entry) => entry.terminalLogId,
  }),
  logOperation({
    path: "/registerLogs",
    kind: "register",
    element: registerLogIn,
    example: { frId: 1, orderId: 1042, amount: 500, commandExecutedAt: "2026-11-20 14:05:00" },
    recordOf: (entry, courierId) => ({
      frId: toWireId(entry.frId),
      ...commonFields(entry, courierId),
      commandExecutedAt: entry.commandExecutedAt,
    }),
    idOf: (entry) => entry.frId,
  }),
  logOperation({
    path: "/correctionReceipts",
    kind: "correction",
    element: correctionIn,
    example: {
      correctionReceiptId: 1,
      serialNumber: "00106700000001",
      amount: 100,
      commandExecutedAt: "2026-11-20 14:05:00",
    },
    recordOf: (entry, courierId) => ({
      correctionReceiptId: toWireId(entry.correctionReceiptId),
      courierId,
      serialNumber: entry.serialNumber,
      amount: formatRoubles(toKopecks(entry.amount)),
      commandExecutedAt: entry.commandExecutedAt,
    }),
    idOf: (entry) => entry.correctionReceiptId,
  }),
];
