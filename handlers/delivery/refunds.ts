/** Refund orders and the sales that they give back (domain 8.5 "Refund variant"). */
import { invalid } from "./api-errors.js";
import type { Reader } from "./operation.js";
import type { CommitScope } from "./order-commit.js";
import type { OrderChange } from "./order-journal.js";
import { chooseOrder, findOrders } from "./order-rows.js";
import { itemSum } from "./order-rules.js";
import { inChunks } from "./records.js";
import type { StoredItem, StoredOrder, StoredReturn } from "./stored-order.js";
import { formatWireTime } from "./wire-time.js";

export interface LinkedChanges {
  /** The changes, refunds with their sale's id and rates. */
  readonly changes: readonly OrderChange[];
  /** What the refunds change in their sales. */
  readonly sales: readonly OrderChange[];
}

/**
 * A refund belongs to the sale with its own id, else to the one that its payments name. Fault "api.invalid" for a refund
 * of nothing.
 */
export async function linkRefunds(scope: CommitScope, changes: readonly OrderChange[]): Promise<LinkedChanges> {
  const { tx, resource, now } = scope;
  const unlinked = changes.filter(({ after }) => after.isRefund);
  if (unlinked.length === 0) return { changes, sales: [] };
  const saleIds = await saleIdsByPayment(tx, resource, unlinked);
  const wantedIds = unlinked.flatMap(({ after }) => [
    after.orderId,
    ...paymentIdsOf(after).flatMap((id) => saleIds.get(id) ?? []),
  ]);
  const known = await findOrders(tx, resource, wantedIds);
  const inThisBatch = new Map(
    changes.filter(({ after }) => !after.isRefund).map((change) => [change.after.orderId, change]),
  );
  const sales = new Map<string, OrderChange>();
  const linked = changes.map((change, position): OrderChange => {
    const refund = change.after;
    if (!refund.isRefund) return change;
    const candidates = [refund.orderId, ...paymentIdsOf(refund).flatMap((id) => saleIds.get(id) ?? [])];
    const sale = candidates
      .map((orderId) => sales.get(orderId)?.after ?? chooseOrder(known, { orderId, isRefund: false }))
      .find((order) => order !== null);
    if (sale === undefined || inThisBatch.has(sale.orderId)) {
      throw invalid(`[${position}].orderId`, "is a refund of no known sale, by its id or by its payments");
    }
    const after = withRatesOf(sale, { ...refund, originalOrderId: sale.orderId });
    const returned = { ...sale, isReturned: true, returnedOrder: returnOf(after, formatWireTime(now)) };
    sales.set(sale.orderId, { before: sales.get(sale.orderId)?.before ?? sale, after: returned });
    return { ...change, after };
  });
  return { changes: linked, sales: [...sales.values()] };
}

function paymentIdsOf(order: StoredOrder): readonly string[] {
  return order.payments.map((payment) => payment.paymentId);
}

async function saleIdsByPayment(
  db: Reader,
  resource: number,
  refunds: readonly OrderChange[],
): Promise<ReadonlyMap<string, string>> {
  const paymentIds = [...new Set(refunds.flatMap(({ after }) => paymentIdsOf(after)))];
  const saleIds = new Map<string, string>();
  for (const ids of inChunks(paymentIds)) {
    const rows = await db
      .selectFrom("delivery_payments")
      .select(["payment_id", "order_id"])
      .where("resource", "=", resource)
      .where("payment_id", "in", ids)
      .execute();
    for (const row of rows) saleIds.set(row.payment_id, row.order_id);
  }
  return saleIds;
}

/** What is given back is taxed as it was sold. */
function withRatesOf(sale: StoredOrder, refund: StoredOrder): StoredOrder {
  const rateOf = (item: StoredItem) =>
    sale.goods.find(({ goodId }) => goodId !== null && goodId === item.goodId)?.taxId;
  return { ...refund, goods: refund.goods.map((item) => ({ ...item, taxId: rateOf(item) ?? item.taxId })) };
}

export function returnOf(refund: StoredOrder, createdAt: string): StoredReturn {
  return {
    returnedOrderId: refund.orderId,
    returnReasonId: refund.returnReasonId,
    createdAt,
    returnedPayments: refund.payments.map(({ paymentId, paymentTypeId, price }) => ({
      paymentId,
      paymentTypeId,
      sum: price,
      createdAt,
    })),
    returnedGoods: refund.goods.map((item) => ({
      goodId: item.goodId,
      returnReasonId: item.returnReasonId ?? refund.returnReasonId,
      count: item.count,
      sum: itemSum(item) / 100,
      createdAt,
    })),
  };
}
