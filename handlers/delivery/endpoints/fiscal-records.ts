import { z } from "zod";
import { type DeliveryOperation, readOperation } from "../backend/backend.js";
import { jsonObject } from "../catalog/records.js";
import { receiptExample } from "../changes/examples.js";
import { missing } from "../http/api-errors.js";
import { pagingQuery, requiredPagingQuery, toPage } from "../http/paging.js";
import { idIn, idOrNull, idOut, textOrNull, timeOut, toWireId } from "../http/wire-types.js";
import type { FeedKind } from "../orders/fiscal-records.js";

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
  errorCode: textOrNull,
  errorText: textOrNull,
  serialNumber: textOrNull,
  amount: textOrNull,
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
    cardNumber: textOrNull,
    paymentSystem: textOrNull,
    transactionCreatedAt: timeOut,
  })
  .meta({ id: "BankTerminalLog" });
export const registerRecord = z
  .strictObject({ frId: idOut, ...logFields, commandExecutedAt: timeOut })
  .meta({ id: "FiscalRegistratorLog" });

function receiptOperation(path: string, title: string, operation: "sale" | "return"): DeliveryOperation {
  return readOperation({
    path,
    tag: "receipts",
    summary: `The ${title} receipt of an order, the last one where there are several`,
    query: z.object({ orderId: idIn }),
    answer: orderReceiptRecord,
    example: { query: { orderId: "1042" }, answer: { orderId: 1042, ...receiptExample } },
    async run({ caller, query }, db) {
      const row = await db
        .selectFrom("delivery_order_receipts")
        .select("body")
        .where((is) => is.and({ resource: caller.resource, order_id: query.orderId, operation }))
        .orderBy("id", "desc")
        .limit(1)
        .executeTakeFirst();
      if (row === undefined) throw missing(`${title} receipt of order`, query.orderId);
      return { orderId: toWireId(query.orderId), ...jsonObject(row.body) };
    },
  });
}

interface FeedOptions {
  readonly path: string;
  readonly kind: FeedKind;
  readonly record: z.ZodObject;
  readonly paging: Readonly<Record<"page" | "count", z.ZodType<number | undefined>>>;
}

function feedOperation({ path, kind, record, paging }: FeedOptions): DeliveryOperation {
  return readOperation({
    path,
    tag: "receipts",
    summary: `Entries of ${path.slice(1)}, oldest first`,
    query: z.object({ courierId: idIn.optional(), orderId: idIn.optional(), ...paging }),
    answer: z.array(record),
    example: { query: { courierId: "7", page: "1", count: "20" }, answer: [] },
    async run({ backend, caller, query }, db) {
      const page = toPage(query, backend.rules.pageBase);
      const rows = await db
        .selectFrom("delivery_feed_records")
        .select("body")
        .where((is) => is.and({ resource: caller.resource, kind }))
        .$if(query.courierId !== undefined, (rest) => rest.where("courier_id", "=", query.courierId ?? ""))
        .$if(query.orderId !== undefined, (rest) => rest.where("order_id", "=", query.orderId ?? ""))
        .orderBy("id")
        .limit(page.limit)
        .offset(page.offset)
        .execute();
      return rows.map((row) => jsonObject(row.body));
    },
  });
}

export const fiscalRecordOperations: readonly DeliveryOperation[] = [
  receiptOperation("/orderReceipts", "payment", "sale"),
  receiptOperation("/orderReturnReceipts", "return", "return"),
  feedOperation({
    path: "/correctionReceipts",
    kind: "correction",
    record: correctionRecord,
    paging: requiredPagingQuery,
  }),
  feedOperation({ path: "/bankTerminalLogs", kind: "terminal", record: terminalRecord, paging: pagingQuery }),
  feedOperation({ path: "/fiscalRegistratorLogs", kind: "register", record: registerRecord, paging: pagingQuery }),
];
