/** Keeps the receipts of orders in the kit's store in step with the orders, in the transaction that changes them. */
import { randomUUID } from "node:crypto";
import type { Clock } from "@fiscald/shared/clock.js";
import { isFault } from "@fiscald/shared/fault.js";
import { createEnqueueFirst } from "../../print-server/receipts/bulk-enqueue.js";
import { createEnqueue } from "../../print-server/receipts/enqueue-receipt.js";
import type { ReceiptTables } from "../../print-server/receipts/receipt-tables.js";
import { type NoTables, plainTransaction, type Store } from "../../store/open-store.js";
import type { BackendRules } from "../backend.js";
import { invalid } from "../http/api-errors.js";
import { type CommitScope, commitOrders } from "../orders/commit.js";
import type { OrderChange } from "../orders/journal.js";
import { atFields, atOrder } from "../orders/receipt-problem-fields.js";
import { findOrders, keyText } from "../orders/rows.js";
import type { StoredOrder } from "../orders/stored-order.js";
import { takeKeptAsWhole } from "./courier-return-receipt.js";
import { cover, coverLost } from "./cover-refunds.js";
import {
  duePurposes,
  isDelivered,
  isPaidOnline,
  isReturnPurpose,
  RETURNED,
  type ReceiptPurpose,
  standingPurposes,
} from "./due-receipts.js";
import { queueFirst } from "./first-receipts.js";
import {
  addTasks,
  findTasks,
  isRegistered,
  keepEarlierReceipt,
  keptDocument,
  type OrderTask,
  orderTasks,
  removeTask,
  setAside,
  setTask,
} from "./fiscal-tasks.js";
import { saveGiven } from "./given-rows.js";
import { orderReceipt } from "./order-receipt.js";
import { keepGivenBefore } from "./prepayment-ledger.js";
import { checkKept } from "./print-results.js";
import {
  changedField,
  effectOn,
  effectOnRegistered,
  isOfOrder,
  isSaidBy,
  type ReceiptChange,
} from "./receipt-change.js";
import { type CatalogFacts, loadReceiptFacts } from "./receipt-facts.js";
import { receiptLines } from "./receipt-lines.js";
import { findReceipts } from "./receipt-rows.js";
import { isToCome, waitsForAnother } from "./receipt-turns.js";
import { findRefunds } from "./refund-rows.js";
import { alertMoneyWithoutReceipt, refuseReceipt, warnOfOtherAmount } from "./refuse-receipt.js";
import { sortOrders } from "./simple-orders.js";
import { createTakeBack } from "./take-back.js";
import { tellDeliveredAgain } from "./tell-twice.js";

export interface ReceiptQueueOptions {
  readonly shared: Store<NoTables>;
  readonly rules: BackendRules;
  readonly clock: Clock;
}

interface RenewedOrder {
  readonly before: StoredOrder;
  readonly after: StoredOrder;
  readonly place: string;
  readonly catalog: CatalogFacts | undefined;
}

export function createReceiptQueue({ shared, rules, clock }: ReceiptQueueOptions) {
  const store = shared.withTables<ReceiptTables>();
  const queued = createTakeBack(store);

  async function followOrders(scope: CommitScope, changes: readonly OrderChange[]): Promise<void> {
    const { settled, first, catalog } = await sortOrders(scope, changes, rules);
    const put = createEnqueueFirst({ store, resource: String(scope.resource), clock, newId: randomUUID });
    const queuedFirst = await queueFirst(scope, first, put);
    for (const { after } of queuedFirst) warnOfOtherAmount(scope, after);
    const done = new Set([...settled, ...queuedFirst]);
    for (const change of changes) {
      if (!done.has(change)) await followWithRefunds(scope, change, catalog);
      await alertMoneyWithoutReceipt(scope, change);
    }
  }

  async function followWithRefunds(scope: CommitScope, change: OrderChange, catalog: CatalogFacts | undefined) {
    const { after } = change;
    const hasRefunds = after.isReturned && !after.isRefund;
    // What they give back of a prepayment goes before its settlement.
    if (hasRefunds) await enqueueRefunds(scope, after);
    await followOrder(scope, change, catalog);
    if (hasRefunds) await enqueueRefunds(scope, after);
    if (after.isRefund) await followSale(scope, after);
  }

  /** The sale's settlement may have waited for what a refund order gives back of the prepayment. */
  async function followSale(scope: CommitScope, { originalOrderId: orderId }: StoredOrder): Promise<void> {
    if (scope.isResult !== true || orderId === null) return;
    const sale = (await findOrders(scope.tx, scope.resource, [orderId])).get(keyText({ orderId, isRefund: false }));
    if (sale === undefined) return;
    await enqueueRefunds(scope, sale.order);
    await followOrder(scope, { before: sale.order, after: sale.order, isHidden: !sale.isActive });
  }

  /** What the order's refunds give back may have waited for the order's own receipt. */
  async function enqueueRefunds(scope: CommitScope, sale: StoredOrder): Promise<void> {
    for (const { order, isActive } of await findRefunds(scope.tx, scope.resource, sale.orderId)) {
      await followOrder({ ...scope, isResult: true }, { before: order, after: order, isHidden: !isActive });
    }
  }

  /** The order with the return receipt that came before it comes back as a whole. */
  async function withKeptAsWhole(scope: CommitScope, change: OrderChange): Promise<OrderChange> {
    const { before, after, isHidden = false } = change;
    const comesBack = after.deliveryStatusId === RETURNED && before !== null && before.deliveryStatusId !== RETURNED;
    const taken = comesBack && !after.isRefund ? await takeKeptAsWhole(scope, after) : after;
    if (taken !== after) await commitOrders({ ...scope, isResult: true }, [{ before: after, after: taken, isHidden }]);
    return { ...change, after: taken };
  }

  /** `catalog`: of the order, where it was read already. */
  async function followOrder(scope: CommitScope, asked: OrderChange, catalog?: CatalogFacts): Promise<void> {
    const change = await withKeptAsWhole(scope, asked);
    const { before, after, place = "" } = change;
    const due = duePurposes(after, rules);
    if (before !== null) {
      await queued.renewTakenBack(scope, after);
      await renewReceipts(scope, { before, after, place, catalog });
    }
    // A new order has no receipts yet, and most have none to come.
    else if (due.length === 0) return;
    const purposes: ReceiptPurpose[] = [];
    for (const purpose of due) if (await isToCome(scope, after, purpose)) purposes.push(purpose);
    await makeRoom(scope, after, purposes);
    await addTasks(
      scope.tx,
      scope,
      purposes.map((purpose) => ({ key: after, purpose, state: "waiting" })),
    );
    const standing = standingPurposes(after, rules);
    const tasks = orderTasks(await findTasks(scope.tx, scope.resource, after));
    const given = tasks.find((task) => isRegistered([task], "return"));
    if (given !== undefined && isDelivered(after) && isRegistered(tasks, "sale")) {
      await tellDeliveredAgain(scope, after, given.receiptId);
    }
    for (const task of tasks) {
      const { purpose, state } = task;
      if (state === "waiting" && isReturnPurpose(purpose) && !purposes.includes(purpose)) {
        await removeTask(scope.tx, scope.resource, after, task);
      } else if (standing.includes(purpose) && isToDo(task, purposes, scope)) {
        await enqueue(scope, change, task, catalog);
      }
    }
  }

  /** A further part of the prepayment goes back: what went back before keeps its own row. */
  async function makeRoom({ tx, resource }: CommitScope, order: StoredOrder, purposes: readonly ReceiptPurpose[]) {
    if (!purposes.includes("prepayment-return")) return;
    for (const task of orderTasks(await findTasks(tx, resource, order))) {
      if (task.purpose === "prepayment-return" && isRegistered([task])) await setAside(tx, task);
    }
  }

  /** What failed is tried again when somebody changes the order, not by its own result. */
  function isToDo({ purpose, state }: OrderTask, due: readonly ReceiptPurpose[], { isResult }: CommitScope): boolean {
    if (state === "waiting") return true;
    return isResult !== true && due.includes(purpose) && (state === "refused" || state === "failed");
  }

  /**
   * Receipts that nobody has yet are taken back when the order says something else now, or is not due for them any more.
   * Fault "api.invalid" when the money on one that was handed out would differ.
   */
  async function renewReceipts(scope: CommitScope, { before, after, place, catalog }: RenewedOrder): Promise<void> {
    if (before === after) return;
    const { tx, resource } = scope;
    const tasks = orderTasks(await findTasks(tx, resource, after));
    if (tasks.length === 0) return;
    const due = duePurposes(after, rules);
    const standing = standingPurposes(after, rules);
    for (const task of tasks) {
      const { purpose, state } = task;
      const facts = await loadReceiptFacts(tx, resource, [after, before], task.receiptId, catalog);
      const change = { before, after, purpose, facts, isElsewhere: state === "elsewhere" };
      const isStanding = standing.includes(purpose);
      if (state === "waiting" && !(purpose === "prepayment" ? isStanding : due.includes(purpose))) {
        await removeTask(tx, resource, after, task);
      }
      if (state === "queued" && (!isStanding || effectOn(change) !== "none")) {
        if (await queued.takeBack(scope, after, task)) {
          if (!isStanding) await removeTask(tx, resource, after, task);
          continue;
        }
      }
      if (isSettled(task) && effectOnRegistered(change) === "money" && !(await isPutRight(scope, task, change))) {
        const field = changedField(before, after);
        throw invalid(
          `${place}${field}`,
          `order ${after.orderId} has a receipt that says otherwise: it is ${wordOf(task)}`,
        );
      }
    }
  }

  async function enqueue(
    scope: CommitScope,
    change: OrderChange,
    task: OrderTask,
    catalog: CatalogFacts | undefined,
  ): Promise<void> {
    const { tx, resource, now } = scope;
    const { after: order } = change;
    if (await waitsForAnother(scope, order, task)) return;
    try {
      const facts = await loadReceiptFacts(tx, resource, [order], task.receiptId, catalog);
      const receipt = orderReceipt(order, task.purpose, facts);
      const lines = receiptLines(order, task.purpose, facts);
      if (order.isRefund && receipt.lines.length === 0) {
        await cover(scope, order, task);
        return;
      }
      const isAfterReturn = (facts.prepayment?.back ?? 0) > 0;
      const put = createEnqueue({ store, resource: String(resource), clock, newId: randomUUID });
      // Returns are counted by their sale (refund-limits.ts); the kit would take two equal ones for a repeat. It knows no
      // sale after a prepayment that went back either.
      const receiptId = await put(receipt, {
        within: plainTransaction(tx),
        printAnyway: isReturnPurpose(task.purpose) || isAfterReturn,
      }).catch((error: unknown) => {
        throw isFault(error) ? atOrder(error, { order, receipt, lines }) : error;
      });
      await saveGiven(tx, resource, receiptId, lines);
      if (task.purpose === "sale" && (facts.prepayment?.sum ?? 0) > 0) {
        await coverLost(scope, order.orderId, "failed");
        await keepGivenBefore(tx, resource, order);
        await checkKept(scope, order);
      }
      await keepEarlierReceipt(tx, resource, order, task);
      await setTask(tx, task.id, { state: "queued", receiptId, now });
      warnOfOtherAmount(scope, order);
    } catch (error) {
      if (!isFault(error) || error.code === "store.failed") throw error;
      // An earlier receipt of this order is still on its way: its result brings us here again.
      if (error.code === "job.being-printed") return;
      const wrong = isWrittenNow(scope, order, task) ? atFields(error, change.place) : null;
      if (wrong !== null) throw wrong;
      await refuseReceipt(scope, change, task, error);
    }
  }

  async function withdraw({ tx, resource }: CommitScope, order: StoredOrder): Promise<boolean> {
    for (const task of await findTasks(tx, resource, order)) {
      // It waits for a return that is still to come, whatever becomes of the sale.
      if (keptDocument(task.purpose) !== null) continue;
      if (task.state === "printed" || task.state === "unknown" || task.state === "elsewhere") return false;
      if (task.state === "queued" && !(await queued.withdrawReceipt(tx, resource, task))) return false;
      await removeTask(tx, resource, order, task);
    }
    return true;
  }

  return { ...queued, followOrders, withdraw };
}

/** The request itself makes the order due for this receipt. One that was refused before stays with its alert. */
function isWrittenNow(
  { isWritten, isResult }: CommitScope,
  order: StoredOrder,
  { purpose, state }: OrderTask,
): boolean {
  if (isWritten !== true || isResult === true || state !== "waiting") return false;
  return isPaidOnline(order) && !isDelivered(order) && !isReturnPurpose(purpose);
}

/** A receipt that was held for failed is printed after all, and the edit makes the order say what it says. */
async function isPutRight({ tx, resource }: CommitScope, task: OrderTask, change: ReceiptChange): Promise<boolean> {
  const { purpose, before, after, facts } = change;
  const receipt = (await findReceipts(tx, resource, [task])).get(task.receiptId);
  if (!isSaidBy(after, purpose) || task.state !== "printed" || receipt === undefined) return false;
  return isOfOrder(after, purpose, { receipt, facts }) && !isOfOrder(before, purpose, { receipt, facts });
}

/** Printed, or in the hands of a print server: its content is settled. Queued ones were taken back before this is asked. */
function isSettled({ state }: OrderTask): boolean {
  return state === "queued" || state === "printed" || state === "unknown" || state === "elsewhere";
}

function wordOf({ state }: OrderTask): string {
  if (state === "queued") return "being printed";
  return state === "unknown" ? "in doubt" : "printed";
}
