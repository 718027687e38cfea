/**
 * Decides which receipt an order is, and what the order means when it comes again: one pure decision for the daemon's
 * intake, for `enqueue` of the kit and for `POST /receipts`, which differ only in the facts that they gather.
 *
 * **The promise**: success is never answered for a receipt without a document of its own, unless the request is
 * provably the one that made that document.
 *
 * Terms. *Open*: queued, held, printing or unsure. *Offset*: a receipt that is paid with prepayments. *Told*: the site
 * had the result of the present outcome before this order was asked for; a result that is on its way once more counts
 * as told during this very poll. *Identity*: the `receiptId`; without one the order number, direction and fiscal
 * content. *Equal*: of the same content. *Sold*: the sum of the order's sales that are printed or open; money that both
 * a prepayment and its offset contain counts once, as does credit that was then paid off; one kopeck a line is
 * tolerance. *Returned*: the sum of open and printed returns, this one included; a part that goes back into a known
 * prepayment is no money.
 *
 * | Offered | Earlier receipt | Answer |
 * |---|---|---|
 * | known receiptId, other order number, direction or total | any | refused: `receipt.id-reused` |
 * | same identity | open | ignored |
 * | same identity, by a receiptId | printed | its result |
 * | same sale | printed, not told | its result |
 * | same sale | printed, told, not returned whole since | its result; in a later shift refused, with its numbers |
 * | same sale | printed, told, returned whole since | refused with the numbers of both, a person decides |
 * | same sale | printed, told, returned whole since, and its right sale names it | as if it were not returned |
 * | same sale | printed, returned whole since, told during this very poll | ignored |
 * | same return | printed, not told | its result; where it was told during this very poll: ignored |
 * | same return | printed, told | refused, with its numbers, a person decides |
 * | same identity | failed | tried again as the order is now; its result after three failures with one content |
 * | same receiptId | failed; another sale, or an equal return, open or printed since | the other's result, unless
 *   the site knew of it and both sales may be printed |
 * | same identity | cancelled | refused |
 * | equal, other identity, from a site without the kit | not told | ignored, with a warning |
 * | other identity, from the kit | told as failed, tried again since, not told printed | refused for now |
 * | return | else | new while returned <= sold; else refused, unless `beyondSold` |
 * | sale | queued or held | new and replaces it; an offset waits for its prepayment, and what pays off credit for its
 *   sale: refused for now |
 * | sale | printing or unsure | refused for now |
 * | sale | printed | refused, unless it was returned whole; or this offsets printed prepayments that cover it; or this
 *   is a further prepayment (methods 1 to 3), or pays off printed credit (method 7); or `printAnyway`; while its whole
 *   return is open: refused for now |
 * | return correction that names a printed document | any | as a return, but not above that document; put back: only
 *   printed sales count |
 * | sale correction that names a printed return | any | new; refused if it is above that return |
 * | sale correction that names a printed sale | another sale of the order came after its return | refused |
 * | sale correction that names a printed sale | that sale, or the order, is returned whole: by open or printed returns,
 *   or, when put back, by printed ones | new |
 * | sale correction that names a printed sale | else | refused for now; when put back, refused |
 * | correction of a sale | another sale or correction, open or printed | refused |
 * | sale | correction of a sale, queued or held | refused for now |
 * | correction | failed | unchanged: its result, only a person tries it again; changed: a person approves it again |
 * | service job | told, not half done | new; before that a repeat |
 * | service job | half done | goes on, in the same shift only; else refused, as are other lines of its order |
 *
 * Beyond that a correction counts as the sale or the return of its sign.
 *
 * The kit has applied the table to its receipts when they were enqueued: an order of the kit is compared with other
 * receipts of the kit only where the kit cannot know them, such as a return by a person at the till. No decision
 * depends on a time.
 */
import type { FaultText } from "../../fault-codes/fault-row.js";
import { identityOf, isCorrected, isEqual, isSaidAlike } from "../order-key.js";
import { itemsOf, orderedSignOf, prepaidPart, type Receipt, type SaleReceipt, totalOf } from "../receipt.js";
import { decideCorrection } from "./decide-correction.js";
import {
  isCorrection,
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
  type EarlierReceipt,
  fixedSign,
  inRoubles,
  isOpen,
  isOpenOrPrinted,
  isPrinted,
  isWaiting,
  type Known,
  type Offer,
  plainSign,
  type RepeatDecision,
  type RepeatRefusal,
  type RepeatWarning,
  receiptsOf,
  refuseForNow,
  refuseRepeat,
  refuseReusedId,
} from "./repeat-decision.js";
import { repeatTexts } from "./repeat-texts.js";

/** How often one content of a failed order is tried when its site repeats it; after that only the operator can. */
export const MAX_TRIES = 3;

/** Decides on an order. `earlier`: the receipts of its order number and those of its `receiptId`, newest first. */
export function decideRepeat<E extends EarlierReceipt>(offer: Offer, earlier: readonly E[]): RepeatDecision<E> {
  const self = findSelf(offer.receipt, earlier);
  if (self === undefined) return decideOther(offer, earlier);
  if (!isSameOrder(offer.receipt, self.receipt)) return refuseReusedId(offer, self);
  return decideSelf(self, offer, earlier);
}

/** Whether two receipts of one `receiptId` can be the same. For two service jobs the equal id is enough. */
export function isSameOrder(one: Receipt, other: Receipt): boolean {
  if (identityOf(one.orderId) !== identityOf(other.orderId) || one.kind !== other.kind) return false;
  if (one.kind === "service" || other.kind === "service") return true;
  const tolerance = Math.max(itemsOf(one).length, itemsOf(other).length);
  return orderedSignOf(one) === orderedSignOf(other) && Math.abs(totalOf(one) - totalOf(other)) <= tolerance;
}

/**
 * The earlier receipt that is the offered one: first an open one; then, among service jobs, the newest, because the
 * same table may come each day; then a printed receipt before a failed one, even a newer one.
 */
function findSelf<E extends EarlierReceipt>(receipt: Receipt, earlier: readonly E[]): E | undefined {
  const sameIdentity = earlier.filter((other) => isSelf(receipt, other.receipt));
  // A person may have had two receipts with one id printed.
  const own = sameIdentity.filter((other) => isSameOrder(receipt, other.receipt));
  const selves = own.length > 0 ? own : sameIdentity;
  const service = selves[0]?.receipt.kind === "service" ? selves[0] : undefined;
  return selves.find(isOpen) ?? service ?? selves.find(isPrinted) ?? selves[0];
}

function isSelf(receipt: Receipt, other: Receipt): boolean {
  return receipt.receiptId === other.receiptId && (receipt.receiptId !== null || isEqual(receipt, other));
}

function decideSelf<E extends EarlierReceipt>(self: E, offer: Offer, earlier: readonly E[]): RepeatDecision<E> {
  const { receipt } = offer;
  const warning = linesText(receipt) === linesText(self.receipt) ? null : "other-lines";
  if (isOpen(self)) return known("ignore", self, `the same order is ${self.state}`, warning);
  // A receiptId that was printed gets its result, even for a service job, because cash must not move again.
  if (receipt.receiptId !== null && isPrinted(self)) return known("result", self, "already printed", warning);
  if (receipt.kind === "service") return decideServiceSelf(self, receipt, earlier);
  if (self.state === "failed") return decideFailed(self, offer, earlier);
  return isPrinted(self) ? decidePrinted(self, receipt, earlier) : refuseCancelled(self);
}

/** For an order without a `receiptId`: an equal order may be new once the site has had the result. */
function decidePrinted<E extends EarlierReceipt>(
  self: E,
  offered: SaleReceipt,
  earlier: readonly E[],
): RepeatDecision<E> {
  if (self.told === "no") return known("result", self, "already printed");
  const back = isReturn(offered) ? self : wholeReturnOf(self, earlier);
  if (back === undefined) {
    const isKnown = self.told === "meanwhile" || self.isInOpenShift();
    return isKnown ? known("result", self, "already printed") : refusePrinted(self, repeatTexts.printed(self.name));
  }
  if (self.told === "meanwhile") return known("ignore", self, "its result was delivered during this poll");
  if (back === self) return refusePrinted(self, repeatTexts.equalReturn(self.name), "return-again");
  return refusePrinted(self, repeatTexts.equalSale(self.name, back.name), "sell-again");
}

/** The later return that made the return of the sale complete; none if a person has since put right what stays sold. */
function wholeReturnOf<E extends EarlierReceipt>(sale: E, earlier: readonly E[]): E | undefined {
  const live = earlier.filter(isOpenOrPrinted);
  const sign = plainSign(sale.fiscalSign);
  const isPutRight = sign !== "" && live.some(({ receipt }) => isSale(receipt) && fixedSign(receipt) === sign);
  if (isPutRight && !isReturnedWhole(receiptsOf(live))) return undefined;
  return live.find(
    ({ id, receipt }) =>
      id > sale.id && isReturn(receipt) && isReturnedWhole(receiptsOf(live.filter((other) => other.id <= id))),
  );
}

/** Tries again, unless a person has to, the receipt failed too often, or another receipt has taken its place. */
function decideFailed<E extends EarlierReceipt>(self: E, offer: Offer, earlier: readonly E[]): RepeatDecision<E> {
  // A changed correction waits for a person's approval again, unless a person made the correction from a sale.
  const isAsItWas = isCorrection(self.receipt) && isSaidAlike(offer.receipt, self.receipt);
  if ((isAsItWas || isCorrected(self.receipt)) && offer.isPutBack !== true)
    return known("result", self, "a correction that failed is a person's to try again");
  const others = earlier.filter((other) => other !== self);
  const decision = decideOther(offer, others);
  const mayBoth = offer.from === "kit" || (isSale(offer.receipt) && isAccepted(decision));
  // A newer receipt was ordered because this receipt failed, unless the site knew of the newer one and means both.
  const successor = others.find((other) => {
    const isNewer = other.id > self.id && isOpenOrPrinted(other) && rivals(other, offer.receipt);
    return isNewer && !(mayBoth && other.told === "yes");
  });
  // Without a `receiptId` the newer receipt's success would be taken for the success of this order.
  if (offer.receipt.receiptId !== null && successor !== undefined) {
    const reason = "another receipt of the order has taken its place";
    return known(isOpen(successor) ? "ignore" : "result", successor, reason);
  }
  return decision.action === "new" ? tryAgain(self, offer.receipt, decision.replaces) : decision;
}

function isAccepted({ action, ...decision }: RepeatDecision<EarlierReceipt>): boolean {
  return action === "new" && "replaces" in decision && decision.replaces.length === 0;
}

/** An order has one sale, but any number of partial returns: only an equal return may be a repeat. */
function rivals({ receipt: other }: EarlierReceipt, receipt: Receipt): boolean {
  if (isSale(other) && isSale(receipt)) return true;
  return isReturn(other) && isReturn(receipt) && isEqual(receipt, other);
}

function decideServiceSelf<E extends EarlierReceipt>(
  self: E,
  offered: Receipt,
  earlier: readonly E[],
): RepeatDecision<E> {
  const isHalfDone = self.doneParts > 0 && !isPrinted(self);
  const isSameShift = self.isStillInItsShift();
  if (isHalfDone && (self.state === "failed" || isSameShift)) {
    return self.state === "failed" && isSameShift ? tryAgain(self, offered) : refuseHalfDone(self);
  }
  if (self.told === "yes") return decideService(earlier.filter((other) => other !== self));
  if (isPrinted(self)) return known("ignore", self, "its result is on its way");
  return self.state === "failed" ? tryAgain(self, offered) : refuseCancelled(self);
}

function tryAgain<E extends EarlierReceipt>(self: E, offered: Receipt, replaces: readonly E[] = []): RepeatDecision<E> {
  // A half-done job goes on with the parts that it began with.
  const isChanged = self.doneParts === 0 && !isSaidAlike(offered, self.receipt);
  if (isChanged || self.tries < MAX_TRIES) return { action: "again", of: self, replaces, isChanged };
  return known("result", self, `failed ${self.tries} times: only the operator can try it again`);
}

function decideOther<E extends EarlierReceipt>(offer: Offer, earlier: readonly E[]): RepeatDecision<E> {
  const { receipt, from, lifted, isPutBack = false } = offer;
  if (receipt.kind === "service") return decideService(earlier);
  if (from === "site") {
    const equal = earlier.find((other) => {
      return other.told !== "yes" && !isSelf(receipt, other.receipt) && isEqual(receipt, other.receipt);
    });
    const reason = "an equal order with another receiptId is not reported yet";
    if (equal !== undefined) return known("ignore", equal, reason, "new-id-each-time");
  }
  if (from === "kit") {
    const back = earlier.find(
      (other) => cameBack(other) && rivals(other, receipt) && !offsets(receipt, other, earlier),
    );
    const isReplaced = back !== undefined && isWaiting(back) && isSale(receipt) && prepaidPart(receipt) === 0;
    if (back !== undefined && !isReplaced) return refuseForNow(back);
  }
  const corrected = isCorrection(receipt) ? decideCorrection(receipt, earlier, isPutBack) : null;
  if (corrected !== null) return corrected;
  // The kit has judged its own receipts, but may not know one without a `receiptId`, or one that a person ordered.
  const isOurSale = (other: E) => other.isByOperator === true && isSale(other.receipt);
  const isCounted = (other: E) =>
    from !== "kit" || other.receipt.receiptId === null || isOurSale(other) || cameBack(other);
  const counted = earlier.filter(isCounted);
  if (receipt.operation === "sale") return decideSale(receipt, counted, earlier, lifted?.printAnyway === true);
  // The kit's judgement did not count a return that a person has made at the till in the meantime.
  const isUnjudged = isPutBack || earlier.some((other) => other.isByOperator === true && isOpenOrPrinted(other));
  // The right sale that waits until this return is printed leaves no room for it.
  const isFirst = isPutBack && isCorrection(receipt) && fixedSign(receipt) !== "";
  const all = isFirst ? earlier.filter((other) => isPrinted(other) || !isSale(other.receipt)) : earlier;
  const decision = decideReturn(receipt, isUnjudged ? earlier : counted, all);
  const isTaken = decision.action === "new" ? from === "kit" : lifted?.beyondSold === true;
  return isTaken ? accept() : decision;
}

/** Decides on a new service job: cash that an earlier job of this order moved in this shift must not move again. */
function decideService<E extends EarlierReceipt>(earlier: readonly E[]): RepeatDecision<E> {
  const half = earlier.find((other) => {
    return other.receipt.kind === "service" && other.doneParts > 0 && !isPrinted(other) && other.isStillInItsShift();
  });
  if (half === undefined) return accept();
  return isOpen(half) ? refuseForNow(half) : refuseHalfDone(half);
}

/** Whether the receipt was reported as failed and tried again since: the kit does not know it is open or printed. */
function cameBack(other: EarlierReceipt): boolean {
  if (other.receipt.receiptId === null) return false;
  return (isOpen(other) || (isPrinted(other) && other.told !== "yes")) && other.wasTriedAgain();
}

function offsets(receipt: SaleReceipt, other: EarlierReceipt, earlier: readonly EarlierReceipt[]): boolean {
  if (!isSale(receipt) || prepaidPart(receipt) === 0 || prepaidPart(other.receipt) > 0) return false;
  return isCovered(receipt, earlier.filter(isOpenOrPrinted));
}

/** Counts the other offsets too, printed or open. */
function isCovered(receipt: SaleReceipt, live: readonly EarlierReceipt[]): boolean {
  const used = prepaidPart(receipt);
  return used > 0 && used <= unspentPrepayment(receiptsOf(live.filter(isPrinted)), receiptsOf(live));
}

/** `all`: also the kit's receipts, because sales of the kit may be returned too. */
function decideReturn<E extends EarlierReceipt>(receipt: SaleReceipt, counted: readonly E[], all: readonly E[]) {
  // A sale that failed counts as known: the site has it, and nothing of it was sold.
  const sales = counted.filter((other) => isSale(other.receipt));
  const sale = sales.find(isOpenOrPrinted) ?? sales[0];
  if (sale === undefined) return { ...accept<E>(), warning: "sale-unknown" } as const;
  const known = receiptsOf(all.filter(isOpenOrPrinted));
  const returns = receiptsOf(counted.filter(isOpenOrPrinted)).filter(isReturn);
  const [sold, wanted] = [soldBy(known), returnedBy([...known.filter(isSale), ...returns, receipt])];
  const excess = Math.max(wanted - sold, prepaidPart(receipt) === 0 ? 0 : putBackBeyondUse([...known, receipt]));
  if (excess <= itemsOf(receipt).length) return accept<E>();
  const message = repeatTexts.beyondSale(inRoubles(wanted), inRoubles(sold));
  return refuseRepeat("job.return-exceeds-sale", sale, message);
}

function decideSale<E extends EarlierReceipt>(
  receipt: SaleReceipt,
  counted: readonly E[],
  all: readonly E[],
  printAnyway: boolean,
) {
  const live = counted.filter(isOpenOrPrinted);
  const sales = live.filter((other) => isSale(other.receipt));
  const atWork = sales.find(({ state }) => state === "printing" || state === "unsure");
  if (atWork !== undefined) return refuseForNow(atWork);
  const waiting = sales.filter(isWaiting);
  // A sale replaces no waiting correction and nothing that a person has ordered; an offset does not replace its
  // prepayment, nor a pay-off its sale on credit.
  const basis = waiting.find(
    ({ receipt: other, isByOperator }) => isByOperator === true || isCorrection(other) || isBasisOf(receipt, other),
  );
  if (basis !== undefined) return refuseForNow(basis);
  const printed = live.filter(isPrinted);
  const sold = sales.find(isPrinted);
  // An offset may follow another one as long as the prepayment covers both.
  if (sold !== undefined && isCovered(receipt, live)) return accept<E>();
  const mayFollow = printAnyway || isReturnedWhole(receiptsOf(all.filter(isPrinted))) || goesWith(receipt, printed);
  if (sold !== undefined && !mayFollow) {
    const back = all.find((other) => isOpen(other) && isReturn(other.receipt));
    if (back !== undefined && isReturnedWhole(receiptsOf(all.filter(isOpenOrPrinted)))) return refuseForNow(back);
    if (isEqual(receipt, sold.receipt)) return refusePrinted(sold, repeatTexts.printed(sold.name));
    return refuseRepeat("job.already-printed", sold, repeatTexts.printedOther(sold.name));
  }
  // Returns that wait behind the queued sale need this sale.
  const left = receiptsOf(live.filter((other) => !waiting.includes(other)));
  const isShort = returnedBy([...left, receipt]) > soldBy([...left, receipt]) + itemsOf(receipt).length;
  const [first] = waiting;
  return first !== undefined && isShort ? refuseForNow(first) : accept(waiting);
}

/** Whether the other receipt is a prepayment of this offset, or the sale on credit that this one pays off. */
function isBasisOf(receipt: SaleReceipt, other: Receipt): boolean {
  if (other.kind === "service") return false;
  return prepaidPart(receipt) > 0 ? prepaidPart(other) === 0 : paysOffCredit(receipt) && !paysOffCredit(other);
}

/** Whether a sale may be printed after these printed receipts of its order. */
function goesWith(receipt: SaleReceipt, printed: readonly EarlierReceipt[]): boolean {
  const receipts = receiptsOf(printed);
  if (isReturnedWhole(receipts)) return true;
  if (prepaidPart(receipt) > 0) return isCovered(receipt, printed);
  return isPrepayment(receipt) || (paysOffCredit(receipt) && totalOf(receipt) <= unpaidCredit(receipts));
}

function known<E>(action: Known<E>["action"], of: E, reason: string, warning: RepeatWarning | null = null): Known<E> {
  return { action, of, reason, warning };
}

function refusePrinted<E extends EarlierReceipt>(self: E, message: FaultText, asks: RepeatRefusal<E>["asks"] = null) {
  return refuseRepeat("job.already-printed", self, message, { isPrinted: true, asks });
}

function refuseCancelled<E extends EarlierReceipt>(self: E) {
  return refuseRepeat("job.cancelled", self, repeatTexts.cancelled);
}

function refuseHalfDone<E extends EarlierReceipt>(half: E) {
  return refuseRepeat("job.half-done", half, repeatTexts.halfDone(half.name));
}

function linesText(receipt: Receipt): string {
  const items = receipt.kind === "service" ? [] : itemsOf(receipt);
  return JSON.stringify(items.map(({ name, quantity, total }) => [name.normalize("NFC").trim(), quantity, total]));
}
