import { formatRoubles } from "@fiscald/shared/amounts.js";
import { z } from "zod";
import { batchOf } from "./batch.js";
import { carriedOrder, maskCard } from "./courier-orders.js";
import { correctionIn, locationIn, registerLogIn, terminalLogIn } from "./courier-schemas.js";
import type { FeedKind } from "./fiscal-record-operations.js";
import { type Call, type Operation, type Writer, writeOperation } from "./operation.js";
import { toKopecks } from "./order-rules.js";
import { parseWireTime } from "./wire-time.js";
import { toWireId, toWireIdOrNull } from "./wire-types.js";

const tag = "logs";
const MINUTE_MS = 60_000;

export function courierLogOperations(): readonly Operation[] {
  return [
    locationsOperation(),
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
}

function locationsOperation(): Operation {
  return writeOperation({
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
}

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
      for (const entry of call.body) {
        const { orderId, resourceId } = entry;
        const carried = orderId === undefined ? null : await carriedOrder(call, tx, { orderId, resourceId });
        await tx
          .insertInto("delivery_feed_records")
          .values({
            resource: carried?.scope.resource ?? call.caller.resource,
            kind: spec.kind,
            record_id: `${courierId}:${spec.idOf(entry)}`,
            courier_id: courierId,
            order_id: orderId ?? null,
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
