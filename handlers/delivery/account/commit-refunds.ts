/** Orders with what refund orders among them do to their sales. */

import type { FoundRecords } from "../catalog/references.js";
import { type CommitScope, commitOrders } from "../orders/commit.js";
import type { OrderChange } from "../orders/journal.js";
import { checkNewRefund, withKeptReceipt } from "./courier-receipts.js";
import { linkRefunds } from "./refunds.js";

export interface CommittedOrders {
  /** Those that were asked for, as they are now: not the sales. */
  readonly changes: readonly OrderChange[];
  readonly found: FoundRecords;
}

/** Links refund orders to their sales and writes both; one that comes may have its receipt of the courier's register already. */
export async function commitWithSales(
  scope: CommitScope,
  asked: readonly OrderChange[],
  known?: FoundRecords,
): Promise<CommittedOrders> {
  const { changes: linked, sales } = await linkRefunds(scope, asked);
  const changes: OrderChange[] = [];
  for (const change of linked) {
    const after = comesAsRefund(change) ? await withKeptReceipt(scope, change.after) : change.after;
    changes.push({ ...change, after });
  }
  const found = await commitOrders(scope, [...changes, ...sales], known);
  for (const { after } of changes.filter(comesAsRefund)) await checkNewRefund(scope, after);
  return { changes, found };
}

/** New, or deleted before and there again. */
function comesAsRefund({ before, after, isRestored }: OrderChange): boolean {
  return after.isRefund && (before === null || isRestored === true);
}
