/** The first receipts of orders go into the kit's store together, with their tasks and lines. */

import type { createEnqueueFirst } from "../../print-server/receipts/bulk-enqueue.js";
import { insertRows } from "../../store/insert-rows.js";
import { plainTransaction } from "../../store/open-store.js";
import type { CommitScope } from "../orders/commit.js";
import type { OrderChange } from "../orders/journal.js";
import type { FirstReceipt } from "./simple-orders.js";

/** The orders whose receipts were taken in. */
export async function queueFirst(
  { backend, tx, resource, now }: CommitScope,
  first: readonly FirstReceipt[],
  put: ReturnType<typeof createEnqueueFirst>,
): Promise<readonly OrderChange[]> {
  if (first.length === 0) return [];
  const receiptIds = await put(
    first.map(({ receipt }) => receipt),
    { within: plainTransaction(tx) },
  );
  const taken = first.flatMap((one, position) => {
    const receiptId = receiptIds[position] ?? null;
    return receiptId === null ? [] : [{ ...one, receiptId }];
  });
  const kind = backend.store.kind;
  const tasks = taken.map(({ change: { after }, purpose, receiptId }) => ({
    resource,
    order_id: after.orderId,
    is_refund: 0,
    purpose,
    receipt_id: receiptId,
    state: "queued",
    updated_at: now,
  }));
  await insertRows({ tx, kind, table: "delivery_fiscal_tasks", rows: tasks });
  const lines = taken.map((one) => ({ resource, receipt_id: one.receiptId, lines: JSON.stringify(one.lines) }));
  await insertRows({ tx, kind, table: "delivery_receipt_lines", rows: lines });
  return taken.map(({ change }) => change);
}
