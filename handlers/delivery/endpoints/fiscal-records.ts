/** Fiscal documents of orders, and the logs of registers and terminals. */
import { z } from "zod";
import { type DeliveryCall, type DeliveryOperation, readOperation } from "../backend/backend.js";
import { jsonObject } from "../catalog/records.js";
import { receiptExample } from "../changes/examples.js";
import { missing } from "../http/api-errors.js";
import { pagingQuery, requiredPagingQuery, toPage } from "../http/paging.js";
import { idIn, idOut, timeOut, toWireId } from "../http/wire-types.js";
import type { Reader } from "../store/delivery-store.js";

const text = z.string().nullable();
const idOrNull = idOut.nullable();

export const orderReceiptRecord = z
  .strictObject({
    orderId: idOut,
    serialNumber: z.string(),
    shiftNumber: z.string(),
    fn: z.string(),
    fdNumber: z.string(),
    receiptNumber: z.string(),
    fiscalSign: z.string(),
    dateTimeReceipt: z.string(),
  })
  .meta({ id: "OrderReceipt" });

const logFields = {
  courierId: idOrNull,
  errorCode: text,
  errorText: text,
  serialNumber: text,
  amount: text,
  orderId: idOrNull,
};
export const correctionRecord = z
  .strictObject({
    correctionReceiptId: idOut,
    courierId: z.string(),
    serialNumber: z.string(),
    amount: z.string(),
    commandExecutedAt: timeOut,
  })
  .meta({ id: "CorrectionReceipt" });
export const terminalRecord = z
  .strictObject({
    terminalLogId: idOut,
    ...logFields,
    cardNumber: text,
    paymentSystem: text,
    transactionCreatedAt: timeOut,
  })
  .meta({ id: "BankTerminalLog" });
export const registerRecord = z
  .strictObject({ frId: idOut, ...logFields, commandExecutedAt: timeOut })
  .meta({ id: "FiscalRegistratorLog" });

function receiptOperation(path: string, title: string, operation: "sale" | "return"): DeliveryOperation {
  return readOperation({
    method: "get",
    path,
    tag: "receipts",
    summary: `The ${title} receipt of an order, the last one where there are several`,
    query: z.object({ orderId: idIn }),
    answers: { 200: orderReceiptRecord },
    example: { query: { orderId: "1042" }, answer: { orderId: 1042, ...receiptExample } },
    async run({ caller, query }, db) {
      const row = await db
        .selectFrom("delivery_order_receipts")
        .select("body")
        .where("resource", "=", caller.resource)
        .where("order_id", "=", query.orderId)
        .where("operation", "=", operation)
        .orderBy("id", "desc")
        .limit(1)
        .executeTakeFirst();
      if (row === undefined) throw missing(`${title} receipt of order`, query.orderId);
      return { status: 200, body: { orderId: toWireId(query.orderId), ...jsonObject(row.body) } };
    },
  });
}

interface FeedOptions {
  readonly path: string;
  readonly kind: FeedKind;
  readonly record: z.ZodObject;
  readonly isPagingRequired: boolean;
}

export type FeedKind = "correction" | "terminal" | "register";

function feedOperation({ path, kind, record, isPagingRequired }: FeedOptions): DeliveryOperation {
  const paging = isPagingRequired ? requiredPagingQuery : pagingQuery;
  return readOperation({
    method: "get",
    path,
    tag: "receipts",
    summary: `Entries of ${path.slice(1)}, oldest first`,
    query: z.object({ courierId: idIn.optional(), orderId: idIn.optional(), ...paging }),
    answers: { 200: z.array(record) },
    example: { query: { courierId: "7", page: "1", count: "20" }, answer: [] },
    run: async (call, db) => ({ status: 200, body: await listFeed(db, kind, call) }),
  });
}

interface FeedQuery {
  readonly courierId?: string | undefined;
  readonly orderId?: string | undefined;
  readonly page?: number | undefined;
  readonly count?: number | undefined;
}

async function listFeed(
  db: Reader,
  kind: FeedKind,
  { backend, caller, query }: DeliveryCall<FeedQuery, null>,
): Promise<readonly unknown[]> {
  const page = toPage(query, backend.rules.pageBase);
  const rows = await db
    .selectFrom("delivery_feed_records")
    .select("body")
    .where("resource", "=", caller.resource)
    .where("kind", "=", kind)
    .$if(query.courierId !== undefined, (rest) => rest.where("courier_id", "=", query.courierId ?? ""))
    .$if(query.orderId !== undefined, (rest) => rest.where("order_id", "=", query.orderId ?? ""))
    .orderBy("id")
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return rows.map((row) => jsonObject(row.body));
}

export const fiscalRecordOperations: readonly DeliveryOperation[] = [
  receiptOperation("/orderReceipts", "payment", "sale"),
  receiptOperation("/orderReturnReceipts", "return", "return"),
  feedOperation({
    path: "/correctionReceipts",
    kind: "correction",
    record: correctionRecord,
    isPagingRequired: true,
  }),
  feedOperation({ path: "/bankTerminalLogs", kind: "terminal", record: terminalRecord, isPagingRequired: false }),
  feedOperation({
    path: "/fiscalRegistratorLogs",
    kind: "register",
    record: registerRecord,
    isPagingRequired: false,
  }),
];
