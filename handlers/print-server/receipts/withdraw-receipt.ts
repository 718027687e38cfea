/** Withdraws a receipt that no caller has. */
import type { ReceiptId } from "@fiscald/shared/ids.js";
import type { Transaction } from "kysely";
import { z } from "zod";
import type { NoTables } from "../../store/open-store.js";
import { checkOptions, checkReceiptId, within as ownTransaction } from "../check-options.js";
import { lockReceipt } from "./order-receipts.js";
import { changeReceipt } from "./receipt-signals.js";
import { inTransaction, type ShopTables } from "./receipt-tables.js";

export interface WithdrawOptions {
  /** Withdraw within this open transaction of the same database. */
  readonly within?: Transaction<NoTables>;
}

const withdrawOptions = z.strictObject({ within: ownTransaction }).partial();

/** False when it was handed out already, or is not in this store: then its result decides. */
export function createWithdraw(shop: ShopTables) {
  return async (receiptId: ReceiptId, options: WithdrawOptions = {}): Promise<boolean> => {
    checkOptions(withdrawOptions, options);
    checkReceiptId(receiptId);
    return inTransaction(shop, options.within, async (tx) => {
      const row = await lockReceipt(tx, shop, receiptId);
      if (row?.state !== "queued") return false;
      await changeReceipt(tx, shop, row, { state: "replaced" });
      return true;
    });
  };
}
