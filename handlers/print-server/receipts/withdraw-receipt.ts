import { z } from "zod";
import { checkReceiptId, within as ownTransaction, throwIfWrongOptions } from "../check-options.js";
import { inTransaction, type ReceiptState, type ShopTables } from "../receipt-tables.js";
import type { OwnTransaction } from "./enqueue-receipt.js";
import { lockReceipt } from "./order-receipts.js";
import { changeReceipt } from "./receipt-signals.js";

const withdrawOptions = z.strictObject({ within: ownTransaction }).partial();

/** False for a receipt that is in none of `states`, or not in this store. */
export function createWithdraw(shop: ShopTables, states: readonly ReceiptState[] = ["queued", "failed"]) {
  return async (receiptId: string, options: OwnTransaction = {}): Promise<boolean> => {
    throwIfWrongOptions(withdrawOptions, options);
    const id = checkReceiptId(receiptId);
    return inTransaction(shop, options.within, async (tx) => {
      const row = await lockReceipt(tx, shop, id);
      if (row === undefined || !states.includes(row.state)) return false;
      await changeReceipt(tx, shop, row, { state: "replaced" });
      return true;
    });
  };
}
