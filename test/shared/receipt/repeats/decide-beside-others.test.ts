import { decideRepeat } from "@fiscald/shared/receipt/repeats/decide-repeat.js";
import { earlier, inWords, receiptOf, testRows } from "./order-rows.js";

describe("a return that differs from earlier ones", () => {
  testRows({
    "a further return is accepted as new while all returns, open and printed, stay within what was sold": [
      "return {40,40.01} | return 60 {printed,queued,held,printing,unsure}, sale 100 -> new",
      "return 40.02 | return 60 {printed,queued,held,printing,unsure}, sale 100 -> refused return-exceeds-sale by 1",
    ],
    "a further return is not refused because of failed and cancelled returns": [
      "return 100 | return 60 failed, return 70 cancelled, sale 100 -> new",
    ],
    "a return whose sale is not known here is accepted as new, with a warning": ["return 500 | -> new (sale-unknown)"],
    "a return of a sale that still waits is accepted as new, up to the sale's total": [
      "return 100 | sale 100 queued -> new",
      "return 101 | sale 100 queued -> refused return-exceeds-sale by 1",
    ],
    "a return above what was sold is accepted by beyondSold alone": [
      "return 500 #1 by beyond-sold | sale 100 -> new",
      "return 500 #1 by print-anyway | sale 100 -> refused return-exceeds-sale by 1",
    ],
    "a return of an offset is accepted as new up to the offset's total, its prepayment not counted again": [
      "return 100 | offset 100, prepayment 100 -> new",
      "return 101 | offset 100, prepayment 100 -> refused return-exceeds-sale by 2",
      "return 100 | offset 100 -> new",
    ],
    "a return into a prepayment is refused above what the offsets have used of it": [
      "offset-return 100 | offset 100, prepayment 100 -> new",
      "offset-return 101 | offset 100, prepayment 100 -> refused return-exceeds-sale by 2",
      "offset-return 60 | offset-return 50, offset 100, prepayment 100 -> refused return-exceeds-sale by 2",
    ],
    "an offset may be returned into its prepayment, and then the prepayment may be returned": [
      "return 100 | offset-return 100, offset 100, prepayment 100 -> new",
      "return 101 | offset-return 100, offset 100, prepayment 100 -> refused return-exceeds-sale by 2",
    ],
  });
});

describe("a sale that differs from an earlier one", () => {
  testRows({
    "a changed sale takes the place of a sale that waits": ["sale 90 | sale 100 {queued,held} -> new instead of 1"],
    "a changed sale does not take the place of a sale whose open return is larger": [
      "sale 60 | return 100 queued, sale 100 queued -> refused being-printed by 1, later",
    ],
    "a changed sale is refused for now beside a sale at work, whose outcome is open, with print-anyway too": [
      "sale 90 | sale 100 {printing,unsure} -> refused being-printed by 1, later",
      "sale 120 #2 by print-anyway | sale 100 {printing,unsure} -> refused being-printed by 1, later",
    ],
    "a changed sale is refused after a printed sale, whose numbers are no answer to it": [
      "sale 90 | sale 80 failed, sale 100 old-shift -> refused already-printed by 1",
    ],
    "a changed sale is accepted as new beside a sale that failed or was cancelled": [
      "sale 90 | sale 100 {failed,cancelled} -> new",
    ],
    "a changed sale, or an equal one with its own receiptId, is accepted as new after the whole return is printed": [
      "sale 90 | return 100, sale 100 -> new",
      "sale 100 #1 | return 100, sale 100 -> new",
      "sale 90 | return 100 queued, sale 100 -> refused being-printed by 2, later",
      "sale 90 | return 50 queued, sale 100 -> refused already-printed by 1",
    ],
    "a changed sale after a printed sale is printed once where print-anyway is asked for": [
      "sale 90 #1 by print-anyway | sale 100 -> new",
      "sale 90 #1 by print-anyway | sale 90 #1, sale 100 -> result 2",
    ],
    "a further prepayment is accepted as new, and a full sale beside a prepayment is refused": [
      "prepayment 50 | prepayment 40 -> new",
      "sale 50 | prepayment 40 -> refused already-printed by 1",
    ],
    "a payment of credit is accepted as new up to the credit that was given": [
      "pay-off 60 | credit 100 -> new",
      "pay-off 40 | pay-off 60, credit 100 -> new",
      "pay-off 41 | pay-off 60, credit 100 -> refused already-printed by 2",
      "pay-off 60 | credit 100 queued -> refused being-printed by 1, later",
    ],
  });
});

describe("an offset of prepayments", () => {
  testRows({
    "an offset is accepted as new while the printed prepayments cover it together with other offsets": [
      "offset 100 | prepayment 100 -> new",
      "offset 40 | offset 60 queued, prepayment 100 -> new",
      "offset 101 | prepayment 100 -> refused already-printed by 1",
      "offset 50 | offset 60, prepayment 100 -> refused already-printed by 2",
    ],
    "an offset is refused where the prepayment was returned, and new where an earlier offset was returned": [
      "offset 100 | prepayment-return 60, prepayment 100 -> refused already-printed by 1",
      "offset 80 | offset-return 100, offset 100, prepayment 100 -> new",
    ],
    "an offset takes the place of a waiting offset where the prepayments do not cover both": [
      "offset 50 | offset 60 queued, prepayment 100 -> new instead of 2",
    ],
    "an offset never pushes its own prepayment out of the queue": [
      "offset 100 | prepayment 100 queued -> refused being-printed by 1, later",
    ],
  });
});

describe("an order of the kit", () => {
  testRows({
    "an order of the kit is accepted as new beside another receiptId, open or printed, since the kit judged both": [
      "{sale 100,return 500} #2 by kit | sale 100 #1 {queued,held,printing,unsure,printed} -> new",
    ],
    "a return of the kit is accepted as new beside other receipts of the order that are not of the kit": [
      "return 100 #2 by kit | sale 100 #1, prepayment 30 -> new",
    ],
    "an order of the kit is refused beside a printed equal sale without a receiptId": [
      "sale 100 #2 by kit | sale 100 -> refused already-printed by 1, as it",
    ],
    "an order of the kit replaces a retried receipt that waits, and waits for a retried one that is at work": [
      "sale 100 #2 by kit | sale 100 #1 queued tried-again -> new instead of 1",
      "sale 100 #2 by kit | sale 100 #1 {printing,unsure} tried-again -> refused being-printed by 1, later",
      "sale 100 #2 by kit | sale 100 #1 {untold,told-now} tried-again -> refused being-printed by 1, later",
      "sale 100 #2 by kit | sale 100 #1 told tried-again -> new",
    ],
    "an equal return of the kit waits for a retried return, and a different return does not wait": [
      "return 40 #2 by kit | return 40 #1 printing tried-again -> refused being-printed by 1, later",
      "return 50 #2 by kit | return 40 #1 printing tried-again -> new",
    ],
    "an offset of the kit is accepted as new beside a retried prepayment, and waits for a retried offset": [
      "offset 100 #2 by kit | prepayment 100 #1 untold tried-again -> new",
      "offset 40 #2 by kit | offset 40 #1 untold tried-again, prepayment 100 -> refused being-printed by 2, later",
    ],
    "a return of the kit that a person puts back counts beside the kit's other returns": [
      "return 60 by put-back | return 100 #2, sale 100 #1 -> refused return-exceeds-sale by 1",
      "return 60 by put-back | sale 100 #1 -> new",
    ],
  });
});

describe("money that is not paid with the sale itself", () => {
  testRows({
    "a sale by a gift card is returned whole once: an equal sale asks a person, one with its own id is accepted as new":
      [
        "offset 100 | offset-return 100, offset 100 -> refused already-printed by 1, as it, sell-again",
        "sale 90 #2 | offset-return 100, offset 100 -> new",
        "return 100 #2 | offset-return 100, offset 100 -> refused return-exceeds-sale by 1",
      ],
    "a sale on credit that was paid off is returned whole once, and an equal sale asks a person": [
      "credit 100 | return 100, pay-off 100, credit 100 -> refused already-printed by 1, as it, sell-again",
      "sale 90 #2 | return 100, pay-off 100, credit 100 -> new",
      "return 100 #2 | return 100, pay-off 100, credit 100 -> refused return-exceeds-sale by 2",
    ],
    "an offset that was returned in money is not put back into its prepayment besides": [
      "offset-return 100 #2 | return 100, offset 100, prepayment 100 -> refused return-exceeds-sale by 2",
    ],
    "credit that a return took back is not paid off any more": [
      "pay-off 60 | credit-return 40, credit 100 -> new",
      "pay-off 100 #2 | credit-return 40, credit 100 -> refused already-printed by 1",
    ],
  });
});

describe("corrections", () => {
  testRows({
    "a correction of an order without a sale is accepted as new, and so is one whose sale has failed": [
      "correction 100 | -> new",
      "correction 100 | sale 100 failed -> new",
    ],
    "a correction of an order whose sale is open or printed is refused, and takes no place": [
      "correction 100 | {sale 100,correction 90} {queued,held,printing,unsure} -> refused being-printed by 1",
      "correction 100 | {sale 100,correction 90} -> refused already-printed by 1",
    ],
    "a pair of corrections that name a printed document is accepted as new in both directions, once each": [
      "return-correction 100 fixes:1 | sale 100 -> new",
      "correction 90 fixes:1 | return-correction 100 held fixes:1, sale 100 -> new",
      "return-correction 80 fixes:1 | return-correction 100 held fixes:1, sale 100 -> refused being-printed by 2",
    ],
    "a sale of an order whose correction waits is refused for now, and after it is printed for good": [
      "sale 100 | correction 100 held -> refused being-printed by 1, later",
      "sale 100 | correction 100 -> refused already-printed by 1",
    ],
    "a correction counts as its sale: a return within it is accepted as new, one beyond it is refused": [
      "return 100 | correction 100 -> new",
      "return 101 | correction 100 -> refused return-exceeds-sale by 1",
    ],
    "a known receiptId with the sale in place of the correction belongs to another receipt": [
      "sale 100 #1 | correction 100 #1 -> refused id-reused by 1",
    ],
  });

  const offered = (text: string, made: string, contact: string | null) =>
    inWords(
      decideRepeat({ receipt: { ...receiptOf(text), contact }, from: "site" }, [earlier(1, receiptOf(made), "failed")]),
    );

  test("a correction that failed is not tried again by its site as it was, but changed", () => {
    expect(offered("correction 100", "correction 100", null)).toBe("result 1");
    expect(offered("correction 100", "correction 100", "new@shop.example")).toBe("again 1 as changed");
  });

  test("a failed sale that a person has made a correction is not tried again by its site, however it comes", () => {
    expect(offered("sale 100", "order-correction 100", "new@shop.example")).toBe("result 1");
  });
});

describe("a receipt that a person at the till has ordered", () => {
  testRows({
    "the corrected sale in place of a returned one, which waits, is not replaced by another sale": [
      "sale 80 | sale 90 {queued,held} by-person, return 100 by-person, sale 100 -> refused being-printed by 3, later",
    ],
    "a sale that a pair of corrections or of ordinary receipts has put right and that comes again is answered as printed":
      [
        "sale 100 | correction 90 fixes:1 {printed,held} by-person, return-correction 100 fixes:1 by-person, sale 100 -> result 1",
        "sale 100 | correction 90 fixes:1 {printed,held} by-person, return-correction 100 fixes:1 by-person, sale 100 old-shift -> refused already-printed by 1, as it",
        "sale 100 | sale 90 fixes:1 by-person, return 100 fixes:1 by-person, sale 100 -> result 1",
        "sale 100 | sale 90 fixes:1 by-person, return 100 fixes:1 by-person, sale 100 old-shift -> refused already-printed by 1, as it",
        "sale 100 | return 90, correction 90 fixes:1 {printed,held} by-person, return-correction 100 fixes:1 by-person, sale 100 -> refused already-printed by 1, as it, sell-again",
        "sale 100 | return 90, sale 90 fixes:1 by-person, return 100 fixes:1 by-person, sale 100 -> refused already-printed by 1, as it, sell-again",
      ],
    "a correction that waits or is printed keeps the kit's other sale of its order away, told to the kit or not": [
      "sale 80 #2 by kit | correction 90 {queued,held} by-person -> refused being-printed by 1, later",
      "sale 80 #2 by kit | correction 90 #1 {queued,held} by-person -> refused being-printed by 1, later",
      "sale 80 #2 by kit | {correction 90,correction 90 #1} by-person -> refused already-printed by 1",
    ],
    "the kit's failed order that waits as a correction keeps its place before another sale of the kit": [
      "sale 80 #2 by kit | order-correction 90 #1 queued tried-again -> refused being-printed by 1, later",
    ],
  });
});
