/** What needs a person's decision, over a database of its own. */
import { join } from "node:path";
import { decisionsView } from "@fiscald/daemon/console/decisions-view.js";
import { readTroubles } from "@fiscald/daemon/console/warnings/find-warnings.js";
import { foreignIdentity } from "@fiscald/daemon/registers/foreign-identity.js";
import { MAY_BE_PRINTED } from "@fiscald/daemon/registers/job-recorder.js";
import type { RegisterSnapshot } from "@fiscald/daemon/registers/register-snapshot.js";
import { createAttemptStore } from "@fiscald/daemon/store/attempt-store.js";
import { openDatabase } from "@fiscald/daemon/store/database/open-database.js";
import { createCheckStore } from "@fiscald/daemon/store/document-checks.js";
import { createJobStore } from "@fiscald/daemon/store/job-store.js";
import { ASKED, createJournal, FAILED, SET_ASIDE } from "@fiscald/daemon/store/journal.js";
import { createOutboxStore } from "@fiscald/daemon/store/outbox-store.js";
import { createRawOrders } from "@fiscald/daemon/store/raw-orders.js";
import { createDocumentStore } from "@fiscald/daemon/store/unowned-documents.js";
import { unknownDocument } from "@fiscald/drivers/codec/document-tags.js";
import type { FiscalDocument } from "@fiscald/drivers/fiscal-document.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { FaultCode } from "@fiscald/shared/fault-codes.js";
import { toFnSerial, toKkm, toOrderId, toRegisterId, toSiteId } from "@fiscald/shared/ids.js";
import type { LocalTime } from "@fiscald/shared/local-time.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { createFakeClock } from "../../support/fake-clock.js";
import { makeItem, makeReceipt } from "../../support/make-job.js";
import { makeSnapshot } from "../../support/make-snapshot.js";
import { useTempFolder } from "../../support/temp-folder.js";

const folder = useTempFolder();
const noChecks = { open: () => [], notCompared: () => [] };

function makeDocument(fd: number): FiscalDocument {
  const sum = kopecks(10_000);
  return {
    ...{ fd, type: "receipt", operation: "sale", total: sum, fiscalSign: "1", shift: 1, receiptNumber: 1 },
    ...{ time: "2026-11-20T14:00:00" as LocalTime, mark: null, body: "full", contact: null },
    items: [{ name: "Чай", price: sum, quantity: 1_000_000, sum }],
  };
}

function open(snapshots: readonly RegisterSnapshot[] = []) {
  const clock = createFakeClock();
  const { db } = openDatabase({ path: join(folder(), "d.sqlite"), clock, log: silentLogger, pid: 1 });
  const [jobs, journal] = [createJobStore(db), createJournal(db)];
  const outbox = createOutboxStore({ db, journal, newId: () => "id", onAdded: () => {} });
  const checks = createCheckStore(db);
  const [attempts, documents] = [createAttemptStore(db), createDocumentStore(db)];
  const stores = { checks, jobs, attempts, documents, journal, outbox };
  const parts = { ...stores, rawOrders: createRawOrders(db), snapshots: () => snapshots };
  const siteHealth = () =>
    ["shop", "other"].map((id) => ({
      ...{ site: toSiteId(id), fault: null, since: null, lostAnswers: 0, polled: new Map() },
    }));
  return { ...stores, clock, view: () => decisionsView({ ...parts, siteHealth }, clock.now()) };
}

test("an order that waits since a lost database is shown beside its documents, until the register is accepted", () => {
  const register = toRegisterId("till");
  const { jobs, documents, journal, view } = open([makeSnapshot(null)]);
  const shared = { site: toSiteId("shop"), raw: null, polledKkm: null, key: null, forced: false, register };
  const receipt = makeReceipt({ orderId: toOrderId("A-1"), lines: [makeItem({ name: "Чай" })] });
  const { id } = jobs.insertJob({ ...shared, source: "site", state: "queued", receipt, fault: null, now: 0 });
  jobs.markUnsure(id, { code: "job.outcome-unknown", message: "" }, 0);
  const [fn, another] = [toFnSerial("9999078900000001"), toFnSerial("9999078900000002")];
  documents.keep({ fn, register, document: makeDocument(5), foundWhen: "afterLoss" }, 0);
  documents.keep(
    { fn: another, register: toRegisterId("till-2"), document: unknownDocument(7), foundWhen: "running" },
    0,
  );
  const candidates = [
    { fn, fd: 5 },
    { fn: another, fd: 7 },
  ];
  const details = { reason: "unreadable", candidates };
  journal.add({ at: 0, actor: "daemon", what: MAY_BE_PRINTED, job: id, register, details });
  expect(view().afterLoss).toEqual([
    {
      ...{ register, title: "till" },
      orders: [{ job: id, order: "A-1", operation: "sale", total: "100.00", items: ["Чай"] }],
      documents: [
        { fd: 5, at: "2026-11-20T14:00:00", operation: "sale", total: "100.00", items: ["Чай"] },
        { fd: 7, at: null, operation: null, total: null, items: [] },
      ],
    },
  ]);
  documents.accept(register);
  expect(view().afterLoss).toEqual([]);
});

test("an order without its receipt is listed as a decision for a week or until set aside, and again if it fails again", () => {
  const { jobs, journal, outbox, clock, view } = open();
  const week = 7 * 24 * 60 * 60_000;
  const site = toSiteId("shop");
  const shared = { site, raw: null, polledKkm: null, key: null, forced: false, register: toRegisterId("till") };
  const refuse = (order: string, code: FaultCode, { now = clock.now(), price = kopecks(10_000) } = {}) => {
    const receipt = makeReceipt({ orderId: toOrderId(order), lines: [makeItem({ price })] });
    const fault = { code, message: "" };
    return jobs.insertJob({ ...shared, source: "site", state: "refused", receipt, fault, now }).id;
  };
  const queue = (order: string, source: "site" | "operator" = "site") => {
    const receipt = makeReceipt({ orderId: toOrderId(order) });
    return jobs.insertJob({ ...shared, source, state: "queued", receipt, fault: null, now: clock.now() }).id;
  };
  const setAside = (job: number) => journal.add({ at: clock.now(), actor: "operator", what: SET_ASIDE, job });
  const fail = (job: number) => {
    jobs.markFailed(job, { code: "device.printer-fault", message: "" }, clock.now());
    journal.add({ at: clock.now(), actor: "daemon", what: FAILED, job });
  };
  const orders = () => {
    const { failed, declined } = view();
    const shown = [failed, declined].map((list) => list.map(({ order }) => order));
    const warned = readTroubles({ jobs, journal, outbox, checks: noChecks }, { sites: [] }, clock.now());
    expect([warned.failed, warned.refused].map((list) => list.map(({ order }) => order))).toEqual(shown);
    return shown;
  };

  refuse("a week ago", "register.unknown-kkm", { now: clock.now() - week - 1 });
  const seen = refuse("seen", "register.unknown-kkm");
  refuse("missing", "register.unknown-kkm");
  jobs.markPrinted(queue("printed"), null, clock.now());
  refuse("printed", "job.already-printed");
  jobs.markPrinted(queue("asked about"), null, clock.now());
  const asked = refuse("asked about", "job.already-printed");
  journal.add({ at: clock.now(), actor: "daemon", what: ASKED, job: asked });
  jobs.markPrinted(queue("of another sum"), null, clock.now());
  refuse("of another sum", "job.already-printed", { price: kopecks(20_000) });
  const failed = queue("failed");
  fail(failed);
  fail(queue("a report", "operator"));
  expect(orders()).toEqual([["failed"], ["of another sum", "asked about", "missing", "seen"]]);
  setAside(seen);
  setAside(failed);
  expect(orders()).toEqual([[], ["of another sum", "asked about", "missing"]]);
  expect(view().declined[2]?.reason.ru).toBe("Касса с таким регистрационным номером не настроена.");
  clock.setWallClock(clock.now() - 60_000);
  jobs.requeueByOperator(failed, { markDigits: null }, clock.now());
  fail(failed);
  expect(orders()[0]).toEqual(["failed"]);
});

test("the console shows at most as many refused results as one call can send again", () => {
  const { outbox, view } = open();
  for (let count = 0; count < 60; count += 1) {
    for (const id of ["shop", "other"]) {
      const event = { site: toSiteId(id), kind: "zreport", lane: "till", job: null, register: null } as const;
      const stored = outbox.find(outbox.add({ ...event, body: {}, latestOnly: false }, 0));
      if (stored !== null)
        outbox.markFailed(stored, { fault: new Fault("site.refused"), refused: true, aside: true }, 0);
    }
  }
  const sites = view().refused.map(({ site }) => site);
  expect(sites).toEqual(Array.from({ length: 25 }, () => ["other", "shop"]).flat());
});

test.each([
  ["that may be accepted", null, false],
  ["that the config rules out", toKkm("2"), true],
])("another device %s is listed as a decision with both numbers, in both languages", (_what, expectKkm, isFixed) => {
  const [found, expected] = [
    { kkm: "1", inn: "7700000000" },
    { kkm: "2", inn: "7700000001" },
  ];
  const snapshot = makeSnapshot({});
  const settings = { ...snapshot.settings, expectKkm };
  const fault = foreignIdentity("till", found, expected);
  const [device] = open([{ ...snapshot, settings, phase: "blocked", fault }]).view().foreign;
  expect(device).toMatchObject({ devices: { found, expected }, isFixed });
  expect(device?.reason.ru).toMatch(/^[А-Яа-яЁё\d ,.:]*1, ИНН 7700000000.*2, ИНН 7700000001/);
});

test("a register that alters receipts is listed as a decision, a sentence a difference, until mended or accepted", () => {
  const snapshot = makeSnapshot({});
  const { id: register, title } = snapshot.settings;
  const { checks, jobs, view } = open([snapshot]);
  const found = {
    ...{ register, registration: "[]", basis: "b", fn: toFnSerial("9999078900000001") },
    model: { maker: "shtrih", model: "m", firmware: "1" },
  };
  const place = { ...{ site: toSiteId("shop"), raw: null, polledKkm: null, key: null, forced: false }, register };
  const receipt = makeReceipt({});
  const job = jobs.insertJob({ ...place, source: "site", state: "queued", receipt, fault: null, now: 0 }).id;
  const find = () => {
    for (const [fd, [sent, read]] of [
      ["11", "1"],
      ["2", "6"],
    ].entries()) {
      const document = { job, fn: toFnSerial("9999078900000001"), fd: fd + 7 };
      checks.addDifference(found, { tag: 1199, sent: sent ?? "", read: read ?? "", weight: "hold" }, document, 0);
    }
  };
  find();
  const differences = [
    ["11", "1", "документ 7, ставка НДС (1199): НДС 20% вместо НДС 22%"],
    ["2", "6", "документ 8, ставка НДС (1199): Без НДС вместо НДС 10%"],
  ].map(([sent, read, words = ""]) => ({ tag: 1199, sent, read, text: { ru: expect.stringContaining(words) } }));
  expect(view().altering).toMatchObject([{ register, title, isHolding: true, differences }]);
  expect(checks.mended(register)).toBe(2);
  expect(view().altering).toEqual([]);
  find();
  checks.accept(register, null, 1);
  expect(view().altering).toMatchObject([{ differences }]);
  checks.accept(register, { tag: 1199, sent: "11", read: "1" }, 1);
  expect(view().altering).toMatchObject([{ differences: differences.slice(1) }]);
  checks.accept(register, { tag: 1199 }, 1);
  expect(view().altering).toEqual([]);
});
