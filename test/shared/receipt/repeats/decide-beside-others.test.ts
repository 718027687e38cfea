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
    "a return whose sale is not known is accepted as new, with a warning": ["return 500 | -> new (sale-unknown)"],
    "a return of a sale that still waits is accepted as new, up to the sale's total": [
      "return 100 | sale 100 queued -> new",
      "return 101 | sale 100 queued -> refused return-exceeds-sale by 1",
    ],
    "a return above what was sold is accepted only with beyondSold": [
      "return 500 #1 by beyond-sold | sale 100 -> new",
      "return 500 #1 by print-anyway | sale 100 -> refused return-exceeds-sale by 1",
    ],
    "a return of an offset is accepted as new up to the offset's total, without counting the prepayment again": [
      "return 100 | offset 100, prepayment 100 -> new",
      "return 101 | offset 100, prepayment 100 -> refused return-exceeds-sale by 2",
      "return 100 | offset 100 -> new",
    ],
    "a return into a prepayment is refused above what the offsets have used of it": [
      "offset-return 100 | offset 100, prepayment 100 -> new",
      "offset-return 101 | offset 100, prepayment 100 -> refused return-exceeds-sale by 2",
      "offset-return 60 | offset-return 50, offset 100, prepayment 100 -> refused return-exceeds-sale by 2",
    ],
    "an offset may be returned into its prepayment, and after that the prepayment may be returned": [
      "return 100 | offset-return 100, offset 100, prepayment 100 -> new",
      "return 101 | offset-return 100, offset 100, prepayment 100 -> refused return-exceeds-sale by 2",
    ],
  });
});

describe("a sale that differs from an earlier one", () => {
  testRows({
    "a changed sale replaces a sale that waits": ["sale 90 | sale 100 {queued,held} -> new instead of 1"],
    "a changed sale does not replace a sale whose open return is larger": [
      "sale 60 | return 100 queued, sale 100 queued -> refused being-printed by 1, later",
    ],
    "a changed sale is refused for now beside a sale that is being printed or unsure, even with print-anyway": [
      "sale 90 | sale 100 {printing,unsure} -> refused being-printed by 1, later",
      "sale 120 #2 by print-anyway | sale 100 {printing,unsure} -> refused being-printed by 1, later",
    ],
    "a changed sale after a printed sale is refused without the printed sale's numbers": [
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
    "a changed sale after a printed sale is printed once with print-anyway": [
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
    "an offset is refused when its prepayment was returned, and new when an earlier offset was returned": [
      "offset 100 | prepayment-return 60, prepayment 100 -> refused already-printed by 1",
      "offset 80 | offset-return 100, offset 100, prepayment 100 -> new",
    ],
    "an offset replaces a waiting offset when the prepayments do not cover both offsets": [
      "offset 50 | offset 60 queued, prepayment 100 -> new instead of 2",
    ],
    "an offset never replaces its own prepayment in the queue": [
      "offset 100 | prepayment 100 queued -> refused being-printed by 1, later",
    ],
  });
});

describe("an order of the kit", () => {
  testRows({
    "an order of the kit is accepted as new beside another receiptId, because the kit has judged the two orders": [
      "{sale 100,return 500} #2 by kit | sale 100 #1 {queued,held,printing,unsure,printed} -> new",
    ],
    "a return of the kit is accepted as new beside other receipts of the order that are not of the kit": [
      "return 100 #2 by kit | sale 100 #1, prepayment 30 -> new",
    ],
    "an order of the kit is refused beside a printed equal sale without a receiptId": [
      "sale 100 #2 by kit | sale 100 -> refused already-printed by 1, as it",
    ],
    "an order of the kit replaces a waiting retried receipt, and waits for a retried one that is being printed": [
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
    "a return of the kit that a person queues again counts beside the kit's other returns": [
      "return 60 by put-back | return 100 #2, sale 100 #1 -> refused return-exceeds-sale by 1",
      "return 60 by put-back | sale 100 #1 -> new",
    ],
  });
});

describe("money that is not paid with the sale itself", () => {
  testRows({
    "a sale by a gift card is returned whole once, and a person is asked about an equal sale without its own receiptId":
      [
        "offset 100 | offset-return 100, offset 100 -> refused already-printed by 1, as it, sell-again",
        "sale 90 #2 | offset-return 100, offset 100 -> new",
        "return 100 #2 | offset-return 100, offset 100 -> refused return-exceeds-sale by 1",
      ],
    "a sale on credit that was paid off is returned whole once, and a person is asked about an equal sale": [
      "credit 100 | return 100, pay-off 100, credit 100 -> refused already-printed by 1, as it, sell-again",
      "sale 90 #2 | return 100, pay-off 100, credit 100 -> new",
      "return 100 #2 | return 100, pay-off 100, credit 100 -> refused return-exceeds-sale by 2",
    ],
    "an offset that was returned in money is not also put back into its prepayment": [
      "offset-return 100 #2 | return 100, offset 100, prepayment 100 -> refused return-exceeds-sale by 2",
    ],
    "credit that a return has cancelled cannot be paid off any more": [
      "pay-off 60 | credit-return 40, credit 100 -> new",
      "pay-off 100 #2 | credit-return 40, credit 100 -> refused already-printed by 1",
    ],
  });
});

describe("corrections", () => {
  testRows({
    "a correction of an order is accepted as new when the order has no sale or a failed one": [
      "correction 100 | -> new",
      "correction 100 | sale 100 failed -> new",
    ],
    "a correction of an order whose sale is open or printed is refused, and replaces no sale": [
      "correction 100 | {sale 100,correction 90} {queued,held,printing,unsure} -> refused being-printed by 1",
      "correction 100 | {sale 100,correction 90} -> refused already-printed by 1",
    ],
    "a pair of corrections that name a printed document is accepted as new once in each direction": [
      "return-correction 100 fixes:1 | sale 100 -> new",
      "correction 90 fixes:1 | return-correction 100 held fixes:1, sale 100 -> new",
      "return-correction 80 fixes:1 | return-correction 100 held fixes:1, sale 100 -> refused being-printed by 2",
    ],
    "a return correction that names a printed sale is refused beyond what is left of the order": [
      "return-correction 600 fixes:1 | sale 200 -> refused return-exceeds-sale by 1",
      "return-correction 200 fixes:1 | return 200, sale 200 -> refused return-exceeds-sale by 1",
      "return-correction 150 fixes:1 | return 50 {printed,queued}, sale 200 -> new",
      "return-correction 50 fixes:2 | prepayment 40, prepayment 50 -> refused return-exceeds-sale by 2",
      "return-correction 200 fixes:1 by approve | correction 180 fixes:1 held, sale 200 -> new",
      "return-correction 300 fixes:1 by approve | correction 180 fixes:1 held, sale 200 -> refused return-exceeds-sale by 1",
    ],
    "the right correction of a printed sale is refused for now until the whole return of that sale is at least open": [
      "correction 90 fixes:1 | sale 100 -> refused wrong-state by 1, later",
      "correction 90 fixes:1 | return-correction 60 fixes:1, sale 100 -> refused wrong-state by 1, later",
      "correction 90 fixes:1 | return-correction 100 {failed,cancelled} fixes:1, sale 100 -> refused wrong-state by 1, later",
      "correction 90 fixes:1 | return 40 {queued,printed}, return-correction 60 fixes:1, sale 100 -> new",
      "correction 90 fixes:1 | sale 100, return-correction 100 fixes:1, sale 100 -> refused already-printed by 3",
    ],
    "a person may approve the right correction of a printed sale only after that sale is printed as returned whole": [
      "correction 180 fixes:1 by {approve,put-back} | sale 200 -> refused wrong-state by 1",
      "correction 180 fixes:1 by approve | return-correction 200 {held,queued,unsure,failed,cancelled} fixes:1, sale 200 -> refused wrong-state by 1",
      "correction 180 fixes:1 by approve | return-correction 150 fixes:1, sale 200 -> refused wrong-state by 1",
      "correction 180 fixes:1 by {approve,put-back} | return-correction 200 fixes:1, sale 200 -> new",
      "correction 180 fixes:1 by approve | return-correction 150 fixes:1, return 50, sale 200 -> new",
      "correction 180 fixes:1 by approve | return 200, sale 200 -> new",
      "correction 30 fixes:2 by approve | return-correction 40 fixes:2, prepayment 40, prepayment 50 -> new",
      "correction 30 fixes:2 by approve | return-correction 40 fixes:1, prepayment 40, prepayment 50 -> refused wrong-state by 2",
    ],
    "a right correction is not approved while a later sale of its returned order is open or printed": [
      "correction 120 fixes:1 by {approve,put-back} | sale 120, return-correction 100 fixes:1, sale 100 -> refused already-printed by 3",
      "correction 120 fixes:1 by approve | sale 120 {queued,held,printing,unsure}, return-correction 100 fixes:1, sale 100 -> refused being-printed by 3",
      "correction 120 fixes:1 by approve | return-correction 100 fixes:1, sale 120, return 100, sale 100 -> refused already-printed by 3",
      "correction 120 fixes:1 by approve | sale 120 {failed,cancelled}, return-correction 100 fixes:1, sale 100 -> new",
      "correction 120 fixes:1 by approve | return 120, sale 120, return-correction 100 fixes:1, sale 100 -> new",
    ],
    "two wrong documents of one order are put right one after the other": [
      "correction 70 fixes:2 | return-correction 70 fixes:2, correction 30 fixes:1, return-correction 30 fixes:1, prepayment 70, prepayment 30 -> new",
      "correction 70 fixes:2 by approve | return-correction 70 fixes:2, correction 30 fixes:1, return-correction 30 fixes:1, prepayment 70, prepayment 30 -> new",
    ],
    "a correction that was wrong itself is taken back and put right like a sale": [
      "return-correction 180 fixes:3 by approve | correction 180 fixes:1, return-correction 200 fixes:1, sale 200 -> new",
      "correction 170 fixes:3 by approve | correction 180 fixes:1, return-correction 200 fixes:1, sale 200 -> refused wrong-state by 3",
      "correction 170 fixes:3 by approve | return-correction 180 fixes:3, correction 180 fixes:1, return-correction 200 fixes:1, sale 200 -> new",
    ],
    "a printed return is taken back by a sale correction of no more, and then put right by a return correction": [
      "correction 60 fixes:2 | return 60, sale 100 -> new",
      "correction 60 fixes:2 by approve | return 60, sale 100 -> new",
      "correction 61 fixes:2 | return 60, sale 100 -> refused wrong-value by 2",
      "return-correction 50 fixes:2 by approve | correction 60 fixes:2, return 60, sale 100 -> new",
      "return-correction 50 fixes:2 by approve | correction 60 fixes:2 held, return 60, sale 100 -> refused return-exceeds-sale by 3",
    ],
    "a sale of an order is refused for now while its correction waits, and for good after the correction is printed": [
      "sale 100 | correction 100 held -> refused being-printed by 1, later",
      "sale 100 | correction 100 -> refused already-printed by 1",
    ],
    "a correction counts as a sale, so that a return within it is accepted as new and a return beyond it is refused": [
      "return 100 | correction 100 -> new",
      "return 101 | correction 100 -> refused return-exceeds-sale by 1",
    ],
    "a correction's receiptId on a sale is refused, because it belongs to another receipt": [
      "sale 100 #1 | correction 100 #1 -> refused id-reused by 1",
    ],
  });

  const offered = (text: string, made: string, contact: string | null) =>
    inWords(
      decideRepeat({ receipt: { ...receiptOf(text), contact }, from: "site" }, [earlier(1, receiptOf(made), "failed")]),
    );

  test("a failed correction that its site repeats is tried again only when it is changed", () => {
    expect(offered("correction 100", "correction 100", null)).toBe("result 1");
    expect(offered("correction 100", "correction 100", "new@shop.example")).toBe("again 1 as changed");
  });

  test("a failed sale that a person has corrected is not tried again when its site repeats the sale, in any form", () => {
    expect(offered("sale 100", "order-correction 100", "new@shop.example")).toBe("result 1");
  });
});

describe("a receipt that a person at the till has ordered", () => {
  testRows({
    "a sale that puts right a returned sale and still waits is not replaced by another sale": [
      "sale 80 | sale 90 {queued,held} by-person, return 100 by-person, sale 100 -> refused being-printed by 3, later",
    ],
    "a sale that corrections or ordinary receipts have put right is answered as printed when it comes again": [
      "sale 100 | correction 90 fixes:1 {printed,held} by-person, return-correction 100 fixes:1 by-person, sale 100 -> result 1",
      "sale 100 | correction 90 fixes:1 {printed,held} by-person, return-correction 100 fixes:1 by-person, sale 100 old-shift -> refused already-printed by 1, as it",
      "sale 100 | sale 90 fixes:1 by-person, return 100 fixes:1 by-person, sale 100 -> result 1",
      "sale 100 | sale 90 fixes:1 by-person, return 100 fixes:1 by-person, sale 100 old-shift -> refused already-printed by 1, as it",
      "sale 100 | return 90, correction 90 fixes:1 {printed,held} by-person, return-correction 100 fixes:1 by-person, sale 100 -> refused already-printed by 1, as it, sell-again",
      "sale 100 | return 90, sale 90 fixes:1 by-person, return 100 fixes:1 by-person, sale 100 -> refused already-printed by 1, as it, sell-again",
    ],
    "the kit's other sale of an order is refused beside a waiting or printed correction by a person": [
      "sale 80 #2 by kit | correction 90 {queued,held} by-person -> refused being-printed by 1, later",
      "sale 80 #2 by kit | correction 90 #1 {queued,held} by-person -> refused being-printed by 1, later",
      "sale 80 #2 by kit | {correction 90,correction 90 #1} by-person -> refused already-printed by 1",
    ],
    "the kit's failed order that waits as a correction is not replaced by another sale of the kit": [
      "sale 80 #2 by kit | order-correction 90 #1 queued tried-again -> refused being-printed by 1, later",
    ],
  });
});
