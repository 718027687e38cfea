/** Which returns an order is really due for, and which receipts wait for another one's result. */
import { kopecks } from "@fiscald/shared/amounts.js";
import type { CommitScope } from "../orders/commit.js";
import { findOrders, keyText } from "../orders/rows.js";
import type { StoredOrder } from "../orders/stored-order.js";
import type { Writer } from "../store/delivery-store.js";
import { RETURNED, type ReceiptPurpose, soldItems } from "./due-receipts.js";
import {
  type FiscalTask,
  findTasks,
  isOnItsWay,
  isRegistered,
  type OrderTask,
  prepaymentStanding,
  saleStanding,
} from "./fiscal-tasks.js";
import { prepaymentToReturn } from "./prepayment.js";
import { loadPrepayment } from "./prepayment-ledger.js";
import { findKeptReturn, findRefunds, idsOfSale } from "./refund-rows.js";
import { goodsSum, loadSaleLedger } from "./sale-ledger.js";
import { tellBeyondSale } from "./tell-twice.js";

/**
 * No prepayment is due any more where the sale is, or may be, registered: also where its own receipt had failed. An order
 * that comes back gives its sale back only when that is, or may be, registered, when there is something left of
 * it, and when no return receipt of the courier's waits for it (courier-return-receipt.ts). A refund order waits.
 */
export async function isToCome(
  { tx, resource }: CommitScope,
  order: StoredOrder,
  purpose: ReceiptPurpose,
): Promise<boolean> {
  if (order.isRefund || purpose === "sale") return true;
  const tasks = await findTasks(tx, resource, order);
  const isSold = isRegistered(tasks, "sale") || isOnItsWay(tasks, "sale");
  if (purpose === "prepayment") return !isSold;
  const isKept = (await findKeptReturn(tx, resource, order.orderId)) !== null;
  if (order.deliveryStatusId === RETURNED && isKept) return false;
  if (purpose === "prepayment-return") return isPrepaymentToCome(tx, resource, order, tasks);
  return isSold && soldItems(order).length > 0 && !(await hasRefunds(tx, resource, order));
}

async function isPrepaymentToCome(tx: Writer, resource: number, order: StoredOrder, tasks: readonly FiscalTask[]) {
  const standing = prepaymentStanding(tasks);
  if (standing !== "registered") return standing === "open";
  const own = tasks.find((task) => task.purpose === "prepayment-return" && !isRegistered([task]));
  const ledger = await loadPrepayment(tx, resource, order, own?.receiptId);
  return ledger !== null && prepaymentToReturn(order, ledger.prepayment) > 0;
}

/** After refund orders of the sale it does not come back as a whole any more; those of its prepayment are not of it. */
async function hasRefunds(tx: Writer, resource: number, order: StoredOrder): Promise<boolean> {
  if (!order.isReturned) return false;
  const before = (await loadPrepayment(tx, resource, order))?.refundsBefore;
  const refunds = await findRefunds(tx, resource, order.orderId);
  return refunds.some(({ order: refund }) => before?.has(refund.orderId) !== true);
}

/**
 * Nothing is given back of what was not taken, and no prepayment is settled that may have gone back: such a receipt waits
 * for the other one's result, which brings us here again.
 */
export async function waitsForAnother(
  scope: CommitScope,
  order: StoredOrder,
  { purpose, receiptId }: OrderTask,
): Promise<boolean> {
  const { tx, resource } = scope;
  const saleId = order.originalOrderId ?? order.orderId;
  const tasks = await findTasks(tx, resource, { orderId: saleId, isRefund: false });
  const prepayment = prepaymentStanding(tasks);
  switch (purpose) {
    case "prepayment":
      return false;
    case "sale":
      if (prepayment === "none") return false;
      if (prepayment === "open" || isOnItsWay(tasks, "prepayment-return")) return true;
      return areRefundsOnTheirWay(tx, resource, saleId);
    case "prepayment-return":
      if (prepayment !== "registered" || (await areRefundsOnTheirWay(tx, resource, saleId))) return true;
      return order.deliveryStatusId === RETURNED && isOnItsWay(tasks, "sale");
    case "return": {
      const standing = saleStanding(tasks);
      if (isOnItsWay(tasks, "prepayment-return")) return true;
      if (standing === "prepaid") return !order.isRefund;
      if (standing !== "registered" || (await isOverdrawn(tx, resource, saleId))) return true;
      return isBeyondSale(scope, saleId, { order, receiptId });
    }
  }
}

/** More of the prepayment is used than there was: a person was told, and what still goes back is for him to decide. */
async function isOverdrawn(tx: Writer, resource: number, saleId: string): Promise<boolean> {
  const sale = await findSale(tx, resource, saleId);
  const ledger = sale === undefined ? null : await loadPrepayment(tx, resource, sale);
  return ledger !== null && ledger.excess > 0;
}

/**
 * With this one more would go back than was sold: a return that had failed was printed after all, or may be. Where it is
 * registered that is told, because nothing will bring this one here again.
 */
async function isBeyondSale(
  scope: CommitScope,
  saleId: string,
  { order, receiptId }: { readonly order: StoredOrder; readonly receiptId: string },
): Promise<boolean> {
  const { tx, resource } = scope;
  const sale = await findSale(tx, resource, saleId);
  const ledger = sale === undefined ? null : await loadSaleLedger(tx, resource, sale, receiptId);
  if (sale === undefined || ledger === null) return false;
  const wanted = order.isRefund ? goodsSum(order) : ledger.sold;
  const excess = kopecks(Math.max(0, ledger.registered + wanted - ledger.sold));
  if (excess > 0) {
    const orderIds = await idsOfSale(tx, resource, saleId);
    await tellBeyondSale(scope, { order: sale, orderIds, receiptId, excess });
  }
  return ledger.back + wanted > ledger.sold;
}

async function findSale(tx: Writer, resource: number, orderId: string): Promise<StoredOrder | undefined> {
  return (await findOrders(tx, resource, [orderId])).get(keyText({ orderId, isRefund: false }))?.order;
}

async function areRefundsOnTheirWay(tx: Writer, resource: number, saleId: string): Promise<boolean> {
  for (const { order } of await findRefunds(tx, resource, saleId)) {
    if (isOnItsWay(await findTasks(tx, resource, order), "return")) return true;
  }
  return false;
}
