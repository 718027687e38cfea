/**
 * What a further receipt of an order means (domain 7.3), as a pure decision: no second sale by mistake, and no
 * receipt is dropped silently.
 */
import { formatRoubles, kopecks } from "@fiscald/shared/amounts.js";
import type { FaultCode } from "@fiscald/shared/fault-codes.js";
import { itemsOf, prepaidPart, type Receipt, type SaleReceipt, totalOf } from "@fiscald/shared/receipt/receipt.js";
import type { StoredReceipt } from "./stored-receipt.js";

/** An earlier receipt of the same order. */
export interface EarlierReceipt extends StoredReceipt {
  readonly sameContent: boolean;
  /** Its document's shift is known to be closed. */
  readonly shiftClosed: boolean;
}

export type EnqueueDecision =
  /** `replaced`: queued receipts that the new one replaces. */
  | { readonly action: "add"; readonly replaced: readonly EarlierReceipt[] }
  /** The same receipt again: the earlier one counts. */
  | { readonly action: "repeat"; readonly of: EarlierReceipt }
  | {
      readonly action: "refuse";
      readonly code: FaultCode;
      readonly message: string;
      readonly because: EarlierReceipt;
    };

/** An equal partial refund after this time is a new one: a site repeats an order within minutes. */
const RETURN_REPEAT_MS = 10 * 60_000;
const prepaymentMethods: readonly number[] = [1, 2, 3];

export function decideEnqueue(facts: {
  readonly receipt: Receipt;
  /** Newest first. */
  readonly earlier: readonly EarlierReceipt[];
  readonly now: number;
}): EnqueueDecision {
  const { receipt, earlier } = facts;
  // A failed or replaced receipt has registered nothing: it does not count.
  const live = earlier.filter(({ state }) => state !== "failed" && state !== "replaced");
  const selves = live.filter(({ sameContent }) => sameContent);
  const self = selves.find(({ state }) => state !== "printed") ?? selves[0];
  if (self !== undefined) {
    const decision = decideSameContent(self, receipt, facts.now);
    if (decision !== null) return decision;
  }
  if (receipt.kind === "service") return add();
  return receipt.operation === "sale" ? decideSale(receipt, live) : decideReturn(receipt, earlier, live);
}

/** Null: it is not the same one after all. */
function decideSameContent(self: EarlierReceipt, receipt: Receipt, now: number): EnqueueDecision | null {
  if (self.state !== "printed") return { action: "repeat", of: self };
  if (receipt.kind === "service") return null;
  const mayBeAnother =
    receipt.operation === "sale" ? self.shiftClosed : now - (self.finishedAt ?? now) > RETURN_REPEAT_MS;
  return mayBeAnother ? refuseAsPrinted(self, "") : { action: "repeat", of: self };
}

function decideSale(receipt: SaleReceipt, live: readonly EarlierReceipt[]): EnqueueDecision {
  const sales = live.filter((other) => isOperation(other.receipt, "sale"));
  const offset = prepaidPart(receipt);
  const onTheWay = sales.find(({ state }) => state === "handed" || state === "unknown");
  if (onTheWay !== undefined) {
    const message = `Another sale of this order is ${onTheWay.state === "handed" ? "being printed" : "unsure"}.`;
    return { action: "refuse", code: "job.being-printed", message, because: onTheWay };
  }
  const printed = sales.find(({ state }) => state === "printed");
  if (printed !== undefined && (offset === 0 || offset > unspentPrepayment(sales))) {
    return refuseAsPrinted(printed, " with other content");
  }
  const queued = sales.filter(({ state }) => state === "queued");
  if (offset === 0) return add(queued);
  // A settlement waits for its prepayment's result: it must not push it out of the queue.
  const [before] = queued.filter((other) => prepaidPart(other.receipt) === 0);
  if (before === undefined) return add(printed === undefined ? queued : []);
  return {
    action: "refuse",
    code: "job.being-printed",
    message: "The prepayment waits in the queue.",
    because: before,
  };
}

function decideReturn(
  receipt: SaleReceipt,
  earlier: readonly EarlierReceipt[],
  live: readonly EarlierReceipt[],
): EnqueueDecision {
  const [known] = earlier.filter((other) => isOperation(other.receipt, "sale"));
  // The sale was printed by another program, or before this store existed.
  if (known === undefined) return add();
  const sold = moneyOf(live.filter((other) => isOperation(other.receipt, "sale")));
  const returned = moneyOf(live.filter((other) => isOperation(other.receipt, "return")));
  const wanted = returned + totalOf(receipt) - prepaidPart(receipt);
  if (wanted <= sold) return add();
  const message = `Returns of ${formatRoubles(kopecks(wanted))} would exceed the ${formatRoubles(kopecks(sold))} sold.`;
  return { action: "refuse", code: "job.return-exceeds-sale", message, because: known };
}

/** Printed prepayments, less the part that printed, queued and unsure settlements have used. */
function unspentPrepayment(sales: readonly EarlierReceipt[]): number {
  const prepaid = sales
    .filter(({ state }) => state === "printed")
    .flatMap(({ receipt }) => (receipt.kind === "receipt" ? itemsOf(receipt) : []))
    .filter(({ method }) => prepaymentMethods.includes(method));
  return sum(prepaid.map(({ total }) => total)) - sum(sales.map(({ receipt }) => prepaidPart(receipt)));
}

/** Money that changed hands: a settlement repeats the total of its prepayment, which was paid once. */
function moneyOf(receipts: readonly EarlierReceipt[]): number {
  return sum(receipts.map(({ receipt }) => (receipt.kind === "receipt" ? totalOf(receipt) - prepaidPart(receipt) : 0)));
}

function isOperation(receipt: Receipt, operation: SaleReceipt["operation"]): boolean {
  return receipt.kind === "receipt" && receipt.operation === operation;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function add(replaced: readonly EarlierReceipt[] = []): EnqueueDecision {
  return { action: "add", replaced };
}

function refuseAsPrinted(because: EarlierReceipt, how: string): EnqueueDecision {
  return { action: "refuse", code: "job.already-printed", message: `A sale of this order is printed${how}.`, because };
}
