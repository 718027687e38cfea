/** What must hold of an order's money in the end, by what was printed (domain 5.1, 5.4, 8.5); pure. */
import { ONE_UNIT } from "@fiscald/shared/amounts.js";
import { type ItemLine, itemsOf, type SaleReceipt, totalOf } from "@fiscald/shared/receipt/receipt.js";
import type { Telling } from "./money-told.js";
import { type DocumentKind, type KnownDocument, knownDocuments, type MoneyDocument } from "./money-truth.js";

export interface SoldGoods {
  readonly taxId?: string | number | null;
  readonly total: number;
  readonly discountTotal: number;
  readonly count: number;
  readonly canceledItems?: readonly { readonly count: number }[];
}

export interface RefundFacts {
  readonly orderId: string | number;
  readonly statusId: number;
  /** 2 = its receipt is in trouble, which the shop sees. */
  readonly frReceiptStatusId: number;
  readonly goods: readonly SoldGoods[];
}

export interface MoneyFacts {
  readonly documents: readonly MoneyDocument[];
  readonly order: {
    readonly orderId: string | number;
    readonly statusId: number;
    readonly deliveryStatusId: number;
    readonly goods: readonly SoldGoods[];
  };
  readonly refunds: readonly RefundFacts[];
  /** Status 6 was accepted at some time. */
  readonly wasReturned: boolean;
  /** A failed receipt was printed after all: it may say what the order says no more. What it may not do is use money twice. */
  readonly isLate: boolean;
  /** Whether order and catalog said such a line at some time. */
  readonly mayBeSold: (line: ItemLine) => boolean;
  readonly told: ReadonlySet<Telling>;
}

/** What is wrong and not told, in words. */
export function wrongOf(facts: MoneyFacts): readonly string[] {
  const parts = partsOf(facts);
  // Where every result came in its time, and from our tills only, there is nothing that could not be known.
  const use = new Wrong(isTimely(facts, parts) ? new Set() : facts.told);
  checkWriting(facts, parts, use);
  checkUse(facts, parts, use);
  checkLines(parts, use);
  checkForms(parts, use);
  const due = new Wrong(facts.told);
  checkDue(facts, parts, due);
  if (isTimely(facts, parts)) checkTold(facts, due);
  return [...use.words, ...due.words];
}

function isTimely({ isLate }: MoneyFacts, { known }: Parts): boolean {
  return !isLate && !known.some(isByCourier);
}

/** Where there is nothing that could not be known, nothing of it is told. */
function checkTold({ told }: MoneyFacts, wrong: Wrong): void {
  const never: readonly Telling[] = [...anyDouble, "rates of the prepayment", "rates of the sale", "too little left"];
  for (const telling of never) wrong.unless(!told.has(telling), `told for nothing: ${telling}`, []);
}

type Parts = ReturnType<typeof partsOf>;

function partsOf({ documents, order }: MoneyFacts) {
  const known = knownDocuments(documents, String(order.orderId));
  const of = (kind: DocumentKind) => known.filter((one) => one.kind === kind);
  const [prepayments, sales, prepaidBack, saleBack] = [
    of("prepayment"),
    of("sale"),
    of("prepaid back"),
    of("sale back"),
  ];
  const [settlement] = sales;
  const prepaid = sumOf(prepayments);
  const used = usedOf(settlement, prepaid, prepaidBack);
  return {
    known,
    prepayments,
    sales,
    prepaidBack,
    saleBack,
    settlement,
    prepaid,
    used,
    left: prepaid - sumOf(prepaidBack) - used,
  };
}

/** What the settlement took of the prepayment: the courier's register all that was left then. */
function usedOf(settlement: KnownDocument | undefined, prepaid: number, back: readonly KnownDocument[]): number {
  if (settlement === undefined || prepaid === 0) return 0;
  if (settlement.receipt !== null) return formOf(settlement.receipt, PREPAYMENT);
  return Math.min(settlement.sum, Math.max(0, prepaid - sumOf(back.filter(({ at }) => at < settlement.at))));
}

const PREPAYMENT = 2;

const receiptsOf = (documents: readonly KnownDocument[]) =>
  documents.flatMap(({ receipt }) => (receipt === null ? [] : [receipt]));
const sumOf = (documents: readonly KnownDocument[]) => documents.reduce((sum, one) => sum + one.sum, 0);
const isByCourier = ({ by }: KnownDocument) => by === "courier";

function formOf({ payments }: SaleReceipt, wanted: number): number {
  return payments.reduce((sum, { typeClose, sum: part }) => sum + (typeClose === wanted ? part : 0), 0);
}

/** Without what was cancelled. */
export function soldSum(goods: readonly SoldGoods[]): number {
  return goods.reduce((sum, item) => sum + costOfItem(item), 0);
}

function costOfItem({ total, discountTotal, count, canceledItems = [] }: SoldGoods): number {
  const canceled = canceledItems.reduce((all, part) => all + part.count, 0);
  const left = Math.max(0, Number((count - canceled).toFixed(6)));
  // Half a kopeck is one, whatever binary fractions make of it.
  return Math.floor((Math.round(total * 100 + discountTotal * 100) * left) / count + 0.5 + 1e-6);
}

/** Every receipt is one that a register takes, and sells what order and catalog said. */
function checkWriting({ mayBeSold }: MoneyFacts, { known, prepayments, sales }: Parts, wrong: Wrong): void {
  for (const receipt of receiptsOf(known)) {
    const lines = itemsOf(receipt);
    const paid = receipt.payments.reduce((sum, payment) => sum + payment.sum, 0);
    wrong.unless(paid === totalOf(receipt), `${paid} paid of ${totalOf(receipt)}`, []);
    wrong.unless(new Set(lines.map(({ method }) => method)).size === 1, "one method on one receipt", []);
    for (const { price, quantity, total, name } of lines) {
      const exact = (price * quantity) / ONE_UNIT;
      wrong.unless(Math.abs(exact - total) <= 1, `${total} is not ${price} x ${quantity}: ${name}`, []);
      wrong.unless(total > 0, `${total} of ${name}`, []);
    }
  }
  for (const line of receiptsOf([...prepayments, ...sales]).flatMap(itemsOf)) {
    wrong.unless(mayBeSold(line), `nobody said ${line.name} of type ${line.subject} at rate ${line.tax}`, []);
  }
}

/** Nothing is sold twice, settled with twice, or given back twice, by whichever register. */
function checkUse(facts: MoneyFacts, parts: Parts, wrong: Wrong): void {
  const { order, refunds } = facts;
  const { prepayments, sales, prepaidBack, saleBack, settlement, prepaid, used, left } = parts;
  wrong.unless(prepayments.length <= 1, `${prepayments.length} prepayments`, ["twice"]);
  wrong.unless(sales.length <= 1, `${sales.length} sales`, ["twice"]);
  const ofPrepayment = ["prepayment", "twice", "unnamed return"] as const;
  const ofSale = ["sale", "twice", "no sale", "unnamed return"] as const;
  wrong.unless(left >= 0, `${left} left of the prepayment`, ofPrepayment);
  if (settlement?.by === "us" && isTimely(facts, parts)) {
    const before = prepaid - sumOf(prepaidBack.filter(({ at }) => at < settlement.outAt));
    const due = Math.min(settlement.sum, before);
    wrong.unless(used === due, `${used} of the prepayment is settled with, not ${due}`, []);
  }
  const sold = settlement?.sum ?? 0;
  // What is sold and given back by the courier's register alone names no sums: there is nothing of ours in that.
  const isOurs = ![...sales, ...saleBack].every(isByCourier);
  wrong.unless(!isOurs || sumOf(saleBack) <= sold, `${sumOf(saleBack)} of ${sold} sold is back`, ofSale);
  for (const { orderId, goods } of refunds) {
    // A courier's return has the sale's own id: its receipt is told from the sale's returns by the sums only.
    if (String(orderId) === String(order.orderId)) continue;
    const own = [...prepaidBack, ...saleBack].filter(({ refundId }) => refundId === String(orderId));
    wrong.unless(own.length <= 1, `refund ${orderId} has ${own.length} receipts`, ["twice", "sale", "prepayment"]);
    for (const { kind, by, sum } of own) {
      if (by === "courier") continue;
      const cost = soldSum(goods);
      const isRight = kind === "sale back" ? sum === cost : sum <= Math.min(cost + 1, prepaid);
      // Edited while its receipt was held for failed.
      wrong.unless(isRight, `refund ${orderId} of ${cost} gave back ${sum} (${kind})`, ["says otherwise"]);
    }
  }
}

const anyDouble = [
  "twice",
  "prepayment",
  "sale",
  "no sale",
  "unnamed return",
  "assumed sale",
  "assumed share",
] as const;

/** Lines of what went back, against the receipts of ours that gave them: never against the order. */
function checkLines({ prepayments, sales, prepaidBack, saleBack }: Parts, wrong: Wrong): void {
  const pairs = [
    [prepayments, prepaidBack, "prepayment"],
    [sales, saleBack, "sale"],
  ] as const;
  for (const [given, back, of] of pairs) {
    // What the courier's register sold has no lines that we know.
    if (given.some(isByCourier)) continue;
    const sums = byLine(receiptsOf(given));
    const isWhole = back.length > 0 && !back.some(isByCourier) && sumOf(given) === sumOf(back);
    for (const [line, sum] of byLine(receiptsOf(back))) {
      const most = sums.get(line) ?? 0;
      // The sum is right where only the rates are told: that excuses nothing else.
      const excuses = [...anyDouble, `rates of the ${of}`] as const;
      wrong.unless(sum <= most, `${sum} of ${most} of the ${of} back: ${line}`, excuses);
      wrong.unless(!isWhole || sum === most, `all of the ${of} is back, but ${sum} of ${most}: ${line}`, excuses);
    }
  }
}

function checkForms(
  { prepayments, sales, prepaidBack, saleBack, settlement, prepaid, left }: Parts,
  wrong: Wrong,
): void {
  if (sales.some(isByCourier)) return;
  const taken = byForm(receiptsOf([...prepayments, ...sales]), prepaid > 0 ? PREPAYMENT : null);
  const all = [...prepaidBack, ...saleBack];
  // What was settled with, and is back besides, is in no form any more.
  const excuses = anyDouble;
  const back = byForm(receiptsOf(all), null);
  for (const [form, sum] of back) {
    const most = taken.get(form) ?? 0;
    wrong.unless(sum <= most, `${sum} back in form ${form}, which took ${most}`, excuses);
  }
  const isAllBack = left === 0 && sumOf(saleBack) === (settlement?.sum ?? 0) && !all.some(isByCourier);
  if (isAllBack && back.size > 0) wrong.unless(same(taken, back), "all is back, in other forms", excuses);
}

function byLine(receipts: readonly SaleReceipt[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { name, tax, subject, unit, method, agent, total } of receipts.flatMap(itemsOf)) {
    const line = JSON.stringify({ name, tax, subject, unit, method, agent });
    sums.set(line, (sums.get(line) ?? 0) + total);
  }
  return sums;
}

function byForm(receipts: readonly SaleReceipt[], without: number | null): ReadonlyMap<number, number> {
  const sums = new Map<number, number>();
  for (const { typeClose, sum } of receipts.flatMap(({ payments }) => payments)) {
    if (typeClose !== without) sums.set(typeClose, (sums.get(typeClose) ?? 0) + sum);
  }
  return sums;
}

function same(one: ReadonlyMap<number, number>, other: ReadonlyMap<number, number>): boolean {
  return [...new Set([...one.keys(), ...other.keys()])].every(
    (form) => (one.get(form) ?? 0) === (other.get(form) ?? 0),
  );
}

const any = [
  ...anyDouble,
  "says otherwise",
  "delivered again",
  "too little left",
  "rest of the whole",
  "no receipt",
] as const;

/** What has to be printed in the end; where a person was told of anything, he decides. */
function checkDue(facts: MoneyFacts, parts: Parts, wrong: Wrong): void {
  const { order, refunds, isLate, wasReturned } = facts;
  const { known, settlement, saleBack, prepaidBack, left } = parts;
  const isByUs = !known.some(isByCourier);
  const back = sumOf(saleBack);
  const soldNow = soldSum(order.goods);
  const ofLeft = any;
  const isDelivered = order.deliveryStatusId === 3 || order.deliveryStatusId === 4;
  if (isDelivered && order.statusId === 1 && soldNow > 0)
    wrong.unless(settlement !== undefined, "a delivered order has its sale", any);
  if (settlement !== undefined)
    wrong.unless(settlement.sum === soldNow, `the sale of ${settlement.sum} is of ${soldNow}`, any);
  if (isDelivered && (settlement !== undefined || soldNow === 0))
    wrong.unless(left === 0, `${left} left after the delivery`, ofLeft);
  if (order.deliveryStatusId === 6 && refunds.length === 0) {
    wrong.unless(left === 0, `${left} left of a returned order's prepayment`, ofLeft);
    const sold = settlement?.sum ?? 0;
    wrong.unless(back === sold, `${back} of ${sold} given back of a returned order's sale`, any);
  }
  if (!wasReturned && refunds.length === 0)
    wrong.unless(back === 0 || !isByUs, `${back} given back of what did not come back`, []);
  if (isLate || !isByUs || settlement === undefined) return;
  const isWholeBack = saleBack.some(({ refundId }) => refundId === null);
  for (const { orderId, statusId, frReceiptStatusId } of refunds) {
    if (String(orderId) === String(order.orderId)) continue;
    const isDone = [...prepaidBack, ...saleBack].some(({ refundId }) => refundId === String(orderId));
    // More than was sold in the end is in trouble for good: its receipt had failed before the sale, and an edit of it is 422.
    const isKnown = statusId !== 1 || frReceiptStatusId === 2;
    wrong.unless(isDone || isKnown || isWholeBack, `refund ${orderId} has no receipt`, any);
  }
}

class Wrong {
  readonly words: string[] = [];
  readonly #told: ReadonlySet<Telling>;

  constructor(told: ReadonlySet<Telling>) {
    this.#told = told;
  }

  unless(isSo: boolean, what: string, excuses: readonly Telling[]): void {
    if (!isSo && !excuses.some((telling) => this.#told.has(telling))) this.words.push(what);
  }
}
