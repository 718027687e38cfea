/** The money of an order (54-fz 10, 15): each row is a situation, its steps, and what has to come of it. */
import type { TestDatabase } from "../../../support/site-databases.js";
import type { Telling } from "../../../tools/money-model/money-told.js";
import { type MoneyWorld, openMoneyWorld } from "../../../tools/money-model/money-world.js";
import { describeOnBothStores } from "../on-both-stores.js";
import { AccountSteps } from "./account-steps.js";

interface Row {
  readonly steps: readonly string[];
  readonly receipts?: readonly string[];
  readonly refusals?: readonly string[];
  readonly alerts?: readonly Telling[];
}

const prepaidOf = (sum: string) => [`order prepaid ${sum}`, "print"];
const delivered = [...prepaidOf("200"), "status 3", "print"];
const [prepayment, settlement] = ["prepayment 200.00", "sale 501.00, 200.00 of it prepaid"];
const sold = ["order paid online", "print"];

const rows: Readonly<Record<string, Row>> = {
  // When the bridge prints.
  "an order that is paid online is printed": { steps: ["order paid online", "print all"], receipts: ["sale 501.00"] },
  "an unpaid order prints nothing, delivered neither": { steps: ["order unpaid", "status 3", "nothing to print"] },
  "an order is printed once, however often it changes": {
    steps: [...sold, "note", "status 3", "nothing to print"],
    receipts: ["sale 501.00"],
  },
  "an order that is paid after its delivery is printed then": {
    steps: ["order unpaid", "status 4", "nothing to print", "paid 1", "print all"],
    receipts: ["sale 501.00"],
  },
  "an order that the courier collects is printed when it is delivered": {
    steps: ["order unpaid", "courier collects 501", "nothing to print", "status 3", "print all"],
    receipts: ["sale 501.00"],
  },
  "status 4 sells without what the courier took back": {
    steps: ["order paid in the shop", "courier cancels 1", "status 4", "print all"],
    receipts: ["sale 250.50"],
  },
  "money that does not cover what is delivered prints nothing, and the shop is told": {
    steps: ["order unpaid", "courier collects 250.5", "status 3", "nothing to print"],
    alerts: ["not covered"],
  },
  "money that covers it after all is printed, and the alert is withdrawn": {
    steps: ["order unpaid", "courier collects 250.5", "status 3", "courier collects 250.5", "print all"],
    receipts: ["sale 501.00"],
  },
  "money that is taken back does not cover": {
    steps: ["order unpaid", "courier collects 501", "courier collects -250.5", "status 3", "nothing to print"],
    alerts: ["not covered"],
  },
  "money that is taken back as a whole leaves the order unpaid": {
    steps: ["order unpaid", "courier collects 501", "courier collects -501", "status 3", "nothing to print"],
  },
  "money that covered the order before it was edited up does not cover": {
    steps: ["order unpaid", "courier collects 501", "edit to 3 pieces", "status 3", "nothing to print"],
    alerts: ["not covered"],
  },
  "card money above what is sold is told": {
    steps: ["order unpaid", "courier collects 501", "courier cancels 1", "status 4", "print all"],
    receipts: ["sale 250.50"],
    alerts: ["money beyond receipts"],
  },
  "card money above what is sold, and given back, is not": {
    steps: [
      "order unpaid",
      "courier collects 501",
      "courier cancels 1",
      "status 4",
      "print all",
      "courier collects -250.5",
    ],
    receipts: ["sale 250.50"],
  },
  "money of an order that is not delivered is told": {
    steps: ["order unpaid", "courier collects 501", "courier status 5", "nothing to print"],
    alerts: ["money beyond receipts"],
  },
  "money of an order that is not delivered, and given back, is not": {
    steps: ["order unpaid", "courier collects 501", "courier status 5", "courier collects -501", "nothing to print"],
  },
  "money of a sale that is printed is not taken back without a return": {
    steps: ["order unpaid", "courier collects 501", "status 3", "print all", "courier collects -501"],
    receipts: ["sale 501.00"],
    refusals: ["courier collects -501: 422 statusId"],
  },
  "money of a sale that came back whole is taken back": {
    steps: [
      "order unpaid",
      "courier collects 501",
      "status 3",
      "print all",
      "status 6",
      "print all",
      "courier collects -501",
    ],
    receipts: ["sale 501.00", "return 501.00"],
  },
  "a prepaid order that is edited up beyond its money is unpaid again": {
    steps: [...prepaidOf("200"), "courier collects 301", "edit to 3 pieces", "nothing to print"],
    receipts: [prepayment],
  },
  "a prepaid order that is delivered without the rest prints nothing, and the shop is told": {
    steps: ["unpaid order prepaid 200", "status 3", "nothing to print"],
    alerts: ["not covered"],
  },
  "a prepaid order whose rest is collected after its delivery has both receipts": {
    steps: ["unpaid order prepaid 200", "status 3", "courier collects 301", "print all"],
    receipts: [prepayment, settlement],
  },
  "an order that comes back before its receipt, and is unpaid again, prints nothing": {
    steps: ["order paid online", "status 6", "paid 0", "nothing to print"],
  },
  "the tax of what is handed out or printed stays": {
    steps: ["order paid online", "handed out", "edit to 10 %", "printed", "edit to 10 %"],
    receipts: ["sale 501.00"],
    refusals: ["edit to 10 %: 422 goods", "edit to 10 %: 422 goods"],
  },
  "a sale that is printed late at another tax is told": {
    steps: ["order paid online", "handed out", "failed", "edit to 10 %", "late: printed", "nothing to print"],
    receipts: ["sale 501.00"],
    alerts: ["sale says otherwise"],
  },
  "a sale that is printed takes no prepayment any more": {
    steps: ["order paid online", "print", "prepaid 100"],
    receipts: ["sale 501.00"],
    refusals: ["prepaid 100: 422 prePaymentSum"],
  },
  "a refund order whose sale has no receipt is told": {
    steps: ["order unpaid", "refund of 2", "nothing to print"],
    alerts: ["waits for its sale"],
  },
  "an order that comes back before its receipt is printed has both, as it is then": {
    steps: ["order paid online", "status 6", "edit to 1 piece", "print all"],
    receipts: ["sale 250.50", "return 250.50"],
  },
  "an order that comes back and was never sold prints nothing": {
    steps: ["order unpaid", "status 6", "nothing to print"],
  },
  "an order that is delivered again after its return prints nothing more, and the shop is told": {
    steps: [...sold, "status 6", "print", "status 3", "nothing to print"],
    receipts: ["sale 501.00", "return 501.00"],
    alerts: ["delivered again"],
  },

  // Prepayment and settlement.
  "a prepayment is printed, and settled when the order is delivered": {
    steps: delivered,
    receipts: [prepayment, settlement],
  },
  "a settlement waits for its prepayment": {
    steps: ["order prepaid 200", "handed out", "status 3", "printed", "print all"],
    receipts: [prepayment, settlement],
  },
  "a settlement waits for a prepayment in doubt": {
    steps: ["order prepaid 200", "handed out", "unknown", "status 3", "printed", "print all"],
    receipts: [prepayment, settlement],
  },
  "a sale whose prepayment failed has no offset; printed late after it, that goes back": {
    steps: ["order prepaid 200", "handed out", "failed", "status 3", "print", "late: printed", "print all"],
    receipts: ["sale 501.00", prepayment, "return of the prepayment 200.00"],
  },
  "a prepayment that is printed late, before anybody has the sale, is settled with": {
    steps: ["order prepaid 200", "handed out", "failed", "status 3", "late: printed", "print all"],
    receipts: [prepayment, settlement],
  },
  "a prepaid order that comes back has all of it back": {
    steps: [...prepaidOf("200"), "status 6", "print all"],
    receipts: [prepayment, "return of the prepayment 200.00"],
  },
  "a prepaid order that comes back while its settlement waits for a till has all of it back": {
    steps: [...prepaidOf("200"), "status 3", "status 6", "print all"],
    receipts: [prepayment, "return of the prepayment 200.00"],
  },
  "a prepaid order that comes back while its settlement is handed out gives back the sale": {
    steps: [...prepaidOf("200"), "status 3", "handed out", "status 6", "printed", "print all"],
    receipts: [prepayment, settlement, "return 501.00"],
  },
  "a delivered prepaid order that comes back gives back the sale": {
    steps: [...delivered, "status 6", "print all"],
    receipts: [prepayment, settlement, "return 501.00"],
  },
  "the rest of a prepayment goes back at the settlement of a smaller order": {
    steps: [...prepaidOf("501"), "edit to 1 piece", "prepaid 250.5", "courier cancels 1", "status 4", "print all"],
    receipts: ["prepayment 501.00", "sale 250.50, 250.50 of it prepaid", "return of the prepayment 250.50"],
    refusals: ["edit to 1 piece: 422 prePaymentSum", "prepaid 250.5: 422 prePaymentSum"],
  },
  "all of a prepayment goes back when the courier takes all back": {
    steps: [...prepaidOf("200"), "courier cancels 2", "status 4", "print all"],
    receipts: [prepayment, "return of the prepayment 200.00"],
  },
  "a part of a prepayment is 422 before its settlement": {
    steps: [...prepaidOf("200"), "refund of 1", "courier brings back 1", "nothing to print"],
    receipts: [prepayment],
    refusals: ["refund of 1: 422 goods", "courier brings back 1: 422 goods"],
  },
  "an unpaid refund order of a part waits for the settlement, and is 422 when it is paid before": {
    steps: [
      ...prepaidOf("200"),
      "unpaid refund of 1",
      "refund 1 paid 1",
      "status 3",
      "print",
      "refund 1 paid 1",
      "print all",
    ],
    receipts: [prepayment, settlement, "return 250.50"],
    refusals: ["refund 1 paid 1: 422 goods"],
  },
  "a refund order of the whole gives back the prepayment; a sale that is made after that has no offset": {
    steps: [...prepaidOf("200"), "refund of 2", "print", "status 3", "print all"],
    receipts: [prepayment, "return of the prepayment 200.00", "sale 501.00"],
  },
  "a settlement waits for the prepayment's return that is handed out": {
    steps: [...prepaidOf("200"), "refund of 2", "handed out", "status 3", "failed", "print all"],
    receipts: [prepayment, settlement, "return 501.00"],
  },
  "a refund order of all that is delivered waits for the settlement": {
    // A till that asks twice gets the settlement twice: there is nothing else.
    steps: [
      "order prepaid 200",
      "handed out",
      "status 3",
      "refund of 2",
      "printed",
      "handed out",
      "handed out",
      "printed",
      "print all",
    ],
    receipts: [prepayment, settlement, "return 501.00"],
  },
  "a refund order after the settlement gives back the sale": {
    steps: [...delivered, "refund of 1", "print all"],
    receipts: [prepayment, settlement, "return 250.50"],
  },

  // Refund orders.
  "a refund order gives back its goods, a further one the rest": {
    steps: [...sold, "refund of 1", "print", "refund of 1", "print all"],
    receipts: ["sale 501.00", "return 250.50", "return 250.50"],
  },
  "more than was sold is 422": {
    steps: [...sold, "refund of 1", "refund of 2", "print all"],
    receipts: ["sale 501.00", "return 250.50"],
    refusals: ["refund of 2: 422 goods[0].count"],
  },
  "a refund order waits for its sale": {
    steps: ["order paid online", "refund of 1", "handed out", "unknown", "nothing to print", "printed", "print all"],
    receipts: ["sale 501.00", "return 250.50"],
  },
  "a refund order of a sale that failed has that tried again": {
    steps: ["order paid online", "handed out", "failed", "refund of 1", "print all"],
    receipts: ["sale 501.00", "return 250.50"],
  },
  "an unpaid refund order prints nothing": {
    steps: [...sold, "unpaid refund of 1", "nothing to print"],
    receipts: ["sale 501.00"],
  },
  "payments make no refund order paid, whoever reports them": {
    steps: [
      ...sold,
      "unpaid refund of 1",
      "refund 1 gives back 250.50",
      "courier collects 250.5 of refund 1",
      "nothing to print",
    ],
    receipts: ["sale 501.00"],
  },
  "payments make no paid refund order unpaid, and no printed one": {
    steps: [
      ...sold,
      "refund of 2",
      "refund 1 gives back 501",
      "refund 1 gives back 500",
      "print all",
      "refund 1 gives back 501",
      "refund 1 gives back 500",
      "refund 1 gives back nothing, and is unpaid",
    ],
    receipts: ["sale 501.00", "return 501.00"],
    refusals: ["refund 1 gives back nothing, and is unpaid: 422 statusId"],
  },
  "a refund order that is unpaid again is withdrawn while nobody has it": {
    steps: [...sold, "refund of 1", "refund 1 paid 0", "nothing to print"],
    receipts: ["sale 501.00"],
  },
  "a refund order that is handed out stays paid": {
    steps: [...sold, "refund of 1", "handed out", "refund 1 paid 0", "printed"],
    receipts: ["sale 501.00", "return 250.50"],
    refusals: ["refund 1 paid 0: 422 statusId"],
  },
  "a refund order that is handed out keeps its goods": {
    steps: [...sold, "refund of 1", "handed out", "refund 1 edit to 2 pieces", "printed"],
    receipts: ["sale 501.00", "return 250.50"],
    refusals: ["refund 1 edit to 2 pieces: 422 goods"],
  },
  "status 6 after a refund order gives back nothing more, and the shop is told": {
    steps: [...sold, "refund of 1", "print", "status 6", "nothing to print"],
    receipts: ["sale 501.00", "return 250.50"],
    alerts: ["rest of the whole"],
  },
  "a refund order of the rest mends that": {
    steps: [...sold, "refund of 1", "print", "status 6", "refund of 1", "print all"],
    receipts: ["sale 501.00", "return 250.50", "return 250.50"],
  },
  "status 6 after a refund order of the whole gives back nothing more": {
    steps: [...sold, "refund of 2", "status 6", "print all"],
    receipts: ["sale 501.00", "return 501.00"],
  },
  "a refund order beside the whole return is 422, before and after that is printed": {
    steps: [...sold, "status 6", "refund of 1", "print", "refund of 1"],
    receipts: ["sale 501.00", "return 501.00"],
    refusals: ["refund of 1: 422 orderId", "refund of 1: 422 orderId"],
  },
  "of a good that was sold at two rates the first with enough left comes back, without a position": {
    steps: ["order of tea at 22 and at 10 %", "print", "refund of 1", "print", "refund of 1", "print all"],
    receipts: ["sale 501.00", "return 250.50", "return 250.50 at 10 %"],
  },
  "both rates of a good come back on one receipt": {
    steps: ["order of tea at 22 and at 10 %", "print", "refund of 2", "print all"],
    receipts: ["sale 501.00", "return 501.00"],
  },
  "positions of two rates each come back at their own": {
    steps: [
      "order of tea at 22 and at 10 %",
      "print",
      "refund of 1 at position 2",
      "print",
      "refund of 1 at position 1",
      "print",
    ],
    receipts: ["sale 501.00", "return 250.50 at 10 %", "return 250.50"],
  },

  // Edits.
  "an edit before anybody has the receipt is on it": {
    steps: ["order paid online", "edit to 1 piece", "print all"],
    receipts: ["sale 250.50"],
  },
  "an edit of what is handed out is 422": {
    steps: ["order paid online", "handed out", "edit to 1 piece", "printed"],
    receipts: ["sale 501.00"],
    refusals: ["edit to 1 piece: 422 goods"],
  },
  "an edit of what is printed is 422": {
    steps: [...sold, "edit to 1 piece"],
    receipts: ["sale 501.00"],
    refusals: ["edit to 1 piece: 422 goods"],
  },
  "an order that is unpaid again is withdrawn while nobody has it": {
    steps: ["order paid online", "paid 0", "nothing to print", "paid 1", "print all"],
    receipts: ["sale 501.00"],
  },
  "an order that is handed out or printed stays paid": {
    steps: ["order paid online", "handed out", "paid 0", "printed", "paid 0"],
    receipts: ["sale 501.00"],
    refusals: ["paid 0: 422 statusId", "paid 0: 422 statusId"],
  },
  "a prepayment that is printed keeps its sum": {
    steps: [...prepaidOf("200"), "prepaid 100"],
    receipts: [prepayment],
    refusals: ["prepaid 100: 422 prePaymentSum"],
  },
  "a courier may not take back before the settlement what a refund order waits to give back": {
    steps: ["unpaid order prepaid 200", "refund of 1", "paid 1", "courier cancels 2", "print", "status 3", "print all"],
    receipts: [prepayment, settlement, "return 250.50"],
    refusals: ["courier cancels 2: 422 goods"],
  },
  "a sale below what its refund orders give back is 422": {
    steps: ["order paid online", "refund of 2", "edit to 1 piece", "print all"],
    receipts: ["sale 501.00", "return 501.00"],
    refusals: ["edit to 1 piece: 422 goods"],
  },

  // Failures, doubts and late results.
  "what failed is tried again when the order is written": {
    steps: ["order paid online", "handed out", "failed", "nothing to print", "note", "print all"],
    receipts: ["sale 501.00"],
  },
  "what is in doubt is not tried again": {
    steps: ["order paid online", "handed out", "unknown", "note", "nothing to print", "printed", "nothing to print"],
    receipts: ["sale 501.00"],
  },
  "what was in doubt and has failed is tried again when the order is written": {
    steps: ["order paid online", "handed out", "unknown", "failed", "note", "print all"],
    receipts: ["sale 501.00"],
  },
  "what failed and is printed late takes the new one out of the queue": {
    steps: ["order paid online", "handed out", "failed", "note", "late: printed", "nothing to print"],
    receipts: ["sale 501.00"],
  },
  "what failed and is in doubt late holds the new one back": {
    steps: ["order paid online", "handed out", "failed", "note", "late: unknown", "printed", "nothing to print"],
    receipts: ["sale 501.00"],
  },
  "what failed and is printed late beside the new one is told": {
    steps: [
      "order paid online",
      "handed out",
      "failed",
      "note",
      "handed out",
      "late: printed",
      "printed",
      "nothing to print",
    ],
    receipts: ["sale 501.00", "sale 501.00"],
    alerts: ["sale twice"],
  },
  "a sale that was edited down while it was failed, and is printed late, is told": {
    steps: ["order paid online", "handed out", "failed", "edit to 1 piece", "late: printed", "nothing to print"],
    receipts: ["sale 501.00"],
    alerts: ["sale says otherwise"],
  },
  "an edit to what is printed mends that": {
    steps: [
      "order paid online",
      "handed out",
      "failed",
      "edit to 1 piece",
      "late: printed",
      "edit to 2 pieces",
      "nothing to print",
    ],
    receipts: ["sale 501.00"],
  },
  "a sale that was made unpaid while it was failed, and is printed late, is told": {
    steps: ["order paid online", "handed out", "failed", "paid 0", "late: printed", "nothing to print"],
    receipts: ["sale 501.00"],
    alerts: ["sale says otherwise"],
  },
  "the whole return that is printed late besides a refund order's is told, and nothing more goes back": {
    steps: [
      ...sold,
      "status 6",
      "handed out",
      "failed",
      "refund of 1",
      "print",
      "late: printed",
      "note",
      "refund 1 note",
      "nothing to print",
    ],
    receipts: ["sale 501.00", "return 250.50", "return 501.00"],
    alerts: ["sale"],
  },
  "the whole return that is printed late before anybody has the refund order's leaves nothing for it": {
    steps: [...sold, "status 6", "handed out", "failed", "refund of 1", "late: printed", "nothing to print"],
    receipts: ["sale 501.00", "return 501.00"],
    alerts: ["too little left"],
  },
  "a deleted refund order whose return is printed late counts against the whole return": {
    steps: [
      ...sold,
      "refund of 1",
      "handed out",
      "failed",
      "refund 1 paid 0",
      "refund 1 deleted",
      "status 6",
      "late: printed",
      "nothing to print",
    ],
    receipts: ["sale 501.00", "return 250.50"],
    alerts: ["return says otherwise", "rest of the whole"],
  },
  "a refund order that was edited to another rate while its return was failed, and is printed late, is told": {
    steps: [
      "order of tea at 22 and at 10 %",
      "print",
      "refund of 1 at position 1",
      "handed out",
      "failed",
      "refund 1 edit to position 2",
      "late: printed",
      "refund 1 note",
      "nothing to print",
    ],
    receipts: ["sale 501.00", "return 250.50"],
    alerts: ["return says otherwise"],
  },
  "what was handed out and is released is made again as the order is now": {
    steps: ["order paid online", "handed out", "edit to 1 piece", "released", "edit to 1 piece", "print all"],
    receipts: ["sale 250.50"],
    refusals: ["edit to 1 piece: 422 goods"],
  },
  "a sale that is released after its prepayment was printed late is settled with it": {
    steps: [
      "order prepaid 200",
      "handed out",
      "failed",
      "status 3",
      "handed out",
      "late: printed",
      "released",
      "note",
      "print all",
    ],
    receipts: [prepayment, settlement],
  },
  "a settlement that is printed late while the prepayment's return is out is told, and nothing more goes back": {
    steps: [
      ...prepaidOf("501"),
      "status 3",
      "handed out",
      "failed",
      "status 6",
      "handed out",
      "late: printed",
      "printed",
      "note",
      "nothing to print",
    ],
    receipts: ["prepayment 501.00", "sale 501.00, 501.00 of it prepaid", "return of the prepayment 501.00"],
    alerts: ["prepayment"],
  },
  "returns of two rates of which one is printed late are told where one rate is back twice": {
    steps: [
      "order of tea at 22 and at 10 %",
      "print",
      "refund of 1 at position 1",
      "handed out",
      "failed",
      "refund 1 note",
      "print",
      "late: printed",
      "note",
      "refund of 1 at position 2",
      "nothing to print",
    ],
    receipts: ["sale 501.00", "return 250.50", "return 250.50"],
    alerts: ["return twice", "rates of the sale", "too little left"],
  },

  // The courier's own register.
  "a courier's sale is not printed again": {
    steps: ["order unpaid", "courier collects 501", "courier status 3 with receipt", "nothing to print"],
  },
  "a courier's sale that his payments do not cover is told": {
    steps: ["order unpaid", "courier collects 100", "courier status 3 with receipt", "nothing to print"],
    alerts: ["courier not covered"],
  },
  "a courier's return is told where ours has given back all": {
    steps: ["order paid online", "print", "status 6", "print", "courier's return receipt", "nothing to print"],
    receipts: ["sale 501.00", "return 501.00"],
    alerts: ["nothing left"],
  },
  "a courier's sale takes ours out of the queue": {
    steps: ["order paid online", "courier's sale receipt", "nothing to print"],
  },
  "a courier's sale beside ours that is handed out is told, while that may be printed": {
    steps: ["order paid online", "handed out", "courier's sale receipt", "printed", "nothing to print"],
    receipts: ["sale 501.00"],
    alerts: ["sale twice"],
  },
  "a courier's sale beside ours that fails is the sale": {
    steps: ["order paid online", "handed out", "courier's sale receipt", "failed", "note", "nothing to print"],
  },
  "the same document again is no second sale": {
    steps: ["order paid online", "courier's sale receipt", "the same sale receipt again", "nothing to print"],
  },
  "the same document as a return is 422": {
    steps: ["order paid online", "courier's sale receipt", "the same return receipt again"],
    refusals: ["the same return receipt again: 422 receipt.fdNumber"],
  },
  "a refund of what the courier's register sold is printed by its assumed lines, and the shop is told": {
    steps: ["order paid online", "courier's sale receipt", "refund of 1", "print all"],
    receipts: ["return 250.50"],
    alerts: ["assumed sale"],
  },
  "a courier's sale uses the prepayment; what is left goes back": {
    steps: [...prepaidOf("501"), "courier cancels 1", "courier status 4 with receipt", "print all"],
    receipts: ["prepayment 501.00", "return of the prepayment 250.50"],
    alerts: ["assumed sale"],
  },
  "a courier's sale uses the prepayment that a till has": {
    steps: ["order prepaid 200", "handed out", "courier's sale receipt", "printed", "status 6", "print all"],
    receipts: [prepayment, "return 501.00"],
    alerts: ["assumed sale"],
  },
  "a courier's sale uses the prepayment that is printed late": {
    steps: ["order prepaid 200", "handed out", "failed", "courier's sale receipt", "late: printed", "nothing to print"],
    receipts: [prepayment],
  },
  "a courier's sale beside our settlement that fails uses the prepayment": {
    steps: [...prepaidOf("200"), "status 3", "handed out", "courier's sale receipt", "failed", "nothing to print"],
    receipts: [prepayment],
  },
  "a courier's return of more than was sold is stored, and the shop is told": {
    steps: [...sold, "refund of 1", "print", "courier brings back 2 with receipt", "nothing to print"],
    receipts: ["sale 501.00", "return 250.50"],
    alerts: ["sale"],
  },
  "a courier's sale while the prepayment's return waits for a till keeps the prepayment": {
    steps: [...prepaidOf("501"), "refund of 2", "courier's sale receipt", "print all"],
    receipts: ["prepayment 501.00", "return 501.00"],
    alerts: ["assumed sale"],
  },
  "a courier's sale while the prepayment's return is handed out is told": {
    steps: [...prepaidOf("501"), "refund of 2", "handed out", "courier's sale receipt", "printed", "print all"],
    receipts: ["prepayment 501.00", "return of the prepayment 501.00"],
    alerts: ["prepayment", "assumed sale"],
  },
  "a courier's return with status 6 while the sale is held for failed is of the prepayment; the sale that is printed late is told":
    {
      steps: [
        ...prepaidOf("200"),
        "status 3",
        "handed out",
        "failed",
        "courier status 6 with receipt",
        "late: printed",
        "refund of 1",
        "nothing to print",
      ],
      receipts: [prepayment, settlement],
      alerts: ["prepayment", "waits for its prepayment", "rest of the whole"],
    },
  "a courier's return with status 6 while the sale is held for failed is of all that his register sells then": {
    steps: [
      "order paid online",
      "handed out",
      "failed",
      "refund of 1",
      "courier status 6 with receipt",
      "courier's sale receipt",
      "nothing to print",
    ],
    alerts: ["too little left"],
  },
  "a courier's return while the sale is held for failed, which is printed late, is told, and nothing more goes back": {
    steps: [
      ...prepaidOf("200"),
      "status 3",
      "handed out",
      "failed",
      "courier's return receipt",
      "late: printed",
      "nothing to print",
    ],
    receipts: [prepayment, settlement],
    alerts: ["prepayment", "unnamed return"],
  },
  "a courier's return while the sale is held for failed is of the prepayment, if the sale stays so and its refund order comes":
    {
      steps: [
        ...prepaidOf("200"),
        "status 3",
        "handed out",
        "failed",
        "courier's return receipt",
        "status 6",
        "refund of 2",
        "nothing to print",
      ],
      receipts: [prepayment],
      alerts: ["assumed share"],
    },
  "two courier's returns of one refund order while the sale is held for failed leave nothing for ours once that is printed":
    {
      steps: [
        ...prepaidOf("501"),
        "status 3",
        "handed out",
        "courier's return receipt",
        "failed",
        "status 6",
        "refund of 1",
        "courier's receipt of refund 1",
        "late: printed",
        "nothing to print",
      ],
      receipts: ["prepayment 501.00", "sale 501.00, 501.00 of it prepaid"],
      alerts: ["return twice", "prepayment", "assumed share"],
    },
  "a courier's return with status 6 is of the whole": {
    steps: [...sold, "courier status 6 with receipt", "nothing to print"],
    receipts: ["sale 501.00"],
  },
  "a courier's return at status 6 is of the whole": {
    steps: [...sold, "status 6", "courier's return receipt", "nothing to print"],
    receipts: ["sale 501.00"],
  },
  "a courier's return with its refund order is of that": {
    steps: [...sold, "courier brings back 1 with receipt", "nothing to print", "refund of 1", "print all"],
    receipts: ["sale 501.00", "return 250.50"],
  },
  "a courier's return that names the sale is of the refund order that waits for one": {
    steps: [...sold, "refund of 1", "courier's return receipt", "nothing to print"],
    receipts: ["sale 501.00"],
  },
  "a courier's return that names a refund order is of that": {
    steps: [...sold, "refund of 1", "refund of 1", "courier's receipt of refund 2", "print all"],
    receipts: ["sale 501.00", "return 250.50"],
  },
  "a courier's return without a refund order is stored, and nothing goes back until one names it": {
    steps: [...sold, "courier's return receipt", "status 6", "nothing to print"],
    receipts: ["sale 501.00"],
    alerts: ["unnamed return"],
  },
  "a refund order that comes names it": {
    steps: [...sold, "courier's return receipt", "refund of 1", "nothing to print", "refund of 1", "print all"],
    receipts: ["sale 501.00", "return 250.50"],
  },
  "refund orders that wait for a courier's return to be named are told": {
    steps: [...sold, "refund of 1", "refund of 1", "courier's return receipt", "nothing to print"],
    receipts: ["sale 501.00"],
    alerts: ["unnamed return", "waits for a name"],
  },
  "a refund order is told where more of the prepayment is used than there was": {
    steps: [
      ...prepaidOf("501"),
      "status 3",
      "handed out",
      "courier's sale receipt",
      "refund of 1",
      "printed",
      "print all",
    ],
    receipts: ["prepayment 501.00", "sale 501.00, 501.00 of it prepaid"],
    alerts: ["sale twice", "prepayment", "waits for its prepayment"],
  },
  "a courier's return that fits two refund orders is stored without a name until it has one": {
    steps: [
      ...sold,
      "refund of 1",
      "refund of 1",
      "courier's return receipt",
      "nothing to print",
      "the same receipt names refund 2",
      "print all",
    ],
    receipts: ["sale 501.00", "return 250.50"],
  },
  "a refund order of a part that names a courier's return of the prepayment leaves that the whole": {
    steps: [...prepaidOf("501"), "courier's return receipt", "refund of 1", "status 3", "print all"],
    receipts: ["prepayment 501.00", "sale 501.00"],
    alerts: ["assumed share"],
  },
  "a refund order that names a courier's return of the prepayment has the sale that failed tried again": {
    steps: [
      ...prepaidOf("501"),
      "courier's return receipt",
      "status 3",
      "handed out",
      "failed",
      "refund of 1",
      "print all",
    ],
    receipts: ["prepayment 501.00", "sale 501.00"],
    alerts: ["assumed share"],
  },
  "a courier's return before the settlement is of the whole prepayment": {
    steps: [...prepaidOf("501"), "courier's return receipt", "status 3", "print all"],
    receipts: ["prepayment 501.00", "sale 501.00"],
    alerts: ["unnamed return"],
  },
  "a courier's return while the settlement is handed out, which then fails, is of the whole prepayment": {
    steps: [
      ...prepaidOf("501"),
      "status 3",
      "handed out",
      "courier's return receipt",
      "refund of 1",
      "failed",
      "note",
      "print all",
    ],
    receipts: ["prepayment 501.00", "sale 501.00"],
    alerts: ["assumed share"],
  },
  "a courier's return of a sale that is made again is of the whole prepayment that is printed late": {
    steps: [
      "order prepaid 501",
      "handed out",
      "status 3",
      "failed",
      "courier's return receipt",
      "edit to 3 pieces",
      "print",
      "late: printed",
      "refund of 1",
      "print all",
    ],
    receipts: ["sale 751.50", "prepayment 501.00"],
    alerts: ["assumed share"],
  },
  "a courier's return after the settlement was handed out is of the sale": {
    steps: [...prepaidOf("501"), "status 3", "handed out", "courier status 6 with receipt", "printed", "print all"],
    receipts: ["prepayment 501.00", "sale 501.00, 501.00 of it prepaid"],
  },
  "a courier's return after the settlement was released is of the prepayment, whose rest goes back": {
    steps: [
      ...prepaidOf("501"),
      "status 3",
      "handed out",
      "refund of 1",
      "status 6",
      "released",
      "courier's receipt of refund 1",
      "print all",
    ],
    receipts: ["prepayment 501.00", "return of the prepayment 250.50"],
    alerts: ["assumed share"],
  },
  "a courier's return beside a prepayment that fails counts in full against the sale": {
    steps: [
      "unpaid order prepaid 200",
      "refund of 1",
      "paid 1",
      "courier brings back 2 with receipt",
      "handed out",
      "failed",
      "courier status 3 with receipt",
      "nothing to print",
    ],
    alerts: ["too little left"],
  },
  "a courier's return of a part before the settlement is stored, its sum assumed": {
    steps: [...prepaidOf("501"), "courier brings back 1 with receipt", "status 3", "print all"],
    receipts: ["prepayment 501.00", "sale 501.00, 250.50 of it prepaid"],
    alerts: ["assumed share"],
  },
  "a courier's return beside ours that is handed out is told": {
    steps: [...sold, "refund of 1", "handed out", "courier's receipt of refund 1", "printed"],
    receipts: ["sale 501.00", "return 250.50"],
    alerts: ["return twice"],
  },
  "a courier's return beside ours that fails is the return": {
    steps: [
      ...sold,
      "refund of 1",
      "handed out",
      "courier's receipt of refund 1",
      "failed",
      "refund 1 note",
      "nothing to print",
    ],
    receipts: ["sale 501.00"],
  },
  "a courier's return while his register sells is no return of ours": {
    steps: ["order paid online", "handed out", "status 6", "courier's sale receipt", "failed", "print all"],
    receipts: ["return 501.00"],
    alerts: ["assumed sale"],
  },
  "a return of what nobody sold is told": {
    steps: ["order unpaid", "courier brings back 1 with receipt"],
    alerts: ["no sale"],
  },
};

describeOnBothStores("the account of an order", (newDatabase) => {
  let database: TestDatabase;
  let money: MoneyWorld;
  let orders = 5000;

  beforeAll(async () => {
    database = await newDatabase();
    money = await openMoneyWorld(database, { printPrepaymentReceipt: true });
  });
  afterAll(async () => {
    await money.close();
    await database.drop();
  });

  test.each(Object.entries(rows))("%s", async (_situation, { steps, receipts = [], refusals = [], alerts = [] }) => {
    orders += 1;
    const account = new AccountSteps(money, orders);
    try {
      for (const step of steps) await account.take(step);
      const told = await account.told();
      expect(told).toEqual({ receipts, refusals, alerts });
    } finally {
      await account.clear();
    }
  });

  test("frReceiptStatusId is 2 while a receipt is due and has failed, and 0 once it is due no more", async () => {
    orders += 1;
    const account = new AccountSteps(money, orders);
    const statuses = async () => {
      const { receiptStatusId, frReceiptStatusId } = (await money.shop.get("/orders", { orderId: orders })).body;
      return [receiptStatusId, frReceiptStatusId];
    };
    for (const step of ["order paid online", "handed out", "failed"]) await account.take(step);
    expect(await statuses()).toEqual([2, 2]);
    await account.take("paid 0");
    expect(await statuses()).toEqual([0, 0]);
    for (const step of ["paid 1", "print all"]) await account.take(step);
    expect(await statuses()).toEqual([1, 1]);
  });

  test("its statement names every receipt, what is left, and what does not balance, and says when it does again", async () => {
    orders += 1;
    const account = new AccountSteps(money, orders);
    const statement = async () => (await money.shop.get("/orderAccounts", { orderId: orders })).body;
    for (const step of [...prepaidOf("200"), "status 3", "print", "courier's return receipt"]) await account.take(step);
    expect(await statement()).toMatchObject({
      orderId: orders,
      isBalanced: false,
      findings: [expect.stringContaining("no refund order names")],
      prepaid: "200.00",
      used: "200.00",
      sold: "501.00",
      returned: "0.00",
      entries: [
        { number: 1, kind: "prepayment", basisNumber: null, issuedBy: "shop", state: "registered", total: "200.00" },
        { number: 2, kind: "sale", basisNumber: null, issuedBy: "shop", state: "registered", total: "501.00" },
        { number: 3, kind: "return", basisNumber: 2, issuedBy: "courier", isAssumed: true, fdNumber: `${orders}-1` },
      ],
    });
    await account.take("refund of 1");
    expect(await statement()).toMatchObject({ isBalanced: true, findings: [], returned: "250.50" });
    const log = (await money.shop.get("/fiscalRegistratorLogs", { orderId: orders, page: 1, count: 50 })).body;
    expect(log.map(({ errorCode }: { errorCode: string | null }) => errorCode)).toEqual([
      null,
      null,
      "account.unbalanced",
      null,
    ]);
    // A refund order's id is answered with its sale's statement.
    expect((await money.shop.get("/orderAccounts", { orderId: `${orders}-r1` })).body).toEqual(await statement());
    expect((await money.shop.get("/orderAccounts", { orderId: "nothing" })).status).toBe(404);
  });
});
