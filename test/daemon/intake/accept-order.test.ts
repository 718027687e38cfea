import { createMetaStore } from "@fiscald/daemon/store/database/meta-store.js";
import { openSqliteFile } from "@fiscald/daemon/store/database/sqlite-file.js";
import type { Journal } from "@fiscald/daemon/store/journal.js";
import { createSiteOversights } from "@fiscald/daemon/store/site-oversights.js";
import { toKkm, toRegisterId, toSiteId } from "@fiscald/shared/ids.js";
import { asItIs } from "@fiscald/shared/texts.js";
import { answerOf, makeIntake, saleTable } from "../../support/make-intake.js";
import { makeDocument } from "../../support/make-job.js";
import { online } from "../../support/order-samples.js";
import { createTestLogger } from "../../support/test-logger.js";
import { useStores } from "../../support/use-stores.js";

import { cup, kkm, order, otherKkm, otherRegister, paidInCash, register, Scene } from "./intake-scene.js";

const site = toSiteId("shop");
const { path, open } = useStores();
let scene: Scene;
beforeEach(() => {
  scene = new Scene(open());
});
const accept = (body: unknown) => scene.accept(body);
const print = (id: number) => scene.print(id);
const parts = () => ({ jobs: scene.jobs, clock: scene.clock, journal: scene.journal });
const rawCount = () => scene.db.prepare("SELECT count(*) FROM orders_raw").pluck().get();

test("an answer of an unknown form is stored, reported and warned of once, and the next poll is not delayed", () => {
  const answers = [{ order: order().response }, { order: order({ orderId: "A-2" }).response }];
  expect(answers.map((answer) => accept(answer))).toEqual([{ kind: "strange" }, { kind: "strange" }]);
  expect(rawCount()).toBe(1);
  expect(scene.formatErrors).toMatchObject([{ orderId: null, fault: { code: "order.unreadable" } }]);
  expect(scene.warnings.filter((line) => line.includes("neither an order"))).toHaveLength(1);
  accept({ status: "ok" });
  expect(rawCount()).toBe(2);
  accept({ orderId: "A-3", taskTable: "none" });
  const russian = scene.journal.rejectedAnswers(0, 9).map(({ details }) => details["ru"]);
  expect(russian.toSorted()).toEqual([
    expect.stringMatching(/^taskTable: .*список/),
    ...Array(2).fill(expect.stringMatching(/заказ/)),
  ]);
});

test("an unreadable order and an answer of an unknown form are listed once each after an hour of polls and restarts", async () => {
  for (let poll = 0; poll < 4; poll += 1) {
    const { jobs, clock, journal } = scene;
    scene.intake = makeIntake({ jobs, clock, journal });
    accept({ ...online({ items: "none" }), timestamp: String(poll) });
    accept({ status: `error ${poll}` });
    await clock.advance(900_000);
  }
  expect(rawCount()).toBe(8);
  const listed = scene.journal.rejectedAnswers(0, 9).map(({ what }) => what);
  expect(listed.toSorted()).toEqual(["order unreadable", "unknown answer"]);
});

test("an unknown key and a missing rate of a site's orders are logged once, and listed on the operator's page", () => {
  const oversights = createSiteOversights(createMetaStore(scene.db));
  const log = createTestLogger((line) => scene.warnings.push(line));
  scene.intake = makeIntake({ ...parts(), oversights, site, log });
  for (const orderId of ["A-1", "A-2"]) {
    const [open, , ...rest] = saleTable();
    const bare = { type: "Registration", data: "Чай", param: { price: 100, quantity: 1, nds: 20 } };
    expect(accept({ response: { orderId, taskTable: [open, bare, ...rest] } })).toMatchObject({ kind: "order" });
  }
  const logged = scene.warnings.filter((line) => line.includes("hardly meant"));
  expect(logged).toEqual([
    expect.stringMatching(/"A-1".*param\.nds.*`vat`/),
    expect.stringMatching(/"A-1".*param\.tax/),
  ]);
  const places = ["taskTable[].param.nds", "taskTable[].param.tax"];
  expect(oversights.unknownKeys(site, scene.clock.now()).map(({ key }) => key)).toEqual(places);
});

test("an answer whose encoding is unknown is reported and not read as an order", () => {
  const body = JSON.stringify(order());
  const answer = answerOf(body, { problem: asItIs("the answer is not UTF-8") });
  expect(scene.intake.accept(answer)).toMatchObject({
    kind: "site-error",
    fault: { message: "the answer is not UTF-8" },
  });
  expect(scene.formatErrors).toHaveLength(1);
  expect(scene.jobs.list({ limit: 10 })).toEqual([]);
});

test("an accepted order keeps its raw text, queues a job and wakes the dispatcher", () => {
  const result = accept(order());
  expect(result).toMatchObject({ kind: "order", job: { state: "queued", orderId: "A-1", total: 10_000, register } });
  expect(rawCount()).toBe(1);
  expect(scene.wakes).toBe(1);
});

test("a job has an order mark unless its order has a tag 1084 of its own", () => {
  accept(order());
  const { response } = order({ orderId: "A-2" });
  accept({ response: { ...response, additionalUserProps: { name: "Стол", value: "7" } } });
  expect([1, 2].map((id) => scene.jobs.get(id).mark)).toEqual([
    { issuer: expect.any(String), digits: expect.any(String) },
    null,
  ]);
});

test("an unreadable order is reported under the register that it names, or else under the polled register", () => {
  const broken = (orderId: string, named: string) => {
    const { response } = order({ orderId, orderKkm: named });
    return { response: { ...response, taskTable: "none" } };
  };
  const polled = { register: toRegisterId("till-2"), kkm: toKkm("0001234567012346") };
  const acceptThere = (body: object) => scene.intake.accept(answerOf(body, polled));
  acceptThere(broken("A-1", kkm));
  acceptThere(broken("A-2", "9999999999999999"));
  const told = [
    { orderId: "A-1", register, kkm },
    { orderId: "A-2", ...polled },
  ];
  expect(scene.refusals).toMatchObject(told);
  expect(scene.formatErrors).toMatchObject(told);
  expect(scene.db.prepare("SELECT polled_kkm FROM orders_raw").pluck().all()).toEqual([polled.kkm, polled.kkm]);
});

test("an answer that says that there is no order counts as an empty poll, and is not stored", () => {
  expect(accept({ resultCode: 0, resultInfo: "no orders" })).toEqual({ kind: "empty" });
  expect(rawCount()).toBe(0);
});

test.each([
  [
    "a site's error without a receipt is a trouble of the site",
    () => ({ resultCode: 4, resultInfo: "database is down" }),
    { kind: "site-error", fault: { code: "site.bad-answer" } },
  ],
  [
    "an order for another taxpayer is refused",
    () => online({ items: [cup], ...paidInCash }, { service: { inn: "7711111111" } }),
    { kind: "refused", fault: { code: "order.wrong-inn" } },
  ],
  [
    "an order that ends with CancelCheck is refused, and its site is told that nothing was registered",
    () => {
      const { response } = order();
      return { response: { ...response, taskTable: [...response.taskTable.slice(0, -1), { type: "CancelCheck" }] } };
    },
    { kind: "refused", fault: { code: "job.cancelled-by-order", resultCode: 4 } },
  ],
])("%s", (_title, body, result) => {
  expect(accept(body())).toMatchObject(result);
});

test("a receipt that comes in one answer with an error of the site is stored once and not printed", () => {
  for (let poll = 0; poll < 3; poll += 1) {
    expect(accept({ ...order(), resultCode: 4, resultInfo: "stock is short" })).toMatchObject({ kind: "site-error" });
  }
  expect(rawCount()).toBe(1);
  const story = scene.db.prepare("SELECT what, details FROM journal WHERE raw = 1").all();
  expect(story).toEqual([
    { what: "a receipt beside an error, not printed", details: JSON.stringify({ reason: "stock is short" }) },
  ]);
  expect(scene.wakes).toBe(0);
});

test("an order whose tax sum differs from that of the polled register's rate is accepted with a warning", () => {
  expect(accept(online({ items: [{ ...cup, tax_sum: 20 }], ...paidInCash }))).toMatchObject({ kind: "order" });
  expect(scene.warnings).toEqual([expect.stringContaining("receipt.items[0].tax_sum")]);
});

test("an order for a register that the config lacks is refused, and also reported to the site's error address", () => {
  const fault = { code: "register.unknown-kkm", resultCode: 1 };
  expect(accept(order({ orderKkm: otherKkm }))).toMatchObject({ kind: "refused", fault });
  expect(scene.refusals).toMatchObject([{ orderId: "A-1", kkm: otherKkm }]);
  expect(scene.formatErrors).toMatchObject([{ orderId: "A-1", fault }]);
  accept(order({ orderId: "A-2" }));
  print(2);
  accept(order({ orderId: "A-2", price: 200 }));
  expect(scene.refusals.map(({ orderId }) => orderId)).toEqual(["A-1", "A-2"]);
  expect(scene.formatErrors).toHaveLength(1);
});

test("a programming error in the transaction of an order fails this order alone, and polling goes on", () => {
  const mistakes = [new TypeError("a mistake")];
  const failing: Journal = {
    ...scene.journal,
    add(entry) {
      const [mistake] = mistakes.splice(0);
      if (mistake !== undefined) throw mistake;
      scene.journal.add(entry);
    },
  };
  scene.intake = makeIntake({
    ...parts(),
    journal: failing,
    events: { addRefusal: (refusal) => scene.refusals.push(refusal) },
  });
  expect(accept(order())).toMatchObject({ kind: "refused", fault: { code: "internal" } });
  expect(scene.refusals).toMatchObject([{ orderId: "A-1", job: null }]);
  expect(accept(order({ orderId: "A-2" }))).toMatchObject({ kind: "order" });
});

test("a programming error before an answer is read refuses this answer alone, which is stored for support", () => {
  const mistakes = [new TypeError("a mistake")];
  const dayAt = () => {
    const [mistake] = mistakes.splice(0);
    if (mistake !== undefined) throw mistake;
    return "2026-11-20";
  };
  scene.intake = makeIntake({ ...parts(), dayAt });
  expect(accept(order())).toMatchObject({ kind: "refused", fault: { code: "internal" } });
  expect(rawCount()).toBe(1);
  expect(accept(order({ orderId: "A-2" }))).toMatchObject({ kind: "order" });
});

test("an order that is offered again while it is queued is ignored, and its history says so once", () => {
  accept(order());
  accept(order());
  expect(accept(order())).toMatchObject({ kind: "repeat", job: { id: 1 } });
  const story = scene.journal.ofJob(1);
  expect(story.map(({ what }) => what)).toEqual(["order accepted", "order repeated, nothing to do"]);
  expect(story[1]?.details).toEqual({ reason: "the same order is queued" });
  expect(rawCount()).toBe(1);
  expect(scene.wakes).toBe(1);
});

test("an order offered again after it was printed gets its stored result, at most once a minute", async () => {
  accept(order());
  print(1);
  accept(order());
  accept(order());
  expect(scene.resent).toEqual([1]);
  await scene.clock.advance(61_000);
  accept(order());
  expect(scene.resent).toEqual([1, 1]);
});

test("an order offered again with other content replaces the queued order in one step", () => {
  accept(order({ price: 100 }));
  const second = accept(order({ price: 90 }));
  expect(second).toMatchObject({ kind: "order", job: { id: 2, total: 9000 } });
  expect(scene.jobs.get(1)).toMatchObject({ state: "cancelled", fault: { code: "job.replaced" } });
});

test("other content for a printed order is refused and reported to the site once, and the printed content stays", () => {
  accept(order({ price: 100 }));
  print(1);
  expect(accept(order({ price: 90 }))).toMatchObject({ kind: "refused", fault: { code: "job.already-printed" } });
  expect(accept(order({ price: 90 }))).toMatchObject({ kind: "repeat", job: { id: 2, state: "refused" } });
  expect(scene.refusals).toHaveLength(1);
  expect(scene.refusals[0]).toMatchObject({ orderId: "A-1", job: { id: 2 }, printed: null });
  expect(scene.refusals[0]?.fault.message).toMatch(/FD 7 .* with other content/);
});

describe("an order that names the number of a register that may never have been connected", () => {
  const named = () => accept(order({ orderKkm: otherKkm }));
  beforeEach(() => {
    scene.unseen = toRegisterId("till-2");
  });

  test("an order for a register that was never connected is refused for now, and accepted when the register is known", () => {
    const fault = {
      code: "register.offline",
      resultCode: 4,
      message: expect.stringMatching(/may be the one of till-2/),
    };
    expect(named()).toMatchObject({ kind: "refused", fault });
    expect(scene.refusals).toMatchObject([{ orderId: "A-1", kkm: otherKkm, fault, again: true }]);
    expect(scene.formatErrors).toEqual([]);
    expect(named()).toMatchObject({ kind: "repeat" });
    scene.foreign = toRegisterId("till-2");
    expect(named()).toMatchObject({ kind: "order", job: { register: "till-2", state: "queued" } });
  });

  test("after a data loss the refusal of an order for a register that was never connected is not reported to the site", () => {
    scene.isForgetful = true;
    expect(named()).toMatchObject({ kind: "refused", fault: { code: "register.offline" } });
    expect(named()).toMatchObject({ kind: "repeat" });
    expect(scene.refusals).toEqual([]);
    scene.foreign = toRegisterId("till-2");
    expect(named()).toMatchObject({ kind: "order" });
  });
});

test("a printed order that is offered again is not reported as failed when its register has another number now", () => {
  scene.foreign = otherRegister;
  accept(order({ orderKkm: otherKkm }));
  scene.jobs.claim(1, otherRegister, scene.clock.now());
  scene.jobs.markPrinted(1, makeDocument(), scene.clock.now());
  scene.foreign = null;
  expect(accept(order({ orderKkm: otherKkm }))).toMatchObject({ kind: "repeat", job: { id: 1, state: "printed" } });
  expect(scene.refusals).toEqual([]);
});

test("a site's Z report without an order number is accepted once for each of two registers", () => {
  scene.foreign = otherRegister;
  const zReport = { type: "Report", data: "", param: { reportType: 1 } };
  const closing = (number: string) => ({ response: { kkm: number, taskTable: [zReport] } });
  expect([accept(closing(kkm)), accept(closing(otherKkm)), accept(closing(kkm))]).toMatchObject([
    { kind: "order", job: { id: 1, register } },
    { kind: "order", job: { id: 2, register: otherRegister } },
    { kind: "repeat", job: { id: 1 } },
  ]);
  // The first register's device was exchanged: the number is another one, the drawer is the same.
  scene.foreign = register;
  expect(accept(closing(otherKkm))).toMatchObject({ kind: "repeat" });
});

test("an order that cannot be read is reported once in ten minutes, with its order number and raw text", async () => {
  const body = order({ price: -1 });
  expect(accept(body)).toMatchObject({ kind: "refused", fault: { resultCode: 1 } });
  for (const timestamp of [undefined, "20.11.2026 10:00:00", "20.11.2026 10:00:05"]) {
    expect(accept({ ...body, timestamp })).toEqual({ kind: "repeat", job: null });
  }
  expect(scene.refusals).toMatchObject([{ orderId: "A-1", job: null }]);
  expect(scene.formatErrors).toMatchObject([{ orderId: "A-1", body: JSON.stringify(body) }]);
  expect(rawCount()).toBe(1);
  await scene.clock.advance(10 * 60_000 + 1);
  accept(body);
  expect(scene.formatErrors).toHaveLength(2);
});

test("an answer that is no JSON is reported only to the site's error address", () => {
  const message = expect.stringContaining("is an HTML page, no JSON");
  const fault = { code: "order.unreadable", message, details: { isHtml: true } };
  expect(accept("<html>")).toMatchObject({ kind: "site-error", fault });
  expect(accept("<html>")).toMatchObject({ kind: "site-error" });
  expect(scene.refusals).toEqual([]);
  expect(scene.formatErrors).toMatchObject([{ orderId: null, body: "<html>" }]);
});

test("an order whose commit fails is not stored, and is accepted when the site offers it again", () => {
  scene.db.pragma(`max_page_count = ${scene.db.pragma("page_count", { simple: true })}`);
  const large = order({ orderId: "X".repeat(60) });
  large.response.taskTable.splice(1, 0, { data: "т".repeat(20_000), type: "String" });
  expect(() => accept(large)).toThrow(expect.objectContaining({ code: "store.full" }));
  expect(rawCount()).toBe(0);
  scene.db.pragma("max_page_count = 100000");
  expect(accept(large)).toMatchObject({ kind: "order" });
});

test("an order that comes while a copy tool holds the database is accepted after the tool has released the database", () => {
  scene.db.pragma("busy_timeout = 20");
  const copyTool = openSqliteFile(path());
  copyTool.exec("BEGIN IMMEDIATE");
  expect(() => accept(order())).toThrow(expect.objectContaining({ code: "store.busy" }));
  copyTool.exec("ROLLBACK");
  copyTool.close();
  expect(rawCount()).toBe(0);
  expect(accept(order())).toMatchObject({ kind: "order" });
});

test("an order without a number, or with a number that is too long, is refused and does not delay the next order", () => {
  const long = "x".repeat(129);
  expect(accept(order({ orderId: "" }))).toMatchObject({ kind: "refused" });
  expect(accept(order({ orderId: long }))).toMatchObject({ kind: "refused" });
  expect(scene.refusals).toMatchObject([{ orderId: long }]);
  expect(accept(order({ orderId: "A-2" }))).toMatchObject({ kind: "order" });
});
