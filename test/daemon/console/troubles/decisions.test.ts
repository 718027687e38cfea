import { type PutAway, putAway } from "@fiscald/daemon/console/put-away.js";
import { decisionsView } from "@fiscald/daemon/console/troubles/decisions.js";
import { findTroubles } from "@fiscald/daemon/console/troubles/find-troubles.js";
import { readStored } from "@fiscald/daemon/console/troubles/gather-facts.js";
import type { TroubleKind } from "@fiscald/daemon/console/troubles/trouble.js";
import type { JournalWord } from "@fiscald/daemon/messages/messages.js";
import { foreignIdentity } from "@fiscald/daemon/registers/foreign-identity.js";
import { MAY_BE_PRINTED } from "@fiscald/daemon/registers/job-recorder.js";
import type { RegisterSnapshot } from "@fiscald/daemon/registers/register-snapshot.js";
import { ASKED, FAILED, NO_ORDER, PRINTED_TWICE, SET_ASIDE } from "@fiscald/daemon/store/journal.js";
import type { NewEvent } from "@fiscald/daemon/store/outbox-store.js";
import { unknownDocument } from "@fiscald/drivers/codec/document-tags.js";
import type { FiscalDocument } from "@fiscald/drivers/fiscal-document.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { FaultCode } from "@fiscald/shared/fault-codes.js";
import { toFnSerial, toKkm, toOrderId, toRegisterId, toSiteId } from "@fiscald/shared/ids.js";
import type { LocalTime } from "@fiscald/shared/local-time.js";
import { z } from "zod";
import { given } from "../../../support/given.js";
import { makeItem, makeReceipt, makeService, newJob } from "../../../support/make-job.js";
import { makeSnapshot } from "../../../support/make-snapshot.js";
import { makePresent, soundProgram } from "../../../support/trouble-facts.js";
import { useStores } from "../../../support/use-stores.js";

const { open: openStores } = useStores();
const UNREAD: JournalWord = "order unreadable";
const refused = { fault: new Fault("site.refused", { message: "no" }), refused: true, aside: true };
const zReport: NewEvent = {
  ...{ site: toSiteId("shop"), kind: "zreport", lane: "till", job: null, register: null, body: {}, latestOnly: false },
};

function makeDocument(fd: number): FiscalDocument {
  const sum = kopecks(10_000);
  return {
    ...{ fd, type: "receipt", operation: "sale", total: sum, fiscalSign: "1", shift: 1, receiptNumber: 1 },
    ...{ time: "2026-11-20T14:00:00" as LocalTime, mark: null, body: "full", contact: null },
    items: [{ name: "Чай", price: sum, quantity: 1_000_000, sum }],
  };
}

function open(snapshots: readonly RegisterSnapshot[] = []) {
  const { clock, ...stores } = openStores();
  const { jobs, journal, outbox, checks, dayFacts } = stores;
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
  const keepUnread = (
    body: string,
    more: object = {},
    { site = toSiteId("shop"), at = clock.now(), what = UNREAD } = {},
  ) => {
    const raw = jobs.insertRaw({ site, polledKkm: toKkm("1"), receivedAt: at, hash: body, body });
    const details = { order: null, code: "order.unreadable", reason: "no JSON", ...more };
    journal.add({ at, actor: "daemon", what, site, raw, details });
    return raw;
  };
  const ofKind = (kind: TroubleKind) => view().decisions.filter(({ trouble }) => trouble.kind === kind);
  return { ...stores, clock, view, ofKind, put, keepUnread };
}

test("an order that waits since a lost database is shown beside possible receipts until a person accepts the documents", () => {
  const register = toRegisterId("till");
  const { jobs, documents, journal, view } = open([makeSnapshot(null)]);
  const { id } = jobs.insertJob(newJob());
  jobs.markUnsure(id, { code: "job.outcome-unknown", message: "" }, 0);
  const [fn, another] = [toFnSerial("9999078900000001"), toFnSerial("9999078900000002")];
  documents.keep({ fn, register, document: makeDocument(5), foundWhen: "afterLoss" }, 0);
  const elsewhere = { fn: another, register: toRegisterId("till-2"), foundWhen: "running" } as const;
  documents.keep({ ...elsewhere, document: unknownDocument(7) }, 0);
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

test("a failed order is listed as a decision for a week or until it is set aside, and again after another failure", () => {
  const { jobs, journal, clock, ofKind } = open();
  const week = 7 * 24 * 60 * 60_000;
  const refuse = (order: string, code: FaultCode, { now = clock.now(), price = kopecks(10_000) } = {}) => {
    const receipt = makeReceipt({ orderId: toOrderId(order), lines: [makeItem({ price })] });
    const fault = { code, message: "" };
    return jobs.insertJob(newJob({ state: "refused", receipt, fault, now })).id;
  };
  const queue = (order: string, source: "site" | "operator" = "site") => {
    const receipt = source === "site" ? makeReceipt({ orderId: toOrderId(order) }) : makeService([]);
    return jobs.insertJob(newJob({ source, receipt, now: clock.now() })).id;
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

test("a failed order has a button that prints it again, unless the register would refuse the order again", () => {
  const { jobs, clock, ofKind } = open();
  const failWith = (order: string, code: FaultCode) => {
    const { id } = jobs.insertJob(newJob({ receipt: makeReceipt({ orderId: toOrderId(order) }), now: clock.now() }));
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

test("the questions of the page of decisions name order and sum, and say what the second document of a correction is", () => {
  const { jobs, clock, ofKind } = open();
  const hold = (order: string, code: FaultCode, price: number) => {
    const receipt = makeReceipt({ orderId: toOrderId(order), lines: [makeItem({ price: kopecks(price) })] });
    jobs.insertJob(newJob({ state: "held", receipt, fault: { code, message: "" }, now: clock.now() }));
  };
  hold("B-1", "job.held-large", 6_000_000);
  const asked = () => ofKind("held").map(({ steps }) => steps.map(({ question }) => question.ru));
  expect(asked()).toEqual([
    [
      "Сегодняшним днём будет напечатан обычный чек: B-1 на 60\u00A0000,00\u00A0₽. Продолжить?",
      "Печататься не будет, сайт об этом узнает: B-1 на 60\u00A0000,00\u00A0₽. Продолжить?",
    ],
  ]);
  expect(ofKind("held")[0]).toMatchObject({ offers: [], steps: [{ path: "/api/print", body: { jobs: [1] } }, {}] });
  hold("B-2", "job.held-large", 6_000_000);
  // A person ticks single orders when there are several.
  expect(ofKind("held")).toMatchObject([{ offers: ["print", "set-aside"], steps: [] }]);
  hold("B-3", "job.held-second", 10_000);
  expect(asked().find((questions) => questions.length > 0)).toEqual([
    expect.stringContaining("второй документ исправления: B-3 на 100,00"),
    expect.stringContaining("у покупателя не останется верного чека"),
  ]);
});

test("the list of refused messages has at most as many messages as one call can remove, and no removed message", () => {
  const { outbox, ofKind, put } = open();
  for (let count = 0; count < 60; count += 1) outbox.markFailed(given(outbox.find(outbox.add(zReport, 0))), refused, 0);
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

test("a message that the site may still accept cannot be removed from the list of decisions", () => {
  const { outbox, put } = open();
  const id = outbox.add(zReport, 0);
  expect([put({ events: [id] }), outbox.find(id)?.state]).toEqual([0, "pending"]);
  const left = outbox.add({ ...zReport, site: toSiteId("removed") }, 0);
  expect([put({ events: [left] }), outbox.find(left)]).toEqual([1, null]);
});

test("an unreadable answer is listed with its text until a person removes it, and a web page is a trouble of the site", () => {
  const { ofKind, put, keepUnread } = open();
  const first = keepUnread('{"orderId":"A-1",', { order: "A-1" });
  keepUnread("broken", { ru: "нужен список" });
  for (let count = 0; count < 200; count += 1) keepUnread(`<html>${count}`, {}, { what: NO_ORDER });
  const texts = () => ofKind("unreadable").map(({ trouble }) => trouble.text.ru);
  expect(texts()).toEqual(["2 заказа не удалось прочитать: A-1 и ещё 1. Заказ не читается."]);
  expect(
    ofKind("unreadable")
      .flatMap(({ entries }) => entries.map(({ body, text }) => `${body} ${text.ru}`))
      .toSorted(),
  ).toEqual(["broken нужен список", '{"orderId":"A-1", no JSON']);
  expect(put({ answers: [first] })).toBe(1);
  expect(texts()).toEqual(["Сайт прислал заказ, который не удалось прочитать. Заказ не читается."]);
});

test("an unreadable order without a number that comes again is one order, and is removed as one until it comes again", () => {
  const { clock, ofKind, put, keepUnread } = open();
  const first = clock.now() - 3_600_000;
  for (let tries = 0; tries < 6; tries += 1) keepUnread("broken", {}, { at: first + tries * 600_000 });
  const [decision] = ofKind("unreadable");
  expect(decision?.trouble.since).toBe(new Date(first).toISOString());
  expect(decision?.trouble.text.ru).toBe("Сайт прислал заказ, который не удалось прочитать. Заказ не читается.");
  expect(decision?.entries).toHaveLength(1);
  expect(put(z.object({ answers: z.array(z.number()) }).parse(decision?.steps[0]?.body))).toBe(1);
  expect(ofKind("unreadable")).toEqual([]);
  keepUnread("broken");
  expect(ofKind("unreadable")[0]?.trouble.count).toBe(1);
});

test("only unreadable orders that were shown to the person are removed from the list of decisions", () => {
  const { ofKind, put, keepUnread } = open();
  for (let count = 0; count < 60; count += 1) keepUnread("broken", { order: `A-${count}` });
  const [decision] = ofKind("unreadable");
  expect(decision?.entries).toHaveLength(50);
  expect(put(z.object({ answers: z.array(z.number()) }).parse(decision?.steps[0]?.body))).toBe(50);
  expect(ofKind("unreadable")[0]?.trouble.count).toBe(10);
});

test("a doubled receipt is listed with its site as a decision until a person has settled it, and a later one is listed again", () => {
  const { jobs, journal, clock, ofKind, put } = open();
  const { id } = jobs.insertJob(newJob({ now: clock.now() }));
  const double = () => journal.add({ at: clock.now(), actor: "daemon", what: PRINTED_TWICE, job: id });
  double();
  expect(ofKind("printed-twice")).toMatchObject([{ trouble: { text: { ru: "Заказ A-1 (shop) напечатан дважды." } } }]);
  put({ doubles: [id] });
  expect(ofKind("printed-twice")).toEqual([]);
  double();
  expect(ofKind("printed-twice")).toHaveLength(1);
});

test("a doubled receipt stays a decision when a refused message about the same order is removed from the list", () => {
  const { jobs, journal, outbox, clock, ofKind, put } = open();
  const { id: job } = jobs.insertJob(newJob({ now: clock.now() }));
  journal.add({ at: clock.now(), actor: "daemon", what: PRINTED_TWICE, job });
  const event = given(outbox.find(outbox.add({ ...zReport, kind: "result", job }, 0)));
  outbox.markFailed(event, refused, 0);
  expect(put({ events: [event.id] })).toBe(1);
  expect(ofKind("printed-twice")).toHaveLength(1);
});

test("an unreadable answer with a fault code of another version can be removed from the list of decisions", () => {
  const { ofKind, put, keepUnread } = open();
  keepUnread("broken", { order: "A-1", code: "order.of-yore" });
  const [decision] = ofKind("unreadable");
  put(z.object({ answers: z.array(z.number()) }).parse(decision?.steps[0]?.body));
  expect(ofKind("unreadable")).toEqual([]);
});

test("an unreadable order stays listed when another site sends the same order every ten minutes for a day", () => {
  const { clock, ofKind, keepUnread } = open();
  const [now, tenMinutes, site] = [clock.now(), 600_000, toSiteId("other")];
  for (let tries = 0; tries < 144; tries += 1) keepUnread("", { order: "B-1" }, { site, at: now - tries * tenMinutes });
  keepUnread("", { order: "A-1" }, { at: now - 145 * tenMinutes });
  expect(ofKind("unreadable").map(({ trouble }) => [trouble.about.site, trouble.count])).toEqual([
    ["other", 1],
    ["shop", 1],
  ]);
});

test.each([
  ["that may be accepted", null, false],
  ["that the config rules out", toKkm("2"), true],
])(
  "a connected device with another number %s is listed as a decision with both numbers, in both languages",
  (_what, expectKkm, isFixed) => {
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
  },
);

test("a register that alters receipts is a decision with a sentence for each difference, until it is mended or accepted", () => {
  const snapshot = makeSnapshot({});
  const { id: register } = snapshot.settings;
  const { checks, jobs, ofKind } = open([snapshot]);
  const found = {
    ...{ register, registration: "[]", basis: "b", fn: toFnSerial("9999078900000001") },
    model: { maker: "shtrih", model: "m", firmware: "1" },
  };
  const job = jobs.insertJob(newJob()).id;
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
