/** Tests of the judge: no wrong result may hide in a case in which some outcome cannot be known. */

import type { FaultInput } from "@fiscald/emulators/faults/fault-spec.js";
import { findDiffering } from "../judging/differing.js";
import { sampleDocument as document, documentItem as item, toldOf } from "../judging/samples.js";
import {
  isClean,
  type JudgedOrder,
  judge,
  type ReportedResult,
  type VerdictKind,
  verdictKinds,
} from "../judging/verdict.js";
import type { Step } from "../plan/case-plan.js";
import { makeOrder } from "../plan/orders.js";
import { CASHIER } from "../processes/daemon-config.js";
import type { RegisteredDocument } from "../processes/registered-document.js";
import type { CheckedDocument } from "../worlds/case-world.js";
import { noticesOf, strangeNames } from "./judge-case.js";

const order = makeOrder({ orderId: "o1", operation: "sale", prices: [10, 20.5] });

const printed = toldOf(document());
const unknown: ReportedResult = { outcome: "unknown", resultCode: 4 };
const failed: ReportedResult = { outcome: "failed", resultCode: 4 };

function findings(
  receipts: readonly RegisteredDocument[],
  results: readonly ReportedResult[],
  over: Partial<JudgedOrder> = {},
): readonly (VerdictKind | "undecidable")[] {
  const verdict = judge({ orders: [{ order, ...over }], receipts, resultsOf: () => results });
  return ([...verdictKinds, "undecidable"] as const).filter((kind) => verdict[kind].length > 0);
}

const cannotBeKnown = { undecidable: "documents could not be read" };

test("the campaign's judge accepts an order that is printed once and reported with its numbers", () => {
  expect(findings([document()], [printed])).toEqual([]);
  expect(findings([document()], [unknown, printed])).toEqual([]);
});

test("the campaign's judge lets an order without a result wait only behind an unsure one, and still finds its document", () => {
  expect(findings([], [], { waits: true })).toEqual(["undecidable"]);
  expect(findings([], [])).toEqual(["lost", "unreported"]);
  expect(findings([], [failed], { waits: true })).toEqual(["lost"]);
  expect(findings([document(), document({ fd: 8 })], [], { waits: true })).toEqual(["doubled", "undecidable"]);
});

const numbers = [
  "kkm",
  "inn",
  "fn",
  "fdNumber",
  "fpd",
  "shiftNumber",
  "receiptNumber",
  "dateTime",
  "operation",
  "total",
];

test.each([...numbers, "OFDLink"])(
  "the campaign's judge finds a result whose %s is not the drive's, even if the outcome cannot be known",
  (name) => {
    for (const wrong of ["20.11.2026 14:06:00", "", undefined]) {
      const told = { ...printed, [name]: wrong };
      expect(findings([document()], [told])).toEqual(["wronglyReported"]);
      expect(findings([document()], [told], cannotBeKnown)).toEqual(["wronglyReported"]);
      expect(findings([document()], [told, printed])).toEqual(["wronglyReported"]);
    }
  },
);

test("the campaign's judge finds a document with another sum than the order's, whatever was reported", () => {
  const wrong = document({ totalKopecks: 3051 });
  expect(findings([wrong], [printed], cannotBeKnown)).toEqual(["wronglyReported"]);
  expect(findings([wrong], [unknown], cannotBeKnown)).toEqual(["wronglyReported", "undecidable"]);
  expect(findings([wrong], [toldOf(wrong)], { otherTotals: [3051] })).toEqual([]);
});

test("the campaign's judge accepts the result `unknown` only for an order whose outcome cannot be known", () => {
  expect(findings([], [unknown])).toEqual(["unsure"]);
  expect(findings([], [unknown], cannotBeKnown)).toEqual(["undecidable"]);
  expect(findings([document()], [unknown], cannotBeKnown)).toEqual(["undecidable"]);
  expect(findings([document(), document({ fd: 8 })], [unknown], cannotBeKnown)).toEqual(["doubled", "undecidable"]);
  expect(findings([], [printed], cannotBeKnown)).toEqual(["lost", "wronglyReported"]);
  expect(findings([], [failed], cannotBeKnown)).toEqual(["lost"]);
  expect(findings([], [], cannotBeKnown)).toEqual(["lost", "unreported"]);
  expect(findings([document()], [failed], cannotBeKnown)).toEqual(["wronglyReported"]);
});

test("the campaign's judge accepts the result `failed` for an order that a register was set to refuse, if it has no document", () => {
  expect(findings([], [failed])).toEqual(["lost"]);
  expect(findings([], [failed], { mayFail: true })).toEqual([]);
  expect(findings([document()], [failed], { mayFail: true })).toEqual(["wronglyReported"]);
});

test("when the outcome cannot be known, the campaign's judge accepts another order's equal receipt, never a different one", () => {
  const twin = document({ fd: 9, fiscalSign: "0000000009" });
  const [twins, taken] = [[twin], toldOf(twin)];
  expect(findings([], [taken], { ...cannotBeKnown, twins })).toEqual([]);
  expect(findings([], [printed], { ...cannotBeKnown, twins })).toEqual(["lost", "wronglyReported"]);
  expect(findings([document(), document({ fd: 8 })], [taken], { twins })).toEqual(["doubled", "wronglyReported"]);
});

test("the campaign's judge accepts the refusal of a changed order that has the printed number only in its message", () => {
  const resultInfo = "Этот заказ уже напечатан. (уже напечатан с другим содержимым: ФД 7 от 2026-11-20)";
  const refused = { ...failed, resultInfo };
  const changed = { otherTotals: [9950] };
  expect(findings([document()], [printed, refused], changed)).toEqual([]);
  expect(findings([document()], [refused], changed)).toEqual(["unreported"]);
  expect(findings([document()], [refused], { ...changed, mayBeToldByRefusal: true })).toEqual([]);
  expect(findings([document()], [printed, { ...refused, fdNumber: "7" }], changed)).toEqual(["wronglyReported"]);
  expect(findings([document({ fd: 8 })], [refused], { ...changed, mayBeToldByRefusal: true })).toContain(
    "wronglyReported",
  );
});

test("the campaign's judge accepts a receipt for each content of an order when nothing shows that both are one order", () => {
  const other = document({ fd: 8, totalKopecks: 9950 });
  const forgotten = { eachContent: true, otherTotals: [9950] };
  expect(findings([document(), other], [printed], forgotten)).toEqual([]);
  expect(findings([document(), other, document({ fd: 9 })], [printed], forgotten)).toEqual(["doubled"]);
  expect(findings([document(), other], [printed], { otherTotals: [9950] })).toEqual(["doubled"]);
});

describe("two shops that sell the same goods under the same number", () => {
  const one = makeOrder({ orderId: "o1", key: "one", label: "o1", operation: "sale", prices: [10, 20.5] });
  const other = makeOrder({ orderId: "o1", key: "other", label: "o1", operation: "sale", prices: [10, 20.5] });
  const first = document({ orderMark: "o1 11111111.00000000" });
  const second = document({ orderMark: "o1 22222222.00000000", fd: 8, fiscalSign: "0000000008" });
  const verdictOf = (receipts: readonly RegisteredDocument[], toOne: RegisteredDocument, toOther: RegisteredDocument) =>
    judge({
      orders: [
        { order: one, issuer: "11111111" },
        { order: other, issuer: "22222222" },
      ],
      receipts,
      resultsOf: ({ key }) => [toldOf(key === "one" ? toOne : toOther)],
    });

  test("the campaign's judge accepts two shops' equal orders when each is reported with its own document", () => {
    expect(isClean(verdictOf([first, second], first, second))).toBe(true);
    const unmarked = [first, second].map((found) => ({ ...found, orderMark: null }));
    expect(isClean(verdictOf(unmarked, second, first))).toBe(true);
  });

  test("the campaign's judge reports two shops' equal orders when both got the same document", () => {
    for (const found of [first, { ...first, orderMark: null }]) {
      const verdict = verdictOf([found], found, found);
      expect(verdict).toMatchObject({ lost: ["other"], wronglyReported: ["other"] });
    }
  });

  test("the campaign's judge reports two shops' equal orders when each got the other's document", () => {
    expect(verdictOf([first, second], second, first)).toMatchObject({ wronglyReported: ["one", "other"] });
  });

  test("the campaign's judge reports a third document of two shops' equal orders", () => {
    const third = document({ orderMark: first.orderMark, fd: 9 });
    expect(verdictOf([first, second, third], first, second)).toMatchObject({ doubled: ["one"], wronglyReported: [] });
  });
});

describe("a document that differs from its order", () => {
  const facts = { rates: [11, 2], subjects: [1], method: 4, contact: "b@shop.example", place: null, cash: 10 } as const;
  const meant = makeOrder({ orderId: "o1", operation: "sale", prices: [10, 20.5], facts });
  const [first, second] = [item("o1 строка 1", 1000), item("o1 строка 2", 2050, { vat: 2 })];
  const paid = (typeClose: number, sumKopecks: number) => ({ typeClose, sumKopecks, givenKopecks: sumKopecks });
  const right = document({
    items: [first, second],
    payments: [paid(0, 1000), paid(1, 2050)],
    contact: "b@shop.example",
    cashier: CASHIER,
    orderMark: "o1 01234567.89abcdef",
  });
  const all = { orders: [meant], isMarked: () => true } as const;
  const unseen = (over: Partial<RegisteredDocument>) =>
    findDiffering({ ...all, documents: [{ ...right, ...over }], isNoticed: () => false });

  test.each<[number, Partial<RegisteredDocument>]>([
    [1054, { operation: "return" }],
    [1020, { totalKopecks: 3000 }],
    [1055, { taxSystem: 2 }],
    [1008, { contact: null }],
    [1125, { internet: true }],
    [1187, { settlementPlace: "г. Москва" }],
    [1021, { cashier: "Петрова" }],
    [1031, { payments: [paid(1, 2050)] }],
    [1081, { payments: [paid(0, 1000), paid(1, 2000)] }],
    [1086, { orderMark: null }],
    [1030, { items: [first, { ...second, name: "o1 стр" }] }],
    [1079, { items: [first, { ...second, priceKopecks: 2049 }] }],
    [1023, { items: [first, { ...second, quantity: 2 }] }],
    [1043, { items: [first, { ...second, sumKopecks: 2049 }] }],
    [1199, { items: [{ ...first, vat: 1 }, second] }],
    [1212, { items: [first, { ...second, subject: 4 }] }],
    [1214, { items: [first, { ...second, method: 1 }] }],
  ])("the campaign's judge finds a document that differs from its order by tag %i", (tag, over) => {
    expect(unseen({})).toEqual([]);
    expect(unseen(over)).toEqual([`o1 in ${tag} of document 7`]);
  });

  test("the campaign's judge accepts a differing document when a daemon noticed all its differing tags", () => {
    const altered = { ...right, items: [{ ...first, vat: 1 }, second] };
    const isNoticed = (_: unknown, tags: readonly number[]) => tags.every((tag) => tag === 1199);
    expect(findDiffering({ ...all, documents: [altered], isNoticed })).toEqual([]);
    expect(findDiffering({ ...all, documents: [{ ...altered, contact: null }], isNoticed })).toHaveLength(1);
  });
});

test("the campaign's judge reports a text on a document that no site has sent", () => {
  const plan = { orders: [{ order, site: 0, changed: null }], stories: [] };
  const named = (name: string) => document({ items: [item(name, 1000)] });
  expect(strangeNames(plan, [named("o1 строка 1"), named("warm-site0-1 строка 1")])).toEqual([]);
  const strange = ["o1 \u{fffd}\u{fffd}\u{fffd} 1", "o1 ?????? 1", "o1 СЃС‚СЂРѕРєР° 1", "o1 строка 2", "o3 строка 1"];
  for (const name of strange) {
    expect(strangeNames(plan, [named(name)])).toHaveLength(1);
  }
});

const faultOf = (fault: FaultInput): Step => ({
  afterResults: 0,
  action: { do: "fault", register: 0, faults: [fault], forMs: 1_000 },
});
const altering = faultOf({ effect: "alter", drop: [1008] });
const unreadable = faultOf({ effect: "documents-unreadable", when: "now" });

test.each<[string, readonly Step[], readonly CheckedDocument["told"][], boolean]>([
  ["noticed all its tags", [altering], [[1008, 1199]], true],
  ["noticed another tag", [altering], [[1199]], false],
  ["reported that an unreadable document was not compared", [altering, unreadable], ["all"], true],
  ["reported that a readable document was not compared", [altering], ["all"], false],
  ["has no receipt with that document", [altering, unreadable], [], false],
])("a differing document counts as noticed only as the table says when a daemon %s", (_what, steps, told, noticed) => {
  const own = told.map((one) => ({ fn: document().fn, fd: document().fd, told: one }));
  const isNoticed = noticesOf({ plan: { steps }, world: { daemons: [{ checkedDocuments: () => own }] } });
  expect(isNoticed(document(), [1008])).toBe(noticed);
});
