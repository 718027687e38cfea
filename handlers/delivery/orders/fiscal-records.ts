/** What a shop reads of its registers: fiscal documents of its orders (ours and couriers'), and the register log. */
import { formatRoubles, kopecks } from "@fiscald/shared/amounts.js";
import { instantOf, parseLocalTime } from "@fiscald/shared/local-time.js";
import type { PrintResult } from "../../print-server/host-callbacks.js";
import { formatApiTime, toWireId, toWireIdOrNull } from "../http/wire-types.js";
import type { Writer } from "../store/delivery-store.js";
import type { StoredOrder } from "./stored-order.js";

export interface FiscalRecord {
  readonly orderId: string;
  readonly operation: "sale" | "return";
  readonly serialNumber: string;
  readonly shiftNumber: string;
  readonly fn: string;
  readonly fdNumber: string;
  readonly receiptNumber: string;
  readonly fiscalSign: string;
  readonly dateTimeReceipt: string;
}

/** `fn`: number of the fiscal drive; `fd`: number of the document in that drive. */
export interface FiscalDocument {
  readonly fn: string;
  readonly fd: string;
}

export interface ResultOfOrder {
  readonly result: PrintResult;
  readonly order: StoredOrder;
  readonly operation: FiscalRecord["operation"];
  readonly timeZone: string;
}

const NO_NUMBER = "unknown:";

/** Returns the printed document; null: nothing was printed. */
export async function recordResult(
  tx: Writer,
  where: { readonly resource: number; readonly now: number },
  { result, order, operation, timeZone }: ResultOfOrder,
): Promise<FiscalDocument | null> {
  const { receiptId, outcome } = result;
  await recordRegisterLog(tx, { ...where, frId: frIdOf(result), order, result });
  if (outcome !== "printed") return null;
  const record = recordOf(result, { orderId: order.orderId, operation }, timeZone);
  // A printed document needs a number as its key, even where the print server does not report one.
  const fd = record.fdNumber || `${NO_NUMBER}${receiptId}`;
  await saveFiscalRecord(tx, where, record, fd);
  return { fn: record.fn, fd };
}

/**
 * Logs a document outside the order's account: a correction, a person's return at the till, a receipt that the site
 * queued itself. Returns what the journal shows; null: nothing was printed, or the result is not new.
 */
export async function recordOtherResult(
  tx: Writer,
  where: { readonly resource: number; readonly now: number },
  result: PrintResult,
  { order, timeZone }: { readonly order: RegisterLogEntry["order"]; readonly timeZone: string },
) {
  const isNew = await recordRegisterLog(tx, { ...where, frId: frIdOf(result), order, result });
  if (!isNew || result.outcome !== "printed") return null;
  const { operation, correction = false } = result;
  const record = recordOf(result, { orderId: order.orderId, operation: operation ?? "sale" }, timeZone);
  const { serialNumber, fn, fdNumber, fiscalSign } = record;
  const amount = amountOf(result);
  if (correction) {
    const id = fiscalSign || frIdOf(result);
    const body = {
      correctionReceiptId: toWireId(id),
      courierId: order.courierId ?? "",
      serialNumber,
      amount: amount ?? "",
      commandExecutedAt: record.dateTimeReceipt || formatApiTime(where.now),
    };
    await recordFeed(tx, where, { kind: "correction", id: `${fn}:${fdNumber || id}`, order, body });
  }
  return { operation, isCorrection: correction, fn, fdNumber, fiscalSign, amount };
}

function recordOf(result: PrintResult, of: Pick<FiscalRecord, "orderId" | "operation">, timeZone: string) {
  const time = result.time === null ? null : parseLocalTime(result.time);
  return {
    ...of,
    serialNumber: result.kkm,
    shiftNumber: result.shiftNumber ?? "",
    fn: result.fn,
    fdNumber: result.fdNumber ?? "",
    receiptNumber: result.receiptNumber ?? "",
    fiscalSign: result.fiscalSign ?? "",
    dateTimeReceipt: time === null ? "" : formatApiTime(instantOf(time, timeZone)),
  };
}

export async function saveFiscalRecord(
  tx: Writer,
  { resource, now }: { readonly resource: number; readonly now: number },
  { orderId, operation, ...shown }: FiscalRecord,
  fd: string,
): Promise<void> {
  await tx
    .insertInto("delivery_order_receipts")
    .values({
      resource,
      order_id: orderId,
      operation,
      fn: shown.fn,
      fd_number: fd,
      body: JSON.stringify(shown),
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function moveFiscalRecord(
  tx: Writer,
  resource: number,
  { fn, fd }: { readonly fn: string; readonly fd: string },
  orderId: string,
): Promise<void> {
  await tx
    .updateTable("delivery_order_receipts")
    .set({ order_id: orderId })
    .where((is) => is.and({ resource, fn, fd_number: fd }))
    .execute();
}

/** An entry of `GET /fiscalRegistratorLogs`: the result of a receipt, or why none could be made. */
export interface RegisterLogEntry {
  readonly resource: number;
  readonly now: number;
  readonly frId: string;
  readonly order: Pick<StoredOrder, "orderId" | "courierId">;
  readonly result: Pick<PrintResult, "kkm" | "resultCode" | "resultInfo" | "totalKopecks"> | null;
  /** Set without `result`: why no receipt could be made. `code` null: what is right again. */
  readonly refusal?: { readonly code: string | null; readonly text: string };
}

/** False: the log has an entry with this `frId` already. */
export async function recordRegisterLog(tx: Writer, entry: RegisterLogEntry): Promise<boolean> {
  const { resource, now, frId, order, result, refusal } = entry;
  const failed = result !== null && result.resultCode !== 0;
  const body = {
    frId,
    courierId: toWireIdOrNull(order.courierId),
    errorCode: failed ? String(result.resultCode) : (refusal?.code ?? null),
    errorText: failed ? result.resultInfo : (refusal?.text ?? null),
    serialNumber: result?.kkm ?? null,
    amount: result === null ? null : amountOf(result),
    orderId: toWireId(order.orderId),
    commandExecutedAt: formatApiTime(now),
  };
  return recordFeed(tx, { resource, now }, { kind: "register", id: frId, order, body });
}

function frIdOf({ messageId, receiptId, outcome }: PrintResult): string {
  return messageId ?? `${receiptId}:${outcome}`;
}

function amountOf({ totalKopecks }: Pick<PrintResult, "totalKopecks">): string | null {
  return totalKopecks === null ? null : formatRoubles(kopecks(totalKopecks));
}

export type FeedKind = "correction" | "terminal" | "register";

interface FeedEntry {
  readonly kind: FeedKind;
  readonly id: string;
  readonly order: { readonly orderId: string | null; readonly courierId: string | null };
  readonly body: object;
}

export async function recordFeed(
  tx: Writer,
  { resource, now }: { readonly resource: number; readonly now: number },
  { kind, id, order, body }: FeedEntry,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("delivery_feed_records")
    .values({
      resource,
      kind,
      record_id: id,
      courier_id: order.courierId,
      order_id: order.orderId,
      body: JSON.stringify(body),
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows !== 0n;
}
