import type { JournalWord } from "@fiscald/daemon/messages/messages.js";
import type { OrderRefusal } from "@fiscald/daemon/sites/site-events.js";
import { ODD_ORDER, REPAIR } from "@fiscald/daemon/store/journal.js";
import { formatErrorCallSchema, resultCallSchema } from "@fiscald/shared/exchange/calls.js";
import { fieldTexts } from "@fiscald/shared/exchange/field-texts.js";
import { faultOfProblems, problem } from "@fiscald/shared/exchange/order-problem.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { FaultCode } from "@fiscald/shared/fault-codes.js";
import { toFnSerial, toInn, toKkm, toOrderId, toReceiptId, toRegisterId, toSiteId } from "@fiscald/shared/ids.js";
import { given } from "../../support/given.js";
import { makeDocument, makeJob, makeReceipt } from "../../support/make-job.js";

import {
  identity,
  noExtras,
  printed,
  refused,
  type Setup,
  shift,
  shop,
  till,
  useSiteEvents,
} from "./site-events-world.js";

const world = useSiteEvents();
const { open, record, stored, only } = world;

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

  test("the result of a correction says so in its operation and in the form of its document", () => {
    const correction = { type: "self", date: "2026-07-14" } as const;
    open().result(makeJob({ ...printed, receipt: makeReceipt({ operation: "return", correction }) }), "printed");
    expect(only().body).toMatchObject({ operation: "sell_refund_correction", documentType: 31 });
  });

  test.each([
    ["wrong", "sell_correction"],
    ["test", "sell"],
  ])(
    "the result of an ordinary receipt that a person prints in the repair case '%s' has the operation %s",
    (what, operation) => {
      const events = open();
      const details = { case: what, of: 1, jobs: [2, 3], reason: "x" };
      world.stores.journal.add({ at: 0, actor: "operator", what: REPAIR, job: 3, details });
      events.result({ ...printed, id: 3, source: "operator" }, "printed");
      expect(only().body).toMatchObject({ by: "operator", operation });
      expect(only().body).not.toHaveProperty("documentType");
    },
  );

  test("a result names the register that has the document's drive, not the register that has the job", () => {
    const spare = toRegisterId("spare");
    const numbers = { kkm: toKkm("0000000000000002"), inn: toInn("7700000002"), fn: toFnSerial("9999078900000002") };
    const events = open({ link: { template: "https://spare.example/{kkm}" } });
    record({ id: spare, identity: { ...identity, ...numbers } });
    events.result({ ...printed, document: makeDocument({ fn: numbers.fn }) }, "printed");
    const link = Buffer.from("https://spare.example/0000000000000002").toString("base64");
    expect(only().body).toMatchObject({ ...numbers, OFDLink: link });
  });

  test.each([
    ["on the drive of a device that was exchanged later names that device", identity.fn, identity.kkm],
    ["on an unknown drive names the present device", "9999078900000007", "0000000000000003"],
  ])("the result of a document that was printed %s", (_, fn, kkm) => {
    const events = open();
    const before = given(world.stores.registers.find(till));
    world.stores.registers.forget(till);
    const another = { ...identity, kkm: toKkm("0000000000000003"), fn: toFnSerial("9999078900000003") };
    world.stores.registers.save({ ...before, identity: another, shift }, 0);
    events.result({ ...printed, document: makeDocument({ fn: toFnSerial(fn) }) }, "printed");
    expect(only().body).toMatchObject({ kkm, fn });
  });

  test("a result has only the protocol's fields and orderId when the site accepts no others", () => {
    open({ site: { resultExtras: false, resultAction: "confirm" } }).result(printed, "printed");
    const fields = ["action", "kkm", "inn", "fn", "resultCode", "resultInfo", "shiftNumber", "OFDLink", "orderId"];
    expect(Object.keys(only().body).sort()).toEqual(fields.sort());
    expect(only().body.action).toBe("confirm");
  });

  test.each([
    ["failed", "device.not-enough-cash", 4],
    ["failed", "device.tax-unknown", 1],
    ["unknown", "job.outcome-unknown", 4],
  ] as const)("a result that is %s with %s has the fault's code and text, and no link", (outcome, code, resultCode) => {
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

  test("a result has the order's warnings, and the document's differences if they are found before the site takes the result", () => {
    const events = open();
    const note = (what: JournalWord, ru: string) =>
      world.stores.journal.add({
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
    events.warningsChanged(printed);
    expect(told()).toEqual([[warning("контакт не читается"), warning("22 вместо 20")], 0]);
    world.outbox.markDelivered(only(), 1);
    note("document differs", "чек изменён");
    events.warningsChanged(printed);
    expect(told()).toEqual([[warning("контакт не читается"), warning("22 вместо 20")], 0]);
    expect(only().state).toBe("delivered");
  });

  test("the result of a failed job names the position that the register refused", () => {
    const fault = { code: "device.marking-unparsed", message: "ITEM was refused" } as const;
    open().result({ ...printed, state: "failed", document: null, fault }, "failed", "items[1]");
    expect(only().body).toMatchObject({ errors: [{ path: "items[1]", code: "device.marking-unparsed" }] });
  });

  test("a job that no site ordered has no result to report", () => {
    open().result({ ...printed, site: null }, "printed");
    expect(stored()).toEqual([]);
  });

  test("a result for a site that is no longer configured waits until the site is configured under another id", () => {
    const events = open();
    const left = toSiteId("left");
    events.result({ ...printed, site: left }, "printed");
    expect(only()).toMatchObject({
      site: left,
      state: "pending",
      lane: "order A-1",
      body: { action: "orderConfirm", outcome: "printed", receiptId: "r-1", fdNumber: "42" },
    });
    expect(world.outbox.waitingResults()).toEqual(new Map([[left, 1]]));
  });

  test("a result counts as known to polls that were sent after its delivery, and as unknown while it waits to be sent again", () => {
    const events = open();
    events.result(printed, "printed");
    expect(events.told(printed, world.deliveries.count)).toBe("no");
    const underWay = world.deliveries.count;
    world.deliveries.note(only().id);
    world.outbox.markDelivered(only(), 5);
    expect(events.told(printed, underWay)).toBe("meanwhile");
    expect(events.told(printed, world.deliveries.count)).toBe("yes");
    expect(events.resendResult(printed)).toBe(true);
    expect(only()).toMatchObject({ state: "pending" });
    expect(events.told(printed, world.deliveries.count)).toBe("meanwhile");
    expect(events.resendResult(printed)).toBe(false);
    // The site has not heard another outcome.
    events.result(printed, "failed");
    expect(events.told(printed, world.deliveries.count)).toBe("no");
  });

  test("a result that is sent again is the stored one with the present warnings, whatever the config has now", () => {
    const register = { connection: { kind: "emulator" } };
    const before = open({ register });
    before.result(printed, "printed");
    const { body } = only();
    expect(body).toMatchObject({ emulated: true, OFDLink: expect.stringMatching(/./) });
    world.outbox.markDelivered(only(), 5);
    // The config no longer has the register.
    const after = world.withRegisters([]);
    expect(after.resendResult(printed)).toBe(true);
    expect(only().body).toEqual(body);
    const details = { warnings: [{ path: "", text: { en: "?", ru: "чек изменён" } }] };
    world.stores.journal.add({ at: 0, actor: "daemon", what: ODD_ORDER, job: 1, details });
    after.warningsChanged(printed);
    expect(only().body).toEqual({ ...body, warnings: [{ path: "", message: "чек изменён" }] });
  });

  test("a result without extras gets no warnings when it is sent again", () => {
    const events = open({ site: { resultExtras: false } });
    events.result(printed, "printed");
    const { body } = only();
    world.outbox.markDelivered(only(), 5);
    const details = { warnings: [{ path: "", text: { en: "?", ru: "чек изменён" } }] };
    world.stores.journal.add({ at: 0, actor: "daemon", what: ODD_ORDER, job: 1, details });
    events.resendResult(printed);
    expect(only().body).toEqual(body);
  });

  test("a result that the site refused counts as known to the site, and is sent again only by a person", () => {
    const events = open();
    events.result(printed, "printed");
    world.outbox.markFailed(only(), refused, 5);
    expect(events.told(printed, world.deliveries.count)).toBe("yes");
    expect(events.resendResult(printed)).toBe(false);
    events.resendInPlaceOf(makeJob({ id: 3, site: shop }), printed);
    expect(only()).toMatchObject({ state: "pending" });
  });
});

interface Refused {
  readonly what: string;
  readonly code: FaultCode;
  readonly body: object;
  readonly without?: readonly string[];
  readonly over?: Partial<OrderRefusal>;
  readonly setup?: Setup;
}

describe("the report of a refused order", () => {
  const refusal = { site: shop, register: till, kkm: toKkm("777"), orderId: toOrderId("A-2"), again: false };

  const asked = makeJob({ id: 3, site: shop, register: till, state: "refused", receiptId: toReceiptId("r-2") });
  const unknown = { resultCode: 4, outcome: "unknown", orderId: "A-2" };
  const numbers = { fdNumber: "42", kkm: "0001234567012345", shiftNumber: "7" };
  const later = { again: true };
  const refusals: readonly Refused[] = [
    {
      what: "is reported with the fault's code, under the register number (kkm) that was asked for",
      code: "receipt.no-items",
      body: { kkm: "777", orderId: "A-2", resultCode: 3, outcome: "failed", receiptId: "r-2" },
    },
    {
      what: "because it was printed before is reported with the numbers of that receipt",
      ...{ code: "job.already-printed", over: { printed } },
      body: { resultCode: 4, outcome: "printed", again: false, ...numbers },
    },
    {
      what: "for another receipt's id is reported without that id and without a later offer",
      ...{ code: "receipt.id-reused", without: ["receiptId", "again"] },
      body: { orderId: "A-2", resultCode: 1, outcome: "failed" },
    },
    {
      what: "for now is reported with `again` to a site that takes our fields",
      ...{ code: "job.being-printed", over: later, body: { resultCode: 4, ...later } },
    },
    {
      what: "for now is reported without `again` to a site that takes no fields of ours",
      ...{
        code: "job.being-printed",
        over: later,
        body: { resultCode: 4 },
        without: ["again"],
        setup: { site: noExtras },
      },
    },
    {
      what: "because another receipt of it is unsure is reported as unknown, because the order may be printed",
      ...{ code: "job.being-printed", body: unknown },
    },
    {
      what: "because of a mistake of ours is reported as unknown, because the order may be printed",
      ...{ code: "internal", body: unknown },
    },
  ];
  test.each(refusals)("an order that is refused $what", ({ code, body, without = [], over = {}, setup = {} }) => {
    open(setup).addRefusal({ ...refusal, job: asked, fault: new Fault(code), printed: null, ...over });
    expect(only()).toMatchObject({ job: 3, body });
    for (const field of without) expect(only().body).not.toHaveProperty(field);
  });

  test("an order refused for another receipt's id and then printed by a person is reported without that id", () => {
    const events = open();
    const entry = { at: 0, actor: "daemon", what: "order refused", job: printed.id } as const;
    world.stores.journal.add({ ...entry, details: { code: "receipt.id-reused" } });
    events.result({ ...printed, receiptId: toReceiptId("r-2") }, "printed");
    expect(only().body).toMatchObject({ outcome: "printed", fdNumber: "42" });
    expect(only().body).not.toHaveProperty("receiptId");
  });

  test("a refused order is reported under its number as it came, in the lane of the number without invisible characters", () => {
    const orderId = toOrderId("A\u200B-2");
    open().addRefusal({ ...refusal, orderId, job: null, fault: new Fault("receipt.no-items"), printed: null });
    expect(only()).toMatchObject({ lane: "order A-2", body: { orderId } });
  });

  test("an order refused for several problems is reported with each of them, in Russian for a person and by code for a program", () => {
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

  test("an order refused for more than ten problems is reported with ten of them in words and the number of the others", () => {
    const many = Array.from({ length: 13 }, (_, at) => problem("order.wrong-value", `a${at}`, "just so"));
    const fault = faultOfProblems([given(many[0]), ...many.slice(1)]);
    open().addRefusal({ ...refusal, job: null, fault, printed: null });
    const { resultInfo, errors } = only().body;
    expect(resultInfo).toMatch(/a0: just so; .*a9: just so; и ещё: 3\)$/);
    expect(errors).toHaveLength(13);
  });

  test("an order that could not be read at all is reported to the site's error address too", () => {
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
    ["no place when nothing of the order could be read", undefined, ""],
  ])("an error report of one reason has that reason as its only error, with %s", (_, place, path) => {
    const fault = new Fault("register.unknown-kkm", { message: "no such register", ...(place ? { place } : {}) });
    open().addFormatError({ ...refusal, fault, body: "", receivedAt: 0 });
    expect(only().body).toMatchObject({
      errors: [{ path, code: "register.unknown-kkm", message: "no such register" }],
    });
  });
});
