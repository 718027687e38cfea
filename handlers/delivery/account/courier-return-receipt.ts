/** A return receipt of the courier's own register that comes by itself and names the sale: which return it is of. */
import { invalid } from "../http/api-errors.js";
import { type CommitScope, queueCallback } from "../orders/commit.js";
import type { StoredOrder } from "../orders/stored-order.js";
import { asPrinted, countElsewhere, type OwnReceipt } from "./courier-receipts.js";
import { RETURNED } from "./due-receipts.js";
import { findTasks, isRegistered, keptDocument, keptReturn, removeTask, returnOfNow } from "./fiscal-tasks.js";
import { documentKey, isReturnOf } from "./known-document.js";
import { checkKept, saveFiscalRecord } from "./print-results.js";
import { findKeptReturn, findRefunds, idsOfSale } from "./refund-rows.js";
import { tellKeptBeforeSale } from "./tell-twice.js";

/**
 * The refund order that still waits for its receipt, else the sale itself where all of it came back (status 6). Null: it is
 * recorded already, or it came before its return, which it is kept for. Fault "api.invalid" where several could be meant, and for
 * another order's document.
 */
export async function orderOfReturn(
  scope: CommitScope,
  sale: StoredOrder,
  receipt: OwnReceipt,
): Promise<StoredOrder | null> {
  if (await isReturnOf(scope, sale.orderId, receipt)) return null;
  const [refund, ...further] = await refundsToPrint(scope, sale);
  if (further.length > 0) {
    throw invalid(
      "orderId",
      `has several returns without a receipt: name one, such as ${refund?.orderId}, with isRefund`,
    );
  }
  if (refund !== undefined) return refund;
  if (sale.deliveryStatusId === RETURNED && !sale.isReturned) return sale;
  await keepForReturn(scope, sale, receipt);
  return null;
}

/** A receipt that came before its return stands for the next refund order, or for the whole where status 6 comes first. */
async function keepForReturn(scope: CommitScope, sale: StoredOrder, receipt: OwnReceipt): Promise<void> {
  if ((await findKeptReturn(scope.tx, scope.resource, sale.orderId)) !== null) {
    throw invalid("operation", "another return receipt of the order waits for its return: send the return first");
  }
  const { orderId } = sale;
  await saveFiscalRecord(scope.tx, scope, { ...receipt, orderId, operation: "return" }, receipt.fdNumber);
  const document = documentKey(receipt);
  await countElsewhere(scope, sale, { operation: "return", document, purpose: keptReturn(document) });
  const unchanged = [{ before: sale, after: sale }];
  await queueCallback(scope, unchanged);
  // What of the sale's own was taken back for it is due still, and nothing else would make it anew.
  await scope.backend.bridge?.followOrders({ ...scope, isResult: true }, unchanged);
}

/**
 * The order comes back as a whole before any such return: the receipt is of all that is left of it, or of its prepayment where it
 * was of that: then a settlement that nobody has yet is none with it. One that came before the sale was known may be of something
 * else: that is told. The order as it is then.
 */
export async function takeKeptAsWhole(scope: CommitScope, sale: StoredOrder): Promise<StoredOrder> {
  const { tx, resource } = scope;
  const kept = await findKeptReturn(tx, resource, sale.orderId);
  if (kept === null) return sale;
  const standing = returnOfNow(await findTasks(tx, resource, sale));
  const returnOf = kept.returnOf === "prepayment" ? "prepayment" : standing;
  if (standing === "sale") await checkKept(scope, sale);
  if (standing === "sale" && kept.returnOf === null) {
    const orderIds = await idsOfSale(tx, resource, sale.orderId);
    await tellKeptBeforeSale(scope, { order: sale, orderIds, receiptId: kept.receiptId });
  }
  if (returnOf === "prepayment") await scope.backend.bridge?.takeBackUndecided(scope, [sale]);
  await removeTask(tx, resource, sale, kept);
  const document = keptDocument(kept.purpose);
  await countElsewhere(scope, sale, { operation: "return", document, returnOf });
  return asPrinted(sale);
}

async function refundsToPrint({ tx, resource }: CommitScope, sale: StoredOrder): Promise<readonly StoredOrder[]> {
  const open: StoredOrder[] = [];
  for (const { order, isActive } of await findRefunds(tx, resource, sale.orderId)) {
    if (isActive && !isRegistered(await findTasks(tx, resource, order), "return")) open.push(order);
  }
  return open;
}
