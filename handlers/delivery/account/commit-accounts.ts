/** Changes orders for shops and couriers: links refund orders to their sales, writes all of them, settles their accounts. */
import type { FoundRecords } from "../catalog/references.js";
import { type CommitScope, commitOrders } from "../orders/commit.js";
import type { OrderChange } from "../orders/journal.js";
import { keyText } from "../orders/rows.js";
import { linkRefunds } from "../refunds/link-refunds.js";
import type { OwnDocument } from "./courier-documents.js";
import { settleAccounts } from "./settle-accounts.js";

export interface CommittedOrders {
  /** The requested changes with the orders as they are now, without the sales of refund orders. */
  readonly changes: readonly OrderChange[];
  readonly found: FoundRecords;
}

/** `documents`: receipts of the courier's own register, reported with the change. */
export async function commitAccounts(
  scope: CommitScope,
  asked: readonly OrderChange[],
  { known, documents = [] }: { readonly known?: FoundRecords; readonly documents?: readonly OwnDocument[] } = {},
): Promise<CommittedOrders> {
  const { changes, sales } = await linkRefunds(scope, asked, documents.length > 0);
  const found = await commitOrders(scope, [...changes, ...sales], known);
  const settled = await settleAccounts(scope, { changes: [...changes, ...sales], documents, found });
  const now = new Map(settled.map((order) => [keyText(order), order]));
  return {
    changes: changes.map((change) => ({ ...change, after: now.get(keyText(change.after)) ?? change.after })),
    found,
  };
}
