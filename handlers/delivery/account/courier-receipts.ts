/** Receipts of a courier's own register: kept as the order's fiscal documents, and never printed again by ours. */
import type { z } from "zod";
import type { courierReceiptIn } from "../couriers/courier-schemas.js";
import type { CommitScope } from "../orders/commit.js";
import { findOrders, keyText, type OrderKey } from "../orders/rows.js";
import type { StoredOrder } from "../orders/stored-order.js";
import { sharesOfCanceled } from "./canceled-shares.js";
import { coverLost } from "./cover-refunds.js";
import type { ReceiptPurpose } from "./due-receipts.js";
import {
  addTasks,
  type FiscalTask,
  findTasks,
  giveReturn,
  isOnItsWay,
  isRegistered,
  keptDocument,
  prepaymentStanding,
  type ReturnOf,
  removeTask,
  returnOfNow,
} from "./fiscal-tasks.js";
import { documentKey, isRecordedOf, isReturnOf, moveReturn } from "./known-document.js";
import { prepaidTotal } from "./prepayment.js";
import { keepGivenBefore } from "./prepayment-ledger.js";
import { checkPrepayment, checkReturns, saveFiscalRecord } from "./print-results.js";
import { findReceipts } from "./receipt-rows.js";
import { findKeptReturn, idsOfSale, keysOfSale } from "./refund-rows.js";
import {
  type TwiceTold,
  tellReturnedElsewhere,
  tellReturnedMeanwhile,
  tellSoldElsewhere,
  tellTwice,
} from "./tell-twice.js";

export type OwnReceipt = z.output<typeof courierReceiptIn>;

type CourierOrder = OrderKey & { readonly courierId?: string | null; readonly originalOrderId?: string | null };

/**
 * The order as it is once its own receipt is recorded: before the change makes a receipt of ours due. A refund order's is a
 * return, whatever it comes with.
 */
export async function withReceipt(
  scope: CommitScope,
  order: StoredOrder,
  operation: "sale" | "return",
  receipt: OwnReceipt | undefined,
): Promise<StoredOrder> {
  if (receipt === undefined) return order;
  await recordOwnReceipt(scope, order, order.isRefund ? "return" : operation, receipt);
  return asPrinted(order);
}

/** A refund order that comes and is not written yet, as it is where its receipt came with it, or before it (courier-return-receipt.ts). */
export async function withKeptReceipt(scope: CommitScope, refund: StoredOrder): Promise<StoredOrder> {
  await takeKept(scope, refund, null);
  const tasks = await findTasks(scope.tx, scope.resource, refund);
  const isElsewhere = tasks.some(({ purpose, state }) => purpose === "return" && state === "elsewhere");
  return isElsewhere ? asPrinted(refund) : refund;
}

/**
 * The receipt that was kept is the return of this refund order. One that has a return has only the receipt that is named as its own: a
 * further one, which nothing is kept for any more. The document of what was taken; null for none.
 */
async function takeKept({ tx, resource }: CommitScope, refund: CourierOrder, own: string | null) {
  const orderId = refund.originalOrderId ?? refund.orderId;
  const kept = await findKeptReturn(tx, resource, orderId);
  const document = kept === null ? null : keptDocument(kept.purpose);
  if (kept === null || document === null) return null;
  const known = (await findTasks(tx, resource, refund)).find(({ purpose }) => purpose === "return");
  const isGivenUp = known !== undefined && !isRegistered([known]) && !isOnItsWay([known]);
  if (isGivenUp && own === null) await removeTask(tx, resource, refund, known);
  const isFurther = known !== undefined && !(isGivenUp && own === null);
  if (isFurther && document !== own) return null;
  if (isFurther) await removeTask(tx, resource, { orderId, isRefund: false }, kept);
  else await giveReturn(tx, kept.id, refund);
  await moveReturn(tx, resource, { document, from: orderId, to: refund.orderId });
  return { document, isFurther };
}

export function asPrinted(order: StoredOrder): StoredOrder {
  return { ...order, receiptStatusId: 1, frReceiptStatusId: 1, frUsedPaymentId: order.paymentId };
}

/** To commit an order with its own receipt: what the sale of a refund still gives back is followed too, as after a result of ours. */
export function afterReceipt(scope: CommitScope, order: StoredOrder, receipt: OwnReceipt | undefined): CommitScope {
  return order.isRefund && receipt !== undefined ? { ...scope, isResult: true } : scope;
}

/** Fault "api.invalid", with nothing changed, for a document that is recorded of another order, or operation. */
export async function recordOwnReceipt(
  scope: CommitScope,
  order: CourierOrder,
  operation: "sale" | "return",
  receipt: OwnReceipt,
): Promise<void> {
  const { tx } = scope;
  if (operation === "return" && !order.isRefund && (await isReturnOf(scope, order.orderId, receipt))) return;
  const taken = order.isRefund ? await takeKept(scope, order, documentKey(receipt)) : null;
  if (taken?.isFurther === false && taken.document === documentKey(receipt)) return;
  const isNew = !(await isRecordedOf(scope, { ...receipt, operation }, [order.orderId])) || taken?.isFurther === true;
  if (isNew) await saveFiscalRecord(tx, scope, { ...receipt, orderId: order.orderId, operation }, receipt.fdNumber);
  await countElsewhere(scope, order, { operation, document: isNew ? documentKey(receipt) : null });
}

export interface Elsewhere {
  readonly operation: "sale" | "return";
  /** The receipt, where it is news: it may be one too many. */
  readonly document: string | null;
  /** Of a receipt that came before its return. */
  readonly purpose?: string;
  /** What it is of, where that was decided before. */
  readonly returnOf?: ReturnOf | null;
}

/** The order has this receipt of the courier's own register. */
export async function countElsewhere(
  scope: CommitScope,
  order: CourierOrder,
  { operation, document, purpose: known, returnOf: decided }: Elsewhere,
): Promise<void> {
  const { backend, tx, resource } = scope;
  const shown = { orderId: order.orderId, courierId: order.courierId ?? null };
  const saleId = order.originalOrderId ?? order.orderId;
  const before = await findTasks(tx, resource, order);
  const ofSale = order.isRefund ? await findTasks(tx, resource, { orderId: saleId, isRefund: false }) : before;
  const returnOf = operation === "sale" ? null : (decided ?? returnOfNow(ofSale));
  const purpose = known ?? purposeOf(order, operation, returnOf);
  // What is kept may be of a part, like a refund order's.
  const isPart = order.isRefund || keptDocument(purpose) !== null;
  const out = operation === "return" ? await takeBackReturns(scope, isPart, saleId) : [];
  for (const task of before) {
    if (task.purpose !== purpose) continue;
    const { receiptId } = task;
    if (task.state === "elsewhere") {
      if (document !== null) {
        await tellTwice(scope, { order: shown, operation, receiptId: document, what: "is printed twice" });
      }
      continue;
    }
    if (task.state === "printed") {
      await tellTwice(scope, { order: shown, operation, receiptId, what: "is printed twice" });
      continue;
    }
    const isOut =
      task.state === "unknown" ||
      (task.state === "queued" && !((await backend.bridge?.withdrawReceipt(tx, resource, task)) ?? true));
    // Should the print server print it too, its result says so (settle-task.ts); should it fail, it is not made anew.
    if (isOut)
      await tellTwice(scope, { order: shown, operation, receiptId, what: "was handed out and may be printed twice" });
    // What ours of it says is not what was printed elsewhere: it is not counted by the task any more.
    await removeTask(tx, resource, order, task);
  }
  if (operation === "sale" && !isRegistered(before, "sale")) {
    await keepPrepayment(scope, shown);
    await coverLost(scope, saleId, isOnItsWay(before, "sale") ? "failed" : "undecided");
  }
  await addTasks(tx, scope, [{ key: order, purpose, state: "elsewhere", returnOf }]);
  if (operation === "return") await checkReturned(scope, { isPart, saleId, shown, out });
}

/**
 * Of the sale's other orders, what gives back the same: returns of refund orders besides one of the whole, and that one
 * besides a refund order's. Those that nobody has yet are made anew.
 */
async function takeBackReturns(scope: CommitScope, isPart: boolean, saleId: string): Promise<readonly FiscalTask[]> {
  const keys = await keysOfSale(scope.tx, scope.resource, saleId);
  const others = keys.filter((key) => key.isRefund !== isPart);
  return (await scope.backend.bridge?.takeBackUndecided(scope, others, "returns")) ?? [];
}

/** Once the return is known: what of ours may, or does, give back the same. */
async function checkReturned(
  scope: CommitScope,
  facts: {
    /** Not of the whole. */
    readonly isPart: boolean;
    readonly saleId: string;
    readonly shown: TwiceTold["order"];
    /** Of ours, what somebody has, or may have. */
    readonly out: readonly FiscalTask[];
  },
): Promise<void> {
  const { tx, resource } = scope;
  const { isPart, saleId, shown, out } = facts;
  const tasks = await findTasks(tx, resource, { orderId: saleId, isRefund: false });
  const orderIds = await idsOfSale(tx, resource, saleId);
  const settlement = tasks.find((task) => isOnItsWay([task], "sale"));
  if (settlement !== undefined && prepaymentStanding(tasks) === "registered") {
    const { receiptId } = settlement;
    const all = [...orderIds, shown.orderId];
    await tellReturnedMeanwhile(scope, { order: shown, orderIds: all, receiptId });
  }
  if (isPart) {
    const [receiptId = `${shown.orderId}:elsewhere`] = out.map((task) => task.receiptId);
    await checkWhatIsBack(scope, saleId, receiptId);
    return;
  }
  for (const { receiptId } of out) await tellReturnedElsewhere(scope, { order: shown, orderIds, receiptId });
}

async function checkWhatIsBack(scope: CommitScope, saleId: string, receiptId: string): Promise<void> {
  await checkPrepayment(scope, saleId, receiptId);
  await checkReturns(scope, saleId, receiptId);
}

/** A refund order's own receipt may be recorded before the order is: what it is of is counted only once that is written. */
export async function checkNewRefund(scope: CommitScope, refund: StoredOrder): Promise<void> {
  if (!isRegistered(await findTasks(scope.tx, scope.resource, refund), "return")) return;
  await checkWhatIsBack(scope, refund.originalOrderId ?? refund.orderId, `${refund.orderId}:elsewhere`);
}

/**
 * What is sold is settled with the prepayment: it does not go back any more, where nobody has its return yet. What was handed
 * out of it may: that is told, because the courier's register does not say what it settled with. Where the courier took
 * positions back, a refund order may be of those, which are not in that sale: it is left as it is.
 */
async function keepPrepayment(scope: CommitScope, shown: TwiceTold["order"]): Promise<void> {
  const { backend, tx, resource } = scope;
  const key = { ...shown, isRefund: false };
  const sale = (await findOrders(tx, resource, [shown.orderId])).get(keyText(key))?.order;
  const ofCanceled = sale === undefined ? null : await sharesOfCanceled(tx, resource, sale);
  const keys = await keysOfSale(tx, resource, shown.orderId);
  const orders = keys.filter(({ isRefund, orderId }) => !isRefund || ofCanceled?.has(orderId) !== true);
  if (prepaymentStanding(await findTasks(tx, resource, key)) === "registered") await keepGivenBefore(tx, resource, key);
  const out = (await backend.bridge?.takeBackUndecided(scope, orders)) ?? [];
  const receipts = await findReceipts(tx, resource, out);
  for (const { receiptId } of out) {
    if (prepaidTotal(receipts.get(receiptId)) > 0) await tellSoldElsewhere(scope, { order: shown, receiptId });
  }
}

/** What comes back before any settlement is the prepayment: the sale may still come, and come back. */
function purposeOf({ isRefund }: OrderKey, operation: "sale" | "return", returnOf: ReturnOf | null): ReceiptPurpose {
  return returnOf === "prepayment" && !isRefund ? "prepayment-return" : operation;
}
