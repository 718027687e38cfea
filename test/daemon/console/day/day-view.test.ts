import { dayCsv } from "@fiscald/daemon/console/day/day-csv.js";
import { dayBoundsAt, parseDay, readDayReceipts } from "@fiscald/daemon/console/day/day-receipts.js";
import { dayView } from "@fiscald/daemon/console/day/day-view.js";
import { todayView } from "@fiscald/daemon/console/day/today-view.js";
import { titlesOf } from "@fiscald/daemon/console/troubles/found.js";
import type { RegisterSnapshot } from "@fiscald/daemon/registers/register-snapshot.js";
import type { JobStore, NewJob } from "@fiscald/daemon/store/job-store.js";
import { REPAIR } from "@fiscald/daemon/store/journal.js";
import { unknownDocument } from "@fiscald/drivers/codec/document-tags.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import { Fault } from "@fiscald/shared/fault.js";
import { toFnSerial, toKkm, toOrderId, toRegisterId, toSiteId } from "@fiscald/shared/ids.js";
import type { LocalTime } from "@fiscald/shared/local-time.js";
import type { SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import type { FakeClock } from "../../../support/fake-clock.js";
import { makeDocument, makeItem, makeReceipt, newJob } from "../../../support/make-job.js";
import { local, makeSnapshot } from "../../../support/make-snapshot.js";
import { type OpenStores, useStores } from "../../../support/use-stores.js";

const site = toSiteId("shop");
const till = toRegisterId("till");
const fn = toFnSerial("9999078900000001");
const { open } = useStores();
let stores: OpenStores;
let clock: FakeClock;
let jobs: JobStore;
let lastFd = 0;

beforeEach(() => {
  stores = open();
  ({ clock, jobs } = stores);
  lastFd = 0;
});

const parts = () => ({
  ...stores,
  snapshots: () => [makeSnapshot({ shift: { number: 2, state: "open" } })],
});

const zone = "Europe/Moscow";
const today = () => dayBoundsAt(clock.now(), zone);

function refuse(order: string): void {
  const fault = new Fault("job.already-printed");
  const receipt = makeReceipt({ orderId: toOrderId(order) });
  jobs.insertJob(newJob({ receipt, state: "refused", fault, now: clock.now() }));
}

interface Ordered {
  readonly order: string;
  readonly over?: Partial<SaleReceipt>;
  readonly by?: Partial<NewJob>;
  readonly isPrinted?: boolean;
  readonly now?: number;
  /** By the register's clock. */
  readonly printedAt?: string;
}

function insert(ordered: Ordered): number {
  const { order, over = {}, by = {}, isPrinted = true, now = clock.now(), printedAt = "2026-11-20T15:04:05" } = ordered;
  const { id } = jobs.insertJob(newJob({ receipt: makeReceipt({ orderId: toOrderId(order), ...over }), now, ...by }));
  if (isPrinted) {
    lastFd += 1;
    const time = local(printedAt);
    jobs.markPrinted(id, makeDocument({ fn, fd: lastFd, shift: 1, time, fiscalSign: "0012345678" }), now);
  }
  return id;
}

function tell(job: number): void {
  const rest = { lane: String(job), register: null, body: {}, latestOnly: false };
  stores.outbox.add({ site, kind: "result", job, ...rest }, clock.now());
}

const returned: Partial<SaleReceipt> = { operation: "return" };
const mixed: Partial<SaleReceipt> = {
  lines: [makeItem({ price: kopecks(152_050) })],
  payments: [
    { typeClose: 0, sum: kopecks(100_000) },
    { typeClose: 1, sum: kopecks(100_050) },
  ],
};

test("the day's sums by type of payment leave out change and receipts of another day", async () => {
  insert({ order: "earlier", now: clock.now() - 24 * 60 * 60_000, printedAt: "2026-11-19T15:04:05" });
  insert({ order: "A-1" });
  insert({ order: "A-2", over: mixed });
  insert({ order: "A-3", over: returned });
  const view = await dayView(parts(), today());
  expect(view).toMatchObject({
    receipts: 3,
    sales: { count: 2, sum: "1620.50" },
    returns: { count: 1, sum: "100.00" },
    payments: [
      { type: 0, sales: "620.00", returns: "100.00" },
      { type: 1, sales: "1000.50", returns: "0.00" },
    ],
  });
  expect([view.hours[15], view.hours.reduce((sum, count) => sum + count)]).toEqual([3, 3]);
});

test("the receipts of a day are the receipts that were printed on this day by the registers' clocks", async () => {
  const midnight = Date.UTC(2026, 10, 19, 21);
  const [before, after] = [midnight - 120_000, midnight + 120_000];
  insert({ order: "printed before", now: before, printedAt: "2026-11-19T23:58:30" });
  insert({ order: "printed after", now: before, printedAt: "2026-11-20T00:01:00" });
  insert({ order: "waits since before", now: before, isPrinted: false });
  insert({ order: "waits since", now: after, isPrinted: false });
  insert({ order: "printed next day", now: after, printedAt: "2026-11-21T00:00:00" });
  const view = await dayView(parts(), today());
  expect(view).toMatchObject({ day: "2026-11-20", receipts: 1 });
  expect(view.reconciliation.missing).toMatchObject([{ order: "waits since" }]);
  const rows = (await readDayReceipts(parts(), today())).map(({ order }) => order);
  expect(rows).toEqual(["printed after", "waits since"]);
});

test("the day is not sound while an order that could not be read has not come again", async () => {
  const came = clock.now();
  const details = { order: "unread" };
  const raw = jobs.insertRaw({ site, polledKkm: toKkm("0000000000000001"), receivedAt: came, hash: "1", body: "{}" });
  stores.journal.add({ at: came, actor: "daemon", what: "order unreadable", site, raw, details });
  const view = await dayView(parts(), today());
  expect(view.reconciliation).toMatchObject({ unread: [{ site, order: "unread" }], isSound: false });
  insert({ order: "unread", now: came + 1 });
  expect((await dayView(parts(), today())).reconciliation).toMatchObject({ unread: [], isSound: true });
  const nameless = jobs.insertRaw({
    site,
    polledKkm: toKkm("0000000000000001"),
    receivedAt: came,
    hash: "2",
    body: "{",
  });
  stores.journal.add({ at: came, actor: "daemon", what: "order unreadable", site, raw: nameless });
  const { reconciliation } = await dayView(parts(), today());
  expect(reconciliation).toMatchObject({ unread: [{ site, order: "" }], isSound: false });
});

test("the day's reconciliation does not call an order doubled whose wrong receipt was returned and then printed right", async () => {
  insert({ order: "A-1" });
  const fixes = { requisites: { additional: "0012345678" } };
  insert({ order: "A-1", over: { ...returned, ...fixes } });
  const correction = { type: "self", date: "2026-11-01" } as const;
  insert({ order: "A-1", over: { ...fixes, correction } });
  const { reconciliation } = await dayView(parts(), today());
  expect(reconciliation).toMatchObject({ isSound: true, doubled: [], orders: 3, documents: 3 });
});

test("the day's reconciliation does not call an order doubled when one of its two receipts was returned", async () => {
  const [, extra] = [insert({ order: "A-2" }), insert({ order: "A-2" })];
  const back = insert({ order: "A-2", over: returned, isPrinted: false });
  const { journal, ...others } = parts();
  const details = { reason: "one too many", case: "twice", of: extra, jobs: [back] };
  for (const job of [extra, back]) journal.add({ at: clock.now(), actor: "operator", what: REPAIR, job, details });
  const doubled = async () => (await dayView({ journal, ...others }, today())).reconciliation.doubled;
  expect(await doubled()).toMatchObject([{ order: "A-2", fds: [1, 2] }]);
  jobs.markPrinted(back, makeDocument({ fn, fd: 9, shift: 1, time: local("2026-11-20T15:04:05") }), clock.now());
  expect(await doubled()).toEqual([]);
});

test("equal returns by a person do not count as doubled in the day's reconciliation, and a forced second print does", async () => {
  insert({ order: "A-1", by: { source: "operator" }, over: returned });
  insert({ order: "A-1", by: { source: "operator" }, over: returned });
  expect((await dayView(parts(), today())).reconciliation).toMatchObject({ isSound: true, doubled: [] });
  insert({ order: "A-1", by: { source: "operator", forced: true }, over: returned });
  expect((await dayView(parts(), today())).reconciliation.doubled).toMatchObject([{ order: "A-1", fds: [1, 2, 3] }]);
});

test("the day's reconciliation calls a failed order missing only when a person's correction of it was cancelled", async () => {
  const failed = insert({ order: "A-1", isPrinted: false });
  jobs.markFailed(failed, { code: "device.printer-fault", message: "" }, clock.now());
  const corrected = insert({ order: "A-1", isPrinted: false });
  const details = { reason: "the till was down", case: "missed", of: failed, jobs: [corrected] };
  const { journal, ...others } = parts();
  journal.add({ at: clock.now(), actor: "operator", what: REPAIR, job: failed, details });
  const missing = async () => (await dayView({ journal, ...others }, today())).reconciliation.missing;
  expect(await missing()).toMatchObject([{ job: corrected }]);
  jobs.cancel(corrected, { code: "job.cancelled", message: "" }, clock.now());
  expect(await missing()).toMatchObject([{ job: failed }]);
});

test("the day misses the right receipt of a wrong sale that was returned, when a person gave the right receipt up, until another sale of the order is printed", async () => {
  const [wrong, second] = [insert({ order: "A-1" }), insert({ order: "A-1", isPrinted: false })];
  const first = insert({ order: "A-1", over: returned, isPrinted: false });
  const details = { reason: "wrong VAT", case: "wrong", of: wrong, jobs: [first, second] };
  const { journal, ...others } = parts();
  for (const job of details.jobs) journal.add({ at: clock.now(), actor: "operator", what: REPAIR, job, details });
  const missing = async () =>
    (await dayView({ journal, ...others }, today())).reconciliation.missing.map(({ job }) => job);
  jobs.cancel(second, { code: "job.cancelled", message: "" }, clock.now());
  expect(await missing()).toEqual([first]);
  jobs.markPrinted(first, makeDocument({ fn, fd: 9, shift: 1, time: local("2026-11-20T15:04:05") }), clock.now());
  expect(await missing()).toEqual([second]);
  insert({ order: "A-1" });
  expect(await missing()).toEqual([]);
});

test("the day's reconciliation names missing, doubled, undelivered and unowned receipts", async () => {
  tell(insert({ order: "A-1" }));
  refuse("A-1");
  insert({ order: "A-2" });
  insert({ order: "A-2" });
  insert({ order: "A-3", isPrinted: false });
  const facts = { type: "receipt", operation: "sale", total: kopecks(500), fiscalSign: "1", body: "header" } as const;
  const keep = (fd: number, time: LocalTime | null) => {
    const document = { ...unknownDocument(fd), ...facts, time };
    stores.documents.keep({ fn, register: till, foundWhen: "running", document }, clock.now());
  };
  keep(77, local("2026-11-20T10:00:00"));
  keep(78, null);
  // A cashier made this correction at the register.
  const document = {
    ...unknownDocument(79),
    ...facts,
    type: "correction",
    time: local("2026-11-20T11:00:00"),
  } as const;
  stores.documents.keep({ fn, register: till, foundWhen: "running", document }, clock.now());
  // The document was read on this day, as all documents of a new register are.
  keep(12, local("2025-08-20T10:00:00"));
  const { reconciliation } = await dayView(parts(), today());
  expect(reconciliation).toMatchObject({
    ...{ orders: 4, documents: 3, results: 0 },
    missing: [{ order: "A-3", total: "100.00", fds: [] }],
    undelivered: [{ order: "A-1", fds: [1] }],
    doubled: [{ order: "A-2", fds: [2, 3] }],
    unowned: [
      { register: "till", fd: 77, total: "5.00" },
      { register: "till", fd: 78, total: "5.00" },
      { register: "till", fd: 79, total: "5.00" },
    ],
  });
});

test("an unprinted order is missing on the day of its payment, or on the day it came when that payment time cannot be used", async () => {
  // The 18th, an hour before midnight in Moscow.
  const paidAt = Date.UTC(2026, 10, 18, 20);
  insert({ order: "paid before", over: { paidAt }, isPrinted: false });
  insert({ order: "printed", over: { paidAt } });
  const undated = [clock.now() + 86_400_000, clock.now() - 32 * 86_400_000, 1_000].map((wrong) => {
    insert({ order: `paid at ${wrong}`, over: { paidAt: wrong }, isPrinted: false });
    return `paid at ${wrong}`;
  });
  insert({ order: "not said", isPrinted: false });
  insert({ order: "return of an old sale", over: { ...returned, paidAt }, isPrinted: false });
  const repaired = makeReceipt({ orderId: toOrderId("repair of an old sale"), paidAt });
  jobs.insertJob(newJob({ source: "operator", receipt: repaired, now: clock.now() }));
  const missingOn = async (day: string) => {
    const bounds = parseDay(day, zone) ?? today();
    return (await dayView(parts(), bounds)).reconciliation.missing.map(({ order }) => order);
  };
  expect(await missingOn("2026-11-18")).toEqual(["paid before"]);
  expect(await missingOn("2026-11-19")).toEqual([]);
  const ofOldSales = ["return of an old sale", "repair of an old sale"];
  expect(await missingOn("2026-11-20")).toEqual([...undated, "not said", ...ofOldSales]);
});

test("a refused order is not listed as missing on the day of its payment when it was printed on another day", async () => {
  const paidAt = clock.now() - 26 * 3_600_000;
  const fault = new Fault("job.already-printed");
  for (const order of ["A-1", "A-2", "A-3", "A-4"]) {
    const receipt = makeReceipt({ orderId: toOrderId(order), paidAt });
    jobs.insertJob(newJob({ receipt, state: "refused", fault, now: clock.now() }));
  }
  insert({ order: "A-1", over: { paidAt } });
  // The site has used the number for another order long before.
  const monthAgo = clock.now() - 20 * 24 * 3_600_000;
  insert({ order: "A-2", now: monthAgo, printedAt: "2026-10-31T12:00:00" });
  // The site uses the number for another order long after.
  insert({ order: "A-3", now: clock.now() + 20 * 24 * 3_600_000, printedAt: "2026-12-10T12:00:00" });
  insert({ order: "A-4", over: returned });
  const { missing } = (await dayView(parts(), dayBoundsAt(paidAt, zone))).reconciliation;
  expect(missing.map(({ order }) => order)).toEqual(["A-2", "A-3", "A-4"]);
});

test("a missing order is named with its register, its site, the reason and the day of its payment", async () => {
  const paidAt = clock.now() - 3 * 3_600_000;
  const failed = insert({ order: "A-1", over: { paidAt }, isPrinted: false });
  jobs.markFailed(failed, { code: "device.printer-fault", message: "" }, clock.now());
  insert({ order: "A-2", isPrinted: false });
  const [snapshot = makeSnapshot({})] = parts().snapshots();
  const hall = { ...snapshot, settings: { ...snapshot.settings, title: "Зал" } };
  const { missing } = (await dayView({ ...parts(), snapshots: () => [hall] }, today())).reconciliation;
  const place = { register: "Зал", site };
  const why = { ru: expect.stringMatching(/./) };
  expect(missing).toMatchObject([
    { ...place, order: "A-1", paidOn: new Date(paidAt + 3 * 3_600_000).toISOString().slice(0, 10), why },
    { ...place, order: "A-2", paidOn: null, why: null },
  ]);
});

test("the signs of risk on the day's page include a receipt of just now, and count a correction as neither sale nor return", async () => {
  insert({ order: "A-1" });
  expect((await dayView(parts(), today())).months).toMatchObject([{ returns: 0, corrections: 0 }]);
  insert({ order: "A-1", over: returned });
  const correction = { type: "self", date: "2026-11-19" } as const;
  insert({ order: "A-2", over: { ...returned, correction } });
  expect((await dayView(parts(), today())).months).toMatchObject([{ returns: 100, corrections: 33 }]);
});

test("the first view has the sums of the day's page, and calls a shift open when the time of its closing is unknown", async () => {
  insert({ order: "earlier", now: clock.now() - 24 * 60 * 60_000, printedAt: "2026-11-19T23:59:05" });
  insert({ order: "A-1" });
  insert({ order: "A-2", over: mixed });
  insert({ order: "A-3", over: returned });
  insert({ order: "A-4", isPrinted: false });
  const { sales, returns } = await dayView(parts(), today());
  expect(todayView(parts())).toEqual({ sales, returns, isShiftOpen: true, nextClosing: null });
  expect(sales).toEqual({ count: 2, sum: "1620.50" });
});

test("the first view names the register whose shift is closed next, and no register while no shift is open", () => {
  const shift = { number: 2, state: "open" } as const;
  const late = makeSnapshot({ shift, shiftOpenedAt: local("2026-11-20T09:00:00") }, { id: "late" });
  const early = makeSnapshot({ shift, shiftOpenedAt: local("2026-11-20T08:00:00") }, { id: "early" });
  const closed = makeSnapshot({ shift: { number: 2, state: "closed" } }, { id: "closed" });
  const named = { ...early, settings: { ...early.settings, title: "Зал" } };
  const viewOf = (snapshots: readonly RegisterSnapshot[]) => todayView({ ...parts(), snapshots: () => snapshots });
  expect(viewOf([closed, late, named])).toMatchObject({
    ...{ isShiftOpen: true, nextClosing: { register: "Зал", at: "2026-11-21T07:50:00" } },
  });
  expect(viewOf([closed])).toMatchObject({ isShiftOpen: false, nextClosing: null });
});

test.each([
  ["the same sum", 10_000, false],
  ["another sum", 25_000, true],
])(
  "the day's table compares the sum of a closed shift with the register's counters, which have %s",
  async (_what, sales, differs) => {
    const job = insert({ order: "A-1" });
    const baseline = {
      ...{ fn, lastFd: 1, drawer: null, requestId: null },
      shift: { number: 1, state: "open" },
    } as const;
    const shiftTotals = {
      ...{ shift: 1, sales: kopecks(sales), returns: kopecks(0), saleCount: null, returnCount: null },
    };
    const attempt = stores.attempts.begin({
      ...{ job, part: 0, parts: 1, register: till, witness: { kind: "shift-close" }, baseline, shiftTotals },
      now: clock.now(),
    });
    stores.attempts.end(attempt, "printed", null, clock.now());
    const { shifts, reconciliation } = await dayView(parts(), today());
    expect(reconciliation.isSound).toBe(!differs);
    expect(shifts).toMatchObject([
      { shift: 1, report: job, ours: { sales: "100.00" }, counted: { sales: (sales / 100).toFixed(2) }, differs },
      { shift: 2, closedAt: null, ours: { sales: "0.00" }, counted: null, differs: false },
    ]);
    // The next day's view shows the shift as the last closed shift, and is sound by itself.
    await clock.advance(24 * 3_600_000);
    const next = await dayView(parts(), today());
    expect(next.shifts.map(({ shift, closedAt }) => [shift, closedAt === null])).toEqual([
      [1, false],
      [2, true],
    ]);
    expect(next.reconciliation.isSound).toBe(true);
  },
);

test("a shift shows the cash of its receipts, less change, returns and corrections, beside the cash that the register counts", async () => {
  const job = insert({ order: "A-1", over: mixed });
  insert({ order: "A-1", over: returned });
  insert({ order: "A-2", over: { correction: { type: "self", date: "2026-11-19" } } });
  const drawer = { cash: kopecks(70_000), cashIn: kopecks(0), cashOut: kopecks(0) };
  const baseline = { fn, lastFd: 2, drawer, requestId: null, shift: { number: 1, state: "open" } } as const;
  const attempt = stores.attempts.begin({
    ...{ job, part: 0, parts: 1, register: till, witness: { kind: "shift-close" }, baseline, shiftTotals: null },
    now: clock.now(),
  });
  stores.attempts.end(attempt, "printed", null, clock.now());
  const [shift] = (await dayView(parts(), today())).shifts;
  expect([shift?.ours.cash, shift?.drawer, shift?.counted]).toEqual(["420.00", "700.00", null]);
});

test("the day's table opens in a Russian spreadsheet, and no order's name is a formula", async () => {
  insert({ order: "=1+1;x", over: mixed });
  const text = dayCsv(await readDayReceipts(parts(), today()), {
    ...{ titles: titlesOf(parts().snapshots()), timeZone: zone, language: "ru" },
  });
  const [head = "", row = "", end] = text.split("\r\n");
  expect(row).toMatch(/^2026-11-20 15:00:00;/);
  expect(head).toMatch(/^\uFEFFЗаказан;Напечатан;Касса;/);
  expect(row).toContain(
    `;2026-11-20 15:04:05;till;1;"=""${fn}""";1;"=""0012345678""";Приход;shop;"'=1+1;x";1520,50;520,00;1000,50;0,00;напечатан;`,
  );
  expect(end).toBe("");
});

test("sums that go back to a buyer have a minus in the day's table, so that a column can be added up", async () => {
  insert({ order: "A-1", over: returned });
  const text = dayCsv(await readDayReceipts(parts(), today()), {
    ...{ titles: titlesOf(parts().snapshots()), timeZone: zone, language: "ru" },
  });
  expect(text).toContain(";Возврат прихода;shop;A-1;-100,00;-100,00;0,00;0,00;");
});

test.each(["2026-02-30", "25.11.2026", "2026-13-01", ""])("the day's table refuses %j as a day", (text) => {
  expect(parseDay(text, zone)).toBeNull();
});
