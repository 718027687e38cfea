/** Decides on a correction of an order, whether its site or a person orders it. */
import { itemsOf, type Receipt, type SaleReceipt, signOf, totalOf } from "../receipt.js";
import { isCorrection, isReturn, isReturnedWhole, isSale } from "./order-money.js";
import {
  accept,
  type EarlierReceipt,
  fixedSign,
  isOpenOrPrinted,
  isPrinted,
  plainSign,
  type RepeatDecision,
  receiptsOf,
  refuseRepeat,
} from "./repeat-decision.js";
import { repeatTexts } from "./repeat-texts.js";

/**
 * A document may be corrected once in each direction. The right receipt of a wrong sale is accepted only after the
 * wrong sale was returned whole. It is refused when another sale of the order came after that return. Returns null when
 * the ordinary rules decide.
 */
export function decideCorrection<E extends EarlierReceipt>(
  receipt: SaleReceipt,
  earlier: readonly E[],
  isPutBack: boolean,
): RepeatDecision<E> | null {
  const named = fixedSign(receipt);
  const live = earlier.filter(isOpenOrPrinted);
  const printed = live.filter(isPrinted);
  const fixed = named === "" ? undefined : printed.find(({ fiscalSign }) => plainSign(fiscalSign) === named);
  const isAgain = ({ receipt: other }: E) =>
    isCorrection(other) && signOf(other) === signOf(receipt) && fixedSign(other) === named;
  const rival = live.find(fixed === undefined ? ({ receipt: other }) => isSale(receipt) && isSale(other) : isAgain);
  if (rival !== undefined) {
    const message = (fixed === undefined ? repeatTexts.correctsNothing : repeatTexts.correctedBy)(rival.name);
    return refuseRepeat(isPrinted(rival) ? "job.already-printed" : "job.being-printed", rival, message);
  }
  if (fixed === undefined) return null;
  const { receipt: wrong } = fixed;
  const isReverse = wrong.kind === "receipt" && wrong.operation !== receipt.operation;
  if (isReverse && totalOf(receipt) > totalOf(wrong) + itemsOf(receipt).length) {
    const code = isReturn(receipt) ? "job.return-exceeds-sale" : "order.wrong-value";
    return refuseRepeat(code, fixed, repeatTexts.aboveFixed(fixed.name));
  }
  if (isReturn(receipt)) return null;
  if (!isSale(wrong)) return accept();
  // A site may order a return and the right receipt together, but a person approves the right one only after the return
  // is printed.
  const counted = live.filter((other) => !isPutBack || isPrinted(other) || isSale(other.receipt));
  const all = receiptsOf(counted);
  if (isReturnedWhole(all)) return accept();
  // The newest receipt is first in the list, so this is the first return after the wrong sale.
  const back = counted.findLast(({ id, receipt: other }) => isReturn(other) && id > fixed.id);
  // The right receipt of another document sells nothing of this one.
  const sellsAnew = (other: Receipt) => isSale(other) && !(isCorrection(other) && fixedSign(other) !== "");
  const anew = live.find(({ id, receipt: other }) => back !== undefined && id > back.id && sellsAnew(other));
  if (anew !== undefined) {
    const code = isPrinted(anew) ? "job.already-printed" : "job.being-printed";
    return refuseRepeat(code, anew, repeatTexts.soldAnew(anew.name));
  }
  const isOfFixed = (other: Receipt) => isReturn(other) && fixedSign(other) === named;
  if (isReturnedWhole([wrong, ...all.filter(isOfFixed)])) return accept();
  return refuseRepeat("job.wrong-state", fixed, repeatTexts.notReturned(fixed.name), { again: !isPutBack });
}
