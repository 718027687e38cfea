/** What a print result does to its order: fiscal record, register log, statuses, callback (through `commitOrders`). */
import { formatRoubles } from "@fiscald/shared/amounts.js";
import { instantOf } from "@fiscald/shared/local-time.js";
import type { PrintResult } from "../print-server/host-callbacks.js";
import { findTaskByReceipt, findTasks, type OrderTask, orderTasks, setTask, type TaskState } from "./fiscal-tasks.js";
import type { Writer } from "./operation.js";
import { type CommitScope, commitOrders, tellCallback } from "./order-commit.js";
import type { OrderChange } from "./order-journal.js";
import { findOrders, keyText } from "./order-rows.js";
import type { StoredOrder } from "./stored-order.js";
import { formatWireTime } from "./wire-time.js";
import { toWireId, toWireIdOrNull } from "./wire-types.js";

/** A fact about an order's receipt, from our print server or from a courier's register. */
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

/** Applies a result of the kit's receipt store. Results of receipts that are not of an order are left alone. */
export async function applyPrintResult(scope: CommitScope, result: PrintResult, timeZone: string): Promise<void> {
  const { tx, resource, now } = scope;
  if (result.receiptId === null) return;
  const task = await findTaskByReceipt(tx, resource, result.receiptId);
  if (task === undefined) return;
  const key = { orderId: task.order_id, isRefund: task.is_refund === 1 };
  const known = (await findOrders(tx, resource, [task.order_id])).get(keyText(key));
  if (known === undefined) return;
  const isNews = task.state !== result.outcome;
  await setTask(tx, task.id, { state: result.outcome, now });
  await recordRegisterLog(tx, {
    resource,
    now,
    frId: result.messageId ?? `${result.receiptId}:${result.outcome}`,
    order: known.order,
    result,
  });
  const before = known.order;
  if (result.outcome === "printed") {
    await saveFiscalRecord(tx, { resource, now }, fiscalRecordOf(before, result, task.purpose, timeZone));
  }
  const statuses = statusesOf(before, orderTasks(await findTasks(tx, resource, key)));
  const isPrintedNow = isNews && result.outcome === "printed";
  const after = { ...before, ...statuses, ...(isPrintedNow && { frUsedPaymentId: before.paymentId }) };
  const isChanged = JSON.stringify(after) !== JSON.stringify(before);
  const asResult: CommitScope = { ...scope, isResult: true };
  const change: OrderChange = { before: isChanged ? before : after, after, isHidden: !known.isActive };
  if (isChanged) {
    await commitOrders(asResult, [change]);
    return;
  }
  // A further receipt of an order leaves its statuses as they are, and is news all the same.
  if (isNews) await tellCallback(asResult, [change]);
  // A receipt of this order may have waited for this one.
  await scope.backend.bridge?.followOrders(asResult, [change]);
}

/** Of all receipts of the order: one that is in trouble shows, and what is printed once stays printed. */
export function statusesOf(
  order: StoredOrder,
  tasks: readonly OrderTask[],
): Pick<StoredOrder, "receiptStatusId" | "frReceiptStatusId"> {
  const has = (...states: readonly TaskState[]) => tasks.some(({ state }) => states.includes(state));
  const isPrinted = order.receiptStatusId === 1 || has("printed", "elsewhere");
  const hasFailed = has("failed", "unknown");
  return {
    receiptStatusId: isPrinted ? 1 : hasFailed ? 2 : order.receiptStatusId,
    frReceiptStatusId: hasFailed || has("refused") ? 2 : isPrinted ? 1 : order.frReceiptStatusId,
  };
}

function fiscalRecordOf(order: StoredOrder, result: PrintResult, purpose: string, timeZone: string): FiscalRecord {
  return {
    orderId: order.orderId,
    operation: purpose === "return" ? "return" : "sale",
    serialNumber: result.kkm,
    shiftNumber: result.shiftNumber ?? "",
    fn: result.fn,
    fdNumber: result.fdNumber ?? "",
    receiptNumber: result.receiptNumber ?? "",
    fiscalSign: result.fiscalSign ?? "",
    dateTimeReceipt: result.time === null ? "" : formatWireTime(instantOf(result.time, timeZone)),
  };
}

export async function saveFiscalRecord(
  tx: Writer,
  { resource, now }: { readonly resource: number; readonly now: number },
  record: FiscalRecord,
): Promise<void> {
  const { operation, ...shown } = record;
  await tx
    .insertInto("delivery_order_receipts")
    .values({
      resource,
      order_id: record.orderId,
      operation,
      fn: record.fn,
      fd_number: record.fdNumber === "" ? `unknown:${now}` : record.fdNumber,
      body: JSON.stringify({ ...shown, orderId: toWireId(record.orderId) }),
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export interface RegisterLogEntry {
  readonly resource: number;
  readonly now: number;
  readonly frId: string;
  readonly order: StoredOrder;
  readonly result: Pick<PrintResult, "kkm" | "resultCode" | "resultInfo" | "total"> | null;
  /** When there is no result: why no receipt could be made. */
  readonly refusal?: { readonly code: string; readonly text: string };
}

export async function recordRegisterLog(tx: Writer, entry: RegisterLogEntry): Promise<void> {
  const { resource, now, frId, order, result, refusal } = entry;
  const failed = result !== null && result.resultCode !== 0;
  const body = {
    frId,
    courierId: toWireIdOrNull(order.courierId),
    errorCode: failed ? String(result.resultCode) : (refusal?.code ?? null),
    errorText: failed ? result.resultInfo : (refusal?.text ?? null),
    serialNumber: result?.kkm ?? null,
    amount: result?.total == null ? null : formatRoubles(result.total),
    orderId: toWireId(order.orderId),
    commandExecutedAt: formatWireTime(now),
  };
  await tx
    .insertInto("delivery_feed_records")
    .values({
      resource,
      kind: "register",
      record_id: frId,
      courier_id: order.courierId,
      order_id: order.orderId,
      body: JSON.stringify(body),
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
