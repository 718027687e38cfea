import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OrderIntake } from "@fiscald/daemon/intake/accept-order.js";
import type { FormatErrorReport, OrderRefusal } from "@fiscald/daemon/sites/site-events.js";
import { createMetaStore } from "@fiscald/daemon/store/database/meta-store.js";
import { type OpenedDatabase, openDatabase } from "@fiscald/daemon/store/database/open-database.js";
import { openSqliteFile } from "@fiscald/daemon/store/database/sqlite-file.js";
import type { Job } from "@fiscald/daemon/store/job.js";
import { createJobStore, type JobStore } from "@fiscald/daemon/store/job-store.js";
import { createJournal, type Journal } from "@fiscald/daemon/store/journal.js";
import { createSiteOversights } from "@fiscald/daemon/store/site-oversights.js";
import { type RegisterId, toKkm, toOrderId, toRegisterId, toSiteId } from "@fiscald/shared/ids.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import type { TaxRow } from "@fiscald/shared/receipt/vat.js";
import { asItIs } from "@fiscald/shared/texts.js";
import { createFakeClock, type FakeClock } from "../../support/fake-clock.js";
import { answerOf, makeIntake, polledKkm, polledRegister, saleTable } from "../../support/make-intake.js";
import { makeDocument } from "../../support/make-job.js";
import { createTestLogger } from "../../support/test-logger.js";

const site = toSiteId("shop");
const [kkm, register] = [polledKkm, polledRegister];

let folder: string;
let opened: OpenedDatabase;
let clock: FakeClock;
let jobs: JobStore;
let intake: OrderIntake;
let refusals: OrderRefusal[];
let formatErrors: FormatErrorReport[];
let resent: number[];
let delivered: Set<number>;
let wakes: number;
let unseen: RegisterId | null;
let isForgetful = false;
/** The register that has the number which no other test knows. */
let foreign: RegisterId | null = null;
let warnings: string[];
let rows: readonly TaxRow[];
/** Earlier lists that the site may still use. */
let olderRows: readonly (readonly TaxRow[])[];
const otherKkm = "0009999999999999";
const exchangedKkm = toKkm("0005555555555555");
const otherRegister = toRegisterId("till-9");
const otherRows: readonly TaxRow[] = [{ id: 1, title: "10%", vat: 2 }];
let confirmed: boolean;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fiscald-intake-"));
  clock = createFakeClock();
  opened = openDatabase({ path: join(folder, "db.sqlite"), clock, log: silentLogger, pid: process.pid });
  jobs = createJobStore(opened.db);
  refusals = [];
  formatErrors = [];
  resent = [];
  delivered = new Set();
  wakes = 0;
  unseen = null;
  isForgetful = false;
  foreign = null;
  warnings = [];
  rows = [{ id: 1, title: "22%", vat: 11 }];
  olderRows = [];
  confirmed = true;
  intake = makeIntake({
    ...{ jobs, clock, journal: createJournal(opened.db) },
    events: {
      addRefusal: (refusal) => refusals.push(refusal),
      addFormatError: (report) => formatErrors.push(report),
      resendResult: (job) => delivered.has(job.id) && resent.push(job.id) > 0,
      told: (job) => (delivered.has(job.id) ? "yes" : "no"),
    },
    findRegister: (number) => (number === kkm ? register : number === otherKkm ? foreign : null),
    isForgetful: () => isForgetful,
    unseenRegister: () => unseen,
    taxListsOf(number) {
      if (number === exchangedKkm) return [];
      return foreign === otherRegister && number === otherKkm ? [otherRows] : [rows, ...olderRows];
    },
    areRowsConfirmed: () => confirmed,
    log: createTestLogger((line) => warnings.push(line)),
    wake: () => {
      wakes += 1;
    },
  });
});

afterEach(() => {
  opened.close();
  rmSync(folder, { recursive: true });
});

const rawCount = () => opened.db.prepare("SELECT count(*) FROM orders_raw").pluck().get();
const accept = (body: unknown) => intake.accept(answerOf(body, { askedAt: clock.now() }));

function order({ orderId = "A-1", price = 100, orderKkm = kkm as string } = {}) {
  return { response: { kkm: orderKkm, orderId, taskTable: saleTable({ price }) } };
}

function print(job: Job | null): void {
  if (job === null) throw new Error("there is no job to print");
  jobs.claim(job.id, register, clock.now());
  jobs.markPrinted(job.id, makeDocument(), clock.now());
  delivered.add(job.id);
}

test("an answer of an unknown form is stored, reported and warned of once, and slows down no poll", () => {
  const answers = [{ order: order().response }, { order: order({ orderId: "A-2" }).response }];
  expect(answers.map((answer) => accept(answer))).toEqual([
    { kind: "repeat", job: null },
    { kind: "repeat", job: null },
  ]);
  expect(rawCount()).toBe(1);
  expect(formatErrors).toMatchObject([{ orderId: null, fault: { code: "order.unreadable" } }]);
  expect(warnings.filter((line) => line.includes("neither an order"))).toHaveLength(1);
  accept({ status: "ok" });
  expect(rawCount()).toBe(2);
});

test("an unknown key and a missing rate of a site's orders are logged once, and kept for the page", () => {
  const oversights = createSiteOversights(createMetaStore(opened.db));
  const site = toSiteId("shop");
  const log = createTestLogger((line) => warnings.push(line));
  intake = makeIntake({ jobs, clock, journal: createJournal(opened.db), oversights, site, log });
  for (const orderId of ["A-1", "A-2"]) {
    const [open, , ...rest] = saleTable();
    const bare = { type: "Registration", data: "Чай", param: { price: 100, quantity: 1, nds: 20 } };
    expect(accept({ response: { orderId, taskTable: [open, bare, ...rest] } })).toMatchObject({ kind: "order" });
  }
  const logged = warnings.filter((line) => line.includes("hardly meant"));
  expect(logged).toEqual([
    expect.stringMatching(/"A-1".*param\.nds.*`vat`/),
    expect.stringMatching(/"A-1".*param\.tax/),
  ]);
  const places = ["taskTable[].param.nds", "taskTable[].param.tax"];
  expect(oversights.unknownKeys(site, clock.now()).map(({ key }) => key)).toEqual(places);
});

test("an answer whose encoding is unknown is reported and never read as an order", () => {
  const body = JSON.stringify(order());
  const answer = answerOf(body, { problem: asItIs("the answer is not UTF-8") });
  expect(intake.accept(answer)).toMatchObject({ kind: "site-error", fault: { message: "the answer is not UTF-8" } });
  expect(formatErrors).toHaveLength(1);
  expect(jobs.list({ limit: 10 })).toEqual([]);
});

test("an order that is taken keeps its raw text, queues a job and wakes the dispatcher", () => {
  const result = accept(order());
  expect(result).toMatchObject({ kind: "order", job: { state: "queued", orderId: "A-1", total: 10_000, register } });
  expect(rawCount()).toBe(1);
  expect(wakes).toBe(1);
});

test("the job of an order with its own tag 1084 has no order mark, and the job of any other order has one", () => {
  accept(order());
  const { response } = order({ orderId: "A-2" });
  accept({ response: { ...response, additionalUserProps: { name: "Стол", value: "7" } } });
  expect([1, 2].map((id) => jobs.get(id).mark)).toEqual([
    { issuer: expect.any(String), digits: expect.any(String) },
    null,
  ]);
});

test("an order that cannot be read is reported under the register that it names, when that register is known", () => {
  const broken = (orderId: string, named: string) => {
    const { response } = order({ orderId, orderKkm: named });
    return { response: { ...response, taskTable: "none" } };
  };
  const polled = { register: toRegisterId("till-2"), kkm: toKkm("0001234567012346") };
  const acceptThere = (body: object) => intake.accept(answerOf(body, polled));
  acceptThere(broken("A-1", kkm));
  acceptThere(broken("A-2", "9999999999999999"));
  const told = [
    { orderId: "A-1", register, kkm },
    { orderId: "A-2", ...polled },
  ];
  expect(refusals).toMatchObject(told);
  expect(formatErrors).toMatchObject(told);
  expect(opened.db.prepare("SELECT polled_kkm FROM orders_raw").pluck().all()).toEqual([polled.kkm, polled.kkm]);
});

describe("an order's tax row that the register has not", () => {
  const withTax = (tax: unknown, price = 100) => {
    const body = order({ price });
    const [open, item, ...rest] = body.response.taskTable;
    return { response: { ...body.response, taskTable: [open, { ...item, param: { ...item?.param, tax } }, ...rest] } };
  };

  test("an order whose tax row the register lacks is refused with the position, and the developers are told", () => {
    const place = "taskTable[1].param.tax";
    const said = { code: "device.tax-unknown", resultCode: 1, place, message: '"Чай": there is no tax row 77, only 1' };
    expect(accept(withTax(77))).toMatchObject({ kind: "refused", fault: said });
    expect(jobs.findByOrder(site, toOrderId("A-1"))).toMatchObject([{ state: "refused" }]);
    expect(refusals).toMatchObject([{ orderId: "A-1", fault: said }]);
    expect(formatErrors).toMatchObject([{ orderId: "A-1", fault: said }]);
  });

  test("an order is taken while the register's tax rows are not known, or where it names no tax row", () => {
    expect(accept(withTax(null))).toMatchObject({ kind: "order" });
    rows = [];
    expect(accept(withTax(77, 200))).toMatchObject({ kind: "order" });
  });

  test("an order with an unknown tax row is taken while the register's rows were not read again", () => {
    confirmed = false;
    expect(accept(withTax(77))).toMatchObject({ kind: "order", job: { state: "queued" } });
  });

  test.each([
    { what: "has no longer", now: { id: 2, title: "10%", vat: 2 } as TaxRow },
    { what: "has with a rate that is no longer in force", now: { id: 1, title: "20%", vat: 1 } as TaxRow },
  ])("an order printed at a tax row that the register $what is not called failed when it comes again", ({ now }) => {
    const first = accept(order());
    print("job" in first ? first.job : null);
    rows = [now];
    expect(accept(order())).toMatchObject({ kind: "repeat" });
    expect(refusals).toEqual([]);
    expect(resent).toHaveLength(1);
  });
});

describe("the rates of an order", () => {
  const rateOf = (id: number) => jobs.get(id).taxes;

  test("an order's rates are those of the list that the site knows, and do not follow later changes of the rows", () => {
    expect(accept(order())).toMatchObject({ kind: "order" });
    rows = [{ id: 1, title: "10%", vat: 2 }];
    expect(rateOf(1)).toEqual([{ id: 1, vat: 11, title: null }]);
    expect(jobs.get(1)).toMatchObject({ taxpayer: { inn: "7700000000", taxSystems: 1 } });
    // The key holds the site's own id: the same order is known again, whatever its row means by now.
    expect(accept(order())).toMatchObject({ kind: "repeat", job: { id: 1 } });
    accept(order({ orderId: "A-2" }));
    expect(rateOf(2)).toEqual([{ id: 1, vat: 2, title: null }]);
    expect(jobs.get(2).receipt).toEqual({ ...jobs.get(1).receipt, orderId: "A-2" });
  });

  test("an order whose rate differs in an earlier list that the site may use is refused, and taken afterwards", () => {
    olderRows = [[{ id: 1, title: "10%", vat: 2 }]];
    const said = { code: "device.tax-changed", resultCode: 4, message: expect.stringContaining("НДС 22%") };
    expect(accept(order())).toMatchObject({ kind: "refused", fault: said });
    expect(refusals).toMatchObject([{ orderId: "A-1", fault: said }]);
    expect(formatErrors).toEqual([]);
    olderRows = [];
    expect(accept(order())).toMatchObject({ kind: "order", job: { taxes: [{ id: 1, vat: 11 }] } });
  });

  test("an order's rates are known also when the order is refused, because a person may retry it", () => {
    accept({ response: { ...order().response, cancelledByOrder: 1, kkm: "0007777777777777" } });
    expect(jobs.findByOrder(site, toOrderId("A-1"))).toMatchObject([{ state: "refused", taxes: [{ id: 1, vat: 11 }] }]);
  });

  test("an order's rates are those of the register that the site was asked for, also when that device was exchanged", () => {
    const { kkm: _, ...response } = order().response;
    intake.accept(answerOf({ response }, { kkm: exchangedKkm }));
    expect(rateOf(1)).toEqual([{ id: 1, vat: null, title: null }]);
  });

  test("an order's rates are those of the register that the order names", () => {
    foreign = otherRegister;
    accept(order({ orderKkm: otherKkm }));
    expect(jobs.get(1)).toMatchObject({ register: otherRegister, taxes: [{ id: 1, vat: 2 }] });
  });

  test.each([
    { what: "known", table: [{ id: 1, title: "22%", vat: 11 }] as readonly TaxRow[] },
    { what: "not known", table: [] },
  ])("an order's rates in words need no tax row of the register, whose rows are $what", ({ table }) => {
    rows = table;
    const item = { name: "Чай", price: 122, quantity: 1, sum: 122, vat: { type: "vat22" } };
    const receipt = { items: [item], total: 122, payments: [{ type: 0, sum: 122 }] };
    const online = { timestamp: "20.11.2026 14:05:00", external_id: "T-1", receipt };
    expect(accept(online)).toMatchObject({ kind: "order" });
    expect(rateOf(1)).toEqual([{ id: 1011, vat: 11, title: null }]);
    const { name, sum: _, ...param } = item;
    const lines = [
      { type: "OpenCheckSell" },
      { type: "Registration", data: name, param },
      { type: "Payment", param: { summ: 122, typeClose: 0 } },
      { type: "CloseCheck" },
    ];
    expect(accept({ response: { orderId: "T-2", taskTable: lines } })).toMatchObject({ kind: "order" });
    expect(rateOf(2)).toEqual([{ id: 1011, vat: 11, title: null }]);
  });
});

test.each([
  ["nothing", ""],
  ["null", "null"],
  ["a success without a receipt", { resultCode: 0, resultInfo: "no orders" }],
])("an answer of %s is an empty poll", (_name, body) => {
  expect(accept(body)).toEqual({ kind: "empty" });
  expect(rawCount()).toBe(0);
});

test("a site's error without a receipt is trouble of the site", () => {
  const result = accept({ resultCode: 4, resultInfo: "database is down" });
  expect(result).toMatchObject({ kind: "site-error", fault: { code: "site.bad-answer" } });
});

test("a receipt that comes in one answer with an error of the site is kept once and not printed", () => {
  for (let poll = 0; poll < 3; poll += 1) {
    expect(accept({ ...order(), resultCode: 4, resultInfo: "stock is short" })).toMatchObject({ kind: "site-error" });
  }
  expect(rawCount()).toBe(1);
  const story = opened.db.prepare("SELECT what, details FROM journal WHERE raw = 1").all();
  expect(story).toEqual([
    { what: "a receipt beside an error, not printed", details: JSON.stringify({ reason: "stock is short" }) },
  ]);
  expect(wakes).toBe(0);
});

test("an order whose tax sum the polled register will count differently is taken with a warning", () => {
  const online = {
    timestamp: "20.11.2026 14:05:00",
    external_id: "T-1",
    receipt: {
      items: [{ name: "Чай", price: 122, quantity: 1, sum: 122, tax: 1, tax_sum: 20 }],
      total: 122,
      payments: [{ type: 0, sum: 122 }],
    },
  };
  expect(accept(online)).toMatchObject({ kind: "order" });
  expect(warnings).toEqual([expect.stringContaining("receipt.items[0].tax_sum")]);
});

test("an order with a mistake of the site is reported to the site's error address too", () => {
  accept(order({ orderKkm: "0009999999999999" }));
  expect(formatErrors).toMatchObject([{ orderId: "A-1", fault: { code: "register.unknown-kkm" } }]);
  const sold = accept(order({ orderId: "A-2" }));
  print(sold.kind === "order" ? sold.job : null);
  accept(order({ orderId: "A-2", price: 200 }));
  expect(refusals.map(({ orderId }) => orderId)).toEqual(["A-1", "A-2"]);
  expect(formatErrors).toHaveLength(1);
});

test("a mistake of ours in an order's transaction costs that order its print, and the shop's poller goes on", () => {
  const sound = createJournal(opened.db);
  const mistakes = [new TypeError("a mistake")];
  const journal: Journal = {
    ...sound,
    add(entry) {
      const [mistake] = mistakes.splice(0);
      if (mistake !== undefined) throw mistake;
      sound.add(entry);
    },
  };
  intake = makeIntake({ jobs, clock, journal, events: { addRefusal: (refusal) => refusals.push(refusal) } });
  expect(accept(order())).toMatchObject({ kind: "refused", fault: { code: "internal" } });
  expect(refusals).toMatchObject([{ orderId: "A-1", job: null }]);
  expect(accept(order({ orderId: "A-2" }))).toMatchObject({ kind: "order" });
});

test("a mistake of ours before an answer is read costs that answer alone, which is kept for support", () => {
  const mistakes = [new TypeError("a mistake")];
  const dayAt = () => {
    const [mistake] = mistakes.splice(0);
    if (mistake !== undefined) throw mistake;
    return "2026-11-20";
  };
  intake = makeIntake({ jobs, clock, journal: createJournal(opened.db), dayAt });
  expect(accept(order())).toMatchObject({ kind: "refused", fault: { code: "internal" } });
  expect(opened.db.prepare("SELECT count(*) FROM orders_raw").pluck().get()).toBe(1);
  expect(accept(order({ orderId: "A-2" }))).toMatchObject({ kind: "order" });
});

test("an order offered again while it waits is ignored, which its story says once, and nothing more is stored", () => {
  accept(order());
  accept(order());
  expect(accept(order())).toMatchObject({ kind: "repeat", job: { id: 1 } });
  const story = createJournal(opened.db).ofJob(1);
  expect(story.map(({ what }) => what)).toEqual(["order accepted", "order repeated, nothing to do"]);
  expect(story[1]?.details).toEqual({ reason: "the same order is queued" });
  expect(rawCount()).toBe(1);
  expect(wakes).toBe(1);
});

test("an order offered again after it was printed gets its stored result, at most once a minute", async () => {
  const first = accept(order());
  print(first.kind === "order" ? first.job : null);
  accept(order());
  accept(order());
  expect(resent).toEqual([1]);
  await clock.advance(61_000);
  accept(order());
  expect(resent).toEqual([1, 1]);
});

test("an order offered again with newer content takes the place of the queued one in one step", () => {
  accept(order({ price: 100 }));
  const second = accept(order({ price: 90 }));
  expect(second).toMatchObject({ kind: "order", job: { id: 2, total: 9000 } });
  expect(jobs.get(1)).toMatchObject({ state: "cancelled", fault: { code: "job.replaced" } });
});

test("other content for a printed order is refused and reported to the site once, and the first content is kept", () => {
  const first = accept(order({ price: 100 }));
  print(first.kind === "order" ? first.job : null);
  expect(accept(order({ price: 90 }))).toMatchObject({ kind: "refused", fault: { code: "job.already-printed" } });
  expect(accept(order({ price: 90 }))).toMatchObject({ kind: "repeat", job: { id: 2, state: "refused" } });
  expect(refusals).toHaveLength(1);
  expect(refusals[0]).toMatchObject({ orderId: "A-1", job: { id: 2 }, printed: null });
  expect(refusals[0]?.fault.message).toMatch(/FD 7 .* with other content/);
});

test("an order for a register that the config does not have is refused", () => {
  const result = accept(order({ orderKkm: "0009999999999999" }));
  expect(result).toMatchObject({ kind: "refused", fault: { code: "register.unknown-kkm", resultCode: 1 } });
  expect(refusals[0]).toMatchObject({ orderId: "A-1", kkm: "0009999999999999" });
});

describe("an order that names the number of a register that may never have been connected", () => {
  const named = () => accept(order({ orderKkm: "0009999999999999" }));
  beforeEach(() => {
    unseen = toRegisterId("till-2");
  });

  test("an order for a register that is not known yet is refused for now, and taken when the register is known", () => {
    const fault = {
      code: "register.offline",
      resultCode: 4,
      message: expect.stringMatching(/may be the one of till-2/),
    };
    expect(named()).toMatchObject({ kind: "refused", fault });
    expect(refusals).toMatchObject([{ orderId: "A-1", kkm: "0009999999999999", fault, again: true }]);
    expect(formatErrors).toEqual([]);
    expect(named()).toMatchObject({ kind: "repeat" });
    foreign = toRegisterId("till-2");
    expect(named()).toMatchObject({ kind: "order", job: { register: "till-2", state: "queued" } });
  });

  test("after data loss an order for a register not known yet is not reported as not printed", () => {
    isForgetful = true;
    expect(named()).toMatchObject({ kind: "refused", fault: { code: "register.offline" } });
    expect(named()).toMatchObject({ kind: "repeat" });
    expect(refusals).toEqual([]);
    foreign = toRegisterId("till-2");
    expect(named()).toMatchObject({ kind: "order" });
  });
});

test("an order for another taxpayer is refused", () => {
  const online = {
    timestamp: "20.11.2026 14:05:00",
    external_id: "B-1",
    service: { inn: "7711111111" },
    receipt: {
      items: [{ name: "Чай", price: 1, quantity: 1, sum: 1, tax: 1 }],
      total: 1,
      payments: [{ type: 0, sum: 1 }],
    },
  };
  expect(accept(online)).toMatchObject({ kind: "refused", fault: { code: "order.wrong-inn" } });
});

test("a printed order is not reported as failed when its register has another number now", () => {
  foreign = otherRegister;
  accept(order({ orderKkm: otherKkm }));
  jobs.claim(1, otherRegister, clock.now());
  jobs.markPrinted(1, makeDocument(), clock.now());
  foreign = null;
  expect(accept(order({ orderKkm: otherKkm }))).toMatchObject({ kind: "repeat", job: { id: 1, state: "printed" } });
  expect(refusals).toEqual([]);
});

test("an order of lines without a receipt is taken once for each of two registers", () => {
  foreign = otherRegister;
  const zReport = { type: "Report", data: "", param: { reportType: 1 } };
  const closing = (number: string) => ({ response: { kkm: number, taskTable: [zReport] } });
  expect([accept(closing(kkm)), accept(closing(otherKkm)), accept(closing(kkm))]).toMatchObject([
    { kind: "order", job: { id: 1, register } },
    { kind: "order", job: { id: 2, register: otherRegister } },
    { kind: "repeat", job: { id: 1 } },
  ]);
  // The first till's device was exchanged: the number is another one, the drawer is the same.
  foreign = register;
  expect(accept(closing(otherKkm))).toMatchObject({ kind: "repeat" });
});

test("an order that ends by cancelling itself is refused, and its site is told that nothing was registered", () => {
  const body = order();
  body.response.taskTable.splice(-1, 1, { data: "", type: "CancelCheck" });
  expect(accept(body)).toMatchObject({ kind: "refused", fault: { code: "job.cancelled-by-order", resultCode: 4 } });
});

test("a broken order is reported once in ten minutes, with its order id and raw text", async () => {
  const body = order({ price: -1 });
  expect(accept(body)).toMatchObject({ kind: "refused", fault: { resultCode: 1 } });
  for (const timestamp of [undefined, "20.11.2026 10:00:00", "20.11.2026 10:00:05"]) {
    expect(accept({ ...body, timestamp })).toEqual({ kind: "repeat", job: null });
  }
  expect(refusals).toMatchObject([{ orderId: "A-1", job: null }]);
  expect(formatErrors).toMatchObject([{ orderId: "A-1", body: JSON.stringify(body) }]);
  expect(rawCount()).toBe(1);
  await clock.advance(10 * 60_000 + 1);
  accept(body);
  expect(formatErrors).toHaveLength(2);
});

test("an answer that is no JSON is reported to the error address only", () => {
  const fault = { code: "order.unreadable", message: expect.stringContaining("is an HTML page, no JSON") };
  expect(accept("<html>")).toMatchObject({ kind: "site-error", fault });
  expect(accept("<html>")).toMatchObject({ kind: "site-error" });
  expect(refusals).toEqual([]);
  expect(formatErrors).toMatchObject([{ orderId: null, body: "<html>" }]);
});

test("an order whose commit fails leaves nothing stored, and is taken whole the next time", () => {
  opened.db.pragma(`max_page_count = ${opened.db.pragma("page_count", { simple: true })}`);
  const large = order({ orderId: "X".repeat(60) });
  large.response.taskTable.splice(1, 0, { data: "т".repeat(20_000), type: "String" });
  expect(() => accept(large)).toThrow(expect.objectContaining({ code: "store.full" }));
  expect(rawCount()).toBe(0);
  opened.db.pragma("max_page_count = 100000");
  expect(accept(large)).toMatchObject({ kind: "order" });
});

test("an order that comes while a copy tool holds the database is not kept, and is taken when it lets go", () => {
  opened.db.pragma("busy_timeout = 20");
  const copyTool = openSqliteFile(join(folder, "db.sqlite"));
  copyTool.exec("BEGIN IMMEDIATE");
  expect(() => accept(order())).toThrow(expect.objectContaining({ code: "store.busy" }));
  copyTool.exec("ROLLBACK");
  copyTool.close();
  expect(rawCount()).toBe(0);
  expect(accept(order())).toMatchObject({ kind: "order" });
});

test("an order without a number, or with a number that is too long, delays no other order", () => {
  const long = "x".repeat(129);
  expect(accept(order({ orderId: "" }))).toMatchObject({ kind: "refused" });
  expect(accept(order({ orderId: long }))).toMatchObject({ kind: "refused" });
  expect(refusals).toMatchObject([{ orderId: long }]);
  expect(accept(order({ orderId: "A-2" }))).toMatchObject({ kind: "order" });
});
