/** An order may stay unsure only when nobody can know its outcome, and this excuse hides no fault. */

import { seeded } from "../../../support/seeded.js";
import type { Action, CasePlan, PlannedRegister } from "../plan/case-plan.js";
import { itemName, makeOrder } from "../plan/orders.js";
import { tellOf } from "../plan/story.js";
import { hasTwin, mayForgetContent, mayTakeTwin, whyCashUndecidable, whyUndecidable } from "../plan/undecidable.js";
import { findMakers, kkmOf, makerRows } from "../processes/makers.js";
import type { RegisteredDocument } from "../processes/registered-document.js";
import { documentItem, sampleDocument, toldOf } from "./samples.js";
import { isClean, judge, type ReportedResult } from "./verdict.js";

const order = makeOrder({ orderId: "A-1", operation: "sale", prices: [100] });
const rolledBack: Action = { do: "kill", daemon: 0, database: "rolled-back" };
const deleted: Action = { do: "kill", daemon: 0, database: "deleted" };
const powerCut: Action = { do: "power-cut", daemon: 0, number: "before" };
const silent: Action = { do: "fault", register: 0, faults: [{ effect: "silent", when: "now" }], forMs: 100 };

function planOf(orderMark: boolean, ...actions: readonly Action[]): CasePlan {
  const [row] = makerRows;
  if (row === undefined) throw new Error("there are makers");
  const register: PlannedRegister = { row, number: 1, daemon: 0, group: null, orderMark, unconfirmed: {} };
  const steps = actions.map((action) => ({ afterResults: 0, action }));
  const orders = [{ order, site: 0, changed: null }];
  const alone = { seed: 1, kit: false, shared: null, daemons: 1, sites: 1, cash: [], stories: [] };
  return { ...alone, registers: [register], orders, steps };
}

function documentOf(orderMark: string | null, over: Partial<RegisteredDocument> = {}): RegisteredDocument {
  const items = [documentItem(itemName(order.key, 0), 10_000)];
  return sampleDocument({ totalKopecks: 10_000, items, orderMark, ...over });
}

/** The same goods under another name. */
const named = (name: string) => ({ items: [documentItem(name, 10_000)] });

const unknown: ReportedResult = { outcome: "unknown" };
const printedAs = (fd: number) => toldOf(documentOf(null, { fd }));

function verdictOf(plan: CasePlan, receipts: readonly RegisteredDocument[], results: readonly ReportedResult[]) {
  return judge({
    orders: [{ order, undecidable: whyUndecidable(plan, order, [receipts]) }],
    receipts,
    resultsOf: () => results,
  });
}

test("the campaign's judge lets an order stay unsure if its receipt has no order mark and the database has lost the job", () => {
  const verdict = verdictOf(planOf(false, rolledBack), [documentOf(null)], [unknown]);
  expect(verdict).toMatchObject({ undecidable: ["A-1"], unsure: [], lost: [] });
});

describe("a foreign receipt for other goods in the time that a lost database covered", () => {
  const plan = planOf(true, rolledBack);
  const verdict = (over: Partial<RegisteredDocument>) =>
    verdictOf(plan, [documentOf(null, { ...named("Чужой товар"), ...over })], [unknown]);

  test("the campaign's judge lets an order without an order mark stay unsure beside a foreign receipt of its direction and total", () => {
    expect(verdict({})).toMatchObject({ undecidable: ["A-1"], unsure: [] });
    expect(verdict({ totalKopecks: 10_099 })).toMatchObject({ undecidable: ["A-1"] });
  });

  test.each([
    ["for another total", { totalKopecks: 10_101 }],
    ["in the other direction", { operation: "return" }],
    ["with the mark of another order", { orderMark: "B-1 00000000.00000000" }],
    ["that is no receipt", { type: "shift-close" }],
  ] as const)("the campaign's judge lets no order stay unsure for a foreign document %s", (_, over) => {
    expect(verdict(over)).toMatchObject({ undecidable: [], unsure: ["A-1"] });
  });

  test("the campaign's judge lets no order stay unsure for a foreign receipt when the daemon has kept its database", () => {
    const receipts = [documentOf(null, named("Чужой товар"))];
    expect(verdictOf(planOf(true, silent), receipts, [unknown])).toMatchObject({ unsure: ["A-1"] });
  });
});

test.each([
  ["unmarked", null, []],
  ["marked", "A-1 00000000", ["A-1"]],
])(
  "beside another daemon's sales, an order whose receipt is %s may stay unsure only without an order mark",
  (_, mark, unsure) => {
    const plan = { ...planOf(false, { do: "rest", daemon: 0, forMs: 1 }), shared: { copiedConfig: true } };
    expect(verdictOf(plan, [documentOf(mark)], [unknown])).toMatchObject({ unsure });
  },
);

test.each([
  ["has no document: no document could be taken for its receipt", planOf(false, rolledBack), []],
  ["has a document with its mark", planOf(true, rolledBack), [documentOf("A-1 00000000")]],
  [
    "was on a register that writes order marks only for a part of the time, and its document has one",
    planOf(false, rolledBack),
    [documentOf("x")],
  ],
  ["was forgotten by no database", planOf(false, silent), [documentOf(null)]],
  ["had no trouble but a power cut", planOf(false, powerCut), [documentOf(null)]],
  ["had no trouble but the deletion itself", planOf(true, deleted), [documentOf("A-1 00000000")]],
] as const)("an order that %s may not stay unsure", (_, plan, receipts) => {
  expect(verdictOf(plan, receipts, [unknown])).toMatchObject({ undecidable: [], unsure: ["A-1"] });
});

test("the campaign's judge lets an order without a document stay unsure beside a foreign receipt on a stopped service", () => {
  const stopped: Action = { do: "fault", register: 0, faults: [{ effect: "paper-out" }], forMs: 1 };
  const foreign: Action = {
    do: "foreign-receipt",
    register: 0,
    receipt: { operation: "sale", totalKopecks: order.totalKopecks, name: "Чужой товар" },
  };
  const onService = { ...planOf(true, stopped, foreign), registers: planOf(true).registers.map(ofService) };
  expect(verdictOf(onService, [], [unknown])).toMatchObject({ undecidable: ["A-1"], lost: [] });
  expect(verdictOf(onService, [], [printedAs(7)])).toMatchObject({ lost: ["A-1"] });
  expect(verdictOf(onService, [documentOf("A-1 00000000")], [unknown])).toMatchObject({ unsure: ["A-1"] });
  expect(verdictOf(planOf(true, stopped, foreign), [], [unknown])).toMatchObject({ unsure: ["A-1"] });
  const undisturbed = { ...onService, steps: planOf(true, foreign).steps };
  expect(verdictOf(undisturbed, [], [unknown])).toMatchObject({ unsure: ["A-1"] });
});

function ofService(register: PlannedRegister): PlannedRegister {
  const [row = register.row] = findMakers("atol-v2");
  return { ...register, row };
}

describe("order marks that were switched on during a case", () => {
  const switched: Action = { do: "switch-marks-on", daemon: 0 };
  const twin: Action = {
    do: "foreign-receipt",
    register: 0,
    receipt: { operation: "sale", totalKopecks: 10_000, name: itemName(order.key, 0) },
  };

  test("the campaign's judge excuses as much for order marks switched on later as for a register without order marks", () => {
    const plan = planOf(true, switched, twin, rolledBack);
    expect(mayForgetContent(plan)).toBe(true);
    expect(hasTwin(plan, order)).toBe(true);
    expect(mayTakeTwin(plan, order)).toBe(true);
    expect(verdictOf(planOf(true, switched, rolledBack), [documentOf(null)], [unknown]).undecidable).toEqual(["A-1"]);
  });

  test("the campaign's judge excuses no double and no marked order when order marks are switched on during a case", () => {
    const plan = planOf(true, switched, rolledBack);
    const twice = [documentOf(null), documentOf("A-1 00000000", { fd: 8 })];
    expect(verdictOf(plan, twice, [printedAs(8)])).toMatchObject({ doubled: ["A-1"] });
    expect(verdictOf(plan, [documentOf("A-1 00000000")], [unknown])).toMatchObject({ unsure: ["A-1"] });
    expect(mayTakeTwin(planOf(true, twin, rolledBack), order)).toBe(false);
  });
});

const unreadable = {
  do: "fault",
  register: 0,
  faults: [{ effect: "documents-unreadable", when: "now" }],
  forMs: 100,
} satisfies Action;
const both: Action = { ...unreadable, faults: [...unreadable.faults, { effect: "error", code: 5, when: "now" }] };
const refusal: Action = { do: "fault", register: 0, faults: [{ effect: "error", code: 5, when: "now" }], forMs: 100 };
const warmUp = documentOf(null, { fd: 2, ...named(itemName("warm1", 0)) });

test("the campaign's judge lets an order without an order mark stay unsure beside another program's receipt", () => {
  const beside = { operation: "return", totalKopecks: 1_000, name: "Чужой товар" } as const;
  const sold: Action = { do: "foreign-receipt", register: 0, receipt: beside };
  expect(verdictOf(planOf(false, sold), [documentOf(null)], [unknown])).toMatchObject({ undecidable: ["A-1"] });
  expect(verdictOf(planOf(true, sold), [documentOf("A-1 00000000")], [unknown])).toMatchObject({ unsure: ["A-1"] });
  expect(verdictOf(planOf(false, silent), [documentOf(null)], [unknown])).toMatchObject({ unsure: ["A-1"] });
});

const foreign = documentOf(null, named("Чужой товар"));
const next = makeOrder({ orderId: "A-2", operation: "sale", prices: [100] });
const ofNext = documentOf("x", named(itemName("A-2", 0)));
const withNext = (plan: CasePlan): CasePlan => ({
  ...plan,
  orders: [...plan.orders, { order: next, site: 0, changed: null }],
});

test.each([
  ["the order's own", planOf(true, unreadable), [warmUp, documentOf("A-1 00000000")]],
  ["another program's", planOf(true, unreadable), [warmUp, foreign]],
  ["the order's own, on a register that refused jobs", planOf(true, refusal), [warmUp, documentOf("A-1 00000000")]],
  ["another order's, whose outcome was also unknown", withNext(planOf(true, unreadable, silent)), [warmUp, ofNext]],
  ["another order's, on a register that also refused jobs", withNext(planOf(true, both)), [warmUp, ofNext]],
] as const)(
  "the campaign's judge lets an order stay unsure when a document of its register was unreadable: %s",
  (_, plan, receipts) => {
    expect(verdictOf(plan, receipts, [unknown])).toMatchObject({ undecidable: ["A-1"], unsure: [], lost: [] });
  },
);

test.each([
  ["nothing was printed after the last fault was over", planOf(true, unreadable), [warmUp]],
  ["another order surely got the only document", withNext(planOf(true, unreadable)), [warmUp, ofNext]],
  ["nothing was printed on a register that refused once", planOf(true, refusal), [warmUp]],
  ["the register refused, and another order got the only document", withNext(planOf(true, refusal)), [warmUp, ofNext]],
] as const)(
  "the campaign's judge reports an order that stays unsure although no unreadable document excuses it: %s",
  (_, plan, receipts) => {
    expect(verdictOf(plan, receipts, [unknown])).toMatchObject({ undecidable: [], unsure: ["A-1"] });
  },
);

test.each([
  ["documents that cannot be read", unreadable],
  ["errors", refusal],
  ["a drive that is swapped", { do: "swap-drive", register: 0, fn: "9999078900999999" }],
] as const)("an order for a register without trouble may not stay unsure: %s", (_, action) => {
  const plan = planOf(true, action);
  const [register] = plan.registers;
  if (register === undefined) throw new Error("there is a register");
  const named = makeOrder({ orderId: "A-1", operation: "sale", prices: [100], kkm: kkmOf(2) });
  const two = { ...plan, registers: [register, { ...register, number: 2 }] };
  expect(whyUndecidable(two, named, [[warmUp, foreign], [documentOf("A-1 00000000")]])).toBeNull();
  const grouped = { ...two, registers: two.registers.map((one) => ({ ...one, group: "hall" })) };
  expect(whyUndecidable(grouped, named, [[warmUp, foreign], []])).toEqual(expect.any(String));
});

test("the campaign's judge lets a cash job stay unsure after a lost database, and not after a power cut alone", () => {
  expect(whyCashUndecidable(planOf(true, powerCut))).toBeNull();
  expect(whyCashUndecidable(planOf(true, rolledBack))).toEqual(expect.any(String));
});

test("the campaign's judge lets no other order stay unsure because of a document of a story's request", () => {
  const story = tellOf("sold again", seeded(1), { number: 1, site: 0, isKit: false, kkm: undefined });
  const [sale] = story.requests;
  if (sale === undefined) throw new Error("there is a request");
  const ofStory = documentOf("x", named(itemName(sale.order.label, 0)));
  const plan = { ...planOf(true, unreadable), stories: [story] };
  expect(whyUndecidable(plan, order, [[warmUp, ofStory]])).toBeNull();
  expect(whyUndecidable(plan, sale.order, [[warmUp, ofStory]])).toEqual(expect.any(String));
});

test("the campaign's judge lets an order stay unsure that was printed, forgotten and offered with other prices", () => {
  const changed = makeOrder({ orderId: "A-1", operation: "sale", prices: [99.5] });
  const withChange = (plan: CasePlan): CasePlan => ({ ...plan, orders: [{ order, site: 0, changed }] });
  const receipts = [documentOf("A-1 00000000.00000000")];
  expect(whyUndecidable(withChange(planOf(true, rolledBack)), order, [receipts])).toEqual(expect.any(String));
  expect(whyUndecidable(withChange(planOf(true, rolledBack)), order, [[]])).toBeNull();
  expect(whyUndecidable(withChange(planOf(true)), order, [receipts])).toBeNull();
});

test("the campaign's judge excuses no double, no loss and no wrong numbers because of a lost database", () => {
  const plan = planOf(false, rolledBack, silent);
  const twice = [documentOf(null), documentOf(null, { fd: 8 })];
  expect(isClean(verdictOf(plan, [documentOf(null)], [printedAs(7)]))).toBe(true);
  expect(verdictOf(plan, twice, [unknown])).toMatchObject({ doubled: ["A-1"] });
  expect(verdictOf(plan, [], [printedAs(7)])).toMatchObject({ lost: ["A-1"], wronglyReported: ["A-1"] });
  expect(verdictOf(plan, [documentOf(null)], [printedAs(9)])).toMatchObject({ wronglyReported: ["A-1"] });
  expect(verdictOf(plan, [documentOf(null)], [])).toMatchObject({ unreported: ["A-1"] });
});

describe("an equal receipt that another shop's daemon printed on the same register", () => {
  const other = makeOrder({ orderId: "A-1", key: "A-1-of-another", label: "A-1", operation: "sale", prices: [100] });
  const sharedPlan = (...actions: readonly Action[]): CasePlan => {
    const plan = planOf(true, ...actions);
    const orders = [...plan.orders, { order: other, site: 1, changed: null }];
    return { ...plan, shared: { copiedConfig: false }, daemons: 2, sites: 2, orders };
  };
  const byOther = documentOf("A-1 22222222.00000000");
  const why = (plan: CasePlan) => whyUndecidable(plan, order, [[warmUp, byOther]]);

  test("the campaign's judge excuses a daemon with a lost database for another shop's equal receipt", () => {
    expect(why(sharedPlan(rolledBack))).toEqual(expect.any(String));
  });

  test("the campaign's judge does not excuse a daemon that kept its database for another shop's equal receipt", () => {
    expect(why(sharedPlan())).toBeNull();
    expect(why(sharedPlan({ ...rolledBack, daemon: 1 }))).toBeNull();
  });
});
