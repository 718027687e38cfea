/** What a print result does to its order: fiscal record, register log, statuses, callback (through `commitOrders`). */
import { kopecks } from "@fiscald/shared/amounts.js";
import { instantOf } from "@fiscald/shared/local-time.js";
import { totalOf } from "@fiscald/shared/receipt/receipt.js";
import type { PrintResult } from "../../print-server/host-callbacks.js";
import { formatWireTime, toWireId } from "../http/wire-types.js";
import { type CommitScope, commitOrders, queueCallback } from "../orders/commit.js";
import type { OrderChange } from "../orders/journal.js";
import { recordRegisterLog } from "../orders/register-log.js";
import { findOrders, keyText, type OrderKey } from "../orders/rows.js";
import type { StoredOrder } from "../orders/stored-order.js";
import type { Writer } from "../store/delivery-store.js";
import { isReturnPurpose, standingPurposes } from "./due-receipts.js";
import {
  type FiscalTask,
  findReceiptOwner,
  findTasks,
  isOnItsWay,
  isRegistered,
  type OrderTask,
  orderTasks,
  type ReceiptOwner,
  type TaskState,
} from "./fiscal-tasks.js";
import { prepaidTotal } from "./prepayment.js";
import { keepGivenBefore, loadPrepayment } from "./prepayment-ledger.js";
import { isOfOrder, isSaidBy } from "./receipt-change.js";
import { loadReceiptFacts } from "./receipt-facts.js";
import { findReceipts } from "./receipt-rows.js";
import { findKeptReturn, idsOfSale, keysOfSale } from "./refund-rows.js";
import { loadSaleLedger } from "./sale-ledger.js";
import { isLifted, settleTask } from "./settle-task.js";
import {
  tellBeyondRates,
  tellBeyondSale,
  tellOtherwise,
  tellOverdrawn,
  tellReturnedBefore,
  tellReturnedElsewhere,
  tellSoldElsewhere,
  tellUncounted,
} from "./tell-twice.js";
import { usedPaymentId } from "./used-payment.js";

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

/** Stands for the number of a document whose print server does not tell it. */
export const NO_NUMBER = "unknown:";

/** Applies a result of the kit's receipt store. Results of receipts that are not of an order are left alone. */
export async function applyPrintResult(scope: CommitScope, result: PrintResult, timeZone: string): Promise<void> {
  const { tx, resource, now } = scope;
  const { receiptId } = result;
  const owner = receiptId === null ? null : await findReceiptOwner(tx, resource, receiptId);
  if (receiptId === null || owner === null) return;
  const { key, purpose } = owner;
  const known = (await findOrders(tx, resource, [key.orderId])).get(keyText(key));
  if (known === undefined) return;
  await recordRegisterLog(tx, {
    resource,
    now,
    frId: result.messageId ?? `${receiptId}:${result.outcome}`,
    order: known.order,
    result,
  });
  const before = known.order;
  if (result.outcome === "printed") {
    const record = fiscalRecordOf(before, result, purpose, timeZone);
    // A print server that does not tell the document's number: a receipt has one all the same.
    await saveFiscalRecord(tx, { resource, now }, record, record.fdNumber || `${NO_NUMBER}${receiptId}`);
  }
  const isNews = await settleTask(scope, { owner, order: before, receiptId, result });
  await scope.backend.bridge?.renewTakenBack(scope, before);
  const saleId = before.originalOrderId ?? before.orderId;
  if (isLifted(owner, result)) {
    await scope.backend.bridge?.takeBackUndecided(scope, await keysOfSale(tx, resource, saleId));
  }
  const isPrintedNow = isNews && result.outcome === "printed";
  const isFirst = isPrintedNow && owner.task?.state !== "printed";
  if (purpose === "prepayment" && isFirst) await checkGivenBefore(scope, saleId, receiptId);
  if (isPrintedNow) await checkContent(scope, owner, before);
  if (isLifted(owner, result) && isReturnPurpose(purpose)) await checkElsewhere(scope, saleId, { key, receiptId });
  if (isNews && result.outcome !== "failed") await checkPrepayment(scope, saleId, receiptId);
  const statuses = statusesOf(before, orderTasks(await findTasks(tx, resource, key)));
  const frUsedPaymentId = isPrintedNow
    ? await usedPaymentId(tx, resource, before, { purpose, receiptId })
    : before.frUsedPaymentId;
  const after = { ...before, ...statuses, frUsedPaymentId };
  const isChanged = JSON.stringify(after) !== JSON.stringify(before);
  const asResult: CommitScope = { ...scope, isResult: true };
  const change: OrderChange = { before: isChanged ? before : after, after, isHidden: !known.isActive };
  if (isChanged) {
    await commitOrders(asResult, [change]);
  } else {
    // A further receipt of an order leaves its statuses as they are, and is news all the same.
    if (isNews) await queueCallback(asResult, [change]);
    // A receipt of this order may have waited for this one.
    await scope.backend.bridge?.followOrders(asResult, [change]);
  }
  if (isPrintedNow && isReturnPurpose(purpose)) await checkReturns(scope, saleId, receiptId);
}

/** What was held for failed, or handed out, when its order was changed says what the order says no more. */
async function checkContent(scope: CommitScope, { purpose }: ReceiptOwner, order: StoredOrder): Promise<void> {
  if (!isSaidBy(order, purpose)) return;
  const { backend, tx, resource } = scope;
  const task = (await findTasks(tx, resource, order)).find((one) => one.purpose === purpose && one.state === "printed");
  const receipt = task === undefined ? undefined : (await findReceipts(tx, resource, [task])).get(task.receiptId);
  if (task === undefined || receipt === undefined) return;
  const facts = await loadReceiptFacts(tx, resource, [order], task.receiptId);
  const isDue = standingPurposes(order, backend.rules).includes(purpose);
  if (isDue && isOfOrder(order, purpose, { receipt, facts })) return;
  await tellOtherwise(scope, { order, receiptId: task.receiptId, total: totalOf(receipt) });
}

/**
 * A return that had failed may be printed after all, and since the courier's own register has sold the order, settled with
 * that prepayment, or has given back all that was left, of a refund order's receipt too.
 */
async function checkElsewhere(
  scope: CommitScope,
  orderId: string,
  { key, receiptId }: { readonly key: OrderKey; readonly receiptId: string },
): Promise<void> {
  const { tx, resource } = scope;
  const saleKey = { orderId, isRefund: false };
  const order = (await findOrders(tx, resource, [orderId])).get(keyText(saleKey))?.order;
  if (order === undefined) return;
  const [receipt] = (await findReceipts(tx, resource, [{ receiptId }])).values();
  const isOfPrepayment = prepaidTotal(receipt) > 0;
  const elsewhere = (await findTasks(tx, resource, saleKey)).filter(({ state }) => state === "elsewhere");
  if (isOfPrepayment && isRegistered(elsewhere, "sale")) await tellSoldElsewhere(scope, { order, receiptId });
  const isWhole = ({ purpose }: FiscalTask) => isReturnPurpose(purpose) && (purpose !== "return") === isOfPrepayment;
  if (!key.isRefund || !elsewhere.some(isWhole)) return;
  await tellReturnedElsewhere(scope, { order, orderIds: await idsOfSale(tx, resource, orderId), receiptId });
}

/** A prepayment is printed beside a sale without it: what the courier's own register gave back before that sale is of it. */
async function checkGivenBefore(scope: CommitScope, saleId: string, receiptId: string): Promise<void> {
  const { tx, resource } = scope;
  const saleKey = { orderId: saleId, isRefund: false };
  const order = (await findOrders(tx, resource, [saleId])).get(keyText(saleKey))?.order;
  const tasks = await findTasks(tx, resource, saleKey);
  if (order === undefined || (!isRegistered(tasks, "sale") && !isOnItsWay(tasks, "sale"))) return;
  if (!(await keepGivenBefore(tx, resource, saleKey))) return;
  await tellReturnedBefore(scope, { order, orderIds: await idsOfSale(tx, resource, saleId), receiptId });
  await checkKept(scope, order);
}

/** What came before its return, and is of the prepayment, has no goods that could be counted: that is told once the order is sold. */
export async function checkKept(scope: CommitScope, sale: StoredOrder): Promise<void> {
  const { tx, resource } = scope;
  const kept = await findKeptReturn(tx, resource, sale.orderId);
  if (kept?.returnOf !== "prepayment") return;
  const orderIds = await idsOfSale(tx, resource, sale.orderId);
  await tellUncounted(scope, { order: sale, orderIds, receiptId: kept.receiptId });
}

/** Results that come late may have used a prepayment twice, where what was made meanwhile could not be taken back. */
export async function checkPrepayment(scope: CommitScope, saleId: string, receiptId: string): Promise<void> {
  const { tx, resource } = scope;
  const sale = (await findOrders(tx, resource, [saleId])).get(keyText({ orderId: saleId, isRefund: false }))?.order;
  const ledger = sale === undefined ? null : await loadPrepayment(tx, resource, sale);
  if (sale === undefined || ledger === null) return;
  const facts = { order: sale, orderIds: await idsOfSale(tx, resource, saleId), receiptId };
  const { excess, beyondRates } = ledger;
  if (excess > 0) await tellOverdrawn(scope, { ...facts, excess });
  else if (beyondRates > 0) await tellBeyondRates(scope, { ...facts, of: "prepayment", excess: beyondRates });
}

/** A return that had failed is printed after all: what was made in its place is too much; what waits was told (receipt-turns.ts). */
export async function checkReturns(scope: CommitScope, saleId: string, receiptId: string): Promise<void> {
  const { tx, resource } = scope;
  const sale = (await findOrders(tx, resource, [saleId])).get(keyText({ orderId: saleId, isRefund: false }))?.order;
  const ledger = sale === undefined ? null : await loadSaleLedger(tx, resource, sale);
  if (sale === undefined || ledger === null) return;
  const excess = kopecks(Math.max(0, ledger.back - ledger.sold));
  const facts = { order: sale, orderIds: await idsOfSale(tx, resource, saleId), receiptId };
  if (excess > 0) await tellBeyondSale(scope, { ...facts, excess });
  else if (ledger.beyondRates > 0) await tellBeyondRates(scope, { ...facts, of: "sale", excess: ledger.beyondRates });
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
    operation: isReturnPurpose(purpose) ? "return" : "sale",
    serialNumber: result.kkm,
    shiftNumber: result.shiftNumber ?? "",
    fn: result.fn,
    fdNumber: result.fdNumber ?? "",
    receiptNumber: result.receiptNumber ?? "",
    fiscalSign: result.fiscalSign ?? "",
    dateTimeReceipt: result.time === null ? "" : formatWireTime(instantOf(result.time, timeZone)),
  };
}

/** Kept once. `documentKey`: what tells the document from the others of its fiscal drive. */
export async function saveFiscalRecord(
  tx: Writer,
  { resource, now }: { readonly resource: number; readonly now: number },
  record: FiscalRecord,
  documentKey: string,
): Promise<void> {
  const { operation, ...shown } = record;
  await tx
    .insertInto("delivery_order_receipts")
    .values({
      resource,
      order_id: record.orderId,
      operation,
      fn: record.fn,
      fd_number: documentKey,
      body: JSON.stringify({ ...shown, orderId: toWireId(record.orderId) }),
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
