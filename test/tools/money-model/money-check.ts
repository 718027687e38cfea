/** Rules for an order's money by its printed documents (54-fz 9, 10, 15). Pure. */
import { ONE_UNIT } from "@fiscald/shared/amounts.js";
import { type ItemLine, itemsOf, type SaleReceipt, totalOf } from "@fiscald/shared/receipt/receipt.js";
import type { Telling, Told } from "./money-told.js";
import {
  type DocumentKind,
  isByOperator,
  type KnownDocument,
  knownDocuments,
  type MoneyDocument,
} from "./money-truth.js";

export interface SoldGoods {
  readonly taxId?: string | number | null;
  readonly total: number;
  readonly discountTotal: number;
  readonly count: number;
  readonly canceledItems?: readonly { readonly count: number }[];
}

/** Every refund order of the model is paid. */
export interface RefundFacts {
  readonly orderId: string | number;
  readonly goods: readonly SoldGoods[];
  /** Its payment type, and no edit since, says so; a payment of 1.00 that links it to its sale may be by card. */
  readonly isInCash?: boolean;
}

/** The order by the model's own rules; only its goods are the API's. */
export interface OrderFacts {
  readonly orderId: string | number;
  readonly statusId: number;
  readonly isCovered: boolean;
  /** Money that couriers took and did not give back, in kopecks. */
  readonly collected: number;
  /** The most that may be sold in cash: what couriers took, or any sum once the shop has named cash. */
  readonly mostCash: number;
  /** True: couriers gave money back by a negative payment of the sale. */
  readonly hasGivenBack: boolean;
  /** The payment that the shop named last, in kopecks; null where nothing is known of its form. */
  readonly named: { readonly sum: number; readonly isInCash: boolean } | null;
  /** How often a courier cancelled a part of an order that the shop called paid, and of any other order. */
  readonly cancellations: { readonly paid: number; readonly other: number };
  /** In kopecks. */
  readonly prepaid: number;
  readonly printsPrepayment: boolean;
  readonly isInternetPayment: number;
  readonly deliveryStatusId: number;
  readonly isDeleted: boolean;
  readonly goods: readonly SoldGoods[];
}

export interface MoneyFacts {
  readonly documents: readonly MoneyDocument[];
  readonly order: OrderFacts;
  /** As the API shows the order. */
  readonly said: Pick<OrderFacts, "statusId" | "deliveryStatusId">;
  /** `frReceiptStatusId` in the API, of the sale and of refund orders with ids of their own. */
  readonly receiptStatuses: ReadonlyMap<string, number>;
  readonly refunds: readonly RefundFacts[];
  /** True: the API accepted status 6 at some time. */
  readonly wasReturned: boolean;
  /** True: a failed receipt was printed later. It may differ from the present order, but it may not use money twice. */
  readonly isLate: boolean;
  /** True: order and catalog allowed such a line at some time. */
  readonly mayBeSold: (line: ItemLine) => boolean;
  readonly told: readonly Told[];
}

/** Sentences about everything that is wrong and was not reported. */
export function wrongOf(facts: MoneyFacts): readonly string[] {
  const parts = partsOf(facts);
  // Where every result came in time, and from the shop's own tills only, everything could be known.
  const use = new Wrong(facts, isTimely(facts, parts) ? facts.told.filter(isByShop) : facts.told);
  checkWriting(facts, parts, use);
  checkUse(facts, parts, use);
  checkLines(parts, use);
  checkForms(parts, use);
  checkCash(facts, parts, use);
  const due = new Wrong(facts, facts.told);
  checkStatuses(facts, due);
  checkReceiptStatuses(facts, parts, due);
  checkPrepayment(facts, parts, due);
  checkSale(facts, parts, due);
  checkReturns(facts, parts, due);
  checkCancellations(facts, parts, due);
  if (isTimely(facts, parts)) {
    checkTold(facts, parts, due);
    checkGivenBack(facts, parts, due);
    checkNamed(facts, parts, due);
  }
  return [...use.words, ...due.words];
}

/** Decisions of the shop, which may be reported even if all results are in time. */
function isByShop({ telling }: Told): boolean {
  return telling === "other form";
}

function isTimely({ isLate, documents }: MoneyFacts, { known }: Parts): boolean {
  return !isLate && !known.some(isByCourier) && !documents.some(isByOperator);
}

/** Where everything could be known, none of these reports may exist. */
function checkTold({ told, refunds }: MoneyFacts, { settlement }: Parts, wrong: Wrong): void {
  const never: readonly Telling[] = [...anyDouble, "rates of the prepayment", "rates of the sale", "too little left"];
  for (const { telling, orderId } of told) {
    // A refund of the whole order may come before the delivery, which then sells less.
    const refund = refunds.find((one) => String(one.orderId) === orderId);
    const isTooMuch = refund !== undefined && settlement !== undefined && soldSum(refund.goods) > settlement.sum;
    const isRight = telling === "too little left" && isTooMuch;
    wrong.unless(!never.includes(telling) || isRight, `told for nothing: ${telling}`, []);
  }
}

/** Money that couriers gave back of the sale, without having taken it and beyond all returns, is told; nothing else is. */
function checkGivenBack({ order, told }: MoneyFacts, { prepaidBack, saleBack }: Parts, wrong: Wrong): void {
  const isTold = told.some(({ telling }) => telling.startsWith("given back"));
  wrong.unless(order.hasGivenBack || !isTold, "told for nothing: given back", []);
  const beyond = -order.collected - sumOf([...prepaidBack, ...saleBack]);
  // What they cancelled of an order that its shop had called paid, they give back of the shop's money.
  const isRight = beyond <= 0 || order.cancellations.paid > 0;
  wrong.unless(isRight, `${beyond} given back beyond all returns`, backWithoutReturn);
}

/** A payment of the prepayment's sum that the shop names in another form than its receipt is told. */
function checkNamed({ order: { named, prepaid, goods } }: MoneyFacts, parts: Parts, wrong: Wrong): void {
  const receipt = parts.prepayments[0]?.receipt ?? null;
  // After its return the money may be that of a later sale.
  if (sumOf(parts.prepaidBack) >= prepaid) return;
  // The payment of a half may be the other half's.
  if (named === null || receipt === null || named.sum !== prepaid || soldSum(goods) === 2 * prepaid) return;
  const inCash = formOf(receipt, CASH);
  wrong.unless(inCash === (named.isInCash ? prepaid : 0), "the prepayment is named in another form", [
    "paid in another form",
  ]);
}

const backWithoutReturn = ["given back without a return", "given back before a sale"] as const;

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

/** How much of the prepayment the settlement used; a courier's register uses all that was left then. */
function usedOf(settlement: KnownDocument | undefined, prepaid: number, back: readonly KnownDocument[]): number {
  if (settlement === undefined || prepaid === 0) return 0;
  if (settlement.receipt !== null) return formOf(settlement.receipt, PREPAYMENT);
  return Math.min(settlement.sum, Math.max(0, prepaid - sumOf(back.filter(({ at }) => at < settlement.at))));
}

const [CASH, PREPAYMENT] = [0, 2] as const;
const LINK = 100;

const receiptsOf = (documents: readonly KnownDocument[]) =>
  documents.flatMap(({ receipt }) => (receipt === null ? [] : [receipt]));
const sumOf = (documents: readonly KnownDocument[]) => documents.reduce((sum, one) => sum + one.sum, 0);
const isByCourier = ({ by }: KnownDocument) => by === "courier";

function formOf({ payments }: SaleReceipt, wanted: number): number {
  return payments.reduce((sum, { typeClose, sum: part }) => sum + (typeClose === wanted ? part : 0), 0);
}

/** Without cancelled pieces. */
export function soldSum(goods: readonly SoldGoods[]): number {
  return goods.reduce((sum, item) => sum + costOfItem(item), 0);
}

function costOfItem({ total, discountTotal, count, canceledItems = [] }: SoldGoods): number {
  const canceled = canceledItems.reduce((all, part) => all + part.count, 0);
  const left = Math.max(0, Number((count - canceled).toFixed(6)));
  // Half a kopeck is rounded up, whatever binary fractions make of it.
  return Math.floor((Math.round(total * 100 + discountTotal * 100) * left) / count + 0.5 + 1e-6);
}

/** A register would accept every receipt, and its lines are those of the order and the catalog. */
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

/** Nothing is sold, used for a settlement, or returned twice, on whichever register. */
function checkUse(facts: MoneyFacts, parts: Parts, wrong: Wrong): void {
  const { order, refunds } = facts;
  const { prepayments, sales, prepaidBack, saleBack, settlement, prepaid, used, left } = parts;
  wrong.unless(prepayments.length <= 1, `${prepayments.length} prepayments`, ["prepayment twice"]);
  wrong.unless(sales.length <= 1, `${sales.length} sales`, ["sale twice"]);
  // A till does not know what a courier's register gave back of the prepayment.
  const ofPrepayment = ["prepayment", ...twice, "unnamed return", "returned at till"] as const;
  // The courier's return is reported as one of the prepayment that a person should compare, because it may be one of
  // the sale. A courier's return of the whole before the sale is reported as delivered again.
  const ofSale = ["sale", ...twice, "no sale", "unnamed return", "assumed share", "delivered again"] as const;
  wrong.unless(left >= 0, `${left} left of the prepayment`, ofPrepayment);
  if (settlement?.by === "us" && isTimely(facts, parts)) {
    const before = prepaid - sumOf(prepaidBack.filter(({ at }) => at < settlement.outAt));
    const due = Math.min(settlement.sum, before);
    wrong.unless(used === due, `${used} of the prepayment is settled with, not ${due}`, []);
  }
  const sold = settlement?.sum ?? 0;
  // What the courier's register alone sells and returns has no known sums.
  const isOurs = ![...sales, ...saleBack].every(isByCourier);
  wrong.unless(!isOurs || sumOf(saleBack) <= sold, `${sumOf(saleBack)} of ${sold} sold is back`, ofSale);
  for (const { orderId, goods } of refunds) {
    // A courier's return has the sale's own id: only the sums distinguish its receipt from the sale's returns.
    if (String(orderId) === String(order.orderId)) continue;
    const own = [...prepaidBack, ...saleBack].filter(({ refundId }) => refundId === String(orderId));
    wrong.unless(own.length <= 1, `refund ${orderId} has ${own.length} receipts`, ["return twice"], orderId);
    for (const { kind, by, sum } of own) {
      if (by === "courier") continue;
      const cost = soldSum(goods);
      const isRight = kind === "sale back" ? sum === cost : sum <= Math.min(cost + 1, prepaid);
      // The refund order was edited while its receipt counted as failed.
      const gave = `refund ${orderId} of ${cost} gave back ${sum} (${kind})`;
      wrong.unless(isRight, gave, ["return says otherwise"], orderId);
    }
  }
}

const twice = ["prepayment twice", "sale twice", "return twice"] as const;

const anyDouble = [
  ...twice,
  "prepayment",
  "sale",
  "no sale",
  "unnamed return",
  "assumed sale",
  "assumed share",
] as const;

/** Compares returned lines with the product's own receipts that sold them, never with the order. */
function checkLines({ prepayments, sales, prepaidBack, saleBack }: Parts, wrong: Wrong): void {
  const pairs = [
    [prepayments, prepaidBack, "prepayment"],
    [sales, saleBack, "sale"],
  ] as const;
  for (const [given, back, of] of pairs) {
    // A sale of the courier's register has no known lines.
    if (given.some(isByCourier)) continue;
    const sums = byLine(receiptsOf(given));
    const isWhole = back.length > 0 && !back.some(isByCourier) && sumOf(given) === sumOf(back);
    for (const [line, sum] of byLine(receiptsOf(back))) {
      const most = sums.get(line) ?? 0;
      // Where only the rates are reported the sum must be right: that excuses nothing else.
      // A till does not know the refund orders with a number of their own, and may return their goods as well.
      const excuses = [...anyDouble, "returned at till", `rates of the ${of}`] as const;
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
  // A sum that was used for a settlement and is returned as well has no form any more, and a refund order may name
  // another form. A person at the till returns a settlement in its own forms, with the offset of its prepayment.
  const excuses = [...anyDouble, "other form", "returned at till"] as const;
  const back = byForm(receiptsOf(all), null);
  for (const [form, sum] of back) {
    const most = taken.get(form) ?? 0;
    wrong.unless(sum <= most, `${sum} back in form ${form}, which took ${most}`, excuses);
  }
  const isAllBack = left === 0 && sumOf(saleBack) === (settlement?.sum ?? 0) && !all.some(isByCourier);
  if (isAllBack && back.size > 0) wrong.unless(same(taken, back), "all is back, in other forms", excuses);
}

/** Cash on a receipt was taken or named, and a refund in cash is printed so. */
function checkCash({ order, refunds }: MoneyFacts, { known, prepayments, sales }: Parts, wrong: Wrong): void {
  if (sales.some(isByCourier)) return;
  const sold = receiptsOf([...prepayments, ...sales]).reduce((sum, one) => sum + formOf(one, CASH), 0);
  wrong.unless(sold <= order.mostCash, `${sold} sold in cash, of at most ${order.mostCash}`, anyDouble);
  if (order.mostCash > 0) return;
  for (const { orderId } of refunds.filter(({ isInCash }) => isInCash)) {
    for (const receipt of receiptsOf(known.filter(({ refundId }) => refundId === String(orderId)))) {
      const isCash = formOf(receipt, CASH) >= totalOf(receipt) - LINK;
      wrong.unless(isCash, `refund ${orderId} in cash is printed in another form`, [], orderId);
    }
  }
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

function checkStatuses({ order, said }: MoneyFacts, wrong: Wrong): void {
  for (const status of ["statusId", "deliveryStatusId"] as const) {
    wrong.unless(said[status] === order[status], `${status} is ${said[status]}, not ${order[status]}`, []);
  }
}

/** Everything that failed was tried again: 2 = a receipt is reported missing, 1 = the order has its receipt. */
function checkReceiptStatuses(
  { order, refunds, receiptStatuses, told }: MoneyFacts,
  { known }: Parts,
  wrong: Wrong,
): void {
  const missing: readonly Telling[] = [
    ...missingReturn,
    ...backWithoutReturn,
    "not covered",
    "rest of the whole",
    "money without receipt",
    "cancelled after its receipt",
  ];
  for (const [id, status] of receiptStatuses) {
    // The receipts of a refund order with the sale's own id cannot be distinguished from the sale's.
    if (id === String(order.orderId) && refunds.some(({ orderId }) => String(orderId) === id)) continue;
    const isMissing = told.some(({ telling, orderId }) => missing.includes(telling) && orderId === id);
    const isPrinted = known.some(({ refundId }) => (refundId ?? String(order.orderId)) === id);
    const due = isMissing ? 2 : isPrinted ? 1 : 0;
    wrong.unless(status === due, `frReceiptStatusId of ${id} is ${status}, not ${due}`, []);
  }
}

const isDelivered = ({ deliveryStatusId }: OrderFacts) => deliveryStatusId === 3 || deliveryStatusId === 4;
const isReturned = ({ deliveryStatusId }: OrderFacts) => deliveryStatusId === 6;
const isEnded = ({ deliveryStatusId }: OrderFacts) => deliveryStatusId >= 3;
const isPaid = ({ statusId, isCovered }: OrderFacts) => statusId === 1 || isCovered;

/**
 * 5.4: due when the order becomes paid, if the site prints such receipts. The rest after the settlement is returned.
 */
function checkPrepayment({ order }: MoneyFacts, parts: Parts, wrong: Wrong): void {
  const { prepayments, settlement, left } = parts;
  const [first] = prepayments;
  if (first === undefined) {
    const isDue = order.printsPrepayment && order.prepaid > 0 && order.goods.length > 0 && order.statusId === 1;
    const isLate = settlement !== undefined || isDelivered(order) || isReturned(order);
    wrong.unless(!isDue || isLate, "a prepaid order has no receipt of its prepayment", ["no receipt"]);
    if (order.prepaid > 0 && settlement?.receipt) checkForeignPrepayment(order, settlement, wrong);
    return;
  }
  wrong.unless(order.printsPrepayment, "a prepayment is printed that another program took", []);
  wrong.unless(first.sum === order.prepaid, `the prepayment of ${first.sum} is of ${order.prepaid}`, []);
  // The courier's money does not cover the rest any more.
  wrong.unless(order.statusId === 1 || order.collected > 0, "an unpaid order has a prepayment", [
    "prepayment says otherwise",
  ]);
  const isOver = isReturned(order) || (isDelivered(order) && (settlement !== undefined || soldSum(order.goods) === 0));
  const excuses = [...standstill, "rates of the prepayment", "returned at till", ...twice] as const;
  if (isOver) wrong.unless(left === 0, `${left} left of the prepayment`, excuses);
}

/** Another program took the prepayment: the sale is paid by it, and the rest is reported. */
function checkForeignPrepayment(order: OrderFacts, { receipt, sum }: KnownDocument, wrong: Wrong): void {
  const used = receipt === null ? 0 : formOf(receipt, PREPAYMENT);
  const due = order.printsPrepayment ? 0 : Math.min(order.prepaid, sum);
  wrong.unless(used === due, `${used} used of ${order.prepaid} prepaid, not ${due}`, []);
  const isUsed = order.printsPrepayment || used === order.prepaid;
  wrong.unless(isUsed, "the rest of a prepayment taken elsewhere is not told", ["rest elsewhere"]);
}

/** 8.5: due when the order is paid online, or delivered and paid or collected. An uncovered sale is only reported. */
function checkSale({ order }: MoneyFacts, { settlement, saleBack }: Parts, wrong: Wrong): void {
  const sold = soldSum(order.goods);
  const isOnline = order.isInternetPayment === 1 && order.statusId === 1 && order.prepaid === 0 && !isReturned(order);
  const isDue = isDelivered(order) ? isPaid(order) : isOnline;
  if (settlement === undefined) {
    wrong.unless(!isDue || sold === 0, "a paid order has no sale", ["no receipt"]);
    const hasMoney = order.collected > 0 || order.prepaid > 0;
    const isShort = isDelivered(order) && hasMoney && order.goods.length > 0 && !isPaid(order);
    wrong.unless(!isShort, "a delivered order that is not covered is not told", ["not covered"]);
    const isNothingDue = !isShort && (!isDelivered(order) || sold === 0);
    const isOver = isEnded(order) || (order.isDeleted && !isDue);
    const isKept = isOver && isNothingDue && order.collected > 0;
    wrong.unless(!isKept, "a courier's money has no receipt, and is not told", ["money without receipt"]);
    return;
  }
  wrong.unless(settlement.sum === sold, `the sale of ${settlement.sum} is of ${sold}`, ["sale says otherwise"]);
  // A sale that was returned as a whole, or even beyond, needs no money any more.
  const isBack = sumOf(saleBack) >= settlement.sum;
  const isSettled = settlement.by === "courier" || isBack || isPaid(order);
  wrong.unless(isSettled, "an unpaid order is sold", ["sale says otherwise"]);
}

/** What a courier cancels of an order that its shop had called paid has to be returned: exactly this is reported. */
function checkCancellations({ order, told }: MoneyFacts, { settlement }: Parts, wrong: Wrong): void {
  const { cancellations, collected, prepaid, statusId, goods } = order;
  const isPaidByShop = statusId === 1 && prepaid === 0 && collected <= 0 && cancellations.paid > 0;
  const isDue = isPaidByShop && (isDelivered(order) || settlement !== undefined);
  const isTold = told.some(({ telling }) => telling === "paid and cancelled");
  wrong.unless(isDue || !isTold, "told for nothing: paid and cancelled", []);
  const canceled = soldSum(goods.map((item) => ({ ...item, canceledItems: [] }))) - soldSum(goods);
  // A courier may have given all of it back.
  const isLeft = cancellations.other === 0 && canceled + collected > 0;
  const isSilent = isDue && isDelivered(order) && isLeft;
  wrong.unless(!isSilent, "money of a cancelled part is not told", ["paid and cancelled"]);
}

const missingReturn = [
  "too little left",
  "waits for its sale",
  "waits for its prepayment",
  "waits for a name",
  "no receipt",
] as const;

/** Nothing more is returned while one of these reports stands. */
const standstill = ["unnamed return", "prepayment", "rates of the sale"] as const;

/** 8.5: what came back is returned, as a whole or by paid refund orders with a receipt or a report for each. */
function checkReturns({ documents, order, refunds, wasReturned }: MoneyFacts, parts: Parts, wrong: Wrong): void {
  const { known, settlement, saleBack, prepaidBack } = parts;
  const back = sumOf(saleBack);
  if (isReturned(order) && refunds.length === 0) {
    const sold = settlement?.sum ?? 0;
    // The rest is told beside an unpaid refund order with a courier's receipt, or a return at the till that failed late.
    const restIsTold = saleBack.length > 0 ? (["rest of the whole"] as const) : [];
    wrong.unless(back === sold, `${back} of ${sold} given back of a returned order's sale`, [
      ...standstill,
      ...restIsTold,
      "sale",
      "no sale",
    ]);
  }
  if (order.deliveryStatusId === 5 || (order.isDeleted && !isEnded(order))) {
    const kept = settlement === undefined ? parts.left : settlement.sum - back;
    const excuses = ["cancelled after its receipt", ...standstill, ...anyDouble] as const;
    wrong.unless(kept <= 0, `a cancelled order keeps ${kept}, and is not told`, excuses);
  }
  const isAtTill = documents.some(isByOperator);
  wrong.unless(!isAtTill, "a return at the till is not told", ["returned at till"]);
  if (!wasReturned && refunds.length === 0 && !known.some(isByCourier) && !isAtTill)
    wrong.unless(back === 0, `${back} given back of what did not come back`, []);
  for (const { orderId } of refunds) {
    // A courier's return has the sale's own id: its receipt cannot be distinguished from the sale's own.
    const id = String(orderId);
    const isOf = (refundId: string | null) => refundId === id || (refundId === null && id === String(order.orderId));
    const isDone = [...prepaidBack, ...saleBack].some(({ refundId }) => isOf(refundId));
    wrong.unless(isDone, `refund ${orderId} has no receipt`, missingReturn, orderId);
  }
}

class Wrong {
  readonly words: string[] = [];
  readonly #sale: string;
  readonly #told: readonly Told[];

  constructor({ order }: MoneyFacts, told: readonly Told[]) {
    this.#sale = String(order.orderId);
    this.#told = told;
  }

  /** Only a report about the same order excuses it. */
  unless(isSo: boolean, what: string, excuses: readonly Telling[], of: string | number = this.#sale): void {
    const isTold = this.#told.some(({ telling, orderId }) => excuses.includes(telling) && orderId === String(of));
    if (!isSo && !isTold) this.words.push(what);
  }
}
