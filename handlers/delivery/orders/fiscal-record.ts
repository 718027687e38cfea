/** The fiscal documents of orders (`GET /orderReceipts`), of our print server and of couriers' registers. */
import type { Writer } from "../store/delivery-store.js";

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

/** Stored once. `fd`: what tells the document from the others of its fiscal drive. */
export async function saveFiscalRecord(
  tx: Writer,
  { resource, now }: { readonly resource: number; readonly now: number },
  { orderId, operation, ...shown }: FiscalRecord,
  fd: string,
): Promise<void> {
  await tx
    .insertInto("delivery_order_receipts")
    .values({
      resource,
      order_id: orderId,
      operation,
      fn: shown.fn,
      fd_number: fd,
      body: JSON.stringify(shown),
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The document is of another order than it was stored for. */
export async function moveFiscalRecord(
  tx: Writer,
  resource: number,
  { fn, fd }: { readonly fn: string; readonly fd: string },
  orderId: string,
): Promise<void> {
  await tx
    .updateTable("delivery_order_receipts")
    .set({ order_id: orderId })
    .where("resource", "=", resource)
    .where("fn", "=", fn)
    .where("fd_number", "=", fd)
    .execute();
}
