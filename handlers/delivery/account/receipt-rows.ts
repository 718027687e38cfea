/** The kit's receipts that the tasks of orders stand for, in the database. */
import type { Receipt, SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import type { ReceiptTables } from "../../print-server/receipts/receipt-tables.js";
import { receiptOf } from "../../print-server/receipts/stored-receipt.js";
import type { Reader } from "../store/delivery-store.js";
import type { FiscalTask } from "./fiscal-tasks.js";

/** By their ids. */
export async function findReceipts(
  db: Reader,
  resource: number,
  tasks: readonly Pick<FiscalTask, "receiptId">[],
): Promise<ReadonlyMap<string, SaleReceipt>> {
  if (tasks.length === 0) return new Map();
  const rows = await db
    .withTables<ReceiptTables>()
    .selectFrom("print_receipts")
    .select(["receipt_id", "receipt"])
    .where("resource", "=", String(resource))
    .where(
      "receipt_id",
      "in",
      tasks.map(({ receiptId }) => receiptId),
    )
    .execute();
  return new Map(
    rows.flatMap((row) => {
      const receipt: Receipt = receiptOf(row);
      return receipt.kind === "receipt" ? [[row.receipt_id, receipt] as const] : [];
    }),
  );
}
