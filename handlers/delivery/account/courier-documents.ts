/** Receipts of a courier's own register: fiscal facts, always stored, and never printed again by ours. */

import { type Kopecks, kopecks } from "@fiscald/shared/amounts.js";
import type { z } from "zod";
import type { courierReceiptIn } from "../couriers/courier-schemas.js";
import { invalid } from "../http/api-errors.js";
import { toWireId } from "../http/wire-types.js";
import type { CommitScope } from "../orders/commit.js";
import type { StoredOrder } from "../orders/stored-order.js";
import type { Writer } from "../store/delivery-store.js";
import { jsonObject } from "../store/stored-json.js";
import type { ApplyPlan } from "./apply.js";
import {
  type Account,
  type AccountEntry,
  basisNow,
  currentOf,
  isLive,
  isRegistered,
  type Left,
  leftOf,
} from "./entries.js";
import { returnContent, saleContent } from "./order-receipt.js";
import { isPaidRefund } from "./plan.js";
import { type CatalogFacts, linesOf } from "./receipt-lines.js";
import { goodsSum, prepaidSum, RETURNED } from "./receipt-policy.js";
import { portionsOf } from "./refundable-lines.js";

export interface OwnDocument {
  /** The sale or the refund order that it names. */
  readonly order: StoredOrder;
  readonly operation: "sale" | "return";
  readonly receipt: z.output<typeof courierReceiptIn>;
  /** It came with status 6. */
  readonly isWhole?: boolean;
}

/** A fact about an order's receipt, from our print server or from a courier's register. */
export interface FiscalRecord {
  readonly orderId: string;
  readonly operation: "sale" | "return";
  readonly serialNumber: string;
  readonly shiftNumber: string;
  readonly fn: string;
  readonly fdNumber: string;
  readonly receiptNumber: string;
  readonly fiscalSign: string;
  readonly dateTimeReceipt: string;
}

/** Fault "api.invalid" for a document that is recorded of another order, or of the other operation. */
export async function recordDocument(
  scope: CommitScope,
  apply: ApplyPlan,
  { order, operation: said, receipt, isWhole = false }: OwnDocument,
  facts: CatalogFacts,
): Promise<void> {
  const saleId = order.originalOrderId ?? order.orderId;
  const operation = order.isRefund ? "return" : said;
  const known = await findDocument(scope, receipt);
  if (known !== null && known.saleId !== saleId) {
    throw invalid("receipt.fdNumber", `is a document of order ${known.saleId}`);
  }
  const account = apply.accountOf(saleId);
  if (known === null) {
    const entry =
      operation === "sale" ? saleEntry(account, facts) : returnEntry(account, meantBy(account, order, isWhole), facts);
    const named = entry.refundId ?? saleId;
    await saveFiscalRecord(scope.tx, scope, { ...receipt, orderId: named, operation }, receipt.fdNumber);
    await apply.append([{ saleId, entry: { ...entry, ...asDocument, fn: receipt.fn, fd: receipt.fdNumber } }]);
    return;
  }
  const entry = account.entries.find(({ seq }) => seq === known.seq);
  if (entry === undefined) return;
  const is = entry.kind === "return" ? "return" : "sale";
  if (is !== operation) throw invalid("receipt.fdNumber", `is a ${is} of order ${saleId}`);
  if (order.isRefund && entry.refundId !== order.orderId) {
    if (entry.refundId !== null) throw invalid("receipt.fdNumber", `is a document of order ${entry.refundId}`);
    await nameReturn(scope, apply, { saleId, entry, refund: order, facts });
  }
}

const asDocument = { by: "courier", state: "registered", receiptId: null, details: null } as const;

/**
 * The refund order that a return without a name is of: it takes the place of the unnamed one. A prepayment went back as a
 * whole, whatever the refund order costs.
 */
export async function nameReturn(
  { tx, resource }: CommitScope,
  apply: ApplyPlan,
  {
    saleId,
    entry,
    refund,
    facts,
  }: {
    readonly saleId: string;
    readonly entry: AccountEntry;
    readonly refund: StoredOrder;
    readonly facts: CatalogFacts;
  },
): Promise<void> {
  await apply.move(saleId, entry.seq, { state: "void" });
  const account = apply.accountOf(saleId);
  const known = account.entries.find(({ seq }) => seq === entry.basisSeq);
  const isOfPrepayment = known?.kind === "prepayment" && isLive(known);
  const named = isOfPrepayment
    ? { ...entry, refundId: refund.orderId }
    : returnEntry(account, { refund, isWhole: false, known }, facts);
  const { fn, fd } = entry;
  await apply.append([{ saleId, entry: { ...named, ...asDocument, isAssumed: true, fn, fd } }]);
  const record = await tx
    .selectFrom("delivery_order_receipts")
    .select(["id", "body"])
    .where("resource", "=", resource)
    .where("fn", "=", fn ?? "")
    .where("fd_number", "=", fd ?? "")
    .executeTakeFirst();
  if (record === undefined) return;
  const { orderId } = refund;
  const body = JSON.stringify({ ...jsonObject(record.body), orderId: toWireId(orderId) });
  await tx
    .updateTable("delivery_order_receipts")
    .set({ order_id: orderId, body })
    .where("id", "=", record.id)
    .execute();
}

/** A return that names the sale is of the one refund order that has none, or of the whole at status 6. */
function meantBy({ sale, refunds, entries }: Account, order: StoredOrder, isWhole: boolean): MeantReturn {
  if (order.isRefund) return { refund: order, isWhole: false };
  const isDone = ({ orderId }: StoredOrder) => entries.some((one) => one.refundId === orderId && isRegistered(one));
  const open = refunds.flatMap((known) => (isPaidRefund(known.order) && !isDone(known.order) ? [known.order] : []));
  const [refund = null] = isWhole || open.length > 1 ? [] : open;
  return { refund, isWhole: isWhole || (sale.deliveryStatusId === RETURNED && refunds.length === 0) };
}

function saleEntry(account: Account, facts: CatalogFacts) {
  const content = saleContent(account.sale, prepaidToCourier(account), facts);
  return { ...content, kind: "sale" as const, basisSeq: null, refundId: null, isAssumed: true };
}

/** His register takes the prepayment that the order names, whatever becomes of its receipt, without what has gone back. */
function prepaidToCourier(account: Account): Kopecks {
  const entries = knownToCourier(account).entries.filter((one) => one.kind !== "sale" || isRegistered(one));
  const prepaid = currentOf(entries, "prepayment");
  return prepaid === null ? prepaidSum(account.sale) : kopecks(Math.max(0, leftOf(entries, prepaid).total));
}

interface MeantReturn {
  readonly refund: StoredOrder | null;
  readonly isWhole: boolean;
  /** What it was of when it came without a name. */
  readonly known?: AccountEntry | undefined;
}

/** Of a refund order its goods; of the whole all that is left. */
function returnEntry(account: Account, { refund, isWhole, known }: MeantReturn, facts: CatalogFacts) {
  const { sale } = account;
  const basis = known ?? basisNow(account.entries.filter(isLive));
  const left = basis === null ? null : leftOf(knownToCourier(account).entries, basis);
  const isOfPrepayment = basis?.kind === "prepayment";
  const where = { kind: "return" as const, basisSeq: basis?.seq ?? null, refundId: refund?.orderId ?? null };
  if (refund !== null) {
    const cost = goodsSum(refund);
    // A prepayment that is not registered may come to nothing: then all of it is of the sale.
    const isCapped = isOfPrepayment && basis !== null && isRegistered(basis);
    const sum = kopecks(isCapped ? Math.min(cost, Math.max(0, left?.total ?? 0)) : cost);
    const lines = left === null ? linesOf(refund.goods, refund, facts) : portionsOf(left.lines, refund.goods, sum);
    return { ...where, ...returnContent(refund, lines, left ?? nothing, facts), total: sum, isAssumed: false };
  }
  // Before the settlement the prepayment goes back whole; of a sale nobody has said how much it is.
  const isAll = left !== null && (isWhole || isOfPrepayment);
  const content = returnContent(sale, isAll ? left.lines : [], left ?? nothing, facts);
  const total = kopecks(isAll ? Math.max(0, left.total) : 0);
  return { ...where, ...content, total, isAssumed: !(isWhole && isAll) };
}

/** What the courier's register could know of. What nobody has yet is withdrawn, and made again beside the document. */
function knownToCourier(account: Account): Account {
  const isKnown = (one: AccountEntry) => (one.kind === "return" ? isRegistered(one) : one.state !== "queued");
  return { ...account, entries: account.entries.filter(isKnown) };
}

const nothing: Pick<Left, "forms" | "taxSystem"> = { forms: [], taxSystem: null };

/** The entry that has this document already. */
export async function findDocument(
  { tx, resource }: CommitScope,
  { fn, fdNumber }: Pick<FiscalRecord, "fn" | "fdNumber">,
) {
  const row = await tx
    .selectFrom("account_entries")
    .select(["sale_id as saleId", "seq"])
    .where("resource", "=", resource)
    .where("fn", "=", fn)
    .where("fd", "=", fdNumber)
    .where("state", "<>", "void")
    .executeTakeFirst();
  return row ?? null;
}

/** Kept once. `documentKey`: what tells the document from the others of its fiscal drive. */
export async function saveFiscalRecord(
  tx: Writer,
  { resource, now }: { readonly resource: number; readonly now: number },
  record: FiscalRecord,
  documentKey: string,
): Promise<void> {
  const { operation, ...shown } = record;
  await tx
    .insertInto("delivery_order_receipts")
    .values({
      resource,
      order_id: record.orderId,
      operation,
      fn: record.fn,
      fd_number: documentKey,
      body: JSON.stringify({ ...shown, orderId: toWireId(record.orderId) }),
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
