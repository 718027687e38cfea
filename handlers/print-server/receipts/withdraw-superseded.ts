/**
 * A receipt that was reported failed, or released, may prove to be printed or unsure. The receipt that replaced it
 * meanwhile is then a second one. If no caller has the second one, it is withdrawn, or held while the first is unsure.
 * If a caller may have it, it is not offered again unless the first proves to have failed; if it is printed, the log
 * says so.
 */
import { type OrderId, toOrderId } from "@fiscald/shared/ids.js";
import { decideRepeat } from "@fiscald/shared/receipt/repeats/decide-repeat.js";
import { NEVER, type ReceiptState, type ReceiptTx, type ShopTables } from "../receipt-tables.js";
import { earlierRows, receiptsOfOrder } from "./order-receipts.js";
import { isAnonymous } from "./receipt-ids.js";
import { changeReceipt, wakePolls } from "./receipt-signals.js";
import { type ReceiptRow, receiptOf } from "./stored-receipt.js";

export interface SupersededReceipt {
  readonly receiptId: string;
  readonly orderId: OrderId;
  /** `queued`: the receipt is held or withdrawn. Any other state: it may be printed too, and a person has to check. */
  readonly was: Extract<ReceiptState, "queued" | "handed" | "unknown" | "printed">;
}

/** Withdraws or holds the receipts that came after `row`, which has its new result already. */
export async function withdrawSuperseded(tx: ReceiptTx, shop: ShopTables, row: ReceiptRow, now: number) {
  if (row.order_id === null) return [];
  const orderId = toOrderId(row.order_id);
  const rows = await receiptsOfOrder(tx, shop, orderId);
  const superseded: SupersededReceipt[] = [];
  /** Receipts that are withdrawn here. They do not count against later ones. */
  const takenBack = new Set<number>();
  for (const other of rows.toReversed()) {
    const { state, seq } = other;
    if (seq <= row.seq || other.forced === 1 || state === "failed" || state === "replaced") continue;
    const left = rows.filter((earlier) => !takenBack.has(earlier.seq));
    const second = isSecond(other, left);
    const isWithheld = other.offer_due === NEVER;
    if (isWithheld && !second) {
      await changeReceipt(tx, shop, other, { offer_due: now });
      await wakePolls(tx, shop, [other.kkm]);
    }
    if (!second || row.state === "failed") continue;
    if (state === "queued" && row.state === "printed") {
      takenBack.add(seq);
      await changeReceipt(tx, shop, other, { state: "replaced" });
    } else if (state === "queued" || state === "handed") {
      if (isWithheld) continue;
      await changeReceipt(tx, shop, other, { offer_due: NEVER });
    }
    superseded.push({ receiptId: other.receipt_id, orderId, was: state });
  }
  return superseded;
}

/** Whether the rules for repeated orders refuse the receipt because of earlier ones. */
export function isSecond(row: ReceiptRow, rows: readonly ReceiptRow[]): boolean {
  const receipt = isAnonymous(row) ? { ...receiptOf(row), receiptId: null } : receiptOf(row);
  const before = rows.filter(({ seq }) => seq < row.seq);
  const { action } = decideRepeat({ receipt, from: "shop" }, earlierRows(receipt, before));
  return action !== "new" && action !== "again";
}
