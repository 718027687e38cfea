/** Receipts of a courier's own register: kept as the order's fiscal documents, and never printed again by ours. */
import type { z } from "zod";
import type { courierReceiptIn } from "./courier-schemas.js";
import type { ReceiptPurpose } from "./due-receipts.js";
import { addTasks, type FiscalTask, findTasks, saleStanding, setTask } from "./fiscal-tasks.js";
import type { CommitScope } from "./order-commit.js";
import type { OrderKey } from "./order-rows.js";
import { saveFiscalRecord } from "./print-results.js";

export async function recordOwnReceipt(
  scope: CommitScope,
  order: OrderKey,
  operation: "sale" | "return",
  receipt: z.output<typeof courierReceiptIn>,
): Promise<void> {
  const { backend, tx, resource, now } = scope;
  await saveFiscalRecord(tx, scope, { ...receipt, orderId: order.orderId, operation });
  const purpose = purposeOf(order, operation, await findTasks(tx, resource, order));
  await addTasks(tx, scope, [{ key: order, purpose, state: "elsewhere" }]);
  for (const task of await findTasks(tx, resource, order)) {
    if (task.purpose !== purpose || task.state === "elsewhere") continue;
    if (task.state === "printed") {
      backend.logger.error("a courier printed a receipt that the print server has printed too", {
        resource,
        order: order.orderId,
        receipt: task.receiptId,
      });
      continue;
    }
    const isOut =
      task.state === "unknown" ||
      (task.state === "queued" && !((await backend.bridge?.withdrawReceipt(tx, resource, task)) ?? true));
    if (isOut) {
      // Should the print server print it too, its result says so (settle-task.ts); should it fail, it is not made anew.
      backend.logger.error("a courier printed a receipt that was handed out to the print server too", {
        resource,
        order: order.orderId,
        receipt: task.receiptId,
      });
    }
    await setTask(tx, task.id, { state: "elsewhere", now });
  }
}

/** What comes back before any settlement is the prepayment: the sale may still come, and come back. */
function purposeOf(order: OrderKey, operation: "sale" | "return", tasks: readonly FiscalTask[]): ReceiptPurpose {
  const isOfPrepayment = operation === "return" && !order.isRefund && saleStanding(tasks) === "prepaid";
  return isOfPrepayment ? "prepayment-return" : operation;
}
