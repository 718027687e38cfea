/** A person's return counts in the limits of its order. A site is told if it can tell the return from its own. */
import { quantity } from "@fiscald/shared/amounts.js";
import { isFault } from "@fiscald/shared/fault.js";
import { totalOf } from "@fiscald/shared/receipt/receipt.js";
import { type Shop, type ShopOrder, type SiteOfShop, useShops } from "../../support/make-shop.js";

const openShop = useShops();
const sale: ShopOrder = { lines: [{ name: "Чай", price: 100, quantity: 3 }] };
const [SALE, BACK] = [1, 2];
function open(site: SiteOfShop = {}, order = sale): Shop {
  const opened = openShop({}, site);
  opened.sell(order, { kit: site.isKit === true });
  return opened;
}

function wanted(pieces: number | null = null) {
  const lines = pieces === null ? null : [{ position: 1, quantity: quantity(pieces * 1_000_000) }];
  return { lines, fixes: false, reason: "goods came back" };
}

function back(pieces: number): ShopOrder {
  return { back: true, lines: [{ name: "Чай", price: 100, quantity: pieces }] };
}

function codeOf(act: () => unknown): unknown {
  try {
    act();
    return null;
  } catch (error) {
    return isFault(error) ? error.code : error;
  }
}

test("a person's return is queued as a job of its order, and the histories of sale and return say who ordered it and why", () => {
  const { returns, journal, jobs } = open();
  const job = returns.add(SALE, { ...wanted(2), fixes: true });
  expect(job).toMatchObject({ source: "operator", site: "shop", orderId: "A-1", operation: "return", state: "queued" });
  expect(job).toMatchObject({ total: 200_00, register: jobs.get(SALE).register, taxes: jobs.get(SALE).taxes });
  expect(job.receipt).toMatchObject({ requisites: { additional: jobs.get(SALE).document?.fiscalSign } });
  for (const [id, more] of [
    [BACK, { of: SALE }],
    [SALE, { by: BACK }],
  ] as const) {
    const entry = journal.ofJob(id).at(-1);
    expect(entry).toMatchObject({ actor: "operator", what: "returned by the operator" });
    expect(entry?.details).toMatchObject({ reason: "goods came back", ...more });
  }
});

test("while a site's return is queued, a person can return only the rest of the sale, and then nothing is left to return", () => {
  const { returns, offer, jobs } = open();
  offer(back(1));
  expect(returns.left(jobs.get(SALE))).toMatchObject([{ position: 1, quantity: 2_000_000, total: 200_00 }]);
  expect(codeOf(() => returns.add(SALE, wanted(3)))).toBe("job.return-exceeds-sale");
  expect(totalOf(returnOf(returns.add(SALE, wanted())))).toBe(200_00);
  const waits = expect.objectContaining({ code: "job.being-printed", ru: expect.stringContaining("(задание 3)") });
  expect(() => returns.add(SALE, wanted())).toThrow(waits);
  expect(offer(back(3))).toMatchObject({ kind: "refused", fault: { code: "job.return-exceeds-sale" } });
});

test("a return that the kit enqueued before it heard of a person's return is refused when both exceed the sale", () => {
  const { returns, offer } = open({ isKit: true }, { ...sale, receiptId: "3b241101-e2bb-4255-8caf-4136c566a901" });
  returns.add(SALE, wanted(2));
  const ofKit = { ...back(2), receiptId: "3b241101-e2bb-4255-8caf-4136c566a902" };
  expect(offer(ofKit, { kit: true })).toMatchObject({ kind: "refused", fault: { code: "job.return-exceeds-sale" } });
  const fits = { ...back(1), receiptId: "3b241101-e2bb-4255-8caf-4136c566a903" };
  expect(offer(fits, { kit: true })).toMatchObject({ kind: "order" });
});

test.each([
  ["uses the kit", { isKit: true }],
  ["has `tellOperatorReturns` in its config", { tellOperatorReturns: true }],
])("a site that %s gets a person's return as a further receipt with all its lines", (_what, site) => {
  const { returns, printAll, told, jobs } = open(site);
  const { receiptId } = returns.add(SALE, wanted(1));
  printAll();
  expect(receiptId).not.toBeNull();
  expect(told().at(-1)).toMatchObject({
    ...{
      job: BACK,
      orderId: "A-1",
      outcome: "printed",
      operation: "sell_refund",
      by: "operator",
      receiptId,
      total: 100,
    },
    receipt: {
      ...{ external_id: "A-1", operation: "sell_refund", receiptId },
      receipt: {
        total: 100,
        items: [{ name: "Чай", price: 100, quantity: 1, sum: 100 }],
        payments: [{ type: 1, sum: 100 }],
      },
    },
  });
  expect(jobs.get(BACK).receiptId).toBe(receiptId);
});

test("a plain site hears of a person's return only when it orders the same return, and then gets the result of that return", () => {
  const { returns, printAll, told, offer, printed, deliver } = open();
  returns.add(SALE, wanted(3));
  printAll();
  expect(told()).toHaveLength(1);
  expect(offer(back(3))).toMatchObject({ kind: "repeat", job: { id: BACK } });
  expect(told().at(-1)).toMatchObject({ job: BACK, outcome: "printed", operation: "sell_refund" });
  expect(told().at(-1)).not.toHaveProperty("by");
  deliver();
  expect(offer(back(3))).toMatchObject({ kind: "refused", fault: { code: "job.already-printed" } });
  expect(printed()).toBe(2);
});

test("a person's return is refused while an equal one is unfinished, and for a minute after that one was ordered", async () => {
  const { returns, printAll, clock, jobs } = open();
  returns.add(SALE, wanted(1));
  expect(codeOf(() => returns.add(SALE, wanted(1)))).toBe("job.being-printed");
  printAll();
  expect(codeOf(() => returns.add(SALE, wanted(1)))).toBe("usage.repeated");
  await clock.advance(60_000);
  const { id, mark } = returns.add(SALE, wanted(1));
  expect(mark?.digits).not.toBe(jobs.get(BACK).mark?.digits);
  expect(id).toBe(BACK + 1);
});

test("two receipts of an order that was sold twice can each be returned", async () => {
  const { returns, offer, printAll, actions, jobs, clock } = open();
  offer(back(3));
  printAll();
  const again = actions.printAnyway(SALE, "sold again");
  printAll();
  await clock.advance(60_000);
  expect(returns.left(jobs.get(SALE))).toEqual([]);
  expect(returns.left(jobs.get(again.id))).toMatchObject([{ quantity: 3_000_000 }]);
  expect(returns.add(again.id, wanted()).total).toBe(300_00);
});

test("after the return of a surplus receipt of an order, the order's other receipt can still be returned", async () => {
  const { returns, printAll, actions, jobs, clock } = open();
  const again = actions.printAnyway(SALE, "by mistake");
  printAll();
  returns.add(again.id, wanted());
  printAll();
  await clock.advance(60_000);
  expect(returns.left(jobs.get(again.id))).toEqual([]);
  expect(returns.left(jobs.get(SALE))).toMatchObject([{ quantity: 3_000_000 }]);
  expect(returns.add(SALE, wanted()).total).toBe(300_00);
  expect(codeOf(() => returns.add(SALE, wanted()))).toBe("job.being-printed");
});

test("only a printed sale can be returned", () => {
  const { returns, jobs } = open();
  const { id } = returns.add(SALE, wanted(1));
  expect(codeOf(() => returns.add(id, wanted()))).toBe("job.wrong-state");
  expect(returns.left(jobs.get(id))).toEqual([]);
});

function returnOf({ receipt }: ReturnType<Shop["returns"]["add"]>) {
  if (receipt.kind === "service") throw new Error("not a receipt");
  return receipt;
}
