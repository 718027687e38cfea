/** Receipts of a courier's own register: kept as the order's fiscal documents, and never printed again by ours. */
import type { z } from "zod";
import type { courierReceiptIn } from "./courier-schemas.js";
import { addTasks, findTasks, setTask } from "./fiscal-tasks.js";
import type { CommitScope } from "./order-commit.js";
import { saveFiscalRecord } from "./print-results.js";
import type { StoredOrder } from "./stored-order.js";

export async function recordOwnReceipt(
  scope: CommitScope,
  order: StoredOrder,
  operation: "sale" | "return",
  receipt: z.output<typeof courierReceiptIn>,
): Promise<void> {
  const { backend, tx, resource, now } = scope;
  await saveFiscalRecord(tx, scope, { ...receipt, orderId: order.orderId, operation });
  await addTasks(tx, scope, [{ key: order, purpose: operation, state: "elsewhere" }]);
  for (const task of await findTasks(tx, resource, order)) {
    if (task.purpose !== operation || task.state === "elsewhere") continue;
    if (task.state === "printed") {
      backend.logger.error("a courier printed a receipt that the print server has printed too", {
        resource,
        order: order.orderId,
        receipt: task.receiptId,
      });
      continue;
    }
    if (task.state === "queued" && !((await backend.bridge?.withdrawReceipt(tx, resource, task)) ?? true)) {
      // The print server has it: whether it prints, its own result will tell.
      backend.logger.error("a courier printed a receipt that was handed out to the print server too", {
        resource,
        order: order.orderId,
        receipt: task.receiptId,
      });
      continue;
    }
    await setTask(tx, task.id, { state: "elsewhere", now });
  }
}
