/** What needs a person's decision, over a database of its own. */
import { join } from "node:path";
import { type PutAway, putAway } from "@fiscald/daemon/console/put-away.js";
import { decisionsView } from "@fiscald/daemon/console/troubles/decisions.js";
import { findTroubles } from "@fiscald/daemon/console/troubles/find-troubles.js";
import { readStored } from "@fiscald/daemon/console/troubles/gather-facts.js";
import type { TroubleKind } from "@fiscald/daemon/console/troubles/trouble.js";
import { foreignIdentity } from "@fiscald/daemon/registers/foreign-identity.js";
import { MAY_BE_PRINTED } from "@fiscald/daemon/registers/job-recorder.js";
import type { RegisterSnapshot } from "@fiscald/daemon/registers/register-snapshot.js";
import { createAttemptStore } from "@fiscald/daemon/store/attempt-store.js";
import { openDatabase } from "@fiscald/daemon/store/database/open-database.js";
import { createDayFacts } from "@fiscald/daemon/store/day-facts.js";
import { createCheckStore } from "@fiscald/daemon/store/document-checks.js";
import { createJobStore } from "@fiscald/daemon/store/job-store.js";
import { ASKED, createJournal, FAILED, NO_ORDER, PRINTED_TWICE, SET_ASIDE } from "@fiscald/daemon/store/journal.js";
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
import { z } from "zod";
import { createFakeClock } from "../../../support/fake-clock.js";
import { makeItem, makeReceipt, makeService } from "../../../support/make-job.js";
import { makeSnapshot } from "../../../support/make-snapshot.js";
import { useTempFolder } from "../../../support/temp-folder.js";
import { makePresent, soundProgram } from "../../../support/trouble-facts.js";

const folder = useTempFolder();
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
  const [checks, dayFacts] = [createCheckStore(db), createDayFacts(db)];
  const [attempts, documents] = [createAttemptStore(db), createDocumentStore(db)];
  const rawOrders = createRawOrders(db);
  const stores = { checks, jobs, attempts, documents, journal, outbox, rawOrders };
  const siteHealth = () =>
    ["shop", "other"].map((id) => ({
      ...{ site: toSiteId(id), fault: null, since: null, lostAnswers: 0, polled: new Map() },
    }));
  const sites = siteHealth().map(({ site }) => ({ id: site }));
  const troubles = () => {
    const present = makePresent({ now: clock.now(), registers: snapshots, queue: jobs.queue() });
    const stored = readStored({ jobs, journal, outbox, checks, dayFacts }, { sites, registers: [] }, clock.now());
    const found = findTroubles({ present, stored, program: soundProgram, jobs });
    return found.map((trouble) => ({ ...trouble, since: trouble.since ?? clock.now() }));
  };
  const view = () => decisionsView({ ...stores, snapshots: () => snapshots, troubles, clock });
  const put = (what: Partial<PutAway>) =>
    putAway({ ...stores, siteHealth, clock }, { events: [], answers: [], doubles: [], reason: "seen", ...what });
  const ofKind = (kind: TroubleKind) => view().decisions.filter(({ trouble }) => trouble.kind === kind);
  return { ...stores, clock, view, ofKind, put };
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
  const { jobs, journal, clock, ofKind } = open();
  const week = 7 * 24 * 60 * 60_000;
  const site = toSiteId("shop");
  const shared = { site, raw: null, polledKkm: null, key: null, forced: false, register: toRegisterId("till") };
  const refuse = (order: string, code: FaultCode, { now = clock.now(), price = kopecks(10_000) } = {}) => {
    const receipt = makeReceipt({ orderId: toOrderId(order), lines: [makeItem({ price })] });
    const fault = { code, message: "" };
    return jobs.insertJob({ ...shared, source: "site", state: "refused", receipt, fault, now }).id;
  };
  const queue = (order: string, source: "site" | "operator" = "site") => {
    const receipt = source === "site" ? makeReceipt({ orderId: toOrderId(order) }) : makeService([]);
    return jobs.insertJob({ ...shared, source, state: "queued", receipt, fault: null, now: clock.now() }).id;
  };
  const setAside = (job: number) => journal.add({ at: clock.now(), actor: "operator", what: SET_ASIDE, job });
  const fail = (job: number) => {
    jobs.markFailed(job, { code: "device.printer-fault", message: "" }, clock.now());
    journal.add({ at: clock.now(), actor: "daemon", what: FAILED, job });
  };
  const orders = () =>
    (["failed", "refused", "wrong-kkm"] as const).map((kind) =>
      ofKind(kind).flatMap(({ entries }) => entries.map(({ name }) => name.ru)),
    );

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
  fail(queue("printed by another job"));
  jobs.markPrinted(queue("printed by another job"), null, clock.now());
  expect(orders()).toEqual([["failed"], ["of another sum", "asked about", "missing", "seen"], []]);
  setAside(seen);
  setAside(failed);
  expect(orders()).toEqual([[], ["of another sum", "asked about", "missing"], []]);
  expect(ofKind("refused")[1]?.trouble.text.ru).toBe(
    "Заказ missing отклонён. Касса с таким регистрационным номером не настроена.",
  );
  clock.setWallClock(clock.now() - 60_000);
  jobs.requeueByOperator(failed, { markDigits: null }, clock.now());
  fail(failed);
  expect(orders()[0]).toEqual(["failed"]);
});

test("a failed order has a button to print it again, but not one that the register would refuse again", () => {
  const { jobs, clock, ofKind } = open();
  const shared = { site: toSiteId("shop"), raw: null, polledKkm: null, key: null, forced: false };
  const failWith = (order: string, code: FaultCode) => {
    const receipt = makeReceipt({ orderId: toOrderId(order) });
    const place = { ...shared, source: "site", state: "queued", register: toRegisterId("till") } as const;
    const { id } = jobs.insertJob({ ...place, receipt, fault: null, now: clock.now() });
    jobs.markFailed(id, { code, message: "" }, clock.now());
  };
  failWith("A-1", "device.printer-fault");
  failWith("A-2", "device.zero-total");
  const paths = ofKind("failed").map(({ entries, steps }) => [entries[0]?.name.ru, ...steps.map(({ path }) => path)]);
  expect(paths.toSorted()).toEqual([
    ["A-1", "/api/retry", "/api/set-aside"],
    ["A-2", "/api/set-aside"],
  ]);
});

test("refused messages are shown up to the number that one call takes, and are gone once put away", () => {
  const { outbox, ofKind, put } = open();
  const refuse = () => {
    const event = { site: toSiteId("shop"), kind: "zreport", lane: "till", job: null, register: null } as const;
    const stored = outbox.find(outbox.add({ ...event, body: {}, latestOnly: false }, 0));
    if (stored === null) throw new Error("it is stored");
    outbox.markFailed(stored, { fault: new Fault("site.refused", { message: "no" }), refused: true, aside: true }, 0);
  };
  for (let count = 0; count < 60; count += 1) refuse();
  const [decision] = ofKind("event-refused");
  expect(decision?.trouble.text.ru).toBe("Сайт не принимает 60 сообщений о чеках и кассах.");
  expect(decision?.entries).toHaveLength(50);
  expect(decision?.entries[0]).toMatchObject({ name: { ru: "Z-отчёт" }, text: { ru: "site.refused: no" } });
  expect(decision?.steps.map(({ path }) => path)).toEqual(["/api/resend", "/api/put-away"]);
  expect(put(z.object({ events: z.array(z.number()) }).parse(decision?.steps[1]?.body))).toBe(50);
  expect(ofKind("event-refused")[0]?.trouble.count).toBe(10);
  expect(put({ events: outbox.refused(toSiteId("shop")).map(({ id }) => id) })).toBe(10);
  expect(ofKind("event-refused")).toEqual([]);
});

test("a message that the site may still take is not put away", () => {
  const { outbox, put } = open();
  const event = { site: toSiteId("shop"), kind: "zreport", lane: "till", job: null, register: null } as const;
  const id = outbox.add({ ...event, body: {}, latestOnly: false }, 0);
  expect([put({ events: [id] }), outbox.find(id)?.state]).toEqual([0, "pending"]);
  const left = outbox.add({ ...event, site: toSiteId("removed"), body: {}, latestOnly: false }, 0);
  expect([put({ events: [left] }), outbox.find(left)]).toEqual([1, null]);
});

test("an answer that could not be read is shown with its text until put away, and a web page is the site's trouble", () => {
  const { jobs, journal, clock, ofKind, put } = open();
  const site = toSiteId("shop");
  const answer = (body: string, what: "order unreadable" | typeof NO_ORDER, order: string | null) => {
    const raw = jobs.insertRaw({ site, polledKkm: toKkm("1"), receivedAt: clock.now(), hash: body, body });
    const details = { order, code: "order.unreadable", reason: "no JSON" };
    journal.add({ at: clock.now(), actor: "daemon", what, site, raw, details });
    return raw;
  };
  const first = answer('{"orderId":"A-1",', "order unreadable", "A-1");
  answer("broken", "order unreadable", null);
  for (let count = 0; count < 200; count += 1) answer(`<html>${count}`, NO_ORDER, null);
  const texts = () => ofKind("unreadable").map(({ trouble }) => trouble.text.ru);
  expect(texts()).toEqual(["2 заказа не удалось прочитать: A-1 и ещё 1. Заказ не читается."]);
  expect(
    ofKind("unreadable")
      .flatMap(({ entries }) => entries.map(({ body }) => body))
      .toSorted(),
  ).toEqual(["broken", '{"orderId":"A-1",']);
  expect(put({ answers: [first] })).toBe(1);
  expect(texts()).toEqual(["Сайт прислал заказ, который не удалось прочитать. Заказ не читается."]);
});

test("unreadable orders are put away only as far as they were shown", () => {
  const { jobs, journal, clock, ofKind, put } = open();
  const [site, at] = [toSiteId("shop"), clock.now()];
  for (let count = 0; count < 60; count += 1) {
    const raw = jobs.insertRaw({ site, polledKkm: toKkm("1"), receivedAt: at, hash: `${count}`, body: "broken" });
    const details = { order: `A-${count}`, code: "order.unreadable", reason: "no" };
    journal.add({ at, actor: "daemon", what: "order unreadable", site, raw, details });
  }
  const [decision] = ofKind("unreadable");
  expect(decision?.entries).toHaveLength(50);
  expect(put(z.object({ answers: z.array(z.number()) }).parse(decision?.steps[0]?.body))).toBe(50);
  expect(ofKind("unreadable")[0]?.trouble.count).toBe(10);
});

test("a doubled receipt is a decision until a person says that it was seen to, and again for the next one", () => {
  const { jobs, journal, clock, ofKind, put } = open();
  const shared = { site: toSiteId("shop"), raw: null, polledKkm: null, key: null, forced: false };
  const place = { ...shared, source: "site", state: "queued", register: toRegisterId("till") } as const;
  const { id } = jobs.insertJob({ ...place, receipt: makeReceipt({}), fault: null, now: clock.now() });
  const double = () => journal.add({ at: clock.now(), actor: "daemon", what: PRINTED_TWICE, job: id });
  double();
  expect(ofKind("printed-twice")).toMatchObject([{ trouble: { text: { ru: "Заказ A-1 напечатан дважды." } } }]);
  put({ doubles: [id] });
  expect(ofKind("printed-twice")).toEqual([]);
  double();
  expect(ofKind("printed-twice")).toHaveLength(1);
});

test("a doubled receipt stays a decision when a refused message about its order is put away", () => {
  const { jobs, journal, outbox, clock, ofKind, put } = open();
  const [site, register] = [toSiteId("shop"), toRegisterId("till")];
  const place = { site, raw: null, polledKkm: null, key: null, forced: false, source: "site", register } as const;
  const receipt = makeReceipt({});
  const { id: job } = jobs.insertJob({ ...place, state: "queued", receipt, fault: null, now: clock.now() });
  journal.add({ at: clock.now(), actor: "daemon", what: PRINTED_TWICE, job });
  const result = { site, kind: "result", lane: "till", job, register, body: {}, latestOnly: false } as const;
  const event = outbox.find(outbox.add(result, 0));
  if (event === null) throw new Error("it is stored");
  outbox.markFailed(event, { fault: new Fault("site.refused", { message: "no" }), refused: true, aside: true }, 0);
  expect(put({ events: [event.id] })).toBe(1);
  expect(ofKind("printed-twice")).toHaveLength(1);
});

test("an unreadable answer with a fault code of another version can be put away", () => {
  const { jobs, journal, clock, ofKind, put } = open();
  const [site, at] = [toSiteId("shop"), clock.now()];
  const raw = jobs.insertRaw({ site, polledKkm: toKkm("1"), receivedAt: at, hash: "h", body: "broken" });
  const details = { order: "A-1", code: "order.of-yore", reason: "no" };
  journal.add({ at, actor: "daemon", what: "order unreadable", site, raw, details });
  const [decision] = ofKind("unreadable");
  put(z.object({ answers: z.array(z.number()) }).parse(decision?.steps[0]?.body));
  expect(ofKind("unreadable")).toEqual([]);
});

test("an unreadable order is listed although another site has sent the same one every ten minutes for a day since", () => {
  const { jobs, journal, clock, ofKind } = open();
  const keep = (site: string, order: string, at: number) => {
    const raw = jobs.insertRaw({ site: toSiteId(site), polledKkm: toKkm("1"), receivedAt: at, hash: "h", body: "" });
    const details = { order, code: "order.unreadable", reason: "no" };
    journal.add({ at, actor: "daemon", what: "order unreadable", site: toSiteId(site), raw, details });
  };
  const [now, tenMinutes] = [clock.now(), 600_000];
  for (let tries = 0; tries < 144; tries += 1) keep("other", "B-1", now - tries * tenMinutes);
  keep("shop", "A-1", now - 145 * tenMinutes);
  expect(ofKind("unreadable").map(({ trouble }) => [trouble.about.site, trouble.count])).toEqual([
    ["other", 1],
    ["shop", 1],
  ]);
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
  const [device] = open([{ ...snapshot, settings, phase: "blocked", fault }]).ofKind("register-blocked");
  expect(device?.steps.map(({ path }) => path)).toEqual(isFixed ? [] : ["/api/registers/till/accept-identity"]);
  expect(device?.entries[0]?.text.ru).toMatch(/^[А-Яа-яЁё\d ,.:]*1, ИНН 7700000000.*2, ИНН 7700000001/);
});

test("a register that alters receipts is listed as a decision, a sentence a difference, until mended or accepted", () => {
  const snapshot = makeSnapshot({});
  const { id: register } = snapshot.settings;
  const { checks, jobs, ofKind } = open([snapshot]);
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
  const first = /документ 7, ставка НДС \(1199\): НДС 20% вместо НДС 22%\. Чеки с этим значением/;
  const second = /документ 8, ставка НДС \(1199\): Без НДС вместо НДС 10%\. Чеки с этим значением/;
  const texts = () => ofKind("receipt-altered").map(({ trouble }) => trouble.text.ru);
  expect(texts()).toEqual([expect.stringMatching(first), expect.stringMatching(second)]);
  const bodies = ofKind("receipt-altered").map(({ steps }) => steps.map(({ path, body }) => [path, body]));
  expect(bodies[0]).toEqual([
    ["/api/registers/till/accept-differences", { tag: 1199, sent: "11", read: "1" }],
    ["/api/registers/till/differences-mended", {}],
  ]);
  expect(checks.mended(register)).toBe(2);
  expect(texts()).toEqual([]);
  find();
  checks.accept(register, null, 1);
  expect(texts()).toHaveLength(2);
  checks.accept(register, { tag: 1199, sent: "11", read: "1" }, 1);
  expect(texts()).toEqual([expect.stringMatching(second)]);
  checks.accept(register, { tag: 1199 }, 1);
  expect(texts()).toEqual([]);
});
