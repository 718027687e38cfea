/**
 * Which receipt an order is, and what it means when it comes again: one pure decision for the daemon's intake, for
 * `enqueue` of the kit and for `POST /receipts`. They differ only in the facts that they gather.
 *
 * **The promise**: success is never answered for a receipt without a document of its own, unless the request is
 * provably the one that made that document.
 *
 * Words. *Open*: queued, held, printing or unsure. *Told*: the site had the result of the present outcome before this
 * order was asked for. *Identity*: the `receiptId`; without one order number, direction and fiscal content. *Equal*: of
 * the same content. *Sold*: what the sales of the order come to that are printed or open; of prepayments only what no
 * settlement has used; one kopeck a line is tolerance. *Returned*: open and printed returns, this one included. A part
 * that goes back into a prepayment is no money.
 *
 * | Offered | Earlier one | Answer |
 * |---|---|---|
 * | known receiptId, other order number, direction or total | any | refused: `receipt.id-reused` |
 * | same identity | open | ignored |
 * | same, by a receiptId | printed | its result |
 * | same sale | printed, not told | its result |
 * | same sale | printed, told, not returned whole since | its result; in a later shift refused, with its numbers |
 * | same sale | printed, told, returned whole since | refused, both named, a person decides |
 * | same sale | printed, returned whole since, told during this very poll | ignored |
 * | same return | printed, not told | its result; where it was told during this very poll: ignored |
 * | same return | printed, told | refused, with its numbers, a person decides |
 * | same identity | failed | tried again, three times; then its result |
 * | same receiptId | failed; another sale, or an equal return, open or printed since | that one's result |
 * | same identity | cancelled | refused |
 * | equal, other identity, from a site without the kit | not told | ignored, with a warning |
 * | other identity, from the kit | told as failed, tried again since, not told printed | refused for now |
 * | return | else | new while returned <= sold; else refused, unless `beyondSold` |
 * | sale | queued or held | new, in its place; a settlement waits for its prepayment: refused for now |
 * | sale | printing or unsure | refused for now |
 * | sale | printed | refused, unless it was returned whole; or this settles printed prepayments that cover it; or this
 *   is a further prepayment (methods 1 to 3), or pays off printed credit (method 7); or `printAnyway` |
 * | service job | told, not half done | new; before that a repeat |
 * | service job | half done | goes on, in the same shift only; else refused, as are other lines of its order |
 *
 * The kit has applied the table to its receipts when they were enqueued: an order of the kit is compared with other
 * receipts of the kit only where the kit cannot know them. No decision depends on a time.
 */
import { contentText, identityOf } from "../order-key.js";
import { itemsOf, prepaidPart, type Receipt, type SaleReceipt, totalOf } from "../receipt.js";
import {
  isPrepayment,
  isReturn,
  isReturnedWhole,
  isSale,
  paysOffCredit,
  putBackBeyondUse,
  returnedBy,
  soldBy,
  unpaidCredit,
  unspentPrepayment,
} from "./order-money.js";
import {
  accept,
  type Decision,
  type EarlierReceipt,
  type Offer,
  refusal,
  refuseCancelled,
  refuseForNow,
  refuseHalfDone,
  refusePrinted,
  refuseReusedId,
  roubles,
} from "./repeat-decision.js";

/** How often a failed order is tried when its site repeats it; after that only the operator can try it again. */
const MAX_TRIES = 3;

/** `earlier`: the receipts of the order number and those of the `receiptId`, newest first. */
export function decideRepeat<E extends EarlierReceipt>(offer: Offer, earlier: readonly E[]): Decision<E> {
  const self = findSelf(offer.receipt, earlier);
  if (self === undefined) return decideOther(offer, earlier);
  if (!isSameOrder(offer.receipt, self.receipt)) return refuseReusedId(offer.receipt, self);
  return decideSelf(self, offer, earlier);
}

/**
 * Whether two receipts with one `receiptId` can be the same: order number, direction and total agree. Two service jobs
 * are, by their id alone.
 */
export function isSameOrder(one: Receipt, other: Receipt): boolean {
  if (identityOf(one.orderId) !== identityOf(other.orderId) || one.kind !== other.kind) return false;
  if (one.kind === "service" || other.kind === "service") return true;
  const tolerance = Math.max(itemsOf(one).length, itemsOf(other).length);
  return one.operation === other.operation && Math.abs(totalOf(one) - totalOf(other)) <= tolerance;
}

/**
 * An open one counts first. Of service jobs then the newest, as the same table may come each day; a printed receipt
 * counts before a failed one, also before a newer one.
 */
function findSelf<E extends EarlierReceipt>(receipt: Receipt, earlier: readonly E[]): E | undefined {
  const known = earlier.filter((other) => isSelf(receipt, other.receipt));
  // A person may have let two receipts with one id be printed.
  const own = known.filter((other) => isSameOrder(receipt, other.receipt));
  const selves = own.length > 0 ? own : known;
  const [newest] = selves;
  const service = newest?.receipt.kind === "service" ? newest : undefined;
  return selves.find(isOpen) ?? service ?? selves.find(isPrinted) ?? newest;
}

function isSelf(receipt: Receipt, other: Receipt): boolean {
  return receipt.receiptId === other.receiptId && (receipt.receiptId !== null || isEqual(receipt, other));
}

function isEqual(receipt: Receipt, other: Receipt): boolean {
  return contentText(receipt) === contentText(other);
}

function decideSelf<E extends EarlierReceipt>(self: E, offer: Offer, earlier: readonly E[]): Decision<E> {
  const { receipt } = offer;
  const warning = linesText(receipt) === linesText(self.receipt) ? null : "other-lines";
  if (isOpen(self)) return { action: "ignore", of: self, reason: `the same order is ${self.state}`, warning };
  // Printed under the receiptId of its sender: cash does not move again.
  const isKnownById = receipt.receiptId !== null && isPrinted(self);
  if (receipt.kind === "service" && !isKnownById) return decideServiceSelf(self, earlier);
  switch (self.state) {
    case "printed": {
      const result = { action: "result", of: self, reason: "already printed", warning } as const;
      if (receipt.kind === "service" || receipt.receiptId !== null || self.told === "no") return result;
      return receipt.operation === "sale" ? decideSaleAgain(self, earlier) : decideReturnAgain(self);
    }
    case "failed":
      return decideFailed(self, offer, earlier);
    default:
      return refuseCancelled(self);
  }
}

/** An equal sale after a whole return may be another one. What was asked before the result was had is ignored there. */
function decideSaleAgain<E extends EarlierReceipt>(self: E, earlier: readonly E[]): Decision<E> {
  const result = { action: "result", of: self, reason: "already printed", warning: null } as const;
  const live = earlier.filter(isOpenOrPrinted);
  const back = live.find(({ receipt, id }) => isReturn(receipt) && id > self.id);
  // Also where something else was sold after the return.
  const wasReturned = live.some(
    ({ id }) => id > self.id && isReturnedWhole(receiptsOf(live.filter((other) => other.id <= id))),
  );
  if (back === undefined || !wasReturned) {
    const isKnown = self.told !== "yes" || self.isInOpenShift();
    return isKnown ? result : refusePrinted(self, `already printed as ${self.name}`, null);
  }
  if (self.told !== "yes") return ignoreToldMeanwhile(self);
  const message =
    `printed as ${self.name} and returned as ${back.name}: ` +
    "an equal sale needs a receiptId of its own, or the operator";
  return refusePrinted(self, message, "sell-again");
}

function ignoreToldMeanwhile<E extends EarlierReceipt>(of: E): Decision<E> {
  return { action: "ignore", of, reason: "its result was delivered during this poll", warning: null };
}

function decideReturnAgain<E extends EarlierReceipt>(self: E): Decision<E> {
  if (self.told !== "yes") return ignoreToldMeanwhile(self);
  const message = `an equal return is printed as ${self.name}: another equal return needs a receiptId of its own`;
  return refusePrinted(self, message, "return-again");
}

/** Tried again, where that is not one too many since it failed. */
function decideFailed<E extends EarlierReceipt>(self: E, offer: Offer, earlier: readonly E[]): Decision<E> {
  const { receipt } = offer;
  if (receipt.kind === "receipt" && receipt.receiptId !== null) {
    // The newer one was ordered because this one failed; this offer was on its way meanwhile.
    const successor = earlier.find((other) => other.id > self.id && isOpenOrPrinted(other) && rivals(other, receipt));
    if (successor !== undefined) {
      const reason = "another receipt of the order has taken its place";
      const action = isOpen(successor) ? "ignore" : "result";
      return { action, of: successor, reason, warning: null };
    }
  }
  const others = earlier.filter((other) => other !== self);
  const fresh = decideOther(offer, others);
  if (fresh.action !== "new") return fresh;
  if (self.tries >= MAX_TRIES) {
    const reason = `failed ${self.tries} times: only the operator can try it again`;
    return { action: "result", of: self, reason, warning: null };
  }
  return { action: "again", of: self, replaces: fresh.replaces };
}

/** An order has one sale, but any number of partial returns: only an equal return may be a repeat. */
function rivals({ receipt: other }: EarlierReceipt, receipt: SaleReceipt): boolean {
  if (other.kind !== "receipt" || other.operation !== receipt.operation) return false;
  return receipt.operation === "sale" || isEqual(receipt, other);
}

function decideServiceSelf<E extends EarlierReceipt>(self: E, earlier: readonly E[]): Decision<E> {
  const isHalfDone = self.doneParts > 0 && self.state !== "printed";
  if (isHalfDone && (self.state === "failed" || self.isStillInItsShift())) {
    if (self.state === "cancelled" || !self.isStillInItsShift()) return refuseHalfDone(self);
    return tryAgain(self);
  }
  if (self.told === "yes") return decideService(earlier.filter((other) => other !== self));
  if (self.state === "printed")
    return { action: "ignore", of: self, reason: "its result is on its way", warning: null };
  return self.state === "failed" ? tryAgain(self) : refuseCancelled(self);
}

function tryAgain<E extends EarlierReceipt>(self: E): Decision<E> {
  if (self.tries < MAX_TRIES) return { action: "again", of: self, replaces: [] };
  const reason = `failed ${self.tries} times: only the operator can try it again`;
  return { action: "result", of: self, reason, warning: null };
}

/** By the other receipts of its order. */
function decideOther<E extends EarlierReceipt>(offer: Offer, earlier: readonly E[]): Decision<E> {
  const { receipt, from } = offer;
  if (receipt.kind === "service") return decideService(earlier);
  if (from === "site") {
    const equal = earlier.find(
      (other) => other.told !== "yes" && !isSelf(receipt, other.receipt) && isEqual(receipt, other.receipt),
    );
    if (equal !== undefined) {
      const reason = "an equal order with another receiptId is not reported yet";
      return { action: "ignore", of: equal, reason, warning: "new-id-each-time" };
    }
  }
  const counted = from === "kit" ? earlier.filter(isUnknownToKit) : earlier;
  if (from === "kit") {
    const back = counted.find(
      (other) => cameBack(other) && rivals(other, receipt) && !settles(receipt, other, earlier),
    );
    if (back !== undefined && !(isWaiting(back) && receipt.operation === "sale" && prepaidPart(receipt) === 0)) {
      return refuseForNow(back);
    }
  }
  const decide = receipt.operation === "return" ? decideReturn : decideSale;
  return decide(receipt, offer, counted, earlier);
}

/** Cash that an earlier table of this order moved in this shift must not move again. */
function decideService<E extends EarlierReceipt>(earlier: readonly E[]): Decision<E> {
  const half = earlier.find(
    (other) =>
      other.receipt.kind === "service" && other.doneParts > 0 && other.state !== "printed" && other.isStillInItsShift(),
  );
  if (half === undefined) return accept();
  return isOpen(half) ? refuseForNow(half) : refuseHalfDone(half);
}

/** The kit judged its other receipts itself; what has no `receiptId` was not of the kit. */
function isUnknownToKit(other: EarlierReceipt): boolean {
  return other.receipt.receiptId === null || cameBack(other);
}

/** It was told as failed and tried again since: the kit does not know that it is open or printed. */
function cameBack(other: EarlierReceipt): boolean {
  if (other.receipt.receiptId === null) return false;
  return (isOpen(other) || (isPrinted(other) && other.told !== "yes")) && other.wasTriedAgain();
}

/** `other` is a prepayment that this settlement may use. */
function settles(receipt: SaleReceipt, other: EarlierReceipt, earlier: readonly EarlierReceipt[]): boolean {
  const offset = prepaidPart(receipt);
  if (!isSale(receipt) || offset === 0 || prepaidPart(other.receipt) > 0) return false;
  const live = earlier.filter(isOpenOrPrinted);
  return offset <= unspentPrepayment(receiptsOf(live.filter(isPrinted)), receiptsOf(live));
}

function decideReturn<E extends EarlierReceipt>(
  receipt: SaleReceipt,
  { lifted, from }: Offer,
  earlier: readonly E[],
  all: readonly EarlierReceipt[],
): Decision<E> {
  const live = earlier.filter(isOpenOrPrinted);
  // A sale that failed is known, too: nothing of it was sold.
  const sales = earlier.filter((other) => isSale(other.receipt));
  const sale = sales.find(isOpenOrPrinted) ?? sales[0];
  if (sale === undefined) return { ...accept(), warning: from === "kit" ? null : "sale-unknown" };
  // Where some receipts of the order are the kit's and some are not, what the kit sold counts as well.
  const known = receiptsOf(all.filter(isOpenOrPrinted));
  const [sold, wanted] = [soldBy(known), returnedBy([...receiptsOf(live), receipt])];
  const excess = Math.max(wanted - sold, prepaidPart(receipt) === 0 ? 0 : putBackBeyondUse([...known, receipt]));
  if (excess <= itemsOf(receipt).length || lifted?.beyondSold === true) return accept();
  const message = `returns of ${roubles(wanted)} would exceed the ${roubles(sold)} sold`;
  return { ...refusal("job.return-exceeds-sale", message), because: sale };
}

function decideSale<E extends EarlierReceipt>(
  receipt: SaleReceipt,
  { lifted }: Offer,
  earlier: readonly E[],
  all: readonly EarlierReceipt[],
): Decision<E> {
  if (lifted?.printAnyway === true) return accept();
  const live = earlier.filter(isOpenOrPrinted);
  const sales = live.filter((other) => isSale(other.receipt));
  const atWork = sales.find(({ state }) => state === "printing" || state === "unsure");
  if (atWork !== undefined) return refuseForNow(atWork);
  const offset = prepaidPart(receipt);
  const waiting = sales.filter(isWaiting);
  // A settlement must not push its own prepayment out of the queue.
  const prepayment = offset === 0 ? undefined : waiting.find((other) => prepaidPart(other.receipt) === 0);
  if (prepayment !== undefined) return refuseForNow(prepayment);
  const printed = receiptsOf(live.filter(isPrinted));
  const sold = sales.find(isPrinted);
  // Beside another settlement, as long as the prepayment covers both.
  if (sold !== undefined && offset > 0 && offset <= unspentPrepayment(printed, receiptsOf(live))) return accept();
  if (sold !== undefined && !isReturnedWhole(receiptsOf(all.filter(isPrinted))) && !mayFollow(receipt, printed)) {
    if (isEqual(receipt, sold.receipt)) return refusePrinted(sold, `already printed as ${sold.name}`, null);
    const message = `already printed as ${sold.name} with other content`;
    return { ...refusal("job.already-printed", message), because: sold };
  }
  // Returns that wait behind the sale need it.
  const left = receiptsOf(live.filter((other) => !waiting.includes(other)));
  const isShort = returnedBy(left) > soldBy([...left, receipt]) + itemsOf(receipt).length;
  const [first] = waiting;
  return first !== undefined && isShort ? refuseForNow(first) : accept(waiting);
}

/** Whether a sale may be printed after the printed sales of its order. */
function mayFollow(receipt: SaleReceipt, printed: readonly Receipt[]): boolean {
  if (isReturnedWhole(printed)) return true;
  const offset = prepaidPart(receipt);
  if (offset > 0) return offset <= unspentPrepayment(printed, printed);
  return isPrepayment(receipt) || (paysOffCredit(receipt) && totalOf(receipt) <= unpaidCredit(printed));
}

function receiptsOf(earlier: readonly EarlierReceipt[]): readonly Receipt[] {
  return earlier.map(({ receipt }) => receipt);
}

function isWaiting({ state }: EarlierReceipt): boolean {
  return state === "queued" || state === "held";
}

function isOpen(other: EarlierReceipt): boolean {
  return isWaiting(other) || other.state === "printing" || other.state === "unsure";
}

function isPrinted({ state }: EarlierReceipt): boolean {
  return state === "printed";
}

function isOpenOrPrinted(other: EarlierReceipt): boolean {
  return isOpen(other) || isPrinted(other);
}

/** Names, quantities and sums of the lines. */
function linesText(receipt: Receipt): string {
  if (receipt.kind === "service") return "";
  return JSON.stringify(
    itemsOf(receipt).map(({ name, quantity, total }) => [name.normalize("NFC").trim(), quantity, total]),
  );
}
