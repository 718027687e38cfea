import { join } from "node:path";
import { parseConfig } from "@fiscald/daemon/config/load-config.js";
import type { JournalWord } from "@fiscald/daemon/messages/messages.js";
import { Deliveries } from "@fiscald/daemon/sites/deliveries.js";
import { SiteEvents } from "@fiscald/daemon/sites/site-events.js";
import { type OpenedDatabase, openDatabase } from "@fiscald/daemon/store/database/open-database.js";
import { createJournal, ODD_ORDER } from "@fiscald/daemon/store/journal.js";
import { createOutboxStore, type OutboxStore, type StoredEvent } from "@fiscald/daemon/store/outbox-store.js";
import { createRegisterStore, type RegisterStore } from "@fiscald/daemon/store/register-store.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import {
  formatErrorCallSchema,
  resultCallSchema,
  syncCallSchema,
  zReportCallSchema,
} from "@fiscald/shared/exchange/calls.js";
import { fieldTexts } from "@fiscald/shared/exchange/field-texts.js";
import { faultOfProblems, problem } from "@fiscald/shared/exchange/order-problem.js";
import { Fault } from "@fiscald/shared/fault.js";
import { toFnSerial, toInn, toKkm, toOrderId, toReceiptId, toRegisterId, toSiteId } from "@fiscald/shared/ids.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import type { TaxRow } from "@fiscald/shared/receipt/vat.js";
import { vatOfTitle } from "#handlers/delivery/catalog/tax-rates.js";
import { createFakeClock } from "../../support/fake-clock.js";
import { makeDocument, makeJob, makeReceipt } from "../../support/make-job.js";
import { useTempFolder } from "../../support/temp-folder.js";

const noExtras = { resultExtras: false };
const folder = useTempFolder();
const till = toRegisterId("till");
const shop = toSiteId("shop");
const identity = {
  kkm: toKkm("0001234567012345"),
  inn: toInn("7700000000"),
  fn: toFnSerial("9999078900000001"),
  serial: "S",
  model: "РИТЕЙЛ-01Ф",
  firmware: "1",
  ffd: "1.05",
  taxSystems: 1,
};
let database: OpenedDatabase;
let outbox: OutboxStore;
let records: RegisterStore;
let deliveries: Deliveries;

afterEach(() => database.close());

interface Setup {
  readonly site?: Record<string, unknown>;
  readonly urls?: Record<string, unknown>;
  readonly register?: Record<string, unknown>;
  /** The link settings of the other register. */
  readonly link?: Record<string, unknown>;
  readonly holdsSync?: () => boolean;
}

function open({ site = {}, urls = {}, register = {}, link, holdsSync = () => false }: Setup = {}): SiteEvents {
  const url = "https://shop.example/fiscal";
  const all = { orders: url, result: url, sync: url, activity: url, zreport: url, error: url, ...urls };
  const second = {
    id: "second",
    urls: { orders: "https://b.example", result: "https://b.example", zreport: "https://b.example" },
  };
  const raw = {
    version: 1,
    sites: [{ id: "shop", urls: all, ...site }, second],
    registers: [
      {
        id: "till",
        title: "Hall, left",
        driver: "reference",
        connection: { kind: "tcp", host: "x" },
        sites: ["shop", "second"],
        receiptLink: { template: "https://ofd.example/{fd}" },
        ...register,
      },
      {
        id: "spare",
        driver: "reference",
        connection: { kind: "tcp", host: "y" },
        sites: ["shop"],
        ...(link === undefined ? {} : { receiptLink: link }),
      },
    ],
  };
  const config = parseConfig(JSON.stringify(raw), "c", { folder: "/", env: {}, readFile: () => "" });
  const clock = createFakeClock();
  database = openDatabase({ path: join(folder(), "d.sqlite"), clock, log: silentLogger, pid: 1 });
  const { db } = database;
  let id = 0;
  outbox = createOutboxStore({ db, journal: createJournal(db), newId: () => `${++id}`, onAdded: () => undefined });
  records = createRegisterStore(db);
  deliveries = new Deliveries();
  const tables = {
    taxes: [{ id: 1, title: "НДС 22%", vat: 11 as const }],
    paymentTypes: [{ id: 0, title: "Наличными" }],
  };
  records.save({ id: till, identity, tables, lastFd: 1, shift: { number: 1, state: "open", openedAt: null } }, 0);
  for (const job of [1, 2, 3]) {
    db.prepare(`INSERT INTO jobs (id, source, kind, receipt, register, state, created_at, updated_at)
      VALUES (?, 'site', 'receipt', '{}', 'till', 'queued', 0, 0)`).run(job);
  }
  const { sites, registers } = config;
  return new SiteEvents({
    sites,
    registers,
    outbox,
    deliveries,
    records,
    journal: createJournal(db),
    clock,
    holdsSync,
  });
}

function only(): StoredEvent {
  const events = outbox.list({}, { limit: 10, offset: 0 });
  expect(events).toHaveLength(1);
  const [event] = events;
  if (event === undefined) throw new Error("no event");
  return event;
}

const printed = makeJob({
  id: 1,
  site: shop,
  register: till,
  state: "printed",
  orderId: toOrderId("A-1"),
  receiptId: toReceiptId("r-1"),
  document: makeDocument({ fd: 42, shift: 7, receiptNumber: 3, fiscalSign: "0123456789" }),
});

describe("the result of a job", () => {
  test("the result of a printed receipt has the protocol's fields, the document's numbers and its link", () => {
    open().result(printed, "printed");
    const { body, lane, job, kind } = only();
    expect({ lane, job, kind }).toEqual({ lane: "order A-1", job: 1, kind: "result" });
    expect(body).toEqual({
      action: "orderConfirm",
      kkm: "0001234567012345",
      inn: "7700000000",
      fn: "9999078900000001",
      resultCode: 0,
      resultInfo: "",
      shiftNumber: "7",
      OFDLink: Buffer.from("https://ofd.example/42").toString("base64"),
      orderId: "A-1",
      outcome: "printed",
      receiptId: "r-1",
      fpd: "0123456789",
      fdNumber: "42",
      receiptNumber: "3",
      dateTime: expect.stringMatching(/^\d\d\.\d\d\.\d{4} \d\d:\d\d:\d\d$/),
      operation: "sell",
      total: 100,
    });
    expect(resultCallSchema.parse(body)).toMatchObject({ outcome: "printed", fdNumber: "42" });
  });

  test("the result of a correction says so in its operation", () => {
    const correction = { type: "self", date: "2026-07-14" } as const;
    open().result(makeJob({ ...printed, receipt: makeReceipt({ operation: "return", correction }) }), "printed");
    expect(only().body).toMatchObject({ operation: "sell_refund_correction" });
  });

  test("a result names the register that has the document's drive, not the device in the job's place", () => {
    const spare = toRegisterId("spare");
    const numbers = { kkm: toKkm("0000000000000002"), inn: toInn("7700000002"), fn: toFnSerial("9999078900000002") };
    const events = open({ link: { template: "https://spare.example/{kkm}" } });
    const before = records.find(till);
    if (before === null) throw new Error("no record");
    const shift = { number: 1, state: "open", openedAt: null } as const;
    records.save({ ...before, id: spare, identity: { ...identity, ...numbers }, shift }, 0);
    events.result({ ...printed, document: makeDocument({ fn: numbers.fn }) }, "printed");
    const link = Buffer.from("https://spare.example/0000000000000002").toString("base64");
    expect(only().body).toMatchObject({ ...numbers, OFDLink: link });
  });

  test.each([
    ["on the drive of a device that was exchanged since names that device", identity.fn, identity.kkm],
    ["on a drive of neither names the device that is there", "9999078900000007", "0000000000000003"],
  ])("the result of a document %s", (_, fn, kkm) => {
    const events = open();
    const before = records.find(till);
    if (before === null) throw new Error("no record");
    records.forget(till);
    const another = { ...identity, kkm: toKkm("0000000000000003"), fn: toFnSerial("9999078900000003") };
    records.save({ ...before, identity: another, shift: { number: 1, state: "open", openedAt: null } }, 0);
    const document = makeDocument({ fn: toFnSerial(fn) });
    events.result({ ...printed, document }, "printed");
    expect(only().body).toMatchObject({ kkm, fn });
  });

  test("a result has only the protocol's fields and orderId where the site accepts no more", () => {
    open({ site: { resultExtras: false, resultAction: "confirm" } }).result(printed, "printed");
    const fields = ["action", "kkm", "inn", "fn", "resultCode", "resultInfo", "shiftNumber", "OFDLink", "orderId"];
    expect(Object.keys(only().body).sort()).toEqual(fields.sort());
    expect(only().body.action).toBe("confirm");
  });

  test.each([
    ["failed", "device.not-enough-cash", 4],
    ["failed", "device.tax-unknown", 1],
    ["unknown", "job.outcome-unknown", 4],
  ] as const)("a result that is %s with %s has its code, words and no link", (outcome, code, resultCode) => {
    const fault = { code, message: "just so" };
    open().result(makeJob({ id: 2, site: shop, register: till, document: null, fault }), outcome);
    expect(only().body).toMatchObject({
      outcome,
      resultCode,
      resultInfo: expect.stringContaining("just so"),
      errors: [{ path: "", code, message: "just so" }],
      OFDLink: "",
      shiftNumber: "",
    });
  });

  test("a result that is resolved later replaces the unknown result before it", () => {
    const events = open();
    events.result({ ...printed, document: null, fault: { code: "job.outcome-unknown", message: "?" } }, "unknown");
    const before = only();
    events.result(printed, "printed");
    expect(only()).toMatchObject({ id: before.id, revision: 1, body: { outcome: "printed", resultCode: 0 } });
    expect(only().webhookId).not.toBe(before.webhookId);
  });

  test("a result tells what was odd in the order, and how the document differs when that is found in time", () => {
    const events = open();
    const note = (what: JournalWord, ru: string) =>
      createJournal(database.db).add({
        ...{ at: 0, actor: "daemon", what, job: 1 },
        details: { warnings: [{ path: "", text: { en: "?", ru } }] },
      });
    const told = () => {
      const { body, revision } = only();
      return [body.warnings, revision];
    };
    const warning = (message: string) => ({ path: "", message });
    note(ODD_ORDER, "контакт не читается");
    events.result(printed, "printed");
    expect(told()).toEqual([[warning("контакт не читается")], 0]);
    note("document differs", "22 вместо 20");
    events.documentDiffers(printed);
    expect(told()).toEqual([[warning("контакт не читается"), warning("22 вместо 20")], 0]);
    outbox.markDelivered(only(), 1);
    note("document differs", "чек изменён");
    events.documentDiffers(printed);
    expect(told()).toEqual([[warning("контакт не читается"), warning("22 вместо 20")], 0]);
    expect(only().state).toBe("delivered");
  });

  test("a job that no site ordered has no result to report", () => {
    open().result({ ...printed, site: null }, "printed");
    expect(outbox.list({}, { limit: 10, offset: 0 })).toEqual([]);
  });

  test("a result for a site that is no longer configured waits until the site is known under another id", () => {
    const events = open();
    const left = toSiteId("left");
    events.result({ ...printed, site: left }, "printed");
    expect(only()).toMatchObject({
      site: left,
      state: "pending",
      lane: "order A-1",
      body: { action: "orderConfirm", outcome: "printed", receiptId: "r-1", fdNumber: "42" },
    });
    expect(outbox.waitingResults()).toEqual(new Map([[left, 1]]));
  });

  test("a result counts as known to polls sent after its delivery, and not while it is sent again", () => {
    const events = open();
    events.result(printed, "printed");
    expect(events.told(printed, deliveries.count)).toBe("no");
    const underWay = deliveries.count;
    deliveries.note(only().id);
    outbox.markDelivered(only(), 5);
    expect(events.told(printed, underWay)).toBe("meanwhile");
    expect(events.told(printed, deliveries.count)).toBe("yes");
    expect(events.resendResult(printed)).toBe(true);
    expect(only()).toMatchObject({ state: "pending" });
    expect(events.told(printed, deliveries.count)).toBe("meanwhile");
    expect(events.resendResult(printed)).toBe(false);
    // Another outcome is one that the site has not heard.
    events.result(printed, "failed");
    expect(events.told(printed, deliveries.count)).toBe("no");
  });

  test("a result that the site refused counts as known to the site, and only a person has it sent again", () => {
    const events = open();
    events.result(printed, "printed");
    const fault = new Fault("site.bad-answer");
    outbox.markFailed(only(), { fault, refused: true, aside: true }, 5);
    expect(events.told(printed, deliveries.count)).toBe("yes");
    expect(events.resendResult(printed)).toBe(false);
    events.resendInPlaceOf(makeJob({ id: 3, site: shop }), printed);
    expect(only()).toMatchObject({ state: "pending" });
  });
});

describe("the report of a refused order", () => {
  const refusal = { site: shop, register: till, kkm: toKkm("777"), orderId: toOrderId("A-2"), again: false };

  test("a refused order is reported with the fault's code, under the register number (kkm) that was asked for", () => {
    const job = makeJob({ id: 3, site: shop, register: till, state: "refused", receiptId: toReceiptId("r-2") });
    open().addRefusal({ ...refusal, job, fault: new Fault("receipt.no-items"), printed: null });
    expect(only().body).toMatchObject({
      kkm: "777",
      orderId: "A-2",
      resultCode: 3,
      outcome: "failed",
      receiptId: "r-2",
    });
  });

  test("an order refused because it was printed before is reported with the numbers of that receipt", () => {
    const job = makeJob({ id: 3, site: shop, register: till, state: "refused" });
    const fault = new Fault("job.already-printed", { message: "printed as FD 42" });
    open().addRefusal({ ...refusal, job, fault, printed });
    expect(only()).toMatchObject({
      job: 3,
      body: { resultCode: 4, outcome: "printed", fdNumber: "42", kkm: "0001234567012345", shiftNumber: "7" },
    });
    expect(only().body).toHaveProperty("again", false);
  });

  test("an order refused for another receipt's id is reported without that id and without a later offer", () => {
    const job = makeJob({ id: 3, site: shop, register: till, state: "refused", receiptId: toReceiptId("r-2") });
    open().addRefusal({ ...refusal, job, fault: new Fault("receipt.id-reused"), printed: null });
    expect(only().body).toMatchObject({ orderId: "A-2", resultCode: 1, outcome: "failed" });
    expect(only().body).not.toHaveProperty("receiptId");
    expect(only().body).not.toHaveProperty("again");
  });

  test("an order refused for another receipt's id and then printed by a person is reported without that id", () => {
    const events = open();
    const entry = { at: 0, actor: "daemon", what: "order refused", job: printed.id } as const;
    createJournal(database.db).add({ ...entry, details: { code: "receipt.id-reused" } });
    events.result({ ...printed, receiptId: toReceiptId("r-2") }, "printed");
    expect(only().body).toMatchObject({ outcome: "printed", fdNumber: "42" });
    expect(only().body).not.toHaveProperty("receiptId");
  });

  test.each([
    [true, { again: true }],
    [false, {}],
  ])("an order refused for now is reported as such where the site has our fields (%p)", (resultExtras, said) => {
    const job = makeJob({ id: 3, site: shop, register: till, state: "refused" });
    const fault = new Fault("job.being-printed");
    open({ site: { resultExtras } }).addRefusal({ ...refusal, job, fault, printed: null, again: true });
    const { again, ...rest } = only().body;
    expect(rest).toMatchObject({ resultCode: 4 });
    expect(again === undefined ? {} : { again }).toEqual(said);
  });

  test("a refused order is reported under its number as it came, in the queue of the number that people read", () => {
    const orderId = toOrderId("A\u200B-2");
    open().addRefusal({ ...refusal, orderId, job: null, fault: new Fault("receipt.no-items"), printed: null });
    expect(only()).toMatchObject({ lane: "order A-2", body: { orderId } });
  });

  test.each([
    ["another receipt of it is still unsure", "job.being-printed"],
    ["of a mistake of ours", "internal"],
  ] as const)("an order refused because %s is reported as unknown, since it may be on paper", (_, code) => {
    const job = makeJob({ id: 3, site: shop, register: till, state: "refused" });
    open().addRefusal({ ...refusal, job, fault: new Fault(code), printed: null });
    expect(only().body).toMatchObject({ resultCode: 4, outcome: "unknown", orderId: "A-2" });
  });

  test("an order refused for several problems names each, in Russian for a person and by code for a program", () => {
    const fault = faultOfProblems([
      problem("order.missing-value", "orderId", fieldTexts.missing),
      problem("receipt.total-mismatch", "taskTable", "just so"),
    ]);
    open().addRefusal({ ...refusal, job: null, fault, printed: null });
    expect(only().body).toMatchObject({
      resultCode: 3,
      resultInfo: expect.stringMatching(/\(orderId: отсутствует; taskTable: just so\)$/),
      errors: [
        { path: "orderId", code: "order.missing-value", message: "is missing" },
        { path: "taskTable", code: "receipt.total-mismatch", message: "just so" },
      ],
    });
  });

  test("an order refused for very many problems names ten to a person and counts the others", () => {
    const many = Array.from({ length: 13 }, (_, at) => problem("order.wrong-value", `a${at}`, "just so"));
    const [first, ...others] = many;
    if (first === undefined) throw new Error("no problem");
    open().addRefusal({ ...refusal, job: null, fault: faultOfProblems([first, ...others]), printed: null });
    const { resultInfo, errors } = only().body;
    expect(resultInfo).toMatch(/a0: just so; .*a9: just so; и ещё: 3\)$/);
    expect(errors).toHaveLength(13);
  });

  test("an order that could not be read at all is reported as an error report too", () => {
    const fault = faultOfProblems([problem("order.missing-value", "taskTable", "is missing")]);
    const body = "я".repeat(10_000);
    open().addFormatError({ ...refusal, fault, body, receivedAt: Date.UTC(2026, 10, 20) });
    const call = formatErrorCallSchema.parse(only().body);
    expect(call).toMatchObject({
      action: "error",
      orderId: "A-2",
      resultCode: 3,
      errors: [{ path: "taskTable", message: "is missing" }],
      receivedAt: "2026-11-20T00:00:00.000Z",
    });
    expect(Buffer.byteLength(call.raw)).toBeLessThanOrEqual(8192);
    expect(call.raw).toMatch(/^я+$/);
  });

  test.each([
    ["its place", "kkm", "kkm"],
    ["no place where nothing of the order could be read", undefined, ""],
  ])("an error report of one reason has that reason as its only error, with %s", (_, place, path) => {
    const fault = new Fault("register.unknown-kkm", { message: "no such register", ...(place ? { place } : {}) });
    open().addFormatError({ ...refusal, fault, body: "", receivedAt: 0 });
    expect(only().body).toMatchObject({
      errors: [{ path, code: "register.unknown-kkm", message: "no such register" }],
    });
  });
});

describe("the events of a register", () => {
  test.each([
    ["connected", "KKMConnected"],
    ["disconnected", "KKMDisconnected"],
  ] as const)("the event %s of a register is sent to the sites that have an address for it", (kind, action) => {
    open()[kind](till, null);
    expect(only()).toMatchObject({
      kind,
      lane: "register till",
      body: { action, kkm: "0001234567012345", device: "РИТЕЙЛ-01Ф", title: "Hall, left" },
    });
  });

  test("a connected register is reported under the number that it gave, before anything is on record of it", () => {
    open().connected(toRegisterId("spare"), { kkm: toKkm("42"), model: "M" });
    expect(only()).toMatchObject({ kind: "connected", body: { kkm: "42", device: "M" } });
  });

  test("a disconnected register whose number is unknown is not reported, since no site could recognise it", () => {
    open().disconnected(toRegisterId("spare"), null);
    expect(outbox.list({}, { limit: 10, offset: 0 })).toEqual([]);
  });

  test("the result of a register that the config no longer has is reported anyway", () => {
    const job = makeJob({
      id: 3,
      site: shop,
      register: toRegisterId("gone"),
      state: "printed",
      document: makeDocument({ fn: toFnSerial("9999078900000007") }),
    });
    open().result(job, "printed");
    expect(only()).toMatchObject({ kind: "result", body: { resultCode: 0, fdNumber: "7", OFDLink: "" } });
  });

  test.each([
    ["net", 70],
    ["sales", 100],
  ])("a closed shift is reported to every site of the register with the sum that is %s", (sessionSumm, sum) => {
    const closed = {
      register: till,
      job: printed,
      fn: identity.fn,
      shift: 7,
      sales: kopecks(10_000),
      returns: kopecks(3000),
    };
    const events = open({ site: { sessionSumm } });
    events.shiftClosed(closed);
    events.shiftClosed(closed);
    const told = outbox.list({}, { limit: 10, offset: 0 });
    expect(told.map(({ site }) => site).sort()).toEqual(["second", "shop"]);
    const body = told.find(({ site }) => site === "shop")?.body;
    expect(body).toMatchObject({ action: "ZReport", resultCode: 0, closedSession: "7", sessionSumm: sum });
    expect(zReportCallSchema.parse(body).sessionSumm).toBe(sum * 100);
  });

  test("a shift with more returns than sales is reported as what it is: a sum below zero", () => {
    const sums = { sales: kopecks(3005), returns: kopecks(10_000) };
    open().shiftClosed({ register: till, job: printed, fn: identity.fn, shift: 7, ...sums });
    const bodies = outbox.list({ site: shop }, { limit: 10, offset: 0 }).map(({ body }) => body);
    expect(bodies).toMatchObject([{ action: "ZReport", sessionSumm: -69.95 }]);
    expect(zReportCallSchema.parse(bodies[0]).sessionSumm).toBe(-6995);
  });

  test("a shift that could not be closed is reported only to a site that wants such reports", () => {
    const failed = {
      register: till,
      job: printed,
      shift: 7,
      fault: { code: "device.paper-out", message: "no paper" },
    } as const;
    const events = open({ site: { reportFailedClose: true } });
    events.shiftNotClosed(failed);
    expect(only()).toMatchObject({ site: "shop", body: { resultCode: 4, closedSession: "7" } });
  });

  test("the list of registers has what each register itself holds, and only the latest list waits", () => {
    const events = open();
    events.sync();
    events.tablesChanged(till);
    const call = syncCallSchema.parse(only().body);
    expect(call.data).toEqual([
      {
        name: "Hall, left",
        kkm: "0001234567012345",
        inn: "7700000000",
        fn: "9999078900000001",
        taxes: [{ id: 1, title: "НДС 22%" }],
        typeClose: [{ id: 0, title: "Наличными" }],
      },
    ]);
    expect(outbox.countUndelivered(toSiteId("second")).pending).toBe(0);
  });

  test("the list of registers says of an emulated register that it is one", () => {
    open({ register: { connection: { kind: "emulator" } } }).sync();
    expect(syncCallSchema.parse(only().body).data).toMatchObject([{ name: "Hall, left", emulated: true }]);
  });

  test.each([
    ["says that an emulated register made it", { kind: "emulator" }, {}, true],
    ["has only the protocol's fields, also for an emulated register", { kind: "emulator" }, noExtras, undefined],
    ["says nothing of emulators for a real register", { kind: "tcp", host: "x" }, {}, undefined],
  ] as const)("a result %s", (_title, connection, site, emulated) => {
    open({ register: { connection }, site }).result(printed, "printed");
    expect(resultCallSchema.parse(only().body).emulated).toBe(emulated);
  });

  test("the list of registers names a row by the rate that a sale gets, and leaves out an unlawful one", () => {
    const events = open();
    const taxes: readonly TaxRow[] = [
      { id: 1, title: "НДС 20%", vat: 1, inSale: 11 },
      { id: 2, title: "НДС 10%", vat: 2 },
      { id: 5, title: "НДС 20/120", vat: 3, inSale: 12 },
      { id: 13, title: '"НДС 20%" (18 %)', vat: null },
    ];
    const record = records.find(till);
    if (record === null) throw new Error("no record");
    records.save(
      { ...record, tables: { ...record.tables, taxes }, shift: { number: 1, state: "open", openedAt: null } },
      0,
    );
    events.sync();
    const [register] = syncCallSchema.parse(only().body).data;
    expect(register?.taxes).toEqual([
      { id: 1, title: "НДС 22%" },
      { id: 2, title: "НДС 10%" },
      { id: 5, title: "НДС 22/122" },
    ]);
    // The kit reads the rate of a row from its title.
    expect(register?.taxes.map(({ title }) => vatOfTitle(title))).toEqual([11, 2, 12]);
    expect(events.taxListsOf(shop, identity.kkm, 0)).toEqual([taxes]);
  });

  test("tax ids are read by the last list that the site took, and by a newer list that it may have", () => {
    const events = open();
    const rates = (askedAt: number) =>
      events.taxListsOf(shop, identity.kkm, askedAt).map((rows) => rows.map(({ vat }) => vat));
    const record = records.find(till);
    const change = (vat: 1 | 2) => {
      if (record === null) throw new Error("no record");
      const tables = { ...record.tables, taxes: [{ id: 1, title: "НДС", vat }] };
      records.save({ ...record, tables, shift: { number: 1, state: "open", openedAt: null } }, 0);
      events.tablesChanged(till);
      const list = outbox.latest(shop, "sync");
      if (list === null) throw new Error("no list");
      return list;
    };
    // The site has no list so far, and the register's own rows count.
    expect(rates(1)).toEqual([]);
    events.sync();
    expect(rates(1)).toEqual([[11]]);
    outbox.markDelivered(only(), 5);
    const second = change(1);
    expect(rates(6)).toEqual([[1], [11]]);
    outbox.markDelivered(second, 10);
    // The poll was sent before the second list was taken and answered after it: either may be meant.
    expect([rates(10), rates(11)]).toEqual([[[1], [11]], [[1]]]);
    const refused = { fault: new Fault("site.bad-answer"), refused: true, aside: true };
    outbox.markFailed(change(2), refused, 12);
    expect(rates(13)).toEqual([[1]]);
    expect(events.taxListsOf(shop, toKkm("0000000000000002"), 13)).toEqual([]);
    expect(events.taxListsOf(toSiteId("second"), identity.kkm, 13)).toEqual([]);
  });

  test("the list of registers counts as delivered once the latest one is and none is held, or where no site gets it", () => {
    let isHeld = false;
    const events = open({ holdsSync: () => isHeld });
    expect(events.taxListDeliveredAt(shop)).toBe(0);
    events.sync();
    expect([events.taxListDeliveredAt(shop), events.taxListDeliveredAt(toSiteId("second"))]).toEqual([null, 0]);
    outbox.markDelivered(only(), 5);
    expect(events.taxListDeliveredAt(shop)).toBe(5);
    isHeld = true;
    expect(events.taxListDeliveredAt(shop)).toBeNull();
    isHeld = false;
    events.tablesChanged(till);
    expect(events.taxListDeliveredAt(shop)).toBeNull();
  });

  test("a site that refuses the list of registers has its own rows, unless it took an earlier list", () => {
    const events = open();
    const refuse = () => {
      const latest = outbox.latest(shop, "sync");
      if (latest === null) throw new Error("no list");
      outbox.markFailed(latest, { fault: new Fault("site.refused"), refused: true, aside: true }, 6);
    };
    events.sync();
    refuse();
    expect(events.taxListDeliveredAt(shop)).toBe(0);
    events.sync();
    const second = outbox.latest(shop, "sync");
    if (second === null) throw new Error("no list");
    outbox.markDelivered(second, 7);
    events.tablesChanged(till);
    refuse();
    expect(events.taxListDeliveredAt(shop)).toBeNull();
  });
});
