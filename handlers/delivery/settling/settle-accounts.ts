/**
 * Settles the accounts of changed orders and of print results: links refund orders to their sales, loads, plans,
 * applies, alerts, sets statuses. All steps run in the transaction of the change, under the shop's lock.
 */
import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { toQuantityNumber, toRoublesNumber } from "@fiscald/shared/amounts.js";
import type { FaultCode } from "@fiscald/shared/fault-codes.js";
import type { ExpressionBuilder } from "kysely";
import type { PrintResult } from "../../print-server/host-callbacks.js";
import { findingsOf, whyReturnWaits } from "../account/balance.js";
import { refusedEdit } from "../account/edit-limits.js";
import {
  type Account,
  type AccountEntry,
  currentOf,
  type EntryState,
  isRegistered,
  isReturnOfWhole,
  returnsOf,
} from "../account/entries.js";
import { findByDocument, findByReceipt, loadAccounts, loadCatalogFacts } from "../account/load-accounts.js";
import { type AccountFinding, REST_UNREPORTED, saidOtherwise, UNBALANCED } from "../account/money-findings.js";
import { type CatalogFacts, oddRate } from "../account/order-receipt.js";
import { usedPaymentId } from "../account/payment-forms.js";
import { type DueReceipt, failedOf, type Plan, plan, wantedReceipts } from "../account/plan.js";
import { atFields, atOrder } from "../account/receipt-problem-fields.js";
import { alertLines } from "../account/statement.js";
import { groupBy } from "../catalog/records.js";
import type { FoundRecords } from "../catalog/references.js";
import { below, type Problem, problemOf, throwIfProblems } from "../http/api-errors.js";
import { formatApiTime } from "../http/wire-types.js";
import { recordRegisterLog, recordResult } from "../orders/fiscal-records.js";
import type { CommitScope, OrderChange } from "../orders/order-change.js";
import { collectedSum, isDelivered, isPaidOnline, isShortOfMoney, RETURNED } from "../orders/receipt-policy.js";
import { keyText, saleIdOf } from "../orders/rows.js";
import type { StoredOrder, StoredReturn } from "../orders/stored-order.js";
import { linkRefunds } from "../refunds/link-refunds.js";
import type { DeliveryTables } from "../store/delivery-tables.js";
import { ApplyPlan, moveEntry } from "./apply.js";
import { commitOrders, queueCallback } from "./commit.js";
import { assignReturnToRefund, type OwnDocument, recordDocument } from "./courier-documents.js";
import { addReturnOfPerson } from "./other-documents.js";

/**
 * `documents`: receipts of the courier's own register that came with the changes. The result has the requested changes
 * with the orders as they are now, without the sales of refund orders.
 */
export async function commitAccounts(
  scope: CommitScope,
  asked: readonly OrderChange[],
  { known, documents = [] }: { readonly known?: FoundRecords; readonly documents?: readonly OwnDocument[] } = {},
) {
  const { changes: linked, sales } = await linkRefunds(scope, asked, documents.length > 0);
  const changes = [...linked, ...sales];
  const settled = await settleAccounts(scope, { changes, documents, found: known });
  const now = new Map(settled.statuses.map(({ after }) => [keyText(after), after]));
  const withStatus = (change: OrderChange) => ({ ...change, after: now.get(keyText(change.after)) ?? change.after });
  const written = new Set(changes.map(({ after }) => keyText(after)));
  const others = settled.statuses.filter(({ after }) => !written.has(keyText(after)));
  const found = await commitOrders(scope, [...changes.map(withStatus), ...others], settled.found);
  return { changes: linked.map(withStatus), found };
}

/** The result of a receipt that belongs to no order is ignored, unless a person at the till had the receipt printed. */
export async function applyPrintResult(scope: CommitScope, result: PrintResult, timeZone: string): Promise<void> {
  const { tx, resource } = scope;
  const entry = result.receiptId === null ? null : await findByReceipt(tx, resource, result.receiptId);
  if (entry === null) {
    const added = await addReturnOfPerson(scope, result, timeZone);
    if (added === null) return;
    const { sale: order, isHidden } = added;
    await settleWritten(scope, [order.orderId]);
    return queueCallback(scope, [{ before: order, after: order, isHidden }]);
  }
  const { saleId, seq, order, isActive } = entry;
  const operation = entry.kind === "return" ? "return" : "sale";
  const document = await recordResult(tx, scope, { result, order, operation, timeZone });
  const state = nextState(entry, result.outcome);
  if (state === null) return;
  const known = document === null ? null : await findByDocument(tx, resource, document);
  // A courier has reported this very document before its print result came.
  const isSame = known?.by === "courier" && known.saleId === saleId && known.kind === entry.kind;
  if (known !== null && isSame) await moveEntry(scope, { saleId, seq: known.seq }, { state: "void" });
  // If another order has this number (its courier reported it, or a register numbers its documents from the start
  // again), the entry gets no number.
  await moveEntry(scope, { saleId, seq }, { state, ...(known === null || isSame ? document : null) });
  const registered = state === "registered" ? seq : undefined;
  await settleWritten(scope, [saleId], registered);
  // A further result may leave the order's statuses as they are; the shop still gets its callback.
  await queueCallback(scope, [{ before: order, after: order, isHidden: !isActive }]);
}

/** For orders whose alert has one of the codes: a missing setting, such as a `closeTypeId`, is there now. */
export async function settleByAlerts(scope: CommitScope, codes: readonly FaultCode[]): Promise<void> {
  const { tx, resource } = scope;
  const alerts = await tx
    .selectFrom("account_alerts")
    .select("sale_id")
    .where("resource", "=", resource)
    .where((where) => where.or(codes.map((code) => where("codes", "like", `%${code}%`))))
    .execute();
  const saleIds = alerts.map((row) => row.sale_id);
  await settleWritten(scope, saleIds);
}

/** For orders that are written already: only their statuses may change. */
export async function settleWritten(
  scope: CommitScope,
  saleIds: readonly string[],
  registered?: number,
): Promise<void> {
  const { statuses, found } = await settleAccounts(scope, { changes: [], saleIds, registered });
  if (statuses.length > 0) await commitOrders(scope, statuses, found);
}

/** Null: no change. Results come late and out of order, so a registered entry stays registered. */
function nextState({ state }: Pick<AccountEntry, "state">, outcome: PrintResult["outcome"]): EntryState | null {
  const next = outcome === "printed" ? "registered" : outcome;
  return state === next || state === "registered" ? null : next;
}

interface ToSettle {
  readonly changes: readonly OrderChange[];
  readonly saleIds?: readonly string[];
  readonly documents?: readonly OwnDocument[];
  readonly registered?: number | undefined;
  readonly found?: FoundRecords | undefined;
}

interface Settled {
  readonly statuses: readonly OrderChange[];
  readonly found: FoundRecords | undefined;
}

/** An account is planned again after each withdrawal. After this many rounds the shop gets an alert. */
const MAX_ROUNDS = 10;

/** Does not write the orders, so that a request writes each order once. */
async function settleAccounts(
  scope: CommitScope,
  { changes, saleIds = [], documents = [], registered, found: records }: ToSettle,
): Promise<Settled> {
  const { tx, resource, backend } = scope;
  const known = new Map(
    changes.map(({ after: order, isHidden = false }) => [keyText(order), { order, isActive: !isHidden }]),
  );
  const ids = [...changes.map(({ after }) => saleIdOf(after)), ...saleIds];
  const isNew = new Set(
    changes.flatMap(({ before, after, isRestored }) =>
      before === null && !after.isRefund && isRestored !== true ? [after.orderId] : [],
    ),
  );
  const loaded = await loadAccounts(tx, resource, ids, { known, isNew });
  const accounts = [...loaded.values()].filter((account) => documents.length > 0 || isConcerned(scope, account));
  if (accounts.length === 0) return { statuses: [], found: records };

  const orders = accounts.flatMap(({ sale, refunds }) => [sale, ...refunds.map(({ order }) => order)]);
  const facts = await loadCatalogFacts(tx, resource, orders, records);
  const apply = new ApplyPlan(scope, accounts);
  for (const document of documents) await recordDocument(scope, apply, document, facts);
  const ofRefunds = changes.filter(({ after }) => after.isRefund);
  for (const change of ofRefunds) await assignReturnToRefund(scope, apply, change, facts);

  const { impossible, notSettled } = await takePlans(scope, { apply, accounts, facts, changes });
  for (const { before, after, place = "" } of scope.isWritten === true ? changes : []) {
    const was = after.isRefund ? undefined : accounts.find(({ saleId }) => saleId === after.orderId);
    if (was === undefined) continue;
    const is = apply.accountOf(after.orderId);
    const said = (order: StoredOrder | null) => [order?.namedPayments, order?.paymentId, order?.statusId];
    if (is.entries.length === was.entries.length && isDeepStrictEqual(said(before), said(after))) continue;
    for (const { warning } of saidOtherwise(is, facts)) scope.warn?.(`${place}${warning.path}`, warning.message);
  }
  for (const { after, place = "" } of backend.kit === null ? [] : ofRefunds) {
    const why = whyReturnWaits(apply.accountOf(saleIdOf(after)), after);
    if (why !== null) scope.warn?.(`${place}goods`, `have no return's receipt yet: ${why}`);
  }
  const statuses: OrderChange[] = [];
  for (const { saleId, entries } of accounts) {
    const account = apply.accountOf(saleId);
    const wanted = wantedReceipts(account, backend.rules);
    const found = [
      ...findingsOf(account, { impossible: impossible.get(saleId) ?? [], wanted }, facts),
      ...(notSettled.has(saleId) ? [LOOP_ALERT] : []),
    ];
    // A shop that prints in another way misses no receipt of ours.
    const findings = backend.kit === null ? [] : found;
    await alert(scope, account, findings);
    for (const change of scope.isWritten === true || findings.length === 0 ? [] : changes) {
      const odd = saleIdOf(change.after) === saleId ? refusedEdit(account, change, facts, true) : null;
      if (odd !== null)
        scope.warn?.(odd.place, "contradict a receipt that is out: they are stored, and the shop gets an alert");
    }
    const known = new Set(entries.map(({ seq }) => seq));
    const isNews = ({ seq }: AccountEntry) => seq === registered || !known.has(seq);
    const failed = wanted.filter((one) => failedOf(account, one) !== null);
    statuses.push(...statusChanges(account, { findings, failed, isNews, found: facts.found }));
  }
  return { statuses, found: facts.found };
}

const LOOP_ALERT: AccountFinding = {
  code: UNBALANCED,
  text: "Its receipts are withdrawn again and again.",
  unprinted: null,
};
const none: Plan = { withdraw: [], enqueue: [], isMore: false, impossible: [] };

interface Rounds {
  readonly apply: ApplyPlan;
  readonly accounts: readonly Account[];
  readonly facts: CatalogFacts;
  readonly changes: readonly OrderChange[];
}

/** Fault "api.invalid" for a change that contradicts a printed receipt, or of which no receipt can be made. */
async function takePlans(scope: CommitScope, { apply, accounts, facts, changes }: Rounds) {
  const { rules, kit } = scope.backend;
  const changesOf = groupBy(changes, ({ after }) => saleIdOf(after));
  const retried = new Set(changes.map(({ after }) => keyText(after)));
  const impossible = new Map<string, Plan["impossible"]>();
  const maxRounds = MAX_ROUNDS + Math.max(...accounts.map(({ refunds }) => refunds.length));
  let open = accounts.map(({ saleId }) => saleId);
  for (let round = 0; open.length > 0 && round < maxRounds; round += 1) {
    const problems: Problem[] = [];
    const plans = open.map((saleId) => {
      const account = apply.accountOf(saleId);
      const made = kit === null ? none : plan(account, facts, { rules, retried, impossible: impossible.get(saleId) });
      // While the account's receipts can still be withdrawn, no edit is refused.
      const written = made.withdraw.length === 0 ? (changesOf.get(saleId) ?? []) : [];
      for (const change of written) {
        const refusal = refusedEdit(account, change, facts, scope.isWritten === true);
        if (refusal !== null) problems.push(below(change.place ?? "", refusal));
      }
      return { saleId, plan: made };
    });
    throwIfProblems(problems);
    for (const { saleId, plan: made } of plans) {
      impossible.set(saleId, made.impossible);
      for (const { wanted, content } of made.enqueue) {
        const odd = oddRate({ kind: wanted.kind, lines: content.lines });
        const change = changesOf.get(saleId)?.find(({ after }) => keyText(after) === keyText(wanted.order));
        if (odd !== null && change !== undefined)
          scope.warn?.(`${change.place ?? ""}goods`, `the ${wanted.kind} ${odd}`);
      }
    }
    for (const { saleId, planned, fault } of await apply.take(plans)) {
      const { wanted, receipt, content } = planned;
      const change = changesOf.get(saleId)?.find(({ after }) => keyText(after) === keyText(wanted.order));
      const atOrderFields = atOrder(fault, { order: wanted.order, receipt, lines: content.lines });
      const wrong = change !== undefined && isWrittenNow(scope, change) ? atFields(atOrderFields, change.place) : null;
      if (wrong !== null) problems.push(problemOf(wrong));
      impossible.set(saleId, [...(impossible.get(saleId) ?? []), { wanted, fault: atOrderFields }]);
    }
    throwIfProblems(problems);
    open = plans.flatMap(({ saleId, plan: made }) => (made.isMore ? [saleId] : []));
  }
  return { impossible, notSettled: new Set(open) };
}

/** Most new orders need no receipt: nothing more is read for them. */
function isConcerned({ backend }: CommitScope, account: Account): boolean {
  if (account.entries.length > 0 || account.alert !== null) return true;
  const { sale, refunds } = account;
  const isWanted = backend.kit !== null && wantedReceipts(account, backend.rules).length > 0;
  const isMoved = collectedSum(sale) !== 0 || sale.canceledPaid !== undefined;
  return isWanted || isMoved || refunds.length > 0 || isShortOfMoney(sale);
}

/** The request itself makes the receipt due. A receipt that was refused before keeps its alert. */
function isWrittenNow({ isWritten }: CommitScope, { before, after }: OrderChange): boolean {
  if (isWritten !== true || before?.frReceiptStatusId === 2) return false;
  return isPaidOnline(after) && !isDelivered(after) && !after.isRefund;
}

/** Once for each state of the account, its sums included, and once when the account balances again. */
async function alert(scope: CommitScope, account: Account, findings: readonly AccountFinding[]): Promise<void> {
  const { backend, tx, resource, now } = scope;
  const { saleId, sale } = account;
  const [first] = findings;
  const lines = first === undefined ? [] : alertLines(account, findings);
  const key = first === undefined ? null : lines.join("\n");
  if (key === account.alert) return;
  const codes = [...new Set(findings.map(({ code }) => code))].join(" ");
  const own = (is: ExpressionBuilder<DeliveryTables, "account_alerts">) => is.and({ resource, sale_id: saleId });
  const [was] = await tx.deleteFrom("account_alerts").where(own).returning("codes").execute();
  if (key !== null) {
    const row = { resource, sale_id: saleId, findings: key, codes, alerted_at: now };
    await tx.insertInto("account_alerts").values(row).execute();
  }
  // A shop that never reports the rest beside a prepayment has this finding at each order: one alert a day is enough.
  // An order that had another finding too gets its own alert, because the shop was told of that order.
  const isDaily = codes === REST_UNREPORTED && (was === undefined || was.codes === REST_UNREPORTED);
  if (first === undefined && was?.codes === REST_UNREPORTED) return;
  const is = first === undefined ? "balances again." : `does not balance: ${lines.join(" ")}`;
  const text = `Order ${saleId} ${is}${isDaily ? " Further orders with this finding get no alert today; /orderAccounts names it." : ""}`;
  const refusal = { code: first?.code ?? null, text };
  const frId = isDaily ? `${REST_UNREPORTED}:${formatApiTime(now).slice(0, 10)}` : `account:${saleId}:${randomUUID()}`;
  if (!(await recordRegisterLog(tx, { resource, now, frId, order: sale, result: null, refusal }))) return;
  const fields = { resource, order: saleId, code: refusal.code };
  const level = first === undefined ? "info" : "error";
  backend.store.afterCommit(tx, () => backend.logger[level](refusal.text, fields));
}

interface Outcome {
  readonly findings: readonly AccountFinding[];
  readonly failed: readonly DueReceipt[];
  readonly isNews: (entry: AccountEntry) => boolean;
  readonly found: FoundRecords;
}

/** A due receipt that failed, is in doubt or is missing shows before a printed receipt. */
function statusChanges(account: Account, { findings, failed, isNews, found }: Outcome): readonly OrderChange[] {
  const { sale, isHidden, refunds, entries } = account;
  const orders = [{ order: sale, isActive: !isHidden }, ...refunds];
  return orders.flatMap(({ order, isActive }) => {
    const own = entries.filter(({ refundId }) => refundId === (order.isRefund ? order.orderId : null));
    const isMissing = findings.some(({ unprinted }) => unprinted === keyText(order));
    const hasFailed =
      own.some(({ state }) => state === "unknown") || failed.some((one) => keyText(one.order) === keyText(order));
    const isPrinted = own.some(isRegistered);
    const isOnItsWay = own.some(({ state }) => state === "queued" || state === "handed");
    const rest: Pick<StoredOrder, "receiptStatusId" | "frReceiptStatusId"> = isOnItsWay
      ? order
      : { receiptStatusId: 0, frReceiptStatusId: 0 };
    const printed = own.find((entry) => isRegistered(entry) && isNews(entry));
    // Before the sale the prepayment goes back whole; after it only what the sale did not use.
    const basis = currentOf(entries, "sale") === null ? "prepayment" : "sale";
    const back = returnsOf(entries, basis).find((one) => isReturnOfWhole(one) && isRegistered(one));
    const isBack = back !== undefined && !order.isRefund && order.deliveryStatusId === RETURNED;
    const after: StoredOrder = {
      ...order,
      ...(isBack ? { isReturned: true, returnedOrder: order.returnedOrder ?? returnedWhole(order, back) } : {}),
      receiptStatusId: isPrinted ? 1 : hasFailed ? 2 : rest.receiptStatusId,
      frReceiptStatusId: hasFailed || isMissing ? 2 : isPrinted ? 1 : rest.frReceiptStatusId,
      frUsedPaymentId: printed === undefined ? order.frUsedPaymentId : usedPaymentId(order, sale, printed, found),
    };
    return isDeepStrictEqual(order, after) ? [] : [{ before: order, after, isHidden: !isActive }];
  });
}

/** What came back with status 6, shown like a refund order of everything. */
function returnedWhole({ orderId, returnReasonId }: StoredOrder, { lines, createdAt: at }: AccountEntry): StoredReturn {
  const entry = { refundId: orderId, createdAt: formatApiTime(at) };
  return {
    returnedOrderId: orderId,
    returnReasonId,
    createdAt: entry.createdAt,
    returnedPayments: [],
    returnedGoods: lines.map(({ of: { goodId }, line }) => ({
      ...{ ...entry, goodId, returnReasonId },
      ...{ count: toQuantityNumber(line.quantity), sum: toRoublesNumber(line.total) },
    })),
  };
}
