/** What of a printed sale went back, by the receipts of the sale and of its refund orders. */
import { type Kopecks, kopecks, sumKopecks } from "@fiscald/shared/amounts.js";
import { type Payment, totalOf } from "@fiscald/shared/receipt/receipt.js";
import { itemSum } from "../orders/rules.js";
import type { StoredOrder } from "../orders/stored-order.js";
import type { Reader } from "../store/delivery-store.js";
import { soldItems } from "./due-receipts.js";
import { type FiscalTask, findTasks, isOnItsWay, isRegistered } from "./fiscal-tasks.js";
import { beyondRates, type GivenLeft, linesLeft, portionsOfEach, totalOfLines } from "./given-lines.js";
import { findGiven, type GivenReceipt } from "./given-rows.js";
import { formsLeft, formsOf, withoutOffset } from "./payment-forms.js";
import { prepaidTotal } from "./prepayment.js";
import { loadPrepayment } from "./prepayment-ledger.js";
import { findRefunds } from "./refund-rows.js";

export interface SaleLedger {
  readonly sold: Kopecks;
  /** Registered or on its way. What went back of a prepayment is none of the sale. */
  readonly back: Kopecks;
  /** Of that, registered. */
  readonly registered: Kopecks;
  /** What our returns give back of a tax rate more than the sale has of it. */
  readonly beyondRates: Kopecks;
  /** What of the sale's own receipt has not gone back, with a prepayment of ours; null where that is not ours. */
  readonly left: GivenLeft | null;
}

interface Asked {
  readonly task: FiscalTask;
  /** The sale, or the refund order. */
  readonly order: StoredOrder;
}

/** Null while no sale is registered. `except`: a receipt that does not count, being the one in question. */
export async function loadSaleLedger(
  db: Reader,
  resource: number,
  sale: StoredOrder,
  except: string | null = null,
): Promise<SaleLedger | null> {
  const tasks = await findTasks(db, resource, sale);
  const settlement = tasks.find((task) => isRegistered([task], "sale"));
  if (settlement === undefined) return null;
  const prepaid = await loadPrepayment(db, resource, sale);
  const returns: Asked[] = tasks.map((task) => ({ task, order: sale }));
  for (const { order } of await findRefunds(db, resource, sale.orderId)) {
    if (prepaid?.refundsBefore.has(order.orderId) === true) continue;
    for (const task of await findTasks(db, resource, order)) returns.push({ task, order });
  }
  const asked = returns.filter(({ task }) => task.purpose === "return" && task.receiptId !== except);
  const given = await findGiven(db, resource, sale, [settlement, ...asked.map(({ task }) => task)]);
  const printed = settlement.state === "printed" ? given.get(settlement.receiptId) : undefined;
  const sold = printed === undefined ? goodsSum(sale) : totalOf(printed.receipt);
  const moneyOf = ({ task, order }: Asked) => {
    const receipt = task.state === "waiting" ? undefined : given.get(task.receiptId)?.receipt;
    if (receipt === undefined) return order.isRefund ? goodsSum(order) : sold;
    return prepaidTotal(receipt) > 0 ? kopecks(0) : totalOf(receipt);
  };
  const isCounted = ({ task }: Asked) => isRegistered([task]) || isOnItsWay([task]);
  // Of a whole return of a courier's register is what other returns leave: it does not say how much it was.
  const least = asked.some(isWholeElsewhere) ? sold : kopecks(0);
  const sumOf = (wanted: (one: Asked) => boolean) => {
    const sums = asked.filter((one) => wanted(one) && !isWholeElsewhere(one)).map(moneyOf);
    return kopecks(Math.max(least, sumKopecks(sums)));
  };
  const back = asked.filter((one) => isCounted(one) && moneyOf(one) > 0);
  const taken = withoutOffset(printed?.receipt.payments ?? [], prepaid?.prepayment.left.forms ?? []);
  return {
    sold,
    back: sumOf(isCounted),
    registered: sumOf(({ task }) => isRegistered([task])),
    beyondRates: beyondRates(
      printed?.lines ?? null,
      back.flatMap(({ task }) => given.get(task.receiptId)?.lines ?? []),
    ),
    left: printed === undefined ? null : leftOf({ printed, taken, back, given }),
  };
}

function isWholeElsewhere({ task, order }: Asked): boolean {
  return task.state === "elsewhere" && !order.isRefund;
}

/** Without what receipts of ours gave back, and then without what a courier's register did, which names no lines. */
function leftOf({
  printed: { receipt, lines },
  taken,
  back,
  given,
}: {
  readonly printed: GivenReceipt;
  readonly taken: readonly Payment[];
  readonly back: readonly Asked[];
  readonly given: ReadonlyMap<string, GivenReceipt>;
}): GivenLeft {
  const ofOurs = back.flatMap(({ task }) => given.get(task.receiptId) ?? []);
  let left = linesLeft(
    lines,
    ofOurs.flatMap((one) => one.lines),
  );
  let forms = formsLeft(
    taken,
    ofOurs.flatMap((one) => one.receipt.payments),
  );
  for (const { task, order } of back) {
    if (given.has(task.receiptId)) continue;
    const gone = order.isRefund ? portionsOfEach(left, order.goods) : left;
    forms = formsLeft(forms, formsOf(totalOfLines(gone), forms, []));
    left = linesLeft(left, gone);
  }
  return { lines: left, forms, taxSystem: receipt.taxSystem };
}

/** What an order's return gives back: a refund order's goods, or what was sold in the end. */
export function goodsSum(order: StoredOrder): Kopecks {
  return sumKopecks((order.isRefund ? order.goods : soldItems(order)).map(itemSum));
}
