/** Decides which receipts of an account are due, and which queued ones are withdrawn (54-fz 10, 15). Pure. */
import { type Kopecks, kopecks, sumKopecks } from "@fiscald/shared/amounts.js";
import { type Fault, isFault } from "@fiscald/shared/fault.js";
import type { SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import {
  canceledPortions,
  goodsSum,
  hasMoney,
  isDelivered,
  isOnReceipt,
  isPaidFor,
  isSaleDue,
  prepaidSum,
  RETURNED,
  soldItems,
} from "../orders/receipt-policy.js";
import { keyText } from "../orders/rows.js";
import { itemSum } from "../orders/rules.js";
import type { StoredOrder } from "../orders/stored-order.js";
import {
  type Account,
  type AccountEntry,
  basisOf,
  currentOf,
  isLive,
  isOpenEntry,
  isOut,
  isPrepaidHere,
  isRegistered,
  isUnnamed,
  leftOf,
  returnsOf,
} from "./entries.js";
import {
  type CatalogFacts,
  freeLines,
  orderReceipt,
  prepaymentContent,
  type ReceiptContent,
  requireAgent,
  returnContent,
  saleContent,
} from "./order-receipt.js";
import { requireCloseTypes } from "./payment-forms.js";
import { portionsOf, portionsOfEach, totalOfGiven } from "./refundable.js";

export interface PlanRules {
  readonly printPrepaymentReceipt: boolean;
}

/** A receipt that is due or may stay queued. Its sums leave out its own entry in the account. */
export interface DueReceipt {
  readonly kind: AccountEntry["kind"];
  readonly basis: AccountEntry | null;
  readonly order: StoredOrder;
  readonly refundId: string | null;
  contentOf(facts: CatalogFacts): ReceiptContent;
}

export interface Planned {
  readonly wanted: DueReceipt;
  readonly content: ReceiptContent;
  readonly receipt: SaleReceipt;
  readonly details: string;
}

export interface Plan {
  readonly withdraw: readonly AccountEntry[];
  /** At most one receipt, because the next plan has to count it. */
  readonly enqueue: readonly Planned[];
  readonly isMore: boolean;
  readonly impossible: readonly { readonly wanted: DueReceipt; readonly fault: Fault }[];
}

export interface PlanOptions {
  readonly rules: PlanRules;
  /** Keys (`keyText`) of orders that the request has written: their failed receipts are tried again. */
  readonly retried: ReadonlySet<string>;
  readonly impossible?: Plan["impossible"] | undefined;
}

export function plan(
  account: Account,
  facts: CatalogFacts,
  { rules, retried, impossible: known = [] }: PlanOptions,
): Plan {
  const wanted = wantedReceipts(account, rules);
  const queued = account.entries.filter(({ state }) => state === "queued");
  const withdraw = queued.filter((entry) => isOutdated(account, entry, { wanted, facts }));
  if (withdraw.length > 0) return { withdraw, enqueue: [], isMore: true, impossible: known };
  const enqueue: Planned[] = [];
  const impossible = [...known];
  for (const one of wanted) {
    if (known.some(({ wanted: slot }) => isSameSlot(slot, one))) continue;
    if (liveOf(account.entries, one) !== undefined) continue;
    // A failed receipt is tried again when a request writes the order, not by its own result.
    if (failedOf(account, one) !== null && !retried.has(keyText(one.order))) continue;
    try {
      const made = make(one, facts);
      if (made.content.lines.length > 0) enqueue.push(made);
    } catch (fault) {
      if (!isFault(fault)) throw fault;
      impossible.push({ wanted: one, fault });
    }
  }
  return { withdraw, enqueue: enqueue.slice(0, 1), isMore: enqueue.length > 1, impossible };
}

export function wantedReceipts(account: Account, rules: PlanRules): readonly DueReceipt[] {
  const first = prepayment(account, rules);
  const isFirst = first.length > 0 && currentOf(account.entries, "prepayment") === null;
  return [...first, ...(isFirst ? [] : sale(account)), ...returnsOfPrepayment(account), ...returnsOfSale(account)];
}

/** Due when the order is paid, before its sale (54-fz 10). */
function prepayment({ sale: order, entries }: Account, { printPrepaymentReceipt }: PlanRules): readonly DueReceipt[] {
  const current = currentOf(entries, "prepayment");
  const isPaid = order.statusId === 1 || (isDelivered(order) && isPaidFor(order));
  if (!printPrepaymentReceipt || !isPaid || prepaidSum(order) === 0 || order.goods.length === 0) return [];
  if (currentOf(entries, "sale") !== null || !hasMoney(order)) return [];
  // A failed prepayment is not tried again once the goods are handed over: its receipt may still be printed late.
  const isLate = order.deliveryStatusId === RETURNED || (isDelivered(order) && isPrepaidHere(entries));
  if (current === null && isLate) return [];
  const contentOf = (facts: CatalogFacts) => prepaymentContent(order, facts);
  return [{ kind: "prepayment", basis: null, order, refundId: null, contentOf }];
}

/** Due while no receipt of the prepayment is queued, handed out or in doubt (54-fz 10, 15). */
function sale(account: Account): readonly DueReceipt[] {
  const { sale: order, entries } = account;
  const prepaid = currentOf(entries, "prepayment");
  const last = entries.findLast(({ kind }) => kind === "sale");
  // A sale's receipt stays queued when the order comes back, and is made again when such an order is edited.
  const isKept = order.deliveryStatusId === RETURNED && last !== undefined && last.state !== "failed";
  const isDue = isSaleDue(order) || (isKept && prepaid === null && isPaidFor(order));
  if (!isDue || (prepaid !== null && isOpenEntry(prepaid)) || returnsOf(entries, "prepayment").some(isOpenEntry))
    return [];
  const contentOf = (facts: CatalogFacts) => saleContent(order, offsetOf(account), facts);
  return [{ kind: "sale", basis: null, order, refundId: null, contentOf }];
}

/** The part of the sale that the prepayment pays: what is left of ours, or all of another program's prepayment. */
function offsetOf({ sale: order, entries }: Account): Kopecks {
  if (!isPrepaidHere(entries)) return prepaidSum(order);
  const [prepaid, sold] = [currentOf(entries, "prepayment"), currentOf(entries, "sale")];
  return kopecks(prepaid === null ? 0 : Math.max(0, leftOf(entries, prepaid, sold).total));
}

/** Before the sale is settled the whole prepayment goes back (54-fz 10); after the sale only its unused rest. */
function returnsOfPrepayment(account: Account): readonly DueReceipt[] {
  const { sale: order, refunds, entries } = account;
  const basis = currentOf(entries, "prepayment");
  const sold = currentOf(entries, "sale");
  if (basis === null || !isRegistered(basis) || (sold !== null && !isRegistered(sold))) return [];
  if (entries.some(isUnnamed)) return [];
  if (sold !== null) return returnOfAll(account, basis, order);
  const whole = refunds.find(({ order: refund }) => isPaidRefund(refund) && isOfWhole(refund, order))?.order;
  if (whole !== undefined) return returnOfAll(account, basis, whole);
  const isNothingSold = isDelivered(order) && isPaidFor(order) && !soldItems(order).some(isOnReceipt);
  return order.deliveryStatusId === RETURNED || isNothingSold ? returnOfAll(account, basis, order) : [];
}

/** `of`: the sale or a refund order. If the lines cost more than is left, cancelled lines go back first. */
function returnOfAll({ sale: order, entries }: Account, basis: AccountEntry, of: StoredOrder): readonly DueReceipt[] {
  const slot = { kind: "return", basis, refundId: of.isRefund ? of.orderId : null } as const;
  const left = leftOf(entries, basis, liveOf(entries, slot));
  const sum = kopecks(left.total);
  if (sum <= 0 || left.beyondRates > 0) return [];
  const isRest = sum !== totalOfGiven(left.lines);
  const lines = isRest ? portionsOf(left.lines, canceledPortions(order).filter(isOnReceipt), sum) : left.lines;
  return [{ ...slot, order: of, contentOf: (facts) => returnContent(of, order, lines, left, facts) }];
}

/** Status 6 returns all of the sale, unless refund orders do (54-fz 15). */
function returnsOfSale(account: Account): readonly DueReceipt[] {
  const { sale: order, entries } = account;
  const basis = currentOf(entries, "sale");
  if (basis === null || !isRegistered(basis) || entries.some(isUnnamed)) return [];
  const prepaid = currentOf(entries, "prepayment");
  // If more of the prepayment was used than was paid, the shop has an alert and decides what goes back.
  if (prepaid !== null && leftOf(entries, prepaid).total < 0) return [];
  const refunds = refundsOfSale(account);
  if (!refunds.some((refund) => isGivingBack(account, refund)))
    return order.deliveryStatusId === RETURNED ? returnOfAll(account, basis, order) : [];
  return refunds.filter(isPaidRefund).flatMap((refund): readonly DueReceipt[] => {
    const part = refundPortions(account, basis, refund);
    if (part === null) return [];
    const { lines, left } = part;
    const contentOf = (facts: CatalogFacts) => returnContent(refund, order, lines, left, facts);
    return [{ kind: "return", basis, refundId: refund.orderId, order: refund, contentOf }];
  });
}

export function refundPortions({ entries }: Account, basis: AccountEntry, refund: StoredOrder) {
  const left = leftOf(entries, basis, liveOf(entries, { kind: "return", basis, refundId: refund.orderId }));
  if (left.total < goodsSum(refund) || left.beyondRates > 0) return null;
  const lines = portionsOfEach(left.lines, refund.goods);
  return lines === null ? null : { lines, left };
}

export function isPaidRefund(refund: StoredOrder): boolean {
  return refund.statusId === 1 && hasMoney(refund);
}

/** A refund order that is not paid and has no receipt changes nothing. */
export function isGivingBack({ entries }: Pick<Account, "entries">, refund: StoredOrder): boolean {
  return isPaidRefund(refund) || entries.some((one) => one.refundId === refund.orderId && isLive(one));
}

export function refundsOfSale({ refunds, entries }: Account): readonly StoredOrder[] {
  const before = returnsOf(entries, "prepayment").map(({ refundId }) => refundId);
  return refunds.map(({ order }) => order).filter(({ orderId }) => !before.includes(orderId));
}

/** Only a refund order of all goods may give back a prepayment. */
export function isOfWhole(refund: StoredOrder, order: StoredOrder): boolean {
  return goodsSum(refund) >= sumKopecks(order.goods.map(itemSum));
}

type ReceiptSlot = Pick<DueReceipt, "kind" | "basis" | "refundId">;

function isSlot(
  entries: readonly AccountEntry[],
  entry: AccountEntry,
  { kind, basis, refundId }: ReceiptSlot,
): boolean {
  // A return that a person ordered at the till takes no other return's place, but reduces what is left.
  if (entry.kind !== kind || entry.refundId !== refundId || entry.by === "operator") return false;
  return kind !== "return" || basisOf(entries, entry) === basis?.kind;
}

function isSameSlot(slot: ReceiptSlot, { kind, basis, refundId }: ReceiptSlot): boolean {
  return slot.kind === kind && slot.refundId === refundId && slot.basis?.seq === basis?.seq;
}

/** A queued receipt is withdrawn if it is not due, has changed, or was handed out or printed as another entry. */
function isOutdated(
  { entries }: Account,
  entry: AccountEntry,
  { wanted, facts }: { readonly wanted: readonly DueReceipt[]; readonly facts: CatalogFacts },
): boolean {
  const of = wanted.find((one) => isSlot(entries, entry, one));
  if (of === undefined || entries.some((one) => isOut(one) && isLiveOf(entries, one, of))) return true;
  try {
    const { content, details } = make(of, facts);
    return entry.details !== details || moneyText(entry) !== moneyText(content);
  } catch (error) {
    if (!isFault(error)) throw error;
    return true;
  }
}

/** The due receipt's last entry, if it has failed and no other receipt has taken its place. */
export function failedOf({ entries }: Account, of: DueReceipt): AccountEntry | null {
  const last = entries.findLast((one) => isSlot(entries, one, of) && one.state !== "void");
  return last?.state === "failed" && liveOf(entries, of) === undefined ? last : null;
}

function liveOf(entries: readonly AccountEntry[], of: ReceiptSlot): AccountEntry | undefined {
  return entries.find((one) => isLiveOf(entries, one, of));
}

/** A prepayment's rest may go back in several returns, so a registered return of the rest is an earlier one. */
function isLiveOf(entries: readonly AccountEntry[], one: AccountEntry, of: ReceiptSlot): boolean {
  const isEarlierRest = of.basis?.kind === "prepayment" && of.refundId === null && isRegistered(one);
  return isSlot(entries, one, of) && isLive(one) && !isEarlierRest;
}

function make(wanted: DueReceipt, facts: CatalogFacts): Planned {
  const content = wanted.contentOf(facts);
  const operation = wanted.kind === "return" ? "return" : "sale";
  const free = wanted.kind === "sale" ? freeLines(wanted.order, facts) : [];
  const made = orderReceipt(wanted.order, operation, content, facts, free);
  // Only a sale has to know the kind of agent: a return repeats what its sale said.
  if (operation === "sale") requireAgent(wanted.order, facts);
  // A basis that was paid in one form goes back in that form, whatever the order's payment type is now.
  if (wanted.basis?.payments.length !== 1) requireCloseTypes(wanted.order, content.payments, facts);
  return { wanted, content, ...made };
}

function moneyText({ lines, payments, taxSystem }: ReceiptContent): string {
  return JSON.stringify([lines.map(({ line }) => line), payments, taxSystem]);
}
