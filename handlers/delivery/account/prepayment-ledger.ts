/** What became of a sale's prepayment, by the receipts of the sale and of its refund orders. */
import { type Kopecks, kopecks, sumKopecks } from "@fiscald/shared/amounts.js";
import type { SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import type { OrderKey } from "../orders/rows.js";
import { itemSum } from "../orders/rules.js";
import type { StoredOrder } from "../orders/stored-order.js";
import type { Reader, Writer } from "../store/delivery-store.js";
import { isReturnPurpose, soldItems } from "./due-receipts.js";
import {
  type FiscalTask,
  findTasks,
  isOnItsWay,
  isRegistered,
  keptDocument,
  setAside,
  setOfPrepayment,
} from "./fiscal-tasks.js";
import { beyondRates, linesLeft, totalOfLines } from "./given-lines.js";
import { findGiven } from "./given-rows.js";
import { formsLeft, formsOf } from "./payment-forms.js";
import { linesOfShare, type Prepayment, prepaidTotal, prepaymentLeft } from "./prepayment.js";
import { findRefunds, keysOfSale } from "./refund-rows.js";

export interface PrepaymentLedger {
  readonly prepayment: Prepayment;
  /** What its returns and its settlement, registered or on their way, are together more than it: a person has to look. */
  readonly excess: Kopecks;
  /** What its returns give back of a tax rate more than it has of it. */
  readonly beyondRates: Kopecks;
  /** Refund orders whose share of the prepayment has gone back, or is about to: not of the sale that comes after. */
  readonly refundsBefore: ReadonlySet<string>;
}

interface Given {
  readonly task: FiscalTask;
  /** The refund order; null for a return of the sale's own. */
  readonly refund: StoredOrder | null;
}

/** Null for a sale whose prepayment has no receipt of ours. `except`: a receipt that does not count, being the one in question. */
export async function loadPrepayment(
  db: Reader,
  resource: number,
  sale: StoredOrder,
  except: string | null = null,
): Promise<PrepaymentLedger | null> {
  const tasks = await findTasks(db, resource, sale);
  if (!tasks.some(({ purpose }) => purpose === "prepayment")) return null;
  const isCounted = (task: FiscalTask) =>
    task.receiptId !== except && (isRegistered([task]) || isOnItsWay([task])) && isReturnPurpose(task.purpose);
  const ofRefunds = await refundTasks(db, resource, sale);
  const returns: readonly Given[] = [...tasks.map((task): Given => ({ task, refund: null })), ...ofRefunds].filter(
    ({ task }) => isCounted(task),
  );
  const given = await findGiven(db, resource, sale, [...tasks, ...returns.map(({ task }) => task)]);
  const receipts = new Map([...given].map(([receiptId, { receipt }]) => [receiptId, receipt]));
  const linesOf = ({ receiptId }: FiscalTask) => given.get(receiptId)?.lines ?? [];
  const paymentsOf = ({ receiptId }: FiscalTask) => receipts.get(receiptId)?.payments ?? [];
  const prepaidBy = ({ receiptId }: FiscalTask) => prepaidTotal(receipts.get(receiptId));

  const known = returns.filter(({ task }) => prepaidBy(task) > 0);
  const byRefunds = known.flatMap(({ task, refund }) => (refund === null ? [] : [{ task, refund }]));
  const registered = tasks.filter((task) => isRegistered([task], "prepayment"));
  const prepayment: Prepayment = {
    sum: sumKopecks(registered.map(prepaidBy)),
    back: sumKopecks(known.map(({ task }) => prepaidBy(task))),
    refunded: {
      money: sumKopecks(byRefunds.map(({ task }) => prepaidBy(task))),
      goods: sumKopecks(byRefunds.map(({ refund }) => totalSum(refund.goods))),
    },
    offset: null,
    goods: totalSum(sale.goods),
    left: {
      lines: linesLeft(
        registered.flatMap(linesOf),
        known.flatMap(({ task }) => linesOf(task)),
      ),
      forms: formsLeft(
        registered.flatMap(paymentsOf),
        known.flatMap(({ task }) => paymentsOf(task)),
      ),
      taxSystem: registered.map(({ receiptId }) => receipts.get(receiptId)?.taxSystem ?? null)[0] ?? null,
    },
  };
  const settlement = tasks.find((task) => task.receiptId !== except && isRegistered([task], "sale")) ?? null;
  const onItsWay = tasks.filter((task) => task.receiptId !== except && isOnItsWay([task], "sale"));
  // With a settlement, or one that may be: only what went back before it was made.
  const isSettling = settlement !== null || onItsWay.length > 0;
  const elsewhere = returns.filter(
    ({ task }) => task.state === "elsewhere" && (!isSettling || task.returnOf === "prepayment"),
  );
  const used = [...(settlement === null ? [] : [settlement]), ...onItsWay].map(({ receiptId }) =>
    offsetOf(receipts.get(receiptId)),
  );
  return {
    prepayment: settled(prepayment, { sale, settlement, receipts, elsewhere }),
    excess: excessOf(prepayment, {
      used: sumKopecks(used),
      elsewhere: sharesElsewhere(prepayment, elsewhere),
      rounding: (byRefunds.length + elsewhere.length) * registered.flatMap(linesOf).length,
    }),
    beyondRates: beyondRates(
      registered.length === 0 ? null : registered.flatMap(linesOf),
      known.flatMap(({ task }) => linesOf(task)),
    ),
    refundsBefore: new Set(
      [...byRefunds, ...ofRefunds.filter(({ task }) => task.returnOf === "prepayment")].flatMap(({ refund }) =>
        refund === null ? [] : [refund.orderId],
      ),
    ),
  };
}

/**
 * What the courier's own register has given back before a settlement is made was counted for that one as of the prepayment:
 * it stays so, and is none of the sale. True when there is any.
 */
export async function keepGivenBefore(tx: Writer, resource: number, sale: OrderKey): Promise<boolean> {
  let isAny = false;
  for (const key of await keysOfSale(tx, resource, sale.orderId)) {
    for (const task of await findTasks(tx, resource, key)) {
      const isKept = keptDocument(task.purpose) !== null;
      if (task.state !== "elsewhere" || (task.purpose !== "return" && !isKept) || task.returnOf !== null) continue;
      isAny = true;
      await setOfPrepayment(tx, task);
      if (!key.isRefund && !isKept) await setAside(tx, { ...task, purpose: "prepayment-return" });
    }
  }
  return isAny;
}

/** What was given back elsewhere is a share by the goods; by the lines it may be a kopeck less for each of them. */
function excessOf(
  { sum, back }: Prepayment,
  { used, elsewhere, rounding }: { readonly used: Kopecks; readonly elsewhere: Kopecks; readonly rounding: number },
): Kopecks {
  const excess = back + elsewhere + used - sum;
  const isRounding = elsewhere > 0 && excess <= rounding;
  return kopecks(isRounding ? 0 : Math.max(0, excess));
}

/** What refund orders gave back by the courier's own register, without a look at what was left. */
function sharesElsewhere({ sum, goods }: Prepayment, elsewhere: readonly Given[]): Kopecks {
  const back = sumKopecks(elsewhere.map(({ refund }) => totalSum(refund?.goods ?? [])));
  return goods === 0 ? kopecks(0) : kopecks(Number((BigInt(sum) * BigInt(back)) / BigInt(goods)));
}

/** With what has no receipt of ours: a courier's register does not say how much of the prepayment it settled or gave back. */
function settled(
  prepayment: Prepayment,
  facts: {
    readonly sale: StoredOrder;
    readonly settlement: FiscalTask | null;
    readonly receipts: ReadonlyMap<string, SaleReceipt>;
    readonly elsewhere: readonly Given[];
  },
): Prepayment {
  const { sale, settlement, receipts, elsewhere } = facts;
  const before = elsewhere.reduce(givenElsewhere, prepayment);
  if (settlement === null) return before;
  const receipt = receipts.get(settlement.receiptId);
  if (receipt !== undefined) return { ...before, offset: offsetOf(receipt) };
  const left = prepaymentLeft(before);
  return { ...before, offset: elsewhere.length > 0 ? left : kopecks(Math.min(left, totalSum(soldItems(sale)))) };
}

function givenElsewhere(before: Prepayment, { refund }: Given): Prepayment {
  if (refund === null) return { ...before, back: before.sum, left: { ...before.left, lines: [], forms: [] } };
  const lines = linesOfShare(before, refund.goods);
  const money = totalOfLines(lines);
  const { refunded, left } = before;
  return {
    ...before,
    back: kopecks(before.back + money),
    refunded: { money: kopecks(refunded.money + money), goods: kopecks(refunded.goods + totalSum(refund.goods)) },
    left: {
      ...left,
      lines: linesLeft(left.lines, lines),
      forms: formsLeft(left.forms, formsOf(money, left.forms, [])),
    },
  };
}

async function refundTasks(db: Reader, resource: number, sale: StoredOrder): Promise<readonly Given[]> {
  const given: Given[] = [];
  for (const { order } of await findRefunds(db, resource, sale.orderId)) {
    for (const task of await findTasks(db, resource, order)) given.push({ task, refund: order });
  }
  return given;
}

const PREPAYMENT = 2;

function offsetOf(receipt: SaleReceipt | undefined): Kopecks {
  const payments = receipt?.payments ?? [];
  return sumKopecks(payments.filter(({ typeClose }) => typeClose === PREPAYMENT).map(({ sum }) => sum));
}

function totalSum(items: StoredOrder["goods"]): Kopecks {
  return sumKopecks(items.map(itemSum));
}
