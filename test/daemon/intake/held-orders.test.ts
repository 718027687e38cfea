/** Orders that a person must approve, from the site's answer to the result for the site. */
import { findTroubles } from "@fiscald/daemon/console/troubles/find-troubles.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import { defaultRules } from "@fiscald/shared/receipt/check-receipt.js";
import { type Shop, type ShopOrder, useShops } from "../../support/make-shop.js";
import { factsOf } from "../../support/trouble-facts.js";

const open = useShops();
let shop: Shop;

beforeEach(() => {
  shop = open({ largestReceipt: kopecks(100_000) });
});

const large: ShopOrder = { lines: [{ name: "Чай", price: 1000.01 }] };
const wrongState = expect.objectContaining({ code: "job.wrong-state" });

test("an order above the largest receipt is held and not reported to its site, and a person is alerted", () => {
  expect(shop.offer(large)).toMatchObject({ kind: "order", job: { state: "held", fault: { code: "job.held-large" } } });
  shop.printAll();
  expect([shop.printed(), shop.told()]).toEqual([0, []]);
  expect(shop.offer(large)).toMatchObject({ kind: "repeat", job: { id: 1 } });
  expect(shop.jobs.list({ limit: 10 })).toHaveLength(1);
  expect(findTroubles({ ...factsOf({}), jobs: shop.jobs })).toMatchObject([
    {
      ...{ kind: "held", needs: "person", isDecision: true, orders: [{ name: "A-1", job: 1 }] },
      fault: { code: "job.held-large", message: "1000.01 is above 1000.00" },
    },
  ]);
});

test("an order of exactly the largest sum is printed and not held", () => {
  shop.sell({ lines: [{ name: "Чай", price: 1000 }] });
  expect(shop.printed()).toBe(1);
});

test("a held order that a person approves is printed and reported, and its history has the person's reason", () => {
  shop.offer(large);
  shop.actions.approve(1, "a car");
  shop.printAll();
  expect(shop.told()).toMatchObject([{ job: 1, resultCode: 0, outcome: "printed" }]);
  expect(shop.journal.ofJob(1)).toMatchObject([
    { what: "order accepted" },
    { what: "held for a person", details: { code: "job.held-large" } },
    { what: "approved by the operator", actor: "operator", details: { reason: "a car" } },
  ]);
  expect(() => shop.actions.approve(1, "twice")).toThrow(wrongState);
});

test("a held return cannot be approved after its sale has failed", () => {
  shop.offer(large);
  shop.actions.approve(1, "a car");
  expect(shop.offer({ ...large, back: true })).toMatchObject({ job: { id: 2, state: "held" } });
  shop.jobs.markFailed(1, { code: "device.printer-fault", message: "" }, 0);
  expect(() => shop.actions.approve(2, "back")).toThrow(expect.objectContaining({ code: "job.return-exceeds-sale" }));
  expect(shop.jobs.stateOf(2)).toBe("held");
});

test.each(["setAside", "cancel"] as const)("a held order that a person ends by %s is reported as failed", (end) => {
  shop.offer(large);
  shop.actions[end](1, "a kopeck mistake");
  expect(shop.jobs.get(1)).toMatchObject({ state: "cancelled", fault: { code: "job.cancelled" } });
  expect(shop.told()).toMatchObject([
    { job: 1, resultCode: 4, outcome: "failed", resultInfo: expect.stringContaining("(a kopeck mistake)") },
  ]);
  expect(shop.journal.ofJob(1).at(-1)).toMatchObject({ actor: "operator", details: { reason: "a kopeck mistake" } });
});

test.each([{}, { receiptId: "7b0c3a52-0000-4000-8000-000000000001" }])(
  "a held order that was set aside and comes again (%j) is held again, and printed after its approval",
  (names) => {
    shop.offer({ ...large, ...names });
    shop.actions.setAside(1, "a mistake");
    shop.deliver();
    expect(shop.offer({ ...large, ...names })).toMatchObject({ kind: "order", job: { id: 2, state: "held" } });
    shop.actions.approve(2, "no mistake");
    shop.printAll();
    expect(shop.told().at(-1)).toMatchObject({ job: 2, resultCode: 0, outcome: "printed" });
  },
);

test("an offer of a held order that was made before the site heard that the order was set aside is refused", () => {
  shop.offer(large);
  shop.actions.setAside(1, "a mistake");
  expect(shop.offer(large)).toMatchObject({ kind: "refused", fault: { code: "job.cancelled" } });
});

test("the offset of a prepayment that is held is refused for now, and its site is told that a person has to decide", () => {
  const line = { name: "Чай", price: 2000 };
  shop.offer({ lines: [{ ...line, paymentMode: 1 }] });
  expect(shop.offer({ lines: [line], offset: true })).toMatchObject({
    kind: "refused",
    fault: { code: "job.being-printed", message: expect.stringContaining("waiting for a person") },
  });
});

const correction = {
  response: {
    orderId: "A-1",
    correctionInfo: { type: "self", base_date: "2026-07-14" },
    taskTable: [
      { type: "OpenCheckSellCorrection" },
      { type: "Registration", data: "Чай", param: { price: 100, quantity: 1, tax: 1 } },
      { type: "Payment", param: { summ: 100, typeClose: 1 } },
      { type: "CloseCheck" },
    ],
  },
};

test("a correction that a site orders is refused by default, and the refusal is reported to the site", () => {
  expect(shop.take(correction)).toMatchObject({ kind: "refused", fault: { code: "order.wrong-value" } });
  expect(shop.told()).toMatchObject([{ outcome: "failed", resultInfo: expect.stringContaining("коррекции") }]);
});

describe("a site whose corrections a person approves", () => {
  beforeEach(() => {
    const read = { format: "auto", rules: { ...defaultRules, corrections: true } } as const;
    shop = open({ read }, {}, "corrections");
  });

  test("a correction that a site may order is held whatever its sum, and is printed after its approval", () => {
    expect(shop.take(correction)).toMatchObject({ job: { state: "held", fault: { code: "job.held-correction" } } });
    shop.printAll();
    expect([shop.printed(), shop.told()]).toEqual([0, []]);
    expect(shop.take(correction)).toMatchObject({ kind: "repeat", job: { id: 1 } });
    shop.actions.approve(1, "the till was down");
    shop.printAll();
    expect(shop.told()).toMatchObject([{ job: 1, resultCode: 0, outcome: "printed" }]);
  });

  test("the right correction of a printed sale that a site orders is not printed before the sale is printed as returned", () => {
    shop.sell({ lines: [{ name: "Чай", price: 200 }] });
    const { fiscalSign } = shop.jobs.get(1).document ?? {};
    const named = (type: "Sell" | "Return", price: number) => ({
      response: {
        ...correction.response,
        correctionInfo: { ...correction.response.correctionInfo, corrected_fp: fiscalSign },
        taskTable: [
          { type: `OpenCheck${type}Correction` },
          { type: type === "Sell" ? "Registration" : "Return", data: "Чай", param: { price, quantity: 1, tax: 1 } },
          { type: "Payment", param: { summ: price, typeClose: 1 } },
          { type: "CloseCheck" },
        ],
      },
    });
    expect(shop.take(named("Return", 600))).toMatchObject({ fault: { code: "job.return-exceeds-sale" } });
    expect(shop.take(named("Sell", 180))).toMatchObject({ fault: { code: "job.wrong-state" } });
    expect(shop.take(named("Return", 200))).toMatchObject({ job: { id: 4, state: "held" } });
    expect(shop.take(named("Sell", 180))).toMatchObject({ job: { id: 5, state: "held" } });
    const tooEarly = expect.objectContaining({
      code: "job.wrong-state",
      message: expect.stringContaining("not returned whole"),
    });
    expect(() => shop.actions.approve(5, "the right one")).toThrow(tooEarly);
    shop.actions.approve(4, "taken back");
    expect(() => shop.actions.approve(5, "the right one")).toThrow(tooEarly);
    expect(shop.jobs.stateOf(5)).toBe("held");
    shop.printAll();
    shop.actions.approve(5, "the right one");
    shop.printAll();
    expect(shop.take(named("Sell", 180))).toMatchObject({ kind: "repeat", job: { id: 5, state: "printed" } });
    expect(shop.printed()).toBe(3);
  });

  test("a failed correction that comes with other content is held again, with the new content", () => {
    shop.take(correction);
    shop.actions.approve(1, "the till was down");
    shop.jobs.markFailed(1, { code: "job.correction-stopped", message: "" }, 0);
    expect(shop.take({ response: { ...correction.response, cashier: "Петрова" } })).toMatchObject({
      kind: "order",
      job: { id: 1, state: "held", fault: { code: "job.held-correction" }, receipt: { cashier: { name: "Петрова" } } },
    });
    shop.actions.approve(1, "mended");
    shop.printAll();
    expect(shop.told()).toMatchObject([{ job: 1, outcome: "printed" }]);
  });
});

test.each([{}, { receiptId: "7b0c3a52-0000-4000-8000-000000000001" }])(
  "an order that a person had printed as a correction counts as a repeat when it comes again, queued or printed (%j)",
  (names) => {
    const sale: ShopOrder = { lines: [{ name: "Чай", price: 100 }], ...names };
    shop.offer(sale);
    shop.jobs.markFailed(1, { code: "device.printer-fault", message: "" }, 0);
    shop.actions.asCorrection(1, "2026-07-14", "the till was down");
    expect(shop.offer(sale)).toMatchObject({ kind: "repeat", job: { id: 1, state: "queued" } });
    shop.printAll();
    shop.deliver();
    expect(shop.offer(sale)).toMatchObject({ kind: "repeat", job: { id: 1, state: "printed" } });
    expect(shop.told().at(-1)).toMatchObject({ job: 1, resultCode: 0, outcome: "printed" });
    expect(shop.jobs.list({ limit: 10 })).toHaveLength(1);
  },
);
