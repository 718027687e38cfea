/** What must hold of an order's money in the end, by what was printed (domain 5.1, 5.4, 8.5); pure. */
import { itemsOf, type SaleReceipt, totalOf } from "@fiscald/shared/receipt/receipt.js";

export interface RefundFacts {
  readonly orderId: string | number;
  readonly statusId: number;
  /** 2 = its receipt is in trouble, which the shop sees. */
  readonly frReceiptStatusId: number;
}

export interface MoneyFacts {
  /** In the order of printing. */
  readonly printed: readonly SaleReceipt[];
  readonly order: {
    readonly orderId: string | number;
    readonly statusId: number;
    readonly deliveryStatusId: number;
    readonly goods: readonly {
      readonly total: number;
      readonly count: number;
      readonly canceledItems: readonly { readonly count: number }[];
    }[];
  };
  readonly refunds: readonly RefundFacts[];
  /** Status 6 was accepted at some time. */
  readonly wasReturned: boolean;
  /** A failed receipt was printed after all: it may say what the order says no more. What it may not do is use money twice. */
  readonly isLate: boolean;
  /** The courier's own register has sold the order, or given something of it back: nobody knows what that said. */
  readonly isSoldElsewhere: boolean;
  readonly isReturnedElsewhere: boolean;
}

/** What is wrong, in words. */
export function wrongOf(facts: MoneyFacts): readonly string[] {
  const isPlain = !facts.isLate && !facts.isSoldElsewhere && !facts.isReturnedElsewhere;
  return [...usedTwice(facts), ...notAsGiven(facts), ...(isPlain ? notAsDue(facts) : [])];
}

const isSale = ({ operation }: SaleReceipt) => operation === "sale";
const isOfPrepayment = (receipt: SaleReceipt) => itemsOf(receipt).every(({ method }) => method !== 4);
const sumOf = (receipts: readonly SaleReceipt[]) => receipts.reduce((sum, one) => sum + totalOf(one), 0);

function partsOf({ printed }: MoneyFacts) {
  const prepayments = printed.filter((one) => isSale(one) && isOfPrepayment(one));
  const sales = printed.filter((one) => isSale(one) && !isOfPrepayment(one));
  const prepaidBack = printed.filter((one) => !isSale(one) && isOfPrepayment(one));
  const saleBack = printed.filter((one) => !isSale(one) && !isOfPrepayment(one));
  const [settlement] = sales;
  const prepaid = sumOf(prepayments);
  const left = prepaid - sumOf(prepaidBack) - (prepaid > 0 && settlement !== undefined ? formOf(settlement, 2) : 0);
  return { prepayments, sales, prepaidBack, saleBack, settlement, prepaid, left };
}

function formOf({ payments }: SaleReceipt, wanted: number): number {
  return payments.reduce((sum, { typeClose, sum: part }) => sum + (typeClose === wanted ? part : 0), 0);
}

function usedTwice(facts: MoneyFacts): readonly string[] {
  const { prepayments, sales, saleBack, settlement, left } = partsOf(facts);
  const { order, refunds, printed } = facts;
  const wrong = new Wrong();
  wrong.unless(prepayments.length <= 1 && sales.length <= 1, "one prepayment and one sale at most");
  wrong.unless(left >= 0, `${left} left of the prepayment`);
  if (!facts.isSoldElsewhere)
    wrong.unless(
      sumOf(saleBack) <= (settlement === undefined ? 0 : totalOf(settlement)),
      "more of the sale given back",
    );
  for (const { orderId, statusId, frReceiptStatusId } of refunds) {
    // A courier's return has the sale's own id: its receipt is told from the sale's returns by the sums only.
    if (orderId === order.orderId) continue;
    const own = printed.filter((one) => one.orderId === String(orderId));
    wrong.unless(own.length <= 1, `refund ${orderId} has ${own.length} receipts`);
    if (facts.isSoldElsewhere || facts.isReturnedElsewhere) continue;
    const isWholeBack = printed.some((one) => !isSale(one) && one.orderId === String(order.orderId));
    // More than was sold in the end is in trouble for good: its receipt had failed before the sale, and an edit of it is 422.
    const isKnown = statusId !== 1 || frReceiptStatusId === 2;
    const isDone = own.length === 1 || isKnown || settlement === undefined || isWholeBack;
    wrong.unless(isDone, `refund ${orderId} has none`);
  }
  return wrong.words;
}

/** Lines and payment forms of what went back, against the receipts that gave them: never against the order. */
function notAsGiven(facts: MoneyFacts): readonly string[] {
  const { prepayments, sales, prepaidBack, saleBack, left, settlement } = partsOf(facts);
  const wrong = new Wrong();
  const isOfOurs = !facts.isSoldElsewhere;
  const compared = [
    [prepayments, prepaidBack, "prepayment"] as const,
    ...(isOfOurs ? [[sales, saleBack, "sale"] as const] : []),
  ];
  for (const [given, back, of] of compared) {
    const sums = byLine(given);
    const isWhole = back.length > 0 && sumOf(given) === sumOf(back);
    for (const [line, sum] of byLine(back)) {
      const most = sums.get(line) ?? 0;
      wrong.unless(sum <= most, `${sum} of ${most} of the ${of} back: ${line}`);
      wrong.unless(!isWhole || sum === most, `all of the ${of} is back, but ${sum} of ${most}: ${line}`);
    }
  }
  if (!isOfOurs) return wrong.words;
  const [prepaidForm] = prepayments.flatMap(({ payments }) => payments);
  const taken = byForm([...prepayments, ...sales], prepaidForm === undefined ? null : 2);
  const back = byForm([...prepaidBack, ...saleBack], null);
  for (const [form, sum] of back) {
    const most = taken.get(form) ?? 0;
    wrong.unless(sum <= most, `${sum} back in form ${form}, which took ${most}`);
  }
  const isAllBack = left === 0 && (settlement === undefined || sumOf(saleBack) === totalOf(settlement));
  if (isAllBack && back.size > 0) wrong.unless(same(taken, back), "all is back, in other forms");
  return wrong.words;
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

/** What the rules say of an order that nobody but us has printed, with every result in its time. */
function notAsDue(facts: MoneyFacts): readonly string[] {
  const { settlement, saleBack, left } = partsOf(facts);
  const { order, refunds } = facts;
  const wrong = new Wrong();
  const back = sumOf(saleBack);
  const soldNow = order.goods.reduce((total, { total: sum, count, canceledItems }) => {
    const canceled = canceledItems.reduce((all, part) => all + part.count, 0);
    return total + Math.round((sum * 100 * (count - canceled)) / count);
  }, 0);
  const isDelivered = order.deliveryStatusId === 3 || order.deliveryStatusId === 4;
  if (isDelivered && order.statusId === 1 && soldNow > 0)
    wrong.unless(settlement !== undefined, "a delivered order has its sale");
  if (settlement !== undefined) wrong.unless(totalOf(settlement) === soldNow, `the sale is of ${soldNow}`);
  if (isDelivered && (settlement !== undefined || soldNow === 0))
    wrong.unless(left === 0, `${left} left after the delivery`);
  if (order.deliveryStatusId === 6 && refunds.length === 0) {
    wrong.unless(left === 0, `${left} left of a returned order's prepayment`);
    const sold = settlement === undefined ? 0 : totalOf(settlement);
    wrong.unless(back === sold, `${back} of a returned order's sale given back`);
  }
  if (!facts.wasReturned && refunds.length === 0)
    wrong.unless(back === 0, `${back} given back of what did not come back`);
  return wrong.words;
}

class Wrong {
  readonly words: string[] = [];

  unless(isSo: boolean, what: string): void {
    if (!isSo) this.words.push(what);
  }
}
