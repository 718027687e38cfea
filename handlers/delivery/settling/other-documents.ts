/** Documents that are no receipts of accounts: corrections, returns at the till, receipts of the site itself. */
import type { PrintResult } from "../../print-server/host-callbacks.js";
import { findByReceipt } from "../account/load-accounts.js";
import { recordOtherResult } from "../orders/fiscal-records.js";
import type { CommitScope } from "../orders/order-change.js";
import { findOrders, keyText } from "../orders/rows.js";
import { writeJournal } from "./commit.js";

/** Shows such a document in the shop's logs and in its order's journal. A result of an account's receipt changes nothing. */
export async function showOtherResult(scope: CommitScope, result: PrintResult, timeZone: string): Promise<void> {
  const { tx, resource } = scope;
  const { orderId, receiptId } = result;
  if (orderId === null) return;
  if (receiptId !== null && (await findByReceipt(tx, resource, receiptId)) !== null) return;
  const known = await findOrders(tx, resource, [orderId]);
  const found = known.get(keyText({ orderId, isRefund: false })) ?? known.get(keyText({ orderId, isRefund: true }));
  // A correction may name a settlement that the shop has never sent as an order.
  if (found === undefined && result.correction !== true) return;
  const order = found?.order ?? { orderId, courierId: null };
  const fiscalDocument = await recordOtherResult(tx, scope, result, { order, timeZone });
  if (fiscalDocument === null || found?.isActive !== true) return;
  const document = { event: "update", before_item: "{}", after_item: JSON.stringify({ fiscalDocument }) };
  await writeJournal(scope, [{ order: found.order, entry: document }]);
}
