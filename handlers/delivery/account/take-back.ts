/** Taking receipts out of the kit's queue before anybody has them, so that they are made anew, or not at all. */
import { toReceiptId } from "@fiscald/shared/ids.js";
import type { ReceiptTables } from "../../print-server/receipts/receipt-tables.js";
import { createWithdraw } from "../../print-server/receipts/withdraw-receipt.js";
import { plainTransaction, type Store } from "../../store/open-store.js";
import type { CommitScope } from "../orders/commit.js";
import type { OrderKey } from "../orders/rows.js";
import type { Writer } from "../store/delivery-store.js";
import { isReturnPurpose } from "./due-receipts.js";
import { type FiscalTask, findTasks, isOnItsWay, makeDueAnew, orderTasks } from "./fiscal-tasks.js";

export type TakeBack = ReturnType<typeof createTakeBack>;

export function createTakeBack(store: Store<ReceiptTables>) {
  /** False when it was handed out already. */
  async function withdrawReceipt(tx: Writer, resource: number, { receiptId }: FiscalTask): Promise<boolean> {
    const take = createWithdraw({ store, resource: String(resource) });
    const taken = await take(toReceiptId(receiptId), { within: plainTransaction(tx) });
    return taken || (await isTakenBack(tx, resource, receiptId));
  }

  /** A queued receipt that nobody has yet becomes due anew. False when it was handed out already. */
  async function takeBack(scope: CommitScope, key: OrderKey, task: FiscalTask): Promise<boolean> {
    if (!(await withdrawReceipt(scope.tx, scope.resource, task))) return false;
    await makeDueAnew(scope.tx, scope, key, task);
    return true;
  }

  /** What the kit took back and is due still is made anew, by what the order's receipts are now. */
  async function renewTakenBack(scope: CommitScope, key: OrderKey): Promise<void> {
    for (const task of await findTasks(scope.tx, scope.resource, key)) {
      if (task.state !== "queued" || !(await isTakenBack(scope.tx, scope.resource, task.receiptId))) continue;
      await makeDueAnew(scope.tx, scope, key, task);
    }
  }

  /**
   * A receipt of a sale, or of a refund of it, is registered that nobody counted on: of these orders the returns, and the
   * settlement where it is of that too, are taken back, to be made anew by what is known now. Returns those that somebody has,
   * or may have.
   */
  async function takeBackUndecided(
    scope: CommitScope,
    orders: readonly OrderKey[],
    what: "returns" | "settlement and returns" = "settlement and returns",
  ): Promise<readonly FiscalTask[]> {
    const out: FiscalTask[] = [];
    for (const key of orders) {
      for (const task of orderTasks(await findTasks(scope.tx, scope.resource, key))) {
        const isOfWhat = isReturnPurpose(task.purpose) || (task.purpose === "sale" && what !== "returns");
        if (!isOfWhat || !isOnItsWay([task])) continue;
        if (task.state === "queued" && (await takeBack(scope, key, task))) continue;
        out.push(task);
      }
    }
    return out;
  }

  return { withdrawReceipt, takeBack, renewTakenBack, takeBackUndecided };
}

/** The kit itself took it out of the queue: an earlier receipt of the order is printed after all, or may be. */
async function isTakenBack(tx: Writer, resource: number, receiptId: string): Promise<boolean> {
  const row = await tx
    .withTables<ReceiptTables>()
    .selectFrom("print_receipts")
    .select("state")
    .where("resource", "=", String(resource))
    .where("receipt_id", "=", receiptId)
    .executeTakeFirst();
  return row?.state === "replaced";
}
