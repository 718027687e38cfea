/** Receipts of a courier's own register: kept as the order's fiscal documents, and never printed again by ours. */
import type { z } from "zod";
import type { courierReceiptIn } from "./courier-schemas.js";
import type { ReceiptPurpose } from "./due-receipts.js";
import {
  addTasks,
  type FiscalTask,
  findTasks,
  keepEarlierReceipt,
  removeTask,
  saleStanding,
  setTask,
} from "./fiscal-tasks.js";
import type { CommitScope } from "./order-commit.js";
import type { OrderKey } from "./order-rows.js";
import { saveFiscalRecord } from "./print-results.js";
import { tellTwice } from "./tell-twice.js";

export async function recordOwnReceipt(
  scope: CommitScope,
  order: OrderKey & { readonly courierId?: string | null },
  operation: "sale" | "return",
  receipt: z.output<typeof courierReceiptIn>,
): Promise<void> {
  const { backend, tx, resource } = scope;
  await saveFiscalRecord(tx, scope, { ...receipt, orderId: order.orderId, operation });
  const shown = { orderId: order.orderId, courierId: order.courierId ?? null };
  const purpose = purposeOf(order, operation, await findTasks(tx, resource, order));
  for (const task of await findTasks(tx, resource, order)) {
    if (task.purpose !== purpose || task.state === "elsewhere") continue;
    const { receiptId } = task;
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
    await keepEarlierReceipt(tx, resource, order, task);
    await removeTask(tx, task.id);
  }
  await addTasks(tx, scope, [{ key: order, purpose, state: "elsewhere" }]);
  if (purpose === "sale") await keepPrepayment(scope, order);
}

/** What is sold is settled with the prepayment: it does not go back any more, where nobody has its return yet. */
async function keepPrepayment({ backend, tx, resource, now }: CommitScope, order: OrderKey): Promise<void> {
  for (const task of await findTasks(tx, resource, order)) {
    if (task.purpose !== "prepayment-return" || task.state !== "queued") continue;
    if (!((await backend.bridge?.withdrawReceipt(tx, resource, task)) ?? false)) continue;
    await keepEarlierReceipt(tx, resource, order, task);
    await setTask(tx, task.id, { state: "waiting", now });
  }
}

/** What comes back before any settlement is the prepayment: the sale may still come, and come back. */
function purposeOf(order: OrderKey, operation: "sale" | "return", tasks: readonly FiscalTask[]): ReceiptPurpose {
  const isOfPrepayment = operation === "return" && !order.isRefund && saleStanding(tasks) === "prepaid";
  return isOfPrepayment ? "prepayment-return" : operation;
}
