import { earlierJobs } from "@fiscald/daemon/sites/earlier-jobs.js";
import { MENDED, warningsIn } from "@fiscald/daemon/store/journal.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import { toOrderId, toReceiptId } from "@fiscald/shared/ids.js";
import type { SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { decideRepeat } from "@fiscald/shared/receipt/repeats/decide-repeat.js";
import { useBenches } from "../../../support/benches.js";
import { makeItem, makeReceipt } from "../../../support/make-job.js";
import type { Bench } from "../../../support/register-bench.js";

const { openTill } = useBenches();
const orderAge = { warnAfterHours: 24, holdAfterHours: 72 };
const hoursAgo = (bench: Bench, hours: number) => bench.clock.now() - hours * 3_600_000;

/** What became of the receipt, and the number of warnings. */
async function sold(receipt: (bench: Bench) => Partial<SaleReceipt>, limits: typeof orderAge | null = orderAge) {
  const { bench } = openTill({}, limits === null ? {} : { orderAge: limits });
  const { state, fault, id } = await bench.sell(makeReceipt(receipt(bench)));
  const warnings = bench.stores.journal.ofJob(id).filter(({ what }) => what === "the order is odd").length;
  return { state, code: fault?.code ?? null, warnings };
}

test.each<[string, Partial<SaleReceipt>, number, object]>([
  ["paid a day ago is printed", {}, 24, { state: "printed", warnings: 0 }],
  ["paid longer ago is printed with a warning", {}, 25, { state: "printed", warnings: 1 }],
  ["paid three days ago is printed with a warning", {}, 72, { state: "printed", warnings: 1 }],
  ["paid longer ago than three days is held", {}, 73, { state: "held", code: "job.held-old", warnings: 0 }],
  ["paid in the future is printed", {}, -1, { state: "printed", warnings: 0 }],
  ["paid before 2017 is printed", {}, 24 * 365 * 12, { state: "printed", warnings: 0 }],
  ["that settles a prepayment is printed", { payments: [{ typeClose: 2, sum: kopecks(10_000) }] }, 99, { warnings: 0 }],
  ["that pays off credit is printed", { lines: [makeItem({ method: 7 })] }, 99, { state: "printed" }],
  ["that returns what was paid long ago is printed", { operation: "return" }, 99, { state: "printed" }],
])("a receipt %s", async (_what, over, hours, expected) => {
  expect(await sold((bench) => ({ ...over, paidAt: hoursAgo(bench, hours) }))).toMatchObject(expected);
});

test("a sale whose order names no time of payment is printed", async () => {
  expect(await sold(() => ({}))).toEqual({ state: "printed", code: null, warnings: 0 });
});

test("an old sale of a site without limits is printed", async () => {
  expect(await sold((bench) => ({ paidAt: hoursAgo(bench, 999) }), null)).toMatchObject({ state: "printed" });
});

test.each([
  ["order repeated, tried again", 1],
  ["order mended, tried again", 2],
] as const)("an old sale with '%s' after its warning has %i warnings when it is printed", async (what, count) => {
  const { bench } = openTill({}, { orderAge });
  const paidAt = hoursAgo(bench, 25);
  const { id: job, register, site } = bench.addJob(makeReceipt({ paidAt }));
  const entry = { at: bench.clock.now(), actor: "daemon", job, register, site } as const;
  bench.stores.journal.add({ ...entry, what: "the order is odd", details: { paidAt } });
  bench.stores.journal.add({ ...entry, what });
  await bench.runQueue();
  expect(bench.states(job)).toEqual(["printed"]);
  expect(bench.stores.journal.ofJob(job).filter(({ what }) => what === "the order is odd")).toHaveLength(count);
});

test("a sale that a person retried while it was young is held when it has become old before its print", async () => {
  const { bench } = openTill({}, { orderAge });
  const { id } = bench.addJob(makeReceipt({ paidAt: hoursAgo(bench, 71) }));
  bench.stores.jobs.markFailed(id, { code: "device.printer-fault", message: "" }, bench.clock.now());
  bench.operator.retry(id, "new paper");
  await bench.clock.advance(2 * 3_600_000);
  await bench.runQueue();
  expect(bench.states(id)).toEqual(["held"]);
});

async function held(over: Partial<SaleReceipt> = {}) {
  const till = openTill({}, { orderAge, settings: { timeZone: "Asia/Kamchatka" } });
  const { id } = await till.bench.sell(makeReceipt({ paidAt: hoursAgo(till.bench, 90), ...over }));
  expect(till.bench.states(id)).toEqual(["held"]);
  return { ...till, id };
}

test("a held old sale is not reported to its site, and no attempt has begun", async () => {
  const { bench, id } = await held();
  expect([bench.told.results, bench.stores.attempts.ofJob(id)]).toEqual([[], []]);
});

test("a held old sale that a person approves is printed as an ordinary receipt", async () => {
  const { bench, id } = await held();
  bench.operator.approve(id, "paid by transfer, handed over today");
  await bench.runQueue();
  const { state, receipt } = bench.job(id);
  expect([state, receipt]).toEqual(["printed", expect.not.objectContaining({ correction: expect.anything() })]);
});

test("a held old sale that a person sets aside is reported to its site as not printed", async () => {
  const { bench, id } = await held();
  bench.operator.setAside(id, "a test order");
  expect(bench.states(id)).toEqual(["cancelled"]);
  expect(bench.told.results).toMatchObject([{ outcome: "failed" }]);
});

test("a held old sale keeps a later receipt of its order waiting", async () => {
  const { bench, id } = await held();
  const back = bench.addJob(makeReceipt({ operation: "return" }));
  const other = await bench.queue(makeReceipt({ orderId: toOrderId("A-2") }));
  await bench.clock.advance(5_000);
  await bench.settled();
  expect(bench.states(id, back.id, other.id)).toEqual(["held", "queued", "printed"]);
  bench.operator.approve(id, "handed over today");
  await bench.runQueue();
  expect(bench.states(id, back.id)).toEqual(["printed", "printed"]);
});

test("a held old sale that is approved and not printed before a restart is not held again", async () => {
  const { bench, id } = await held();
  bench.operator.approve(id, "handed over today");
  const next = await bench.restart();
  await next.runQueue();
  expect(next.states(id)).toEqual(["printed"]);
  await next.close();
});

test("an old sale that was approved, failed and was retried by a person is not held again", async () => {
  const { bench, id } = await held();
  bench.operator.approve(id, "handed over today");
  bench.stores.jobs.markFailed(id, { code: "device.printer-fault", message: "" }, bench.clock.now());
  await bench.clock.advance(1_000);
  bench.operator.retry(id, "new paper");
  await bench.runQueue();
  expect(bench.states(id)).toEqual(["printed"]);
});

test("an old sale that was approved, failed and came with other content is held again", async () => {
  const { bench, id } = await held();
  bench.operator.approve(id, "handed over today");
  bench.stores.journal.add({ at: bench.clock.now(), actor: "daemon", what: MENDED, job: id });
  await bench.runQueue();
  expect(bench.states(id)).toEqual(["held"]);
});

test("a held old sale that a person corrects is queued as a correction of its day of payment in the register's zone", async () => {
  const { bench, id } = await held({
    payments: [
      { typeClose: 0, sum: kopecks(9_000) },
      { typeClose: 1, sum: kopecks(4_000) },
    ],
  });
  const date = new Date(hoursAgo(bench, 90) + 12 * 3_600_000).toISOString().slice(0, 10);
  bench.operator.asCorrection(id, null, "the till was down");
  expect(bench.job(id)).toMatchObject({
    state: "queued",
    receipt: {
      correction: { type: "self", date, ofOrder: true },
      payments: [
        { typeClose: 0, sum: 6_000 },
        { typeClose: 1, sum: 4_000 },
      ],
    },
  });
  expect(bench.stores.journal.ofJob(id).at(-1)).toMatchObject({
    what: "approved by the operator",
    details: { reason: "the till was down", asCorrectionOf: date },
  });
});

describe("a sale that failed or was refused, without a time of payment", () => {
  function failed(over: Partial<SaleReceipt> = {}) {
    const { bench } = openTill();
    const { id } = bench.addJob(makeReceipt(over));
    bench.stores.jobs.markFailed(id, { code: "device.printer-fault", message: "" }, 0);
    return { bench, id };
  }

  test("a failed sale without a time of payment is corrected by the day that a person names", () => {
    const { bench, id } = failed();
    bench.operator.asCorrection(id, "2026-11-01", "forgotten");
    expect(bench.job(id)).toMatchObject({ state: "queued", receipt: { correction: { date: "2026-11-01" } } });
  });

  test("a sale that becomes a correction loses its own text in tag 1192, has a warning, and is known when it comes again", () => {
    const offered = { lines: [makeItem({ tax: 2 })], requisites: { additional: "zakaz 77" } };
    const { bench, id } = failed(offered);
    bench.operator.asCorrection(id, "2026-11-01", "forgotten");
    const { receipt } = bench.job(id);
    expect(receipt.kind === "receipt" ? receipt.requisites?.additional : "").toBeUndefined();
    const { journal, jobs } = bench.stores;
    expect(warningsIn(journal.ofJob(id))).toMatchObject([{ text: { ru: expect.stringContaining("«zakaz 77»") } }]);
    const facts = { isInOpenShift: () => true, isStillInShiftOf: () => true, told: () => "no" as const, journal };
    const offer = { receipt: makeReceipt(offered), from: "site" } as const;
    expect(decideRepeat(offer, earlierJobs([jobs.get(id)], facts))).toMatchObject({ action: "ignore", of: { id } });
  });

  test("a sale that is printed as a correction keeps the fiscal sign that its order names", () => {
    const { bench, id } = failed({ requisites: { additional: "0012345678" } });
    bench.operator.asCorrection(id, "2026-11-01", "forgotten");
    expect(bench.job(id).receipt).toMatchObject({ requisites: { additional: "0012345678" } });
    expect(warningsIn(bench.stores.journal.ofJob(id))).toEqual([]);
  });

  test.each([
    ["without a day", {}, null, "order.missing-value"],
    ["with a day in the future", {}, "2099-01-01", "order.wrong-value"],
    ["when it is a return", { operation: "return" }, "2026-11-01", "job.wrong-state"],
    ["when it is a correction", { correction: { type: "self", date: "2026-11-01" } }, "2026-11-01", "job.wrong-state"],
  ] as const)("a failed sale without a time of payment is not corrected %s", (_what, over, date, code) => {
    const { bench, id } = failed(over);
    expect(() => bench.operator.asCorrection(id, date, "forgotten")).toThrow(expect.objectContaining({ code }));
    expect(bench.job(id)).toMatchObject({ state: "failed" });
  });

  test("a failed sale is not corrected when another receipt of its order is printed", async () => {
    const { bench, id } = failed();
    const other = bench.addJob(makeReceipt({ receiptId: toReceiptId("7b0c3a52-0000-4000-8000-000000000001") }));
    bench.stores.jobs.markPrinted(other.id, null, 0);
    expect(() => bench.operator.asCorrection(id, "2026-11-01", "forgotten")).toThrow(
      expect.objectContaining({ code: "job.already-printed" }),
    );
    expect(bench.job(id).receipt).not.toHaveProperty("correction");
  });
});
