/** Receipts of a courier's own register: fiscal facts, always stored, and never printed again by our registers. */

import { type Kopecks, kopecks } from "@fiscald/shared/amounts.js";
import {
  type Account,
  type AccountEntry,
  basisNow,
  currentOf,
  isLive,
  isRegistered,
  isUnnamed,
  type Left,
  leftOf,
} from "../account/entries.js";
import { findByDocument } from "../account/load-accounts.js";
import { type CatalogFacts, linesOf, returnContent, saleContent } from "../account/order-receipt.js";
import { isGivingBack, isPaidRefund } from "../account/plan.js";
import { portionsOf } from "../account/refundable.js";
import { invalid } from "../http/api-errors.js";
import { type FiscalRecord, moveFiscalRecord, saveFiscalRecord } from "../orders/fiscal-records.js";
import type { CommitScope, OrderChange } from "../orders/order-change.js";
import { goodsSum, prepaidSum, RETURNED } from "../orders/receipt-policy.js";
import { saleIdOf } from "../orders/rows.js";
import type { StoredOrder } from "../orders/stored-order.js";
import type { ApplyPlan } from "./apply.js";

export interface OwnDocument {
  readonly order: StoredOrder;
  readonly operation: "sale" | "return";
  readonly receipt: Omit<FiscalRecord, "orderId" | "operation">;
  /** The report set delivery status 6 (returned), so everything came back. */
  readonly isWhole?: boolean;
}

export async function recordDocument(
  scope: CommitScope,
  apply: ApplyPlan,
  { order, operation: said, receipt, isWhole = false }: OwnDocument,
  facts: CatalogFacts,
): Promise<void> {
  const saleId = saleIdOf(order);
  const operation = order.isRefund ? "return" : said;
  const document = { fn: receipt.fn, fd: receipt.fdNumber };
  const known = await findByDocument(scope.tx, scope.resource, document);
  if (known !== null && known.saleId !== saleId) {
    throw invalid("receipt.fdNumber", `is a document of order ${known.saleId}`);
  }
  const account = apply.accountOf(saleId);
  if (known === null) {
    const entry =
      operation === "sale" ? saleEntry(account, facts) : returnEntry(account, meantBy(account, order, isWhole), facts);
    const named = entry.refundId ?? saleId;
    await saveFiscalRecord(scope.tx, scope, { ...receipt, orderId: named, operation }, receipt.fdNumber);
    await apply.append([{ saleId, entry: { ...entry, ...asDocument, ...document } }]);
    return;
  }
  const entry = account.entries.find(({ seq }) => seq === known.seq);
  if (entry === undefined) return;
  const is = entry.kind === "return" ? "return" : "sale";
  if (is !== operation) throw invalid("receipt.fdNumber", `is a ${is} of order ${saleId}`);
  if (order.isRefund && entry.refundId !== order.orderId) {
    if (entry.refundId !== null) throw invalid("receipt.fdNumber", `is a document of order ${entry.refundId}`);
    await nameReturn(scope, apply, { entry, refund: order, facts });
  }
}

const asDocument = { by: "courier", state: "registered", receiptId: null, details: null } as const;

interface NamedReturn {
  readonly entry: AccountEntry;
  readonly refund: StoredOrder;
  readonly facts: CatalogFacts;
}

/** The new entry names the refund order. A prepayment went back whole, whatever the refund order costs. */
async function nameReturn(
  { tx, resource }: CommitScope,
  apply: ApplyPlan,
  { entry, refund, facts }: NamedReturn,
): Promise<void> {
  const saleId = saleIdOf(refund);
  await apply.move(saleId, entry.seq, { state: "void" });
  const account = apply.accountOf(saleId);
  const isOfPrepayment = account.entries.some(({ seq, kind }) => seq === entry.basisSeq && kind === "prepayment");
  const named = isOfPrepayment
    ? { ...entry, refundId: refund.orderId }
    : { ...returnEntry(account, { refund, isWhole: false }, facts), basisSeq: entry.basisSeq };
  const { fn, fd } = entry;
  await apply.append([{ saleId, entry: { ...named, ...asDocument, isAssumed: true, fn, fd } }]);
  if (fn !== null && fd !== null) await moveFiscalRecord(tx, resource, { fn, fd }, refund.orderId);
}

/** Gives a new or newly paid refund order the courier's return that has no refund order yet. */
export async function assignReturnToRefund(
  scope: CommitScope,
  apply: ApplyPlan,
  { before, after: refund }: OrderChange,
  facts: CatalogFacts,
): Promise<void> {
  if (!isPaidRefund(refund) || before?.statusId === 1) return;
  const { entries } = apply.accountOf(saleIdOf(refund));
  const entry = entries.find(isUnnamed);
  if (entry === undefined || entries.some((one) => isLive(one) && one.refundId === refund.orderId)) return;
  await nameReturn(scope, apply, { entry, refund, facts });
}

/** A return that names the sale belongs to the only paid refund order without a return. Status 6 returns everything. */
function meantBy({ sale, refunds, entries }: Account, order: StoredOrder, isWhole: boolean): MeantReturn {
  if (order.isRefund) return { refund: order, isWhole: false };
  const isDone = ({ orderId }: StoredOrder) => entries.some((one) => one.refundId === orderId && isRegistered(one));
  const open = refunds.flatMap((known) => (isPaidRefund(known.order) && !isDone(known.order) ? [known.order] : []));
  const [refund = null] = isWhole || open.length > 1 ? [] : open;
  const isOfRefunds = refunds.some((known) => isGivingBack({ entries }, known.order));
  return { refund, isWhole: isWhole || (sale.deliveryStatusId === RETURNED && !isOfRefunds) };
}

function saleEntry(account: Account, facts: CatalogFacts) {
  const content = saleContent(account.sale, prepaidToCourier(account), facts);
  return { ...content, kind: "sale" as const, basisSeq: null, refundId: null, isAssumed: true };
}

/** The courier's register uses the order's prepayment, whatever became of its receipt, less what has gone back. */
function prepaidToCourier({ sale, entries }: Account): Kopecks {
  const known = knownToCourier(entries).filter((one) => one.kind !== "sale" || isRegistered(one));
  const prepaid = currentOf(known, "prepayment");
  return prepaid === null ? prepaidSum(sale) : kopecks(Math.max(0, leftOf(known, prepaid).total));
}

interface MeantReturn {
  readonly refund: StoredOrder | null;
  readonly isWhole: boolean;
}

/** For a refund order its goods, for a whole return all that is left. */
function returnEntry({ sale, entries }: Account, { refund, isWhole }: MeantReturn, facts: CatalogFacts) {
  const basis = basisNow(entries.filter(isLive));
  const left = basis === null ? nothing : leftOf(knownToCourier(entries), basis);
  const isOfPrepayment = basis?.kind === "prepayment";
  const where = { kind: "return" as const, basisSeq: basis?.seq ?? null, refundId: refund?.orderId ?? null };
  if (refund !== null) {
    const cost = goodsSum(refund);
    // A prepayment that is not registered yet may fail: then the whole return counts against the sale.
    const sum = isOfPrepayment && isRegistered(basis) ? kopecks(Math.min(cost, basis.total)) : cost;
    const lines = basis === null ? linesOf(refund.goods, refund, facts) : portionsOf(left.lines, refund.goods, sum);
    return { ...where, ...returnContent(refund, sale, lines, left, facts), total: sum, isAssumed: false };
  }
  // Before the sale is settled the prepayment goes back whole. How much of a sale came back is unknown.
  const isAll = basis !== null && (isWhole || isOfPrepayment);
  const content = returnContent(sale, sale, isAll ? left.lines : [], left, facts);
  const total = kopecks(isAll ? Math.max(0, left.total) : 0);
  return { ...where, ...content, total, isAssumed: !(isWhole && isAll) };
}

/** Leaves out queued receipts: they are withdrawn and made again to fit the courier's document. */
function knownToCourier(entries: readonly AccountEntry[]): readonly AccountEntry[] {
  return entries.filter((one) => (one.kind === "return" ? isRegistered(one) : one.state !== "queued"));
}

const nothing: Left = { total: 0, lines: [], forms: [], taken: [], beyondRates: kopecks(0), taxSystem: null };
