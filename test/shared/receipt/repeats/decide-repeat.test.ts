import { kopecks } from "@fiscald/shared/amounts.js";
import { toKkm, toOrderId, toReceiptId } from "@fiscald/shared/ids.js";
import type { Payment, Receipt, SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { decideRepeat } from "@fiscald/shared/receipt/repeats/decide-repeat.js";
import type { EarlierReceipt, Offer } from "@fiscald/shared/receipt/repeats/repeat-decision.js";
import { asItIs } from "@fiscald/shared/texts.js";
import { makeItem, makeReceipt, makeService } from "../../../support/make-job.js";

type State = EarlierReceipt["state"];

const one = toReceiptId("7b0c3a52-0000-4000-8000-000000000001");
const two = toReceiptId("7b0c3a52-0000-4000-8000-000000000002");

function receipt(roubles: number, over: Partial<SaleReceipt> = {}): SaleReceipt {
  return makeReceipt({ lines: [makeItem({ price: kopecks(Math.round(roubles * 100)) })], ...over });
}
const sale = receipt;
const back = (roubles: number, over: Partial<SaleReceipt> = {}) => receipt(roubles, { ...over, operation: "return" });
const prepayment = (roubles: number, over: Partial<SaleReceipt> = {}) =>
  receipt(roubles, { lines: [makeItem({ price: kopecks(roubles * 100), method: 1 })], ...over });
const settlement = (roubles: number, over: Partial<SaleReceipt> = {}) =>
  receipt(roubles, { payments: paid(2, roubles), ...over });
const paid = (typeClose: number, roubles: number): readonly Payment[] => [{ typeClose, sum: kopecks(roubles * 100) }];

/** The first of a list is the newest. */
function earlier(id: number, of: Receipt, state: State = "printed", over: Partial<EarlierReceipt> = {}) {
  const facts: EarlierReceipt = {
    id,
    receipt: of,
    state,
    told: state === "printed" || state === "failed" ? "yes" : "no",
    name: asItIs(`FD ${id}`),
    fiscalSign: state === "printed" ? String(1_000_000_000 + id) : null,
    tries: state === "failed" ? 1 : 0,
    doneParts: 0,
    isInOpenShift: () => true,
    isStillInItsShift: () => true,
    wasTriedAgain: () => false,
    ...over,
  };
  return facts;
}

function decide(offered: Receipt, list: readonly EarlierReceipt[], over: Partial<Offer> = {}) {
  return decideRepeat({ receipt: offered, from: "site", ...over }, list);
}

const open: readonly State[] = ["queued", "held", "printing", "unsure"];
const isNew = { action: "new", replaces: [] };
const forNow = { action: "refuse", code: "job.being-printed", again: true };
const lateShift = { isInOpenShift: () => false };
const printAnyway = { from: "shop", lifted: { printAnyway: true, beyondSold: false } } as const;
const beyondSold = { from: "shop", lifted: { printAnyway: false, beyondSold: true } } as const;

describe("an offer with a known receiptId", () => {
  test.each([
    ["order number", sale(100, { receiptId: one, orderId: toOrderId("A-2") })],
    ["direction", back(100, { receiptId: one })],
    ["total", sale(101, { receiptId: one })],
  ])("a receiptId offered with another %s is refused, whatever state its receipt has", (_, offered) => {
    for (const state of [...open, "printed", "failed", "cancelled"] as const) {
      const first = earlier(1, sale(100, { receiptId: one }), state);
      expect(decide(offered, [first])).toMatchObject({ action: "refuse", code: "receipt.id-reused", because: first });
    }
  });

  test("a known receiptId with a total that differs by one kopeck a line is the same receipt", () => {
    const first = earlier(1, sale(100, { receiptId: one }));
    expect(decide(sale(100.01, { receiptId: one }), [first])).toMatchObject({ action: "result" });
    expect(decide(sale(100.02, { receiptId: one }), [first])).toMatchObject({ code: "receipt.id-reused" });
  });

  test("a known receiptId with other names of its lines is answered with its receipt and a warning", () => {
    const offered = sale(100, { receiptId: one, lines: [makeItem({ name: "Кофе" })] });
    const of = (state: State) => [earlier(1, sale(100, { receiptId: one }), state)];
    expect(decide(offered, of("printed"))).toMatchObject({ action: "result", warning: "other-lines" });
    expect(decide(offered, of("unsure"))).toMatchObject({ action: "ignore", warning: "other-lines" });
  });

  test("a known receiptId with another tax row is the same receipt, without a warning", () => {
    const offered = sale(100, { receiptId: one, lines: [makeItem({ tax: 4 })] });
    const first = earlier(1, sale(100, { receiptId: one }));
    expect(decide(offered, [first])).toMatchObject({ action: "result", warning: null });
  });

  test.each(["sale", "return"] as const)(
    "a known receiptId of a printed %s is answered with its result, reported or not, in every shift",
    (operation) => {
      const same = receipt(100, { receiptId: one, operation });
      for (const told of ["no", "meanwhile", "yes"] as const) {
        expect(decide(same, [earlier(1, same, "printed", { told, ...lateShift })])).toMatchObject({ action: "result" });
      }
    },
  );

  test("a receiptId that a person let two orders have is answered with the offered order's receipt", () => {
    const list = [earlier(2, sale(40, { receiptId: one })), earlier(1, sale(100, { receiptId: one }))];
    expect(decide(sale(100, { receiptId: one }), list)).toMatchObject({ action: "result", of: { id: 1 } });
  });

  test("a failed receipt is not tried beside a newer sale of its order, and the answer is the newer sale's result", () => {
    const failed = earlier(1, sale(100, { receiptId: one }), "failed");
    const newer = (state: State) => earlier(2, sale(90, { receiptId: two }), state);
    const again = sale(100, { receiptId: one });
    expect(decide(again, [newer("printed"), failed])).toMatchObject({ action: "result", of: { id: 2 } });
    for (const state of open) {
      expect(decide(again, [newer(state), failed])).toMatchObject({ action: "ignore", of: { id: 2 } });
    }
    expect(decide(again, [newer("failed"), failed])).toMatchObject({ action: "again", of: { id: 1 } });
  });

  test("a failed prepayment is tried again beside a further prepayment that the site knows to be printed", () => {
    const list = (told: EarlierReceipt["told"]) => [
      earlier(2, prepayment(60, { receiptId: two }), "printed", { told }),
      earlier(1, prepayment(40, { receiptId: one }), "failed"),
    ];
    const again = prepayment(40, { receiptId: one });
    expect(decide(again, list("yes"))).toMatchObject({ action: "again", of: { id: 1 } });
    // This offer may have been on its way while the other one was ordered in its place.
    for (const told of ["no", "meanwhile"] as const) {
      expect(decide(again, list(told))).toMatchObject({ action: "result", of: { id: 2 } });
    }
  });

  test("a failed sale is tried again once the sale in its place was returned whole", () => {
    const list = [
      earlier(3, back(90)),
      earlier(2, sale(90, { receiptId: two })),
      earlier(1, sale(100, { receiptId: one }), "failed"),
    ];
    expect(decide(sale(100, { receiptId: one }), list)).toMatchObject({ action: "again", of: { id: 1 } });
  });

  test("a failed sale is tried again where the kit offers it and knows the newer sale to be printed", () => {
    const failed = earlier(1, sale(100, { receiptId: one }), "failed");
    const newer = (told: EarlierReceipt["told"]) => earlier(2, sale(90, { receiptId: two }), "printed", { told });
    const again = sale(100, { receiptId: one });
    expect(decide(again, [newer("yes"), failed], { from: "kit" })).toMatchObject({ action: "again", of: { id: 1 } });
    expect(decide(again, [newer("no"), failed], { from: "kit" })).toMatchObject({ action: "result", of: { id: 2 } });
  });

  test.each<[string, Partial<SaleReceipt>]>([
    ["lines", { lines: [makeItem({ name: "Кофе" })] }],
    ["rate", { lines: [makeItem({ tax: 4 })] }],
    ["contact", { contact: "b@shop.example" }],
    ["tax system", { taxSystem: 2 }],
    ["cashier", { cashier: { name: "Петрова", inn: null } }],
    ["buyer", { requisites: { buyer: { name: "ООО Ромашка" } } }],
  ])("a failed receipt offered with another %s is tried as it is offered now, however often it failed", (_, mended) => {
    for (const receiptId of [one, null]) {
      const failed = earlier(1, sale(100, { receiptId }), "failed", { tries: 3 });
      const decision = decide(sale(100, { receiptId, ...mended }), [failed]);
      // Without a receiptId another position is another receipt.
      const isOther = receiptId === null && ("lines" in mended || "requisites" in mended);
      expect(decision).toMatchObject(isOther ? isNew : { action: "again", of: { id: 1 }, isChanged: true });
    }
  });

  test("a failed receipt offered for another register, or with another time of payment, is the one that failed", () => {
    const failed = (tries: number) => [earlier(1, sale(100, { receiptId: one }), "failed", { tries })];
    const offered = sale(100, { receiptId: one, kkm: toKkm("0001"), paidAt: 7, format: "online" });
    expect(decide(offered, failed(1))).toMatchObject({ action: "again", isChanged: false });
    expect(decide(offered, failed(3))).toMatchObject({ action: "result" });
  });

  test("a half-done service job goes on with what it began with, whatever its order says now", () => {
    const job = { ...makeService([]), receiptId: one };
    const half = earlier(1, job, "failed", { doneParts: 1, told: "no" });
    const offered = { ...job, lines: [{ type: "cash", direction: "out", sum: kopecks(700) }] } as const;
    expect(decide(offered, [half])).toMatchObject({ action: "again", isChanged: false });
    expect(decide(offered, [{ ...half, doneParts: 0 }])).toMatchObject({ action: "again", isChanged: true });
  });

  test("a failed return is not tried again beside a newer equal return, but beside a different one", () => {
    const failed = earlier(1, back(40, { receiptId: one }), "failed");
    const rest = [failed, earlier(0, sale(100))];
    const offered = back(40, { receiptId: one });
    expect(decide(offered, [earlier(2, back(40, { receiptId: two })), ...rest])).toMatchObject({ of: { id: 2 } });
    expect(decide(offered, [earlier(2, back(50, { receiptId: two })), ...rest])).toMatchObject({ action: "again" });
  });
});

describe("a repeated order without a receiptId", () => {
  test.each(open)("a repeated order without a receiptId is ignored while its receipt is %s", (state) => {
    expect(decide(sale(100), [earlier(1, sale(100), state)])).toMatchObject({ action: "ignore" });
    expect(decide(back(100), [earlier(1, back(100), state)])).toMatchObject({ action: "ignore" });
  });

  test("a repeated order is recognised in another spelling of its number, names and payments", () => {
    const spelt = sale(100, {
      orderId: toOrderId("A\u200B-\u00AD1"),
      lines: [makeItem({ name: " Чаи\u0306 " })],
      payments: [...paid(0, 150), { typeClose: 0, sum: kopecks(-5_000) }],
    });
    const first = earlier(1, sale(100, { lines: [makeItem({ name: "Чай" })] }));
    expect(decide(spelt, [first])).toMatchObject({ action: "result", of: first });
  });

  test.each(["no", "meanwhile"] as const)(
    "a repeated sale whose site was told '%s' is answered with the sale's result",
    (told) => {
      expect(decide(sale(100), [earlier(1, sale(100), "printed", { told, ...lateShift })]).action).toBe("result");
    },
  );

  test("a repeated sale that was reported gets its result in the same shift, and code 4 with its numbers later", () => {
    expect(decide(sale(100), [earlier(1, sale(100))]).action).toBe("result");
    const later = decide(sale(100), [earlier(1, sale(100), "printed", lateShift)]);
    expect(later).toMatchObject({ action: "refuse", code: "job.already-printed", isPrinted: true, again: false });
  });

  test("a repeated sale of which a part was returned is answered with its result", () => {
    expect(decide(sale(100), [earlier(2, back(40)), earlier(1, sale(100))]).action).toBe("result");
  });

  test.each(["printed", ...open])(
    "a repeated sale whose whole return is %s is refused for a person, and both documents are named",
    (state) => {
      const list = [earlier(2, back(100), state as State), earlier(1, sale(100))];
      const decision = decide(sale(100), list);
      expect(decision).toMatchObject({ code: "job.already-printed", isPrinted: true, asks: "sell-again" });
      expect(decision).toMatchObject({ message: { en: expect.stringMatching(/FD 1 .*FD 2/) } });
    },
  );

  test("a repeated sale that was returned whole is refused for a person where something else was sold since", () => {
    const list = [earlier(3, sale(60)), earlier(2, back(100)), earlier(1, sale(100))];
    expect(decide(sale(100), list)).toMatchObject({ isPrinted: true, asks: "sell-again", because: { id: 1 } });
  });

  test("a repeated sale that was returned whole is ignored where its result was delivered during this poll", () => {
    const list = [earlier(2, back(100)), earlier(1, sale(100), "printed", { told: "meanwhile" })];
    expect(decide(sale(100), list)).toMatchObject({ action: "ignore", of: { id: 1 } });
  });

  test("a repeated sale whose whole return failed is answered with its result", () => {
    expect(decide(sale(100), [earlier(2, back(100), "failed"), earlier(1, sale(100))]).action).toBe("result");
  });

  test("a repeated return is answered with its result until its site has the result, and ignored during that poll", () => {
    const list = (told: EarlierReceipt["told"]) => [earlier(2, back(40), "printed", { told }), earlier(1, sale(100))];
    expect(decide(back(40), list("no")).action).toBe("result");
    expect(decide(back(40), list("meanwhile")).action).toBe("ignore");
    const told = decide(back(40), list("yes"));
    expect(told).toMatchObject({ code: "job.already-printed", isPrinted: true, again: false, asks: "return-again" });
    expect(told).toMatchObject({ message: { en: expect.stringContaining("receiptId") } });
  });

  test("a repeated order is tried again twice after a proven failure, then its result is reported again", () => {
    const failed = (tries: number) => [earlier(1, sale(100), "failed", { tries })];
    expect(decide(sale(100), failed(1))).toMatchObject({ action: "again", replaces: [] });
    expect(decide(sale(100), failed(2)).action).toBe("again");
    expect(decide(sale(100), failed(3)).action).toBe("result");
  });

  test("a repeated order that failed is judged by the order's other receipts before it is tried again", () => {
    const failed = earlier(1, sale(100), "failed");
    expect(decide(sale(100), [earlier(2, sale(90)), failed])).toMatchObject({ code: "job.already-printed" });
    expect(decide(sale(100), [earlier(2, sale(90), "unsure"), failed])).toMatchObject(forNow);
    const queued = earlier(2, sale(90), "queued");
    expect(decide(sale(100), [queued, failed])).toMatchObject({ action: "again", replaces: [queued] });
    const returns = [earlier(2, back(50)), earlier(1, back(60), "failed"), earlier(0, sale(100))];
    expect(decide(back(60), returns)).toMatchObject({ code: "job.return-exceeds-sale" });
  });

  test("a repeated order that the operator cancelled is refused for good", () => {
    const cancelled = [earlier(1, sale(100), "cancelled")];
    expect(decide(sale(100), cancelled)).toMatchObject({ code: "job.cancelled", again: false });
  });

  test("a printed order counts as printed although a forced second print of it failed later", () => {
    expect(decide(sale(100), [earlier(2, sale(100), "failed"), earlier(1, sale(100))]).action).toBe("result");
  });
});

describe("an equal order with another receiptId, from a site without the kit,", () => {
  test("an equal order with another receiptId is ignored with a warning while the first is open or not reported", () => {
    const ignored = { action: "ignore", warning: "new-id-each-time" };
    const first = (state: State, told: EarlierReceipt["told"]) => [
      earlier(1, sale(100, { receiptId: one }), state, { told }),
    ];
    const offered = sale(100, { receiptId: two });
    for (const state of open) expect(decide(offered, first(state, "no"))).toMatchObject(ignored);
    expect(decide(offered, first("printed", "no"))).toMatchObject(ignored);
    expect(decide(offered, first("printed", "meanwhile"))).toMatchObject(ignored);
    expect(decide(offered, first("failed", "no"))).toMatchObject(ignored);
  });

  test("an equal return with another receiptId is accepted as new once the first was reported, and an equal sale is refused", () => {
    const sold = earlier(1, sale(100));
    const list = [earlier(2, back(40, { receiptId: one })), sold];
    expect(decide(back(40, { receiptId: two }), list)).toMatchObject(isNew);
    const again = decide(sale(100, { receiptId: two }), [earlier(1, sale(100, { receiptId: one }))]);
    expect(again).toMatchObject({ code: "job.already-printed", isPrinted: true });
  });
});

describe("a return that differs from earlier ones", () => {
  const sold = earlier(1, sale(100));

  test("a further return is accepted as new while all returns, open and printed, stay within what was sold", () => {
    for (const state of ["printed", ...open] as const) {
      const list = [earlier(2, back(60), state), sold];
      expect(decide(back(40), list)).toMatchObject({ ...isNew, warning: null });
      expect(decide(back(40.01), list).action).toBe("new");
      expect(decide(back(40.02), list)).toMatchObject({
        code: "job.return-exceeds-sale",
        message: { en: "returns of 100.02 would exceed the 100.00 sold", ru: expect.stringContaining("100.02") },
      });
    }
  });

  test("a further return is not refused because of failed and cancelled returns", () => {
    const list = [earlier(3, back(60), "failed"), earlier(2, back(70), "cancelled"), sold];
    expect(decide(back(100), list)).toMatchObject(isNew);
  });

  test("a return whose sale is not known here is accepted as new, with a warning", () => {
    expect(decide(back(500), [])).toMatchObject({ ...isNew, warning: "sale-unknown" });
  });

  test("a return of a sale that still waits is accepted as new, up to the sale's total", () => {
    expect(decide(back(100), [earlier(1, sale(100), "queued")])).toMatchObject(isNew);
    expect(decide(back(101), [earlier(1, sale(100), "queued")])).toMatchObject({ code: "job.return-exceeds-sale" });
  });

  test("a return above what was sold is accepted by beyondSold alone", () => {
    const offered = back(500, { receiptId: one });
    expect(decide(offered, [sold], beyondSold)).toMatchObject(isNew);
    expect(decide(offered, [sold], printAnyway)).toMatchObject({ code: "job.return-exceeds-sale" });
  });

  test("a return of a settlement is accepted as new up to the settlement's total, its prepayment not counted again", () => {
    const list = [earlier(2, settlement(100)), earlier(1, prepayment(100))];
    expect(decide(back(100), list)).toMatchObject(isNew);
    expect(decide(back(101), list)).toMatchObject({ code: "job.return-exceeds-sale" });
    expect(decide(back(100), [earlier(2, settlement(100))])).toMatchObject(isNew);
  });

  test("a return into a prepayment is refused above what the settlements have used of it", () => {
    const list = [earlier(2, settlement(100)), earlier(1, prepayment(100))];
    const putBack = (roubles: number) => back(roubles, { payments: paid(2, roubles) });
    expect(decide(putBack(100), list)).toMatchObject(isNew);
    expect(decide(putBack(101), list)).toMatchObject({ code: "job.return-exceeds-sale" });
    expect(decide(putBack(60), [earlier(3, putBack(50)), ...list])).toMatchObject({ code: "job.return-exceeds-sale" });
  });

  test("a settlement may be returned into its prepayment, and then the prepayment may be returned", () => {
    const settled = [earlier(2, settlement(100)), earlier(1, prepayment(100))];
    const list = [earlier(3, back(100, { payments: paid(2, 100) })), ...settled];
    expect(decide(back(100), list)).toMatchObject(isNew);
    expect(decide(back(101), list)).toMatchObject({ code: "job.return-exceeds-sale" });
  });
});

describe("a sale that differs from an earlier one", () => {
  test.each(["queued", "held"] as const)("a changed sale takes the place of a sale that is %s", (state) => {
    const first = earlier(1, sale(100), state);
    expect(decide(sale(90), [first])).toMatchObject({ action: "new", replaces: [first] });
  });

  test("a changed sale does not take the place of a sale whose open return is larger", () => {
    const list = [earlier(2, back(100), "queued"), earlier(1, sale(100), "queued")];
    expect(decide(sale(60), list)).toMatchObject(forNow);
  });

  test.each(["printing", "unsure"] as const)("a changed sale is refused for now beside a sale that is %s", (state) => {
    expect(decide(sale(90), [earlier(1, sale(100), state)])).toMatchObject(forNow);
  });

  test("a changed sale is refused after a printed sale, whose numbers are no answer to it", () => {
    const decision = decide(sale(90), [earlier(2, sale(80), "failed"), earlier(1, sale(100), "printed", lateShift)]);
    expect(decision).toMatchObject({ code: "job.already-printed", isPrinted: false, again: false });
  });

  test.each(["failed", "cancelled"] as const)("a changed sale is accepted as new beside a sale that %s", (state) => {
    expect(decide(sale(90), [earlier(1, sale(100), state)])).toMatchObject(isNew);
  });

  test("a changed sale, or an equal one with its own receiptId, is accepted as new after the whole return is printed", () => {
    const list = (state: State) => [earlier(2, back(100), state), earlier(1, sale(100))];
    expect(decide(sale(90), list("printed"))).toMatchObject(isNew);
    expect(decide(sale(100, { receiptId: one }), list("printed"))).toMatchObject(isNew);
    expect(decide(sale(90), list("queued"))).toMatchObject({ ...forNow, because: { id: 2 } });
    const partly = [earlier(2, back(50), "queued"), earlier(1, sale(100))];
    expect(decide(sale(90), partly)).toMatchObject({ code: "job.already-printed" });
  });

  test("a changed sale after a printed sale is printed once where print-anyway is asked for", () => {
    expect(decide(sale(90, { receiptId: one }), [earlier(1, sale(100))], printAnyway)).toMatchObject(isNew);
    const itself = earlier(2, sale(90, { receiptId: one }));
    expect(decide(sale(90, { receiptId: one }), [itself, earlier(1, sale(100))], printAnyway).action).toBe("result");
  });

  test("a further prepayment is accepted as new, and a full sale beside a prepayment is refused", () => {
    expect(decide(prepayment(50), [earlier(1, prepayment(40))])).toMatchObject(isNew);
    expect(decide(sale(50), [earlier(1, prepayment(40))])).toMatchObject({ code: "job.already-printed" });
  });

  test("a payment of credit is accepted as new up to the credit that was given", () => {
    const onCredit = earlier(1, sale(100, { payments: paid(3, 100) }));
    const payment = (roubles: number) =>
      receipt(roubles, { lines: [makeItem({ price: kopecks(roubles * 100), method: 7 })] });
    expect(decide(payment(60), [onCredit])).toMatchObject(isNew);
    expect(decide(payment(40), [earlier(2, payment(60)), onCredit])).toMatchObject(isNew);
    expect(decide(payment(41), [earlier(2, payment(60)), onCredit])).toMatchObject({ code: "job.already-printed" });
    const waiting = earlier(1, sale(100, { payments: paid(3, 100) }), "queued");
    expect(decide(payment(60), [waiting])).toMatchObject({ ...forNow, because: { id: 1 } });
  });
});

describe("a settlement of prepayments", () => {
  const prepaid = earlier(1, prepayment(100));

  test("a settlement is accepted as new while the printed prepayments cover it together with other settlements", () => {
    expect(decide(settlement(100), [prepaid])).toMatchObject(isNew);
    expect(decide(settlement(40), [earlier(2, settlement(60), "queued"), prepaid])).toMatchObject(isNew);
    expect(decide(settlement(101), [prepaid])).toMatchObject({ code: "job.already-printed" });
    expect(decide(settlement(50), [earlier(2, settlement(60)), prepaid])).toMatchObject({
      code: "job.already-printed",
    });
  });

  test("a settlement is refused where the prepayment was returned, and new where an earlier settlement was returned", () => {
    const returned = earlier(2, back(60, { lines: [makeItem({ price: kopecks(6000), method: 1 })] }));
    expect(decide(settlement(100), [returned, prepaid])).toMatchObject({ code: "job.already-printed" });
    const undone = [earlier(3, back(100, { payments: paid(2, 100) })), earlier(2, settlement(100)), prepaid];
    expect(decide(settlement(80), undone)).toMatchObject(isNew);
  });

  test("a settlement takes the place of a waiting settlement where the prepayments do not cover both", () => {
    const waiting = earlier(2, settlement(60), "queued");
    expect(decide(settlement(50), [waiting, prepaid])).toMatchObject({ action: "new", replaces: [waiting] });
  });

  test("a settlement never pushes its own prepayment out of the queue", () => {
    expect(decide(settlement(100), [earlier(1, prepayment(100), "queued")])).toMatchObject(forNow);
  });
});

describe("an order of the kit", () => {
  const kit = { from: "kit" } as const;
  const came = { wasTriedAgain: () => true };
  const offered = sale(100, { receiptId: two });
  const first = (state: State, over: Partial<EarlierReceipt> = {}) =>
    earlier(1, sale(100, { receiptId: one }), state, over);

  test.each([...open, "printed"] as const)(
    "an order of the kit is accepted as new beside another receiptId that is %s, since the kit judged both",
    (state) => {
      expect(decide(offered, [first(state)], kit)).toMatchObject(isNew);
      expect(decide(back(500, { receiptId: two }), [first(state)], kit)).toMatchObject({ ...isNew, warning: null });
    },
  );

  test("a return of the kit is accepted as new beside other receipts of the order that are not of the kit", () => {
    const list = [first("printed"), earlier(0, prepayment(30))];
    expect(decide(back(100, { receiptId: two }), list, kit)).toMatchObject(isNew);
  });

  test("an order of the kit is refused beside a printed equal sale without a receiptId", () => {
    expect(decide(offered, [earlier(1, sale(100))], kit)).toMatchObject({ code: "job.already-printed" });
  });

  test("an order of the kit replaces a retried receipt that waits, and waits for a retried one that is at work", () => {
    const queued = first("queued", came);
    expect(decide(offered, [queued], kit)).toMatchObject({ action: "new", replaces: [queued] });
    for (const state of ["printing", "unsure"] as const) {
      expect(decide(offered, [first(state, came)], kit)).toMatchObject(forNow);
    }
    for (const told of ["no", "meanwhile"] as const) {
      expect(decide(offered, [first("printed", { ...came, told })], kit)).toMatchObject(forNow);
    }
    expect(decide(offered, [first("printed", { ...came, told: "yes" })], kit)).toMatchObject(isNew);
  });

  test("an equal return of the kit waits for a retried return, and a different return does not wait", () => {
    const returned = earlier(1, back(40, { receiptId: one }), "printing", came);
    expect(decide(back(40, { receiptId: two }), [returned], kit)).toMatchObject(forNow);
    expect(decide(back(50, { receiptId: two }), [returned], kit)).toMatchObject(isNew);
  });

  test("a settlement of the kit is accepted as new beside a retried prepayment, and waits for a retried settlement", () => {
    const prepaid = earlier(1, prepayment(100, { receiptId: one }), "printed", { ...came, told: "no" });
    const settles = settlement(100, { receiptId: two });
    expect(decide(settles, [prepaid], kit)).toMatchObject(isNew);
    const cameBack = earlier(2, settlement(40, { receiptId: one }), "printed", { ...came, told: "no" });
    const part = settlement(40, { receiptId: two });
    expect(decide(part, [cameBack, earlier(1, prepayment(100))], kit)).toMatchObject(forNow);
  });
});

describe("a service job", () => {
  const table = makeService([{ type: "report", report: "x" }], { orderId: toOrderId("A-1") });
  const other = makeService([{ type: "report", report: "hours" }], { orderId: toOrderId("A-1") });
  const gone = { isStillInItsShift: () => false };
  const half = (state: State, over: Partial<EarlierReceipt> = {}) =>
    earlier(1, table, state, { doneParts: 1, ...over });

  test.each(["printed", "failed", "cancelled"] as const)(
    "a service job that is %s is accepted as new once it was reported, and a repeat before its report",
    (state) => {
      expect(decide(table, [earlier(1, table, state, { told: "yes" })])).toMatchObject(isNew);
      const repeat = decide(table, [earlier(1, table, state, { told: "meanwhile" })]).action;
      expect(repeat).toBe({ printed: "ignore", failed: "again", cancelled: "refuse" }[state]);
    },
  );

  test("a half-done service job goes on in the same shift only, three times at most", () => {
    expect(decide(table, [half("failed")]).action).toBe("again");
    expect(decide(table, [half("failed", { told: "no" })]).action).toBe("again");
    expect(decide(table, [half("failed", { tries: 3 })]).action).toBe("result");
    expect(decide(table, [half("failed", gone)])).toMatchObject({ code: "job.half-done" });
    expect(decide(table, [half("cancelled", { told: "yes" })])).toMatchObject({ code: "job.half-done" });
    expect(decide(table, [half("cancelled", { told: "yes", ...gone })])).toMatchObject(isNew);
  });

  test("a half-done service job does not let a job of other lines of its order print in the same shift", () => {
    expect(decide(other, [half("failed")])).toMatchObject({ code: "job.half-done" });
    expect(decide(other, [half("queued")])).toMatchObject(forNow);
    expect(decide(other, [half("failed", gone)])).toMatchObject(isNew);
  });

  test("a service job is compared with the newest equal one, not with one printed on an earlier day", () => {
    const list = [earlier(2, table, "failed", { doneParts: 1 }), earlier(1, table, "printed", { doneParts: 2 })];
    expect(decide(table, list)).toMatchObject({ action: "again", of: { id: 2 } });
  });
});

describe("money that is not paid with the sale itself", () => {
  const giftCard = { payments: paid(2, 100) };
  const credit = { payments: paid(3, 100), lines: [makeItem({ price: kopecks(10_000), method: 6 })] };
  const paidOff = { lines: [makeItem({ price: kopecks(10_000), method: 7 })] };
  test.each([
    ["by a gift card", [earlier(1, sale(100, giftCard))], giftCard],
    ["on credit and paid off", [earlier(2, sale(100, paidOff)), earlier(1, sale(100, credit))], {}],
  ])(
    "a sale %s is returned whole once: an equal sale asks a person, one with its own id is accepted as new",
    (_, sales, over) => {
      const list = [earlier(3, back(100, over)), ...sales];
      expect(decide(sales.at(-1)?.receipt ?? sale(1), list)).toMatchObject({ action: "refuse", asks: "sell-again" });
      expect(decide(sale(90, { receiptId: two }), list)).toMatchObject(isNew);
      expect(decide(back(100, { receiptId: two }), list)).toMatchObject({ code: "job.return-exceeds-sale" });
    },
  );

  test("a settlement that was returned in money is not put back into its prepayment besides", () => {
    const list = [earlier(3, back(100)), earlier(2, settlement(100)), earlier(1, prepayment(100))];
    expect(decide(back(100, { ...giftCard, receiptId: two }), list)).toMatchObject({ code: "job.return-exceeds-sale" });
  });

  test("credit that a return took back is not paid off any more", () => {
    const list = [earlier(2, back(40, { payments: paid(3, 40) })), earlier(1, sale(100, credit))];
    expect(decide(receipt(60, { lines: [makeItem({ price: kopecks(6000), method: 7 })] }), list)).toMatchObject(isNew);
    expect(decide(sale(100, { ...paidOff, receiptId: two }), list)).toMatchObject({ code: "job.already-printed" });
  });
});

test("print-anyway does not print a sale beside a sale whose outcome is open", () => {
  for (const state of ["printing", "unsure"] as const) {
    expect(decide(sale(120, { receiptId: two }), [earlier(1, sale(100), state)], printAnyway)).toMatchObject(forNow);
  }
});

test("a return of the kit that a person puts back counts beside the kit's other returns", () => {
  const list = [earlier(2, back(100, { receiptId: two })), earlier(1, sale(100, { receiptId: one }))];
  const putBack = { from: "kit", isPutBack: true } as const;
  expect(decide(back(60), list, putBack)).toMatchObject({ code: "job.return-exceeds-sale" });
  expect(decide(back(60), list.slice(1), putBack)).toMatchObject(isNew);
});

describe("corrections", () => {
  const correction = (roubles: number, over: Partial<SaleReceipt> = {}) =>
    receipt(roubles, { correction: { type: "self", date: "2026-07-14" }, ...over });
  const ofFd = (fd: number) => ({ requisites: { additional: String(1_000_000_000 + fd) } });

  test("a correction of an order without a sale is accepted as new, and so is one whose sale has failed", () => {
    expect(decide(correction(100), [])).toMatchObject({ action: "new", replaces: [] });
    expect(decide(correction(100), [earlier(1, receipt(100), "failed")])).toMatchObject({ action: "new" });
  });

  test.each(["queued", "held", "printing", "unsure", "printed"] as const)(
    "a correction of an order whose sale is %s is refused, and takes no place",
    (state) => {
      for (const of of [receipt(100), correction(90)]) {
        const decision = decide(correction(100), [earlier(1, of, state)]);
        expect(decision).toMatchObject({ action: "refuse", because: { id: 1 }, again: false });
      }
    },
  );

  test("a pair of corrections that name a printed document is accepted as new in both directions, once each", () => {
    const wrongSale = earlier(1, receipt(100));
    const back = correction(100, { operation: "return", ...ofFd(1) });
    expect(decide(back, [wrongSale])).toMatchObject({ action: "new" });
    const held = earlier(2, back, "held");
    expect(decide(correction(90, ofFd(1)), [held, wrongSale])).toMatchObject({ action: "new", replaces: [] });
    const again = correction(80, { operation: "return", ...ofFd(1) });
    expect(decide(again, [held, wrongSale])).toMatchObject({ action: "refuse", because: { id: 2 } });
  });

  test("a fiscal sign without its zeros names the same document, and an unknown one names none", () => {
    const printed = earlier(1, receipt(100), "printed", { fiscalSign: "0000000042" });
    const named = (additional: string) => correction(90, { requisites: { additional } });
    expect(decide(named("42"), [printed])).toMatchObject({ action: "new" });
    expect(decide(named("43"), [printed])).toMatchObject({ action: "refuse" });
  });

  test("a sale of an order whose correction waits is refused for now, and after it is printed for good", () => {
    expect(decide(receipt(100), [earlier(1, correction(100), "held")])).toMatchObject({
      action: "refuse",
      again: true,
    });
    expect(decide(receipt(100), [earlier(1, correction(100))])).toMatchObject({
      ...{ action: "refuse", code: "job.already-printed", again: false },
    });
  });

  test("a correction counts as its sale: a return within it is accepted as new, one beyond it is refused", () => {
    const sold = [earlier(1, correction(100))];
    expect(decide(receipt(100, { operation: "return" }), sold)).toMatchObject({ action: "new", warning: null });
    expect(decide(receipt(101, { operation: "return" }), sold)).toMatchObject({ code: "job.return-exceeds-sale" });
  });

  test("a correction that failed is not tried again by its site as it was, but changed", () => {
    const failed = earlier(1, correction(100), "failed");
    expect(decide(correction(100), [failed])).toMatchObject({ action: "result", of: { id: 1 } });
    const changed = correction(100, { contact: "new@shop.example" });
    expect(decide(changed, [failed])).toMatchObject({ action: "again", of: { id: 1 }, isChanged: true });
  });

  test("a failed sale that a person has made a correction is not tried again by its site, however it comes", () => {
    const byPerson = { type: "self", date: "2026-07-14", ofOrder: true } as const;
    const failed = earlier(1, correction(100, { correction: byPerson }), "failed");
    expect(decide(receipt(100, { contact: "new@shop.example" }), [failed])).toMatchObject({ action: "result" });
  });

  test("a known receiptId with the sale in place of the correction belongs to another receipt", () => {
    const receiptId = toReceiptId("7b0c3a52-0000-4000-8000-000000000001");
    expect(decide(receipt(100, { receiptId }), [earlier(1, correction(100, { receiptId }))])).toMatchObject({
      code: "receipt.id-reused",
    });
  });
});

describe("a receipt that a person at the till has ordered", () => {
  const byPerson = { isByOperator: true, told: "no" } as const;
  const [wrong, undone] = [earlier(1, sale(100)), earlier(2, back(100), "printed", byPerson)];

  test.each(["queued", "held"] as const)(
    "the corrected sale in place of a returned one, which is %s, is not replaced by another sale",
    (state) => {
      const right = earlier(3, sale(90), state, byPerson);
      expect(decide(sale(80), [right, undone, wrong])).toMatchObject(forNow);
    },
  );

  const fixesFirst = { requisites: { additional: String(wrong.fiscalSign) } };
  const correction = { type: "self", date: "2026-07-14" } as const;
  test.each([
    ["corrections", { ...fixesFirst, correction }, "printed"],
    ["corrections of which the second waits", { ...fixesFirst, correction }, "held"],
    ["ordinary receipts", fixesFirst, "printed"],
  ] as const)(
    "a sale that a pair of %s has put right and that comes again is answered as printed",
    (_, over, state) => {
      const pair = [earlier(3, sale(90, over), state, byPerson), earlier(2, back(100, over), "printed", byPerson)];
      expect(decide(sale(100), [...pair, wrong])).toMatchObject({ action: "result", of: wrong });
      expect(decide(sale(100), [...pair, { ...wrong, ...lateShift }])).toMatchObject({
        ...{ action: "refuse", code: "job.already-printed", isPrinted: true, asks: null },
      });
      const returned = earlier(4, back(90));
      expect(decide(sale(100), [returned, ...pair, wrong])).toMatchObject({ action: "refuse", asks: "sell-again" });
    },
  );

  test.each(["queued", "held", "printed"] as const)(
    "a correction that is %s keeps the kit's other sale of its order away, whether or not the kit is told of it",
    (state) => {
      for (const receiptId of [null, one]) {
        const missed = earlier(1, sale(90, { correction, receiptId }), state, byPerson);
        const offered = sale(80, { receiptId: two });
        expect(decide(offered, [missed], { from: "kit" })).toMatchObject({ action: "refuse", because: missed });
      }
    },
  );

  test("the kit's failed order that waits as a correction keeps its place before another sale of the kit", () => {
    const made = { correction: { ...correction, ofOrder: true }, receiptId: one } as const;
    const waiting = earlier(1, sale(90, made), "queued", { wasTriedAgain: () => true });
    expect(decide(sale(80, { receiptId: two }), [waiting], { from: "kit" })).toMatchObject(forNow);
  });

  test("an order that gave change is the same order after it was made a correction", () => {
    const offered = sale(90, { payments: paid(0, 100) });
    const correction = { type: "self", date: "2026-07-14", ofOrder: true } as const;
    const made = earlier(1, sale(90, { payments: paid(0, 90), correction }));
    expect(decide(offered, [made])).toMatchObject({ action: "result", of: made });
    expect(decide(offered, [earlier(1, sale(90, { payments: paid(0, 90) }))])).toMatchObject({ action: "refuse" });
  });
});
