/** Withdraws a queued receipt that no caller has. */
import { z } from "zod";
import { checkReceiptId, within as ownTransaction, throwIfWrongOptions } from "../check-options.js";
import { inTransaction, type ShopTables } from "../receipt-tables.js";
import type { OwnTransaction } from "./enqueue-receipt.js";
import { lockReceipt } from "./order-receipts.js";
import { changeReceipt } from "./receipt-signals.js";

const withdrawOptions = z.strictObject({ within: ownTransaction }).partial();

/** Makes `withdraw`: false for a receipt that is not in this store or was handed out already; its result decides. */
export function createWithdraw(shop: ShopTables) {
  return async (receiptId: string, options: OwnTransaction = {}): Promise<boolean> => {
    throwIfWrongOptions(withdrawOptions, options);
    const id = checkReceiptId(receiptId);
    return inTransaction(shop, options.within, async (tx) => {
      const row = await lockReceipt(tx, shop, id);
      if (row?.state !== "queued") return false;
      await changeReceipt(tx, shop, row, { state: "replaced" });
      return true;
    });
  };
}
