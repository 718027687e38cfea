import { kopecks } from "@fiscald/shared/amounts.js";
import { toKkm, toOrderId } from "@fiscald/shared/ids.js";
import type { Receipt, SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { decideRepeat } from "@fiscald/shared/receipt/repeats/decide-repeat.js";
import type { EarlierReceipt } from "@fiscald/shared/receipt/repeats/repeat-decision.js";
import { makeItem, makeService } from "../../../support/make-job.js";
import { earlier, ids, inWords, receiptOf, testRows } from "./order-rows.js";

const decide = (receipt: Receipt, ...list: readonly EarlierReceipt[]) => decideRepeat({ receipt, from: "site" }, list);
const decided = (receipt: Receipt, ...list: readonly EarlierReceipt[]) => inWords(decide(receipt, ...list));
const [receiptId = null] = ids;

describe("an offer with a known receiptId", () => {
  testRows({
    "a receiptId offered with another direction or total is refused, whatever state its receipt has": [
      "{return 100,sale 101} #1 | sale 100 #1 {queued,held,printing,unsure,printed,failed,cancelled} -> refused id-reused by 1",
    ],
    "a known receiptId with a total that differs by one kopeck a line is the same receipt": [
      "sale 100.01 #1 | sale 100 #1 -> result 1 (other-lines)",
      "sale 100.02 #1 | sale 100 #1 -> refused id-reused by 1",
    ],
    "a known receiptId of a printed sale or return is answered with its result in every shift": [
      "sale 100 #1 | sale 100 #1 {untold,told-now,told} old-shift -> result 1",
      "return 100 #1 | return 100 #1 {untold,told-now,told} old-shift -> result 1",
    ],
    "a receiptId that a person allowed for two orders is answered with the offered order's receipt": [
      "sale 100 #1 | sale 40 #1, sale 100 #1 -> result 1",
    ],
    "a failed receipt is not tried beside a newer sale of its order, and the answer is the newer sale's result": [
      "sale 100 #1 | sale 90 #2, sale 100 #1 failed -> result 2",
      "sale 100 #1 | sale 90 #2 {queued,held,printing,unsure}, sale 100 #1 failed -> ignore 2",
      "sale 100 #1 | sale 90 #2 failed, sale 100 #1 failed -> again 1",
    ],
    // An offer may have been on its way while the other prepayment was ordered in its place.
    "a failed prepayment is tried again beside a further prepayment that the site knows to be printed": [
      "prepayment 40 #1 | prepayment 60 #2 told, prepayment 40 #1 failed -> again 1",
      "prepayment 40 #1 | prepayment 60 #2 {untold,told-now}, prepayment 40 #1 failed -> result 2",
    ],
    "a failed sale is tried again after the sale that replaced it was returned whole": [
      "sale 100 #1 | return 90, sale 90 #2, sale 100 #1 failed -> again 1",
    ],
    "a failed sale is tried again when the kit offers it and knows the newer sale to be printed": [
      "sale 100 #1 by kit | sale 90 #2 told, sale 100 #1 failed -> again 1",
      "sale 100 #1 by kit | sale 90 #2 untold, sale 100 #1 failed -> result 2",
    ],
    "a failed return is tried again beside a different newer return, but not beside an equal one": [
      "return 40 #1 | return 40 #2, return 40 #1 failed, sale 100 -> result 3",
      "return 40 #1 | return 50 #2, return 40 #1 failed, sale 100 -> again 2",
    ],
  });

  const known = (...words: readonly string[]) => earlier(1, receiptOf("sale 100 #1"), ...words);
  const offered = (over: Partial<SaleReceipt>) => ({ ...receiptOf("sale 100 #1"), ...over });

  test("a receiptId offered with another order number is refused, whatever state its receipt has", () => {
    const other = offered({ orderId: toOrderId("A-2") });
    for (const state of ["queued", "unsure", "printed", "failed", "cancelled"]) {
      expect(decided(other, known(state))).toBe("refused id-reused by 1");
    }
  });

  test("a known receiptId with other names of its lines is answered with the known receipt and a warning", () => {
    const other = offered({ lines: [makeItem({ name: "Кофе" })] });
    expect(decided(other, known())).toBe("result 1 (other-lines)");
    expect(decided(other, known("unsure"))).toBe("ignore 1 (other-lines)");
    expect(decided(offered({ lines: [makeItem({ tax: 4 })] }), known())).toBe("result 1");
  });

  test.each<[string, Partial<SaleReceipt>]>([
    ["lines", { lines: [makeItem({ name: "Кофе" })] }],
    ["rate", { lines: [makeItem({ tax: 4 })] }],
    ["contact", { contact: "b@shop.example" }],
    ["tax system", { taxSystem: 2 }],
    ["cashier", { cashier: { name: "Петрова", inn: null } }],
    ["buyer", { requisites: { buyer: { name: "ООО Ромашка" } } }],
  ])("a failed receipt offered with another %s is tried with that content, however often it failed", (_, mended) => {
    expect(decided(offered(mended), known("failed", "third-try"))).toBe("again 1 as changed");
    const withoutId = earlier(1, receiptOf("sale 100"), "failed", "third-try");
    // Without a receiptId another position is another receipt.
    const isOther = "lines" in mended || "requisites" in mended;
    expect(decided({ ...receiptOf("sale 100"), ...mended }, withoutId)).toBe(isOther ? "new" : "again 1 as changed");
  });

  test("a failed receipt that is offered for another register or with another time of payment is the same receipt", () => {
    const elsewhere = offered({ kkm: toKkm("0001"), paidAt: 7, format: "online" });
    expect(decided(elsewhere, known("failed"))).toBe("again 1");
    expect(decided(elsewhere, known("failed", "third-try"))).toBe("result 1");
  });

  test("a half-done service job goes on with its first content, whatever its order contains now", () => {
    const job = { ...makeService([]), receiptId };
    const half = { ...earlier(1, job, "failed", "untold"), doneParts: 1 };
    const other = { ...job, lines: [{ type: "cash", direction: "out", sum: kopecks(700) }] } as const;
    expect(decided(other, half)).toBe("again 1");
    expect(decided(other, { ...half, doneParts: 0 })).toBe("again 1 as changed");
  });
});

describe("a repeated order without a receiptId", () => {
  testRows({
    "a repeated order without a receiptId is ignored while its receipt is open": [
      "sale 100 | sale 100 {queued,held,printing,unsure} -> ignore 1",
      "return 100 | return 100 {queued,held,printing,unsure} -> ignore 1",
    ],
    "a repeated sale is answered with its result when its site had none before this poll": [
      "sale 100 | sale 100 {untold,told-now} old-shift -> result 1",
    ],
    "a repeated sale that was reported gets its result in the same shift, and code 4 with its numbers in a later shift":
      ["sale 100 | sale 100 -> result 1", "sale 100 | sale 100 old-shift -> refused already-printed by 1, as it"],
    "a repeated sale of which a part was returned, or whose whole return failed, is answered with its result": [
      "sale 100 | return 40, sale 100 -> result 1",
      "sale 100 | return 100 failed, sale 100 -> result 1",
    ],
    "a repeated sale whose whole return is open or printed is refused and left to a person, even if more was sold since":
      [
        "sale 100 | return 100 {queued,held,printing,unsure,printed}, sale 100 -> refused already-printed by 1, as it, sell-again",
        "sale 100 | sale 60, return 100, sale 100 -> refused already-printed by 1, as it, sell-again",
      ],
    "a repeated sale that was returned whole is ignored when its result was delivered during this poll": [
      "sale 100 | return 100, sale 100 told-now -> ignore 1",
    ],
    "a repeated return is answered with its result until its site has the result, and is ignored during that poll": [
      "return 40 | return 40 untold, sale 100 -> result 2",
      "return 40 | return 40 told-now, sale 100 -> ignore 2",
      "return 40 | return 40 told, sale 100 -> refused already-printed by 2, as it, return-again",
    ],
    "a repeated order is tried again twice after a proven failure, and gets its result again after that": [
      "sale 100 | sale 100 failed -> again 1",
      "sale 100 | sale 100 failed second-try -> again 1",
      "sale 100 | sale 100 failed third-try -> result 1",
    ],
    "a repeated order that failed is compared with the order's other receipts before it is tried again": [
      "sale 100 | sale 90, sale 100 failed -> refused already-printed by 2",
      "sale 100 | sale 90 unsure, sale 100 failed -> refused being-printed by 2, later",
      "sale 100 | sale 90 queued, sale 100 failed -> again 1 instead of 2",
      "return 60 | return 50, return 60 failed, sale 100 -> refused return-exceeds-sale by 1",
    ],
    "a repeated order that the operator cancelled is refused for good": [
      "sale 100 | sale 100 cancelled -> refused cancelled by 1",
    ],
    "a printed order counts as printed although a forced second print of the order failed later": [
      "sale 100 | sale 100 failed, sale 100 -> result 1",
    ],
    "an equal order with another receiptId is ignored with a warning while the first is open or not reported": [
      "sale 100 #2 | sale 100 #1 {queued,held,printing,unsure} -> ignore 1 (new-id-each-time)",
      "sale 100 #2 | sale 100 #1 {printed,failed} untold -> ignore 1 (new-id-each-time)",
      "sale 100 #2 | sale 100 #1 told-now -> ignore 1 (new-id-each-time)",
    ],
    "after the first was reported, an equal return with another receiptId is accepted as new and an equal sale is refused":
      [
        "return 40 #2 | return 40 #1, sale 100 -> new",
        "sale 100 #2 | sale 100 #1 -> refused already-printed by 1, as it",
      ],
  });

  test("a repeated order is recognised in another spelling of its number, names and payments", () => {
    const first = { ...receiptOf("sale 100"), lines: [makeItem({ name: "Чай" })] };
    const cash = [150, -50].map((roubles) => ({ typeClose: 0, sum: kopecks(roubles * 100) }));
    const lines = [makeItem({ name: " Чаи\u0306 " })];
    const spelt = { ...first, orderId: toOrderId("A\u200B-\u00AD1"), lines, payments: cash };
    expect(decided(spelt, earlier(1, first))).toBe("result 1");
  });

  test("an order that gave change is the same order after it was turned into a correction", () => {
    const offered = { ...receiptOf("sale 90"), payments: [{ typeClose: 0, sum: kopecks(10_000) }] };
    const payments = [{ typeClose: 0, sum: kopecks(9_000) }];
    const made = { ...receiptOf("order-correction 90"), payments };
    expect(decided(offered, earlier(1, made))).toBe("result 1");
    expect(decided(offered, earlier(1, { ...receiptOf("sale 90"), payments }))).toContain("refused");
  });

  test("a refusal names both documents, the sums, or the receiptId that is needed", () => {
    const [sold, back] = ["sale 100", "return 100"].map(receiptOf);
    if (sold === undefined || back === undefined) throw new Error("no receipts");
    expect(decide(sold, earlier(2, back), earlier(1, sold))).toMatchObject({
      message: { en: expect.stringMatching(/FD 1 .*FD 2/) },
    });
    expect(decide(back, earlier(2, back), earlier(1, sold))).toMatchObject({
      message: { en: expect.stringContaining("receiptId") },
    });
    expect(decide(receiptOf("return 100.02"), earlier(1, sold))).toMatchObject({
      message: {
        en: "returns of 100.02 would exceed the 100.00 sold",
        ru: "возвратов стало бы на 100,02\u00A0₽, а продано на 100,00\u00A0₽",
      },
    });
  });
});

describe("a service job", () => {
  const table = makeService([{ type: "report", report: "x" }], { orderId: toOrderId("A-1") });
  const other = makeService([{ type: "report", report: "hours" }], { orderId: toOrderId("A-1") });
  const half = (...words: readonly string[]) => ({ ...earlier(1, table, ...words), doneParts: 1 });
  const gone = (job: EarlierReceipt) => ({ ...job, isStillInItsShift: () => false });

  test.each([
    ["printed", "ignore 1"],
    ["failed", "again 1"],
    ["cancelled", "refused cancelled by 1"],
  ])(
    "a service job that is %s is accepted as new after its report, and is a repeat before its report",
    (state, end) => {
      expect(decided(table, earlier(1, table, state, "told"))).toBe("new");
      expect(decided(table, earlier(1, table, state, "told-now"))).toBe(end);
    },
  );

  test("a half-done service job goes on only in the same shift, and three times at most", () => {
    expect(decided(table, half("failed"))).toBe("again 1");
    expect(decided(table, half("failed", "untold"))).toBe("again 1");
    expect(decided(table, half("failed", "third-try"))).toBe("result 1");
    expect(decided(table, gone(half("failed")))).toBe("refused half-done by 1");
    expect(decided(table, half("cancelled", "told"))).toBe("refused half-done by 1");
    expect(decided(table, gone(half("cancelled", "told")))).toBe("new");
  });

  test("a half-done service job does not let a job of other lines of its order print in the same shift", () => {
    expect(decided(other, half("failed"))).toBe("refused half-done by 1");
    expect(decided(other, half("queued"))).toBe("refused being-printed by 1, later");
    expect(decided(other, gone(half("failed")))).toBe("new");
  });

  test("a service job is compared with the newest equal one, not with one printed on an earlier day", () => {
    const newest = { ...earlier(2, table, "failed"), doneParts: 1 };
    expect(decided(table, newest, { ...earlier(1, table), doneParts: 2 })).toBe("again 2");
  });
});
