/** Puts the receipts that an order has become due for into the kit's store, in the transaction that made them due. */
import { randomUUID } from "node:crypto";
import type { Clock } from "@fiscald/shared/clock.js";
import { type Fault, isFault } from "@fiscald/shared/fault.js";
import { toReceiptId } from "@fiscald/shared/ids.js";
import type { Logger } from "@fiscald/shared/logger.js";
import { createEnqueue } from "../print-server/enqueue-receipt.js";
import type { ReceiptTables } from "../print-server/receipt-tables.js";
import { createWithdraw } from "../print-server/withdraw-receipt.js";
import { type NoTables, plainTransaction, type Store } from "../store/open-store.js";
import { duePurposes, type ReceiptPurpose } from "./due-receipts.js";
import { addTasks, type FiscalTask, findTasks, removeTask, setTask, type TaskState } from "./fiscal-tasks.js";
import type { BackendRules, Reader, Writer } from "./operation.js";
import { type CommitScope, commitOrders } from "./order-commit.js";
import { orderReceipt } from "./order-receipt.js";
import { orderTotal, toKopecks } from "./order-rules.js";
import { recordRegisterLog } from "./print-results.js";
import { loadReceiptFacts } from "./receipt-facts.js";
import { findRefunds } from "./refund-rows.js";
import type { StoredOrder } from "./stored-order.js";

export interface ReceiptQueueOptions {
  readonly shared: Store<NoTables>;
  readonly rules: BackendRules;
  readonly clock: Clock;
  readonly logger: Logger;
}

const purposes: readonly ReceiptPurpose[] = ["prepayment", "sale", "return"];
const registeredStates: readonly string[] = ["printed", "elsewhere"] satisfies TaskState[];
/** Whether it is registered is not known yet. */
const openStates: readonly string[] = ["waiting", "queued", "unknown"] satisfies TaskState[];

type SaleStanding = "registered" | "open" | "none";

export function createReceiptQueue({ shared, rules, clock, logger }: ReceiptQueueOptions) {
  const store = shared.withTables<ReceiptTables>();

  async function enqueueDue(scope: CommitScope, orders: readonly StoredOrder[]): Promise<void> {
    for (const order of orders) {
      await enqueueOrder(scope, order);
      // What its refunds give back may have waited for this order's own receipt.
      if (order.isReturned && !order.isRefund) await enqueueRefunds(scope, order);
    }
  }

  async function enqueueOrder(scope: CommitScope, order: StoredOrder): Promise<void> {
    const due = await reallyDue(scope.tx, scope.resource, order);
    if (due.length === 0) return;
    await addTasks(
      scope.tx,
      scope,
      due.map((purpose) => ({ key: order, purpose, state: "waiting" })),
    );
    for (const task of await findTasks(scope.tx, scope.resource, order)) {
      const purpose = purposes.find((known) => known === task.purpose);
      if (purpose !== undefined && due.includes(purpose) && isToDo(task, scope))
        await enqueue(scope, order, purpose, task);
    }
  }

  async function enqueueRefunds(scope: CommitScope, sale: StoredOrder): Promise<void> {
    for (const refund of await findRefunds(scope.tx, scope.resource, sale.orderId)) {
      await enqueueOrder({ ...scope, isResult: true }, refund);
    }
  }

  /** An order that comes back gives money back only when its sale is, or may be, registered. */
  async function reallyDue(db: Reader, resource: number, order: StoredOrder): Promise<readonly ReceiptPurpose[]> {
    const due = duePurposes(order, rules);
    if (order.isRefund || !due.includes("return")) return due;
    return (await saleStanding(db, resource, order)) === "none" ? [] : due;
  }

  /** Of the order itself, or of the one that a refund gives back. */
  async function saleStanding(db: Reader, resource: number, order: StoredOrder): Promise<SaleStanding> {
    const orderId = order.originalOrderId ?? order.orderId;
    const tasks = await findTasks(db, resource, { orderId, isRefund: false });
    const states = tasks.filter(({ purpose }) => purpose === "sale").map(({ state }) => state);
    if (states.some((state) => registeredStates.includes(state))) return "registered";
    return states.some((state) => openStates.includes(state)) ? "open" : "none";
  }

  /** What failed is tried again when somebody changes the order, not by its own result. */
  function isToDo({ state }: FiscalTask, { isResult }: CommitScope): boolean {
    return state === "waiting" || (isResult !== true && (state === "refused" || state === "failed"));
  }

  async function enqueue(
    scope: CommitScope,
    order: StoredOrder,
    purpose: ReceiptPurpose,
    task: FiscalTask,
  ): Promise<void> {
    const { tx, resource, now } = scope;
    // Nothing is given back of what was not taken: a return waits for its sale's result, which brings us here again.
    const isReturn = purpose === "return";
    if (isReturn && (await saleStanding(tx, resource, order)) !== "registered") return;
    try {
      const receipt = orderReceipt(order, purpose, await loadReceiptFacts(tx, resource, order));
      const put = createEnqueue({ store, resource: String(resource), clock, newId: randomUUID });
      // Returns are counted by their sale (refund-limits.ts); the kit would take two equal ones for a repeat.
      const receiptId = await put(receipt, { within: plainTransaction(tx), printAnyway: isReturn });
      await setTask(tx, task.id, { state: "queued", receiptId, now });
      warnOfOtherAmount(order);
    } catch (error) {
      if (!isFault(error) || error.code === "store.failed") throw error;
      // An earlier receipt of this order is still on its way: its result brings us here again.
      if (error.code === "job.being-printed") return;
      await refuse(scope, order, task, error);
    }
  }

  async function refuse(scope: CommitScope, order: StoredOrder, task: FiscalTask, fault: Fault): Promise<void> {
    const { tx, resource, now } = scope;
    logger.warn("no receipt can be made of an order", { resource, order: order.orderId, fault });
    await setTask(tx, task.id, { state: "refused", now });
    await recordRegisterLog(tx, {
      resource,
      now,
      frId: `refused:${randomUUID()}`,
      order,
      result: null,
      refusal: { code: fault.code, text: fault.message },
    });
    if (order.frReceiptStatusId === 0) {
      await commitOrders({ ...scope, isResult: true }, [{ before: order, after: { ...order, frReceiptStatusId: 2 } }]);
    }
  }

  /** The receipt goes by the positions (domain 3.4). */
  function warnOfOtherAmount(order: StoredOrder): void {
    const gross = order.goods.reduce((sum, item) => sum + toKopecks(item.total), 0);
    if (gross === toKopecks(order.amountToPay)) return;
    logger.warn("amountToPay differs from the positions", {
      order: order.orderId,
      amountToPay: order.amountToPay,
      total: orderTotal(order) / 100,
    });
  }

  async function withdraw({ tx, resource }: CommitScope, order: StoredOrder): Promise<boolean> {
    for (const task of await findTasks(tx, resource, order)) {
      if (task.state === "printed" || task.state === "unknown" || task.state === "elsewhere") return false;
      if (task.state === "queued" && !(await withdrawReceipt(tx, resource, task))) return false;
      await removeTask(tx, task.id);
    }
    return true;
  }

  /** False when it was handed out already. */
  function withdrawReceipt(tx: Writer, resource: number, { receiptId }: FiscalTask): Promise<boolean> {
    const take = createWithdraw({ store, resource: String(resource) });
    return take(toReceiptId(receiptId), { within: plainTransaction(tx) });
  }

  return { enqueueDue, withdraw, withdrawReceipt };
}
