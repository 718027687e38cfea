/** Random histories of one order: the register prints or fails, the site gets the result or not, and offers again. */
import { kopecks } from "@fiscald/shared/amounts.js";
import { toOrderId, toReceiptId } from "@fiscald/shared/ids.js";
import { contentText } from "@fiscald/shared/receipt/order-key.js";
import { itemsOf, type SaleReceipt, totalOf } from "@fiscald/shared/receipt/receipt.js";
import { decideRepeat } from "@fiscald/shared/receipt/repeats/decide-repeat.js";
import { isReturn } from "@fiscald/shared/receipt/repeats/order-money.js";
import type { EarlierReceipt, Offer, RepeatDecision } from "@fiscald/shared/receipt/repeats/repeat-decision.js";
import { asItIs } from "@fiscald/shared/texts.js";
import fc from "fast-check";
import { makeItem, makeReceipt } from "../../../support/make-job.js";

interface Row extends EarlierReceipt {
  readonly receipt: SaleReceipt;
  state: EarlierReceipt["state"];
  told: EarlierReceipt["told"];
  tries: number;
}

const ids = [null, null, "1", "2", "3"].map((id) => (id === null ? null : toReceiptId(`7b0c3a52-${id}`)));
const orderIds = ["A-1", "A\u200B-1", "A-\uFEFF1"].map(toOrderId);

const receipts = fc
  .record({
    operation: fc.constantFrom("sale", "return"),
    roubles: fc.constantFrom(40, 60, 100),
    receiptId: fc.constantFrom(...ids),
    method: fc.constantFrom(4, 4, 4, 1),
  })
  .map(({ operation, roubles, receiptId, method }) => {
    const lines = [makeItem({ price: kopecks(roubles * 100), method })];
    return makeReceipt({ operation, receiptId, lines });
  });
const offers = fc.record({ offer: receipts, from: fc.constantFrom<Offer["from"]>("site", "shop") });
const steps = fc.oneof(
  { weight: 3, arbitrary: offers },
  fc.record({ act: fc.constantFrom("print", "fail", "tell", "tell-meanwhile", "close-shift"), at: fc.nat(5) }),
);

/** The receipts of one order, as a store keeps them. */
class History {
  readonly rows: Row[] = [];
  private closedShifts = 0;

  decide(receipt: SaleReceipt, from: Offer["from"], rows: readonly Row[] = this.rows): RepeatDecision<Row> {
    return decideRepeat({ receipt, from }, rows.toReversed());
  }

  /** Whether the receipt could be printed beside the open and printed ones if it were not known yet. */
  hasRoomFor(receipt: SaleReceipt, from: Offer["from"]): boolean {
    const others = this.rows.filter((row) => row.receipt.receiptId !== receipt.receiptId);
    const decision = this.decide(receipt, from, others);
    return decision.action === "new" && decision.replaces.length === 0;
  }

  take(receipt: SaleReceipt, decision: RepeatDecision<Row>): void {
    if (decision.action !== "new" && decision.action !== "again") return;
    for (const { id } of decision.replaces)
      this.rows.splice(
        this.rows.findIndex((row) => row.id === id),
        1,
      );
    if (decision.action === "again") Object.assign(decision.of, { state: "queued", told: "no" });
    else this.rows.push(this.newRow(receipt));
  }

  act(act: string, at: number): void {
    const row = this.rows[at];
    if (act === "close-shift") this.closedShifts += 1;
    else if (row === undefined) return;
    else if (act === "tell" || act === "tell-meanwhile")
      row.told = row.state === "queued" ? "no" : act === "tell" ? "yes" : "meanwhile";
    else if (row.state === "queued" && act === "print") row.state = "printed";
    // A sale that fails while its return is open is not modelled: the return was within the limits when it came.
    else if (row.state === "queued" && row.receipt.operation === "return")
      Object.assign(row, { state: "failed", tries: row.tries + 1 });
  }

  /** Returns that came before the sale was known belong to another sale. */
  hasReturnSince({ id: since }: Row): boolean {
    return this.rows.some(({ id, receipt, state }) => id > since && isReturn(receipt) && state !== "failed");
  }

  live(operation: SaleReceipt["operation"]): readonly SaleReceipt[] {
    return this.rows.flatMap(({ receipt, state }) =>
      receipt.operation === operation && state !== "failed" ? [receipt] : [],
    );
  }

  private newRow(receipt: SaleReceipt): Row {
    const shift = this.closedShifts;
    const id = (this.rows.at(-1)?.id ?? 0) + 1;
    return {
      id,
      receipt,
      state: "queued",
      told: "no",
      name: asItIs(`FD ${id}`),
      fiscalSign: null,
      tries: 0,
      doneParts: 0,
      isInOpenShift: () => this.closedShifts === shift,
      isStillInItsShift: () => false,
      wasTriedAgain: () => false,
    };
  }
}

function replay(list: readonly (typeof steps extends fc.Arbitrary<infer S> ? S : never)[], check: typeof checkAnswer) {
  const history = new History();
  for (const step of list) {
    if ("act" in step) {
      history.act(step.act, step.at);
      continue;
    }
    const decision = history.decide(step.offer, step.from);
    check(step.offer, decision, history, step.from);
    history.take(step.offer, decision);
  }
  return history;
}

function checkAnswer(offered: SaleReceipt, decision: RepeatDecision<Row>, history: History, from: Offer["from"]): void {
  if (decision.action !== "result" || decision.of.state !== "printed") return;
  const { of } = decision;
  const isByName = offered.receiptId !== null && of.receipt.receiptId !== null;
  if (isByName) {
    // A receiptId may be answered with its successor's result, which contains the successor's receiptId.
    expect(of.receipt.operation).toBe(offered.operation);
    const isOther = of.receipt.receiptId !== offered.receiptId;
    // The site did not know of the successor and ordered it in place of this receipt. Returns are equal.
    if (isOther && of.told === "yes" && offered.operation === "sale") {
      expect(history.hasRoomFor(offered, from)).toBe(false);
    }
    return;
  }
  expect(contentText(of.receipt)).toBe(contentText(offered));
  // A site that has had the result of this return, or gets it during this poll, may mean another return.
  if (offered.operation === "return") expect(of.told).toBe("no");
  else if (of.told !== "no" && history.hasReturnSince(of)) {
    const returns = history.live("return").reduce((sum, receipt) => sum + totalOf(receipt), 0);
    const sales = history.live("sale").reduce((sum, receipt) => sum + totalOf(receipt), 0);
    expect(returns).toBeLessThan(sales);
  }
}

const nothing = () => {};

test("any history of offers is answered with success only for the order's own receipt, not for an equal one", () => {
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 25 }), (list) => void replay(list, checkAnswer)),
    { numRuns: 2000 },
  );
});

test("in any history of offers the returns stay within a known sale, unless a person allows more", () => {
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 25 }), (list) => {
      const first = makeReceipt();
      const history = replay([{ offer: first, from: "site" }, ...list], nothing);
      const [sales, returns] = [history.live("sale"), history.live("return")];
      const sum = (of: readonly SaleReceipt[]) => of.reduce((total, receipt) => total + totalOf(receipt), 0);
      expect(sum(returns)).toBeLessThanOrEqual(sum(sales) + returns.flatMap(itemsOf).length);
    }),
    { numRuns: 2000 },
  );
});

test("any history of offers gives an order the same answer however its number is spelt", () => {
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 15 }), offers, fc.constantFrom(...orderIds), (list, last, orderId) => {
      const history = replay(list, nothing);
      const plain = history.decide(last.offer, last.from);
      // A refusal repeats the order number as the site spelt it.
      const { message: _, ...spelt } = { message: "", ...history.decide({ ...last.offer, orderId }, last.from) };
      expect(plain).toMatchObject(spelt);
    }),
    { numRuns: 500 },
  );
});
