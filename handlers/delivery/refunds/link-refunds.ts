/** Links refund orders to the sales that they give back (54-fz 15). */

import { isDeepStrictEqual } from "node:util";
import { type Account, currentOf, isRegistered, isReturnOfWhole, isUnnamed, returnsOf } from "../account/entries.js";
import { loadAccounts, requireAccount } from "../account/load-accounts.js";
import { isOfWhole, refundsOfSale } from "../account/plan.js";
import { closestFirst } from "../account/refundable.js";
import { invalid, type Problem, problemOf, throwIfProblems } from "../http/api-errors.js";
import { formatApiTime } from "../http/wire-types.js";
import type { CommitScope, OrderChange } from "../orders/order-change.js";
import { RETURNED } from "../orders/receipt-policy.js";
import { findOrders, keyText, saleIdOf } from "../orders/rows.js";
import { itemSum } from "../orders/rules.js";
import type { ReturnEntry, StoredItem, StoredOrder, StoredPayment } from "../orders/stored-order.js";
import { refuseBroken } from "./marked-goods.js";
import { findExcess } from "./refund-limits.js";
import { disownPayment, forgetPayments, ordersOfPayments, savePayments, saveRefunds } from "./refund-rows.js";

/**
 * A refund order belongs to the sale that `returnedOrderId` names, else to the sale with the refund order's own id,
 * else to the sale that its payments name. Fault "api.invalid" for a refund without a sale, of more than was sold, or
 * of a sale that is returned whole, and for a sale that is changed to less than its refunds give back. The refund
 * orders of the result have the ids and the rates of their sales, and `sales` holds these sales.
 */
export async function linkRefunds(scope: CommitScope, changes: readonly OrderChange[], hasDocument = false) {
  await checkSales(scope, changes);
  await saveNamedPayments(scope, changes);
  const unlinked = changes.filter(({ after }) => after.isRefund);
  if (unlinked.length === 0) return { changes, sales: [] };
  const known = await salesOf(scope, unlinked);
  const inThisBatch = new Set(changes.flatMap(({ after }) => (after.isRefund ? [] : [after.orderId])));
  const sales = new Map<string, { readonly account: Account; readonly after: StoredOrder }>();
  const linked: OrderChange[] = [];
  const problems: Problem[] = [];
  for (const [position, change] of changes.entries()) {
    if (!change.after.isRefund) linked.push(change);
    else await link(change, change.place ?? `[${position}].`).catch((error) => problems.push(problemOf(error)));
  }
  throwIfProblems(problems);
  const refunds = linked.flatMap(({ after }) => (after.isRefund ? [after] : []));
  await saveRefunds(scope.tx, scope.resource, refunds);
  return {
    changes: linked,
    sales: [...sales.values()].map(({ account: { sale: before, isHidden }, after }) => ({ before, after, isHidden })),
  };

  async function link(change: OrderChange, place: string): Promise<void> {
    const found = known.saleOf(change.after);
    const named = change.before === null ? change.after.originalOrderId : null;
    if (named !== null && found?.orderId !== named) throw invalid(`${place}returnedOrderId`, "is no known sale");
    if (found === null || inThisBatch.has(found.orderId)) {
      throw invalid(
        `${place}orderId`,
        "is a refund of no known sale, by its id or by its payments: name the sale in returnedOrderId",
      );
    }
    known.checkPayments(change.after, found, place);
    const { account, after: sale } = sales.get(found.orderId) ?? {
      account: await requireAccount(scope.tx, scope.resource, found.orderId),
      after: found,
    };
    const after = withRatesOf(sale, { ...change.after, originalOrderId: found.orderId });
    await refuseWrong(scope, account, { before: change.before, after, place, hasDocument });
    const others = account.refunds.filter(({ order }) => order.orderId !== after.orderId);
    const refunds = [...others, { order: after, isActive: true }];
    sales.set(found.orderId, { account: { ...account, refunds }, after: withReturns(sale, refunds, scope.now) });
    linked.push({ ...change, after });
  }
}

interface LinkedRefund {
  readonly before: StoredOrder | null;
  readonly after: StoredOrder;
  readonly place: string;
  readonly hasDocument: boolean;
}

/** A refund that was accepted before may be sent again. */
async function refuseWrong(
  scope: CommitScope,
  account: Account,
  { before, after, place, hasDocument }: LinkedRefund,
): Promise<void> {
  if (isGivenBack(account, { before, after })) return;
  if (!hasDocument) refuseExcess(account, after, place);
  // A return that the courier's register has printed is a fact, even if the refund order was sent later.
  if (hasDocument || account.entries.some(isUnnamed)) return;
  if (!hasSameGoods(before, after)) await refuseBroken(scope, account.sale, { after, place });
  refusePartOfPrepayment(account, { before, after }, place);
}

export async function unlinkRefund(
  { tx, resource, now }: CommitScope,
  refund: StoredOrder,
): Promise<readonly OrderChange[]> {
  const saleId = saleIdOf(refund);
  const account = (await loadAccounts(tx, resource, [saleId])).get(saleId);
  if (account === undefined) return [];
  const { sale: before, isHidden, refunds } = account;
  return [{ before, after: withReturns(before, refunds, now), isHidden }];
}

export interface Refundable {
  /** Has the positions that may come back; cancelled ones too while the order is prepaid and not sold. */
  readonly sale: StoredOrder;
  /** Once the sale has a receipt, refunds of its prepayment do not count any more. */
  readonly refunds: readonly StoredOrder[];
}

export function refundableOf(account: Account): Refundable {
  const { sale } = account;
  if (!isPrepaid(account)) return { sale, refunds: refundsOfSale(account) };
  const goods = sale.goods.map((item) => ({ ...item, canceledItems: [] }));
  return { sale: { ...sale, goods }, refunds: account.refunds.map(({ order }) => order) };
}

function isPrepaid({ entries }: Account): boolean {
  return currentOf(entries, "prepayment") !== null && currentOf(entries, "sale") === null;
}

/** A whole return of the prepayment counts while the sale has no receipt. */
function isReturnedWhole({ entries, sale }: Account): boolean {
  if (returnsOf(entries, "sale").some(isReturnOfWhole)) return true;
  const isSold = currentOf(entries, "sale") !== null;
  return sale.deliveryStatusId === RETURNED && !isSold && returnsOf(entries, "prepayment").some(isReturnOfWhole);
}

/** The refund order's receipt is registered and the edit keeps its goods, so nothing more goes back. */
function isGivenBack({ entries }: Account, { before, after }: OrderChange): boolean {
  if (!hasSameGoods(before, after)) return false;
  return entries.some((one) => one.refundId === after.orderId && isRegistered(one));
}

/** Before the sale is settled a prepayment goes back whole, never in part (54-fz 10). */
function refusePartOfPrepayment(account: Account, { before, after }: OrderChange, place: string): void {
  if (after.statusId === 0 || !isPrepaid(account)) return;
  if (before?.statusId === 1 && hasSameGoods(before, after)) return;
  if (isOfWhole(after, account.sale)) return;
  throw invalid(
    `${place}goods`,
    `are a part of order ${account.saleId}, whose prepayment goes back as a whole: return all of it, or refund it after the delivery`,
  );
}

function hasSameGoods(before: StoredOrder | null, after: StoredOrder): boolean {
  return JSON.stringify(before?.goods) === JSON.stringify(after.goods);
}

function refuseExcess(account: Account, refund: StoredOrder, place: string): void {
  if (isReturnedWhole(account)) {
    throw invalid(`${place}orderId`, `order ${account.saleId} is returned as a whole already`);
  }
  const { sale, refunds } = refundableOf(account);
  const others = refunds.filter(({ orderId }) => orderId !== refund.orderId);
  const excess = findExcess(sale, others, refund);
  if (excess !== null) throw invalid(`${place}${excess.place}`, excess.message);
}

/** A payment that two orders name links no refund order any more. */
async function saveNamedPayments({ tx, resource, warn }: CommitScope, changes: readonly OrderChange[]): Promise<void> {
  for (const [position, { before, after: sale, place = `[${position}].` }] of changes.entries()) {
    const [was, now] = [before?.namedPayments ?? [], sale.namedPayments ?? []];
    if (isDeepStrictEqual(was, now)) continue;
    const isTaken = (one: StoredPayment) => sale.payments.some(({ paymentId }) => paymentId === one.paymentId);
    const gone = was.filter((one) => !isTaken(one));
    await forgetPayments(tx, resource, sale.orderId, gone);
    if (now.length === 0) continue;
    const ids = now.map(({ paymentId }) => paymentId);
    const payers = await ordersOfPayments(tx, resource, ids);
    await savePayments(tx, resource, sale.orderId, now);
    for (const [index, payment] of now.entries()) {
      const payer = payers.get(payment.paymentId) ?? sale.orderId;
      if (payer === sale.orderId) continue;
      const what = `is a payment of order ${payer} too: no refund order is linked by it`;
      warn?.(`${place}payments[${index}].paymentId`, what);
      await disownPayment(tx, resource, payment);
    }
  }
}

async function checkSales(scope: CommitScope, changes: readonly OrderChange[]): Promise<void> {
  for (const [position, { before, after: sale, place }] of changes.entries()) {
    if (sale.isRefund || !sale.isReturned) continue;
    if (hasSameGoods(before, sale)) continue;
    const account = await requireAccount(scope.tx, scope.resource, sale.orderId);
    const refunds = refundsOfSale(account).filter(isPaid);
    if (findExcess(sale, [], { goods: refunds.flatMap(({ goods }) => goods) }) !== null) {
      throw invalid(
        `${place ?? `[${position}].`}goods`,
        `are less than the refunds of order ${sale.orderId} give back`,
      );
    }
  }
}

async function salesOf({ tx, resource }: CommitScope, refunds: readonly OrderChange[]) {
  const paymentIds = refunds.flatMap(({ after }) => paymentIdsOf(after));
  const byPayment = await ordersOfPayments(tx, resource, paymentIds);
  const candidatesOf = (refund: StoredOrder) => [
    ...(refund.originalOrderId === null ? [] : [refund.originalOrderId]),
    refund.orderId,
    ...paymentIdsOf(refund).flatMap((id) => byPayment.get(id) ?? []),
  ];
  const candidates = refunds.flatMap(({ after }) => candidatesOf(after));
  const known = await findOrders(tx, resource, candidates);
  // The goods of a deleted sale can come back too.
  const saleAmong = (orderIds: readonly string[]) =>
    orderIds.flatMap((orderId) => known.get(keyText({ orderId, isRefund: false }))?.order ?? [])[0] ?? null;
  return {
    saleOf: (refund: StoredOrder): StoredOrder | null => saleAmong(candidatesOf(refund)),
    checkPayments(refund: StoredOrder, sale: StoredOrder, place: string): void {
      for (const [position, id] of paymentIdsOf(refund).entries()) {
        const payer = byPayment.get(id) ?? sale.orderId;
        if (payer === sale.orderId || payer === refund.orderId) continue;
        throw invalid(`${place}payments[${position}].paymentId`, `is a payment of order ${payer}`);
      }
    },
  };
}

function paymentIdsOf(order: StoredOrder): readonly string[] {
  return order.payments.map((payment) => payment.paymentId);
}

/** Only for show: the receipt takes its rates from the printed receipt of the sale (refundable.ts). */
function withRatesOf(sale: StoredOrder, refund: StoredOrder): StoredOrder {
  const sold = sale.goods.map((item) => ({ of: item }));
  const rateOf = (item: StoredItem) => closestFirst(item, sold)[0]?.of.taxId ?? item.taxId;
  return { ...refund, goods: refund.goods.map((item) => ({ ...item, taxId: rateOf(item) })) };
}

function isPaid({ statusId }: StoredOrder): boolean {
  return statusId === 1;
}

/** An unpaid refund order changes nothing. */
function withReturns(sale: StoredOrder, refunds: Account["refunds"], now: number): StoredOrder {
  const orders = refunds.map(({ order }) => order).filter(isPaid);
  const last = orders.at(-1);
  if (last === undefined) return { ...sale, isReturned: false, returnedOrder: null };
  const { returnedGoods = [], returnedPayments = [] } = sale.returnedOrder ?? {};
  const known = [...returnedGoods, ...returnedPayments];
  const of = ({ orderId: refundId }: StoredOrder): ReturnEntry => ({
    refundId,
    createdAt: known.find((entry) => entry.refundId === refundId)?.createdAt ?? formatApiTime(now),
  });
  const returnedOrder = {
    returnedOrderId: last.orderId,
    returnReasonId: last.returnReasonId,
    createdAt: of(last).createdAt,
    returnedPayments: orders.flatMap((refund) =>
      refund.payments.map(({ paymentId, paymentTypeId, price: sum }) => ({
        ...of(refund),
        paymentId,
        paymentTypeId,
        sum,
      })),
    ),
    returnedGoods: orders.flatMap((refund) =>
      refund.goods.map(({ goodId, count, ...item }) => ({
        ...of(refund),
        goodId,
        returnReasonId: item.returnReasonId ?? refund.returnReasonId,
        count,
        sum: itemSum(item) / 100,
      })),
    ),
  };
  return { ...sale, isReturned: true, returnedOrder };
}
