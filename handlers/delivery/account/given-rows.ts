/** The lines of the kit's receipts with the positions that they are of, in the database: what goes back is a part of them. */
import type { SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import type { StoredOrder } from "../orders/stored-order.js";
import type { Reader, Writer } from "../store/delivery-store.js";
import type { FiscalTask } from "./fiscal-tasks.js";
import type { GivenLine } from "./given-lines.js";
import { placedLines } from "./placed-lines.js";
import { findReceipts } from "./receipt-rows.js";

export interface GivenReceipt {
  readonly receipt: SaleReceipt;
  readonly lines: readonly GivenLine[];
}

/** The receipts that the tasks of a sale, and of its refund orders, stand for, by their ids. */
export async function findGiven(
  db: Reader,
  resource: number,
  sale: StoredOrder,
  tasks: readonly FiscalTask[],
): Promise<ReadonlyMap<string, GivenReceipt>> {
  const receipts = await findReceipts(db, resource, tasks);
  if (receipts.size === 0) return new Map();
  const rows = await db
    .selectFrom("delivery_receipt_lines")
    .select(["receipt_id", "lines"])
    .where("resource", "=", resource)
    .where("receipt_id", "in", [...receipts.keys()])
    .execute();
  const kept = new Map(rows.map((row) => [row.receipt_id, linesOf(row)]));
  const given = new Map<string, GivenReceipt>();
  for (const { receiptId, purpose } of tasks) {
    const receipt = receipts.get(receiptId);
    if (receipt === undefined) continue;
    given.set(receiptId, { receipt, lines: kept.get(receiptId) ?? placedLines(receipt, purpose, sale) });
  }
  return given;
}

export async function saveGiven(
  tx: Writer,
  resource: number,
  receiptId: string,
  lines: readonly GivenLine[],
): Promise<void> {
  await tx
    .insertInto("delivery_receipt_lines")
    .values({ resource, receipt_id: receiptId, lines: JSON.stringify(lines) })
    // The same receipt once more.
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Our own JSON. */
function linesOf(row: { readonly lines: string }): readonly GivenLine[] {
  const lines: readonly GivenLine[] = JSON.parse(row.lines);
  return lines;
}
