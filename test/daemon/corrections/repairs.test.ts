/** Repairs of a wrong or missed receipt on emulated registers: the right documents by their tags, each printed once. */
import { parseInput } from "@fiscald/daemon/console/api-errors.js";
import { repairPreview } from "@fiscald/daemon/console/repairs/repair-view.js";
import { repairRequest } from "@fiscald/daemon/corrections/repair-request.js";
import { earlierJobs } from "@fiscald/daemon/sites/earlier-jobs.js";
import { PRINTED_AFTER_ALL, PRINTED_TWICE, PUT_AWAY } from "@fiscald/daemon/store/journal.js";
import { kopecks, quantity } from "@fiscald/shared/amounts.js";
import { type OrderId, toKkm, toOrderId, toSiteId } from "@fiscald/shared/ids.js";
import { markDigits } from "@fiscald/shared/receipt/order-key.js";
import { type SaleReceipt, signOf } from "@fiscald/shared/receipt/receipt.js";
import { decideRepeat } from "@fiscald/shared/receipt/repeats/decide-repeat.js";
import { taxIdOfRate } from "@fiscald/shared/receipt/vat.js";
import { TILL } from "../../support/benches.js";
import { closeTills, openTill } from "../../support/emulated-till.js";
import { makeItem, makeReceipt } from "../../support/make-job.js";
import type { Bench } from "../../support/register-bench.js";
import { asked, broughtBack, day, documentsOf, formats, repairsOn, returnsOn, sale, soldOn } from "./repair-bench.js";

afterEach(closeTills);

const wrongState = expect.objectContaining({ code: "job.wrong-state" });
const cheaper = { case: "wrong", date: day, edits: [{ line: 2, price: "35", vat: 6 }] } as const;

const midnight = `${day}T00:00:00.000Z`;
const pairs = {
  "1.05": [
    { form: "receipt", sign: 2, total: 100_00, cash: 100_00, date: null },
    { form: "receipt", sign: 1, total: 95_00, cash: 95_00, date: null },
  ],
  "1.2": [
    { form: "correction", sign: 2, total: 100_00, cash: 100_00, date: midnight },
    { form: "correction", sign: 1, total: 95_00, cash: 95_00, date: midnight },
  ],
};

test.each(formats)(
  "a wrong receipt of format %s is put right by two documents, and the second needs a person's approval",
  async (ffd) => {
    const till = await soldOn(ffd);
    const { bench, job } = till;
    const fixes = bench.job(job).document?.fiscalSign ?? "";
    const first = await repairsOn(bench).carryOut(asked({ ...cheaper, job }), "the accountant: wrong price");
    expect(bench.states(first.id, first.id + 1)).toEqual(["queued", "held"]);
    expect(() => bench.operator.approve(first.id + 1, "too early")).toThrow(wrongState);
    await bench.runQueue();
    expect(bench.states(first.id, first.id + 1)).toEqual(["printed", "held"]);
    bench.operator.approve(first.id + 1, "the first is out");
    await bench.runQueue();
    expect(documentsOf(till)).toEqual(pairs[ffd].map((document) => ({ ...document, fixes })));
    expect(bench.told.results.filter(({ job: about }) => about !== job)).toEqual([]);
  },
);

test.each(formats)("after a crash between the documents of a repair (%s) each is registered once", async (ffd) => {
  const till = await soldOn(ffd);
  const first = await repairsOn(till.bench).carryOut(asked({ ...cheaper, job: till.job }), "wrong price");
  await till.bench.runQueue();
  const next = till.bench.crash();
  await next.runQueue();
  expect(next.states(first.id, first.id + 1)).toEqual(["printed", "held"]);
  next.operator.approve(first.id + 1, "goes on");
  await next.crash().runQueue();
  expect(documentsOf(till)).toMatchObject(pairs[ffd]);
  await expect(repairsOn(next).carryOut(asked({ ...cheaper, job: till.job }), "again")).rejects.toThrow();
});

test.each([
  ["1.05", cheaper, ["return", "sale"]],
  ["1.2", cheaper, ["return-correction", "sale-correction"]],
  ["1.2", { case: "twice", date: day }, []],
  ["1.05", { case: "test" }, ["return"]],
] as const)(
  "a site that hears of persons' receipts gets the documents of a repair on format %s for %j: %j",
  async (ffd, what, signs) => {
    const { bench, job } = await soldOn(ffd);
    const first = await repairsOn(bench, true).carryOut(asked({ ...what, job }), "the accountant");
    await bench.runQueue();
    if (what.case === "wrong") {
      bench.operator.approve(first.id + 1, "the first is out");
      await bench.runQueue();
    }
    const told = bench.told.results.slice(1).map(({ job: id }) => bench.job(id));
    expect(told.map(({ receipt }) => receipt.kind === "receipt" && signOf(receipt))).toEqual(signs);
    for (const { receipt, mark } of told) expect(mark?.digits).toBe(markDigits(receipt));
  },
);

test("a receipt whose rate the register altered is returned at the rate on its paper, although that rate is not in force", async () => {
  const till = await soldOn("1.2");
  const request = asked({ ...cheaper, job: till.job, onPaper: [1] });
  const first = await repairsOn(till.bench).carryOut(request, "the register has printed 20 %");
  await till.bench.runQueue();
  expect(till.bench.states(first.id)).toEqual(["printed"]);
  expect(documentsOf(till)).toMatchObject([{ form: "correction", sign: 2, total: 100_00 }]);
});

test("a repair at a rate that was not in force on the day of the settlement is refused as a mistake of the request", async () => {
  const { bench, job } = await soldOn("1.2");
  const request = asked({ ...cheaper, job, edits: [{ line: 2, vat: 1 }] });
  await expect(repairsOn(bench).plan(request)).rejects.toMatchObject({
    code: "usage.wrong",
    ru: expect.stringContaining("20 %"),
  });
});

test.each([
  ["1.05", { form: "receipt", sign: 2 }],
  ["1.2", { form: "correction", sign: 2 }],
] as const)("a surplus receipt is returned once on format %s, by its fiscal sign", async (ffd, document) => {
  const till = await soldOn(ffd);
  const fixes = till.bench.job(till.job).document?.fiscalSign;
  const request = asked({ case: "twice", date: day, job: till.job });
  await repairsOn(till.bench).carryOut(request, "printed twice");
  await expect(repairsOn(till.bench).carryOut(request, "a second click")).rejects.toThrow();
  await till.bench.runQueue();
  await expect(repairsOn(till.bench).carryOut(request, "later")).rejects.toThrow();
  expect(documentsOf(till)).toMatchObject([{ ...document, total: 100_00, fixes }]);
});

test.each(formats)(
  "an order that a register of format %s printed twice counts as sold once after one of the two receipts is returned",
  async (ffd) => {
    const { bench, job } = await soldOn(ffd);
    const { jobs, journal } = bench.stores;
    journal.add({ at: 0, actor: "daemon", what: PRINTED_TWICE, job });
    await repairsOn(bench).carryOut(asked({ case: "twice", date: day, job }), "the register printed it twice");
    await bench.runQueue();
    const decide = (over: object) => {
      const facts = { isInOpenShift: () => true, isStillInShiftOf: () => true, told: () => "yes" as const, journal };
      const earlier = earlierJobs(jobs.findByOrder(toSiteId("shop"), sale.orderId), facts);
      return decideRepeat({ receipt: { ...sale, ...over }, from: "site" }, earlier);
    };
    expect(decide({})).toMatchObject({ action: "result", of: { id: job } });
    expect(decide({ lines: [makeItem({ tax: 2 })] })).toMatchObject({ action: "refuse", code: "job.already-printed" });
    const returns = returnsOn(bench);
    expect(returns.left(bench.job(job))).toHaveLength(2);
    returns.add(job, broughtBack);
    await bench.runQueue();
    await bench.clock.advance(60_000);
    expect(() => returns.add(job, broughtBack)).toThrow(expect.objectContaining({ code: "job.return-exceeds-sale" }));
  },
);

test.each(formats)(
  "a surplus receipt under another order number on format %s is returned once, and nothing of it is left",
  async (ffd) => {
    const { bench } = await soldOn(ffd);
    const { id: job } = await bench.sell({ ...sale, orderId: toOrderId("A-1-again") });
    await repairsOn(bench).carryOut(asked({ case: "twice", date: day, job }), "paid once");
    await bench.runQueue();
    const returns = returnsOn(bench);
    expect(returns.left(bench.job(job))).toEqual([]);
    expect(() => returns.add(job, broughtBack)).toThrow(expect.objectContaining({ code: "job.return-exceeds-sale" }));
    const back = { ...sale, orderId: toOrderId("A-1-again"), operation: "return" } as const;
    const decision = decideRepeat({ receipt: back, from: "site" }, earlierOf(bench, back.orderId));
    expect(decision).toMatchObject({ action: "refuse" });
  },
);

/** The earlier receipts of the site's order, as a new offer of the order meets them. */
function earlierOf({ stores: { jobs, journal } }: Bench, orderId: OrderId) {
  const facts = { isInOpenShift: () => true, isStillInShiftOf: () => true, told: () => "yes" as const, journal };
  return earlierJobs(jobs.findByOrder(toSiteId("shop"), orderId), facts);
}

test.each(formats)("a test sale on format %s is returned by an ordinary receipt", async (ffd) => {
  const till = await soldOn(ffd);
  await repairsOn(till.bench).carryOut(asked({ case: "test", job: till.job }), "a test");
  await till.bench.runQueue();
  expect(documentsOf(till)).toEqual([{ form: "receipt", sign: 2, total: 100_00, cash: 100_00, fixes: "", date: null }]);
});

test.each(formats)("a sale unknown to the daemon is put right by one correction on format %s", async (ffd) => {
  const till = await soldOn(ffd);
  const missed = { register: "till-1", site: "shop", order: "M-1" };
  const added = [{ name: "Мёд", price: "10.50", quantity: "2", vat: 2 }];
  const request = asked({ case: "missed", missed, date: day, added, payments: [{ typeClose: 1 }] });
  const first = await repairsOn(till.bench).carryOut(request, "the till was down");
  await expect(repairsOn(till.bench).carryOut(request, "twice")).rejects.toThrow();
  await till.bench.runQueue();
  expect(till.bench.job(first.id)).toMatchObject({ state: "printed", orderId: "M-1" });
  expect(documentsOf(till)).toEqual([
    { form: "correction", sign: 1, total: 21_00, cash: 0, fixes: "", date: midnight },
  ]);
});

test("a failed order is corrected with its own lines, needs no further decision, and is not printed by a retry", async () => {
  const till = await soldOn("1.2");
  const { bench } = till;
  const requisites = { additional: "no fiscal sign" };
  const { id } = bench.addJob(makeReceipt({ orderId: toOrderId("A-2"), lines: [makeItem({ tax: 2 })], requisites }));
  bench.stores.jobs.markFailed(id, { code: "device.printer-fault", message: "" }, bench.clock.now());
  const request = asked({ case: "missed", date: day, job: id });
  await repairsOn(bench).carryOut(request, "the printer was broken");
  expect(bench.stores.jobs.brief({ state: "failed", missingSince: 0, limit: 9 })).toEqual([]);
  await bench.runQueue();
  expect(documentsOf(till)).toMatchObject([{ form: "correction", sign: 1, total: 100_00, fixes: "" }]);
  expect(() => bench.operator.retry(id, "both")).toThrow(expect.objectContaining({ code: "job.already-printed" }));
});

test("an order printed after its failure gets no correction, whether a person names its job or its number", async () => {
  const { bench } = await soldOn("1.2");
  const { jobs, journal } = bench.stores;
  const { id } = bench.addJob(makeReceipt({ orderId: toOrderId("A-2"), lines: [makeItem({ tax: 2 })] }));
  jobs.markFailed(id, { code: "device.printer-fault", message: "" }, bench.clock.now());
  const added = [{ name: "Мёд", price: "10.50", quantity: "2", vat: 2 }];
  const missed = { register: "till-1", order: "A-2" };
  const requests = [
    asked({ case: "missed", date: day, job: id }),
    asked({ case: "missed", missed: { ...missed, site: "shop" }, date: day, added, payments: [{ typeClose: 1 }] }),
  ];
  const note = (what: typeof PRINTED_AFTER_ALL | typeof PUT_AWAY) =>
    journal.add({ at: bench.clock.now(), actor: "daemon", what, job: id });
  note(PRINTED_AFTER_ALL);
  for (const request of requests) {
    await expect(repairsOn(bench).plan(request)).rejects.toMatchObject({ code: "job.already-printed" });
  }
  expect(() => bench.operator.asCorrection(id, day, "x")).toThrow(/has a receipt of job/);
  note(PUT_AWAY);
  for (const request of requests) expect((await repairsOn(bench).plan(request)).documents).toHaveLength(1);
});

test("a missed sale that no site ordered is corrected once, although two browsers ask for the correction", async () => {
  const { bench } = await soldOn("1.2");
  const added = [{ name: "Мёд", price: "10.50", quantity: "2", vat: 2 }];
  const missed = { register: "till-1", order: "M-1" };
  const request = asked({ case: "missed", missed, date: day, added, payments: [{ typeClose: 1 }] });
  await repairsOn(bench).carryOut(request, "the till was down");
  await expect(repairsOn(bench).carryOut(request, "x")).rejects.toMatchObject({ code: "job.being-printed" });
  await bench.runQueue();
  await expect(repairsOn(bench).carryOut(request, "x")).rejects.toMatchObject({ code: "job.wrong-state" });
});

test("a correction of no site is not printed before its paused register is resumed, and its goods can be returned once", async () => {
  const { bench } = await soldOn("1.2");
  const { operator, clock } = bench;
  const added = [{ name: "Мёд", price: "10.50", quantity: "2", vat: 2 }];
  const missed = { register: "till-1", order: "M-1" };
  const request = asked({ case: "missed", missed, date: day, added, payments: [{ typeClose: 1 }] });
  operator.pause(TILL, "cleaning");
  const { id } = await repairsOn(bench).carryOut(request, "the till was down");
  bench.wake.notify();
  await clock.advance(5_000);
  expect(bench.states(id)).toEqual(["queued"]);
  operator.resume(TILL, "done");
  await bench.runQueue();
  expect(bench.states(id)).toEqual(["printed"]);
  const returns = returnsOn(bench);
  const back = returns.add(id, broughtBack);
  await bench.runQueue();
  expect(bench.job(back.id)).toMatchObject({ state: "printed", site: null, operation: "return", total: 21_00 });
  await clock.advance(60_000);
  expect(() => returns.add(id, broughtBack)).toThrow(expect.objectContaining({ code: "job.return-exceeds-sale" }));
  const wrong = asked({ case: "wrong", job: id, date: day, edits: [{ line: 1, price: "10" }] });
  await expect(repairsOn(bench).plan(wrong)).rejects.toMatchObject({ code: "job.return-exceeds-sale" });
});

test("a missed sale without a site is refused when a site's order of that number was sold", async () => {
  const { bench } = await soldOn("1.2");
  const added = [{ name: "Мёд", price: "10", quantity: "1", vat: 2 }];
  const missed = { register: "till-1", order: String(sale.orderId) };
  const request = asked({ case: "missed", missed, date: day, added, payments: [{ typeClose: 1 }] });
  await expect(repairsOn(bench).plan(request)).rejects.toMatchObject({ code: "job.wrong-state" });
});

test("a wrong correction that no site ordered is put right once", async () => {
  const { bench } = await soldOn("1.2");
  const added = [{ name: "Мёд", price: "10.50", quantity: "2", vat: 2 }];
  const missed = { register: "till-1", order: "M-1" };
  const request = asked({ case: "missed", missed, date: day, added, payments: [{ typeClose: 1 }] });
  const { id } = await repairsOn(bench).carryOut(request, "the till was down");
  await bench.runQueue();
  const again = asked({ case: "wrong", job: id, date: day, edits: [{ line: 1, price: "10" }] });
  await repairsOn(bench).carryOut(again, "wrong price");
  await bench.runQueue();
  await expect(repairsOn(bench).carryOut(again, "x")).rejects.toMatchObject({ code: "job.wrong-state" });
});

test("a receipt with its own text in the place of the order mark is put right by documents without an order mark", async () => {
  const { bench } = await openTill("shtrih", { ffd: "1.2" });
  const own = { ...sale, requisites: { userProperty: { name: "Стол", value: "7" } } };
  const { id } = await bench.sell(own);
  const first = await repairsOn(bench).carryOut(asked({ case: "twice", date: day, job: id }), "printed twice");
  expect(first.mark).toBeNull();
});

test.each(formats)(
  "the right receipt of a repair on format %s cannot be set aside while the return of the wrong receipt is not printed",
  async (ffd) => {
    const { bench, job } = await soldOn(ffd);
    const begin = async (): Promise<[number, number]> => {
      const { id } = await repairsOn(bench).carryOut(asked({ ...cheaper, job }), "wrong price");
      return [id, id + 1];
    };
    const [first, second] = await begin();
    expect(() => bench.operator.setAside(second, "x")).toThrow(wrongState);
    expect(() => bench.operator.printAnyway(second, "x")).toThrow(wrongState);
    bench.stores.jobs.markFailed(first, { code: "device.printer-fault", message: "" }, bench.clock.now());
    bench.operator.setAside(second, "x");
    // A retry would return the wrong receipt although its right receipt is cancelled, and nothing would be sold.
    expect(() => bench.operator.retry(first, "x")).toThrow(wrongState);
    const [again, right] = await begin();
    await bench.runQueue();
    bench.operator.setAside(right, "the buyer has taken nothing");
    expect(bench.states(again, right)).toEqual(["printed", "cancelled"]);
  },
);

test("a repair dated before the receipt asks a person about that day, and shows order, register and sum", async () => {
  const { bench, job } = await soldOn("1.2");
  const shown = async (date: string) => {
    const { about, documents } = await repairPreview(await repairsOn(bench).plan(asked({ ...cheaper, job, date })), []);
    rows = documents.flatMap((document) => document.rows.map(({ ru }) => ru));
    return about.ru;
  };
  let rows: readonly string[] = [];
  const printedOn = bench.job(job).document?.time.slice(0, 10) ?? "";
  expect(await shown(printedOn)).toBe(`Заказ ${sale.orderId} · Till · 100,00\u00A0₽.`);
  expect(await shown(day)).toContain(`Эта дата раньше чека: он от ${printedOn.split("-").reverse().join(".")}.`);
  expect(rows.filter((row) => /\d\.\d\d| x /.test(row))).toEqual([]);
  expect(rows).toContainEqual(expect.stringMatching(/: 1 × \d+,00\u00A0₽ = \d+,00\u00A0₽, НДС/));
});

test("a printed order is refused as a missed sale", async () => {
  const till = await soldOn("1.2");
  const request = asked({ case: "missed", date: day, job: till.job });
  await expect(repairsOn(till.bench).plan(request)).rejects.toThrow(wrongState);
});

test("a receipt of which a part was returned is not returned whole by a repair", async () => {
  const till = await soldOn("1.2");
  const back = makeReceipt({ operation: "return", lines: [makeItem({ price: kopecks(40_00), tax: 2 })] });
  await till.bench.sell(back);
  const request = asked({ ...cheaper, job: till.job });
  await expect(repairsOn(till.bench).plan(request)).rejects.toMatchObject({
    code: "job.return-exceeds-sale",
    ru: expect.stringMatching(/осталось 60,00\u00A0₽, а чек на 100,00\u00A0₽/),
  });
});

test("a receipt of which a part is returned while a repair asks its register is not returned whole, even beside a further sale", async () => {
  const { bench, job } = await soldOn("1.2");
  // The further sale leaves the order enough money for both, so only the receipt's own positions forbid the repair.
  await bench.sell(makeReceipt({ lines: [makeItem({ name: "Мёд", price: kopecks(90_00), tax: 2 })] }));
  const carriedOut = repairsOn(bench).carryOut(asked({ case: "twice", date: day, job }), "printed twice");
  returnsOn(bench).add(job, { ...broughtBack, lines: [{ position: 2, quantity: quantity(1_000_000) }] });
  await expect(carriedOut).rejects.toMatchObject({ code: "job.return-exceeds-sale" });
});

test("a receipt with returned goods is not returned whole by a repair, although its order has a further printed sale", async () => {
  const till = await soldOn("1.2");
  const coffee = makeItem({ name: "Кофе", price: kopecks(40_00), tax: 2 });
  await till.bench.sell(makeReceipt({ lines: [makeItem({ name: "Мёд", price: kopecks(90_00), tax: 2 })] }));
  await till.bench.sell(makeReceipt({ operation: "return", lines: [coffee] }));
  const request = asked({ ...cheaper, job: till.job });
  await expect(repairsOn(till.bench).plan(request)).rejects.toMatchObject({ code: "job.return-exceeds-sale" });
});

test("a repair queues nothing when the register's driver cannot print one of its documents", async () => {
  const { bench } = await soldOn("1.05");
  const missed = { register: "till-1", order: "M-1" };
  // No command for this rate in a correction of format 1.05 is known.
  const added = [{ name: "Мёд", price: "10", quantity: "1", vat: 11 }];
  const request = asked({ case: "missed", missed, date: day, added, payments: [{ typeClose: 1 }] });
  const refusal = { code: "receipt.no-correction", ru: expect.stringContaining("на самой кассе") };
  await expect(repairsOn(bench).carryOut(request, "x")).rejects.toMatchObject(refusal);
  expect(bench.stores.jobs.list({ limit: 9 })).toHaveLength(1);
  // The correction in place of an order is refused with the same message.
  const { id } = bench.addJob(makeReceipt({ orderId: toOrderId("A-2"), lines: [makeItem({ tax: taxIdOfRate(11) })] }));
  await expect(repairsOn(bench).tryCorrection(id, day)).rejects.toMatchObject(refusal);
});

test("an order of 2025 by a row that now means 22 % is no correction, and is one as a missed settlement at 20 %", async () => {
  const { bench } = await openTill("shtrih", { model: "poscenter", ffd: "1.2" });
  await bench.start();
  const paidAt = Date.UTC(2025, 11, 30, 9);
  const { id } = bench.addJob(makeReceipt({ paidAt, lines: [makeItem({ tax: 1 })] }), { state: "held" });
  await expect(repairsOn(bench).tryCorrection(id, null)).rejects.toMatchObject({
    ...{ code: "receipt.no-correction", ru: expect.stringMatching(/22 % действует с .*«Заказ оплачен, а чека нет»/) },
  });
  bench.operator.setAside(id, "put right as missed");
  const missed = { case: "missed", job: id, date: "2025-12-30", edits: [{ line: 1, vat: 1 }] };
  expect((await repairsOn(bench).plan(asked(missed))).documents).toHaveLength(1);
});

test("a site's correction that its register can never print is refused when it is approved, and others are not", async () => {
  const { bench } = await soldOn("1.05");
  const correction = { type: "self", date: day } as const;
  const held = (over: Partial<SaleReceipt>) => {
    const { id } = bench.addJob(
      makeReceipt({ ...over, lines: [makeItem({ tax: 2 })], orderId: toOrderId("A-2"), correction }),
    );
    bench.stores.jobs.hold(id, { code: "job.held-correction", message: "" }, 0);
    return id;
  };
  const [back, sold] = [held({ operation: "return" }), held({})];
  await expect(repairsOn(bench).tryApproved(back)).rejects.toMatchObject({ code: "receipt.no-correction" });
  await repairsOn(bench).tryApproved(sold);
});

test("the correction in place of a refused order is tried on the register that the order names", async () => {
  const { bench } = await soldOn("1.2");
  const receipt = makeReceipt({ orderId: toOrderId("A-2"), kkm: toKkm("0009999999999999") });
  const { id } = bench.addJob(receipt, { state: "refused" });
  await expect(repairsOn(bench).tryCorrection(id, day)).rejects.toMatchObject({ code: "register.unknown-kkm" });
});

test.each([
  [{ ...cheaper, date: null }, "the day is missing"],
  [{ ...cheaper, date: "2030-01-01" }, "the day is still to come"],
  [{ ...cheaper, edits: [{ line: 9 }] }, "there is no such line"],
  [{ ...cheaper, edits: [{ line: 2, price: "40" }] }, "nothing is changed"],
  [{ ...cheaper, payments: [{ typeClose: 0, sum: "1" }] }, "the payments do not make the total"],
])("a repair request %j is refused, because %s, and nothing is queued", async (request, _why) => {
  const { bench, job } = await soldOn("1.2");
  await expect(repairsOn(bench).carryOut(asked({ ...request, job }), "x")).rejects.toMatchObject({
    code: "usage.wrong",
  });
  expect(bench.stores.jobs.list({ limit: 9 })).toHaveLength(1);
});

test("an unreadable value of the repair form is refused with the field's name in Russian and its path in English", () => {
  const request = { ...cheaper, job: 1, edits: [{ line: 1, price: "much" }] };
  const said = { message: "edits.0.price: no sum like 123.45", ru: "«Цена»: не то значение" };
  expect(() => parseInput(repairRequest, request)).toThrow(expect.objectContaining(said));
});

test("the histories of a wrong receipt and of its two repairing documents say who decided the repair and why", async () => {
  const { bench, job } = await soldOn("1.2");
  const first = await repairsOn(bench).carryOut(asked({ ...cheaper, job }), "Петрова: неверная цена");
  const jobs = [first.id, first.id + 1];
  for (const id of [job, ...jobs]) {
    expect(bench.stores.journal.ofJob(id)).toContainEqual(
      expect.objectContaining({
        what: "receipt put right by the operator",
        actor: "operator",
        details: { case: "wrong", of: job, jobs, reason: "Петрова: неверная цена" },
      }),
    );
  }
});
