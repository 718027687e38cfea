/** Withdraws a receipt that no caller has. */
import type { ReceiptId } from "@fiscald/shared/ids.js";
import type { Transaction } from "kysely";
import { z } from "zod";
import type { NoTables } from "../../store/open-store.js";
import { checkOptions, checkReceiptId, within as ownTransaction } from "../check-options.js";
import { lockOrderOf } from "./order-receipts.js";
import { tellChanges } from "./receipt-signals.js";
import type { ReceiptTables, ShopTables } from "./receipt-tables.js";

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
    const { within } = options;
    const work = async (tx: Transaction<ReceiptTables>) => {
      await lockOrderOf(tx, shop, receiptId);
      const { numUpdatedRows } = await tx
        .updateTable("print_receipts")
        .set({ state: "replaced" })
        .where("resource", "=", shop.resource)
        .where("receipt_id", "=", receiptId)
        .where("state", "=", "queued")
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return false;
      await tellChanges(tx, shop, [receiptId]);
      return true;
    };
    return within === undefined
      ? shop.store.transaction(work)
      : work(within.withoutPlugins().withTables<ReceiptTables>());
  };
}
