import {
  type Claim,
  type FoundDocument,
  type Match,
  matchDocuments,
  type QueuedClaim,
  type SentClaim,
} from "@fiscald/daemon/registers/recovery/match-documents.js";
import { issuersOf } from "@fiscald/daemon/store/issuers.js";
import type { FiscalDocument } from "@fiscald/drivers/fiscal-document.js";
import type { RequestDocument } from "@fiscald/drivers/fiscal-driver.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import { toFnSerial, toOrderId, toReceiptId, toRegisterId, toSiteId } from "@fiscald/shared/ids.js";
import type { LocalTime } from "@fiscald/shared/local-time.js";
import { makeItem, makeReceipt } from "../../../support/make-job.js";

const [fn, otherDrive] = [toFnSerial("9999078900000001"), toFnSerial("9999078900000002")];
const [till, otherTill] = [toRegisterId("till-1"), toRegisterId("till-2")];
const shop = toSiteId("shop");
const issuers = issuersOf(
  new Map([
    [shop, ["89abcdef", "00000001"]],
    [toSiteId("cafe"), ["cafecafe"]],
  ]),
);
const own = "A-1 89abcdef.0a1b2c3d";

function found(over: Partial<FiscalDocument> = {}, at: Partial<FoundDocument> = {}): FoundDocument {
  const document: FiscalDocument = {
    fd: 11,
    type: "receipt",
    operation: "sale",
    total: kopecks(10_000),
    fiscalSign: "1",
    time: "2026-11-20T14:00:00" as LocalTime,
    shift: 3,
    receiptNumber: 1,
    mark: null,
    body: "full",
    items: [{ name: "Чай", price: kopecks(10_000), quantity: 1_000_000, sum: kopecks(10_000) }],
    contact: null,
    ...over,
  };
  return { fn, register: till, document, foundWhen: "running", owner: null, ...at };
}

const lost = (over: Partial<FiscalDocument> = {}, at: Partial<FoundDocument> = {}) =>
  found(over, { foundWhen: "afterLoss", ...at });
const nothingRead = { type: "unknown", operation: null, total: null, shift: null, time: null } as const;
const unreadable = { ...nothingRead, body: "unreadable", items: [] } as const;
const onlyHeader = { body: "header", items: [] } as const;
const otherGoods = { items: [{ name: "Кофе", price: kopecks(10_000), quantity: 1_000_000, sum: kopecks(10_000) }] };

function sent(over: Partial<SentClaim> = {}): SentClaim {
  return {
    ...{ strength: "sent", job: 1, receipt: makeReceipt(), mark: own, fn, above: 10, upTo: 20 },
    ...{ isMarked: true, canLackMark: true, canProveNone: true, isProven: true, task: null },
    ...over,
  };
}

function queued(over: Partial<QueuedClaim> = {}): QueuedClaim {
  return {
    ...{ strength: "queued", job: 2, receipt: makeReceipt(), mark: own, marksOnly: false },
    ...{ earlier: [], excluded: [], couldBeOn: (register) => register === till },
    kindOfIssuer: (issuer) => issuers.kindOf(issuer, shop),
    ...over,
  };
}

function inWords(match: Match | undefined): string {
  switch (match?.kind) {
    case "certain":
      return `certain ${match.found.document.fd}`;
    case "unsure":
      return `${match.reason}: ${match.candidates.map(({ document }) => document.fd).join(" ")}`.trim();
    default:
      return "none";
  }
}

function match(documents: readonly FoundDocument[], ...claims: readonly Claim[]): string[] {
  return [...matchDocuments(documents, claims).values()].map(inWords);
}

const marked = { fd: 12, mark: own };
const sameOrder = "A-1 89abcdef.ffffffff";
const [stranger, otherMark] = ["A-1 99999999.ffffffff", "B-2 89abcdef.ffffffff"];
const ofKit = makeReceipt({ receiptId: toReceiptId("0f0e5bd6-5ad1-4a0c-8f3c-1f1d3f1b2a01") });
const respelt = "Счет ?1 99999999.ffffffff";
const oddId = makeReceipt({ orderId: toOrderId("Счёт №1") });
const mailed = makeReceipt({ contact: "a@a.ru" });
const longName = makeReceipt({ lines: [makeItem({ name: "Чай чёрный байховый" })] });
const oddName = makeReceipt({ lines: [makeItem({ name: "Café 🍵" })] });
const named = (name: string, sum = 10_000, quantity = 1_000_000) => {
  return { name, price: kopecks(sum), quantity, sum: kopecks(sum) };
};
const shortName = { items: [named("Чай чёрный")] };
const questionMarks = { items: [named("Cafe ??")] };
const splitInTwo = { items: [named("Чай", 6666, 2_000_000), named("Чай", 3334)] };
const unmarked = { isMarked: false };
const taken = { owner: 7 };
/** The operator has looked at the documents up to this one. */
const looked = (fd: number, drive = fn) => ({ excluded: [{ fn: drive, fd }] });
/** A program of the receipt began after this document. */
const began = (fd: number, isMarked: boolean) => ({ earlier: [{ fn, fd, isMarked }] });
const tabled = { receipt: makeReceipt({ requisites: { userProperty: { name: "Стол", value: "5ё" } } }), mark: null };
const likeMark = {
  ...tabled,
  receipt: makeReceipt({ requisites: { userProperty: { name: "Стол", value: stranger } } }),
};
const ownText = { mark: "5ё" };
const [toMailed, ofTable] = [
  { ...unmarked, receipt: mailed },
  { ...unmarked, ...tabled },
];

type Case = readonly [string, readonly FoundDocument[], Partial<SentClaim>, string];

const sentCases: readonly Case[] = [
  ["no document", [], {}, "none"],
  ["no document on an unproven model", [], { isProven: false }, "none"],
  ["our mark", [found(), found(marked)], {}, "certain 12"],
  ["our mark on an unproven model", [found(marked)], { isProven: false }, "certain 12"],
  ["our mark beyond the fence", [found({ ...marked, fd: 30 })], {}, "certain 30"],
  ["our mark on another drive", [found(marked, { fn: otherDrive })], {}, "certain 12"],
  ["our mark on a receipt of another total", [found({ ...marked, total: kopecks(5_000) })], {}, "ambiguous: 12"],
  ["our mark on a return", [found({ ...marked, operation: "return" })], {}, "ambiguous: 12"],
  ["our mark on a correction", [found({ ...marked, type: "correction" })], {}, "ambiguous: 12"],
  ["our mark without numbers", [found({ ...marked, time: null })], {}, "unreadable: 12"],
  ["our mark twice", [found(marked), found({ ...marked, fd: 13 })], {}, "ambiguous: 12 13"],
  ["our mark on another job's document", [found(marked, taken)], {}, "ambiguous: 12"],
  ["our mark after a respelt order id", [found({ mark: "?-1 89abcdef.0a1b2c3d" })], {}, "certain 11"],
  ["our digits of another issuer", [found({ mark: "A-1 99999999.0a1b2c3d" })], {}, "none"],
  ["other digits of our issuer", [found({ mark: "A-1 89abcdef.ffffffff" })], {}, "none"],
  ["an equal receipt without the mark on a model that others cannot close", [found()], { canLackMark: false }, "none"],
  ["an equal receipt without the mark on a model that others can close", [found()], {}, "ambiguous: 11"],
  ["an equal return without the mark", [found({ operation: "return" })], {}, "none"],
  ["other goods on an unproven model", [found(otherGoods)], { isProven: false }, "unreadable: 11"],
  ["a shift document on an unproven model", [found({ type: "shift-open" })], { isProven: false }, "unreadable:"],
  ["shift documents and reports", [found({ type: "shift-open" }), found({ type: "other", fd: 12 })], {}, "none"],
  ["a document of which nothing was read", [found(unreadable)], {}, "unreadable: 11"],
  ["an unread document above the last number", [found({ ...unreadable, fd: 21 })], {}, "none"],
  ["an unread document before the program", [found({ ...unreadable, fd: 10 })], {}, "none"],
  ["another job's unread document", [found(unreadable, taken)], {}, "none"],
  ["a header of our total, rounded", [found({ ...onlyHeader, total: kopecks(9_901) })], {}, "unreadable: 11"],
  ["a header of another total", [found({ ...onlyHeader, total: kopecks(9_899) })], {}, "none"],
  ["a header of a return", [found({ ...onlyHeader, operation: "return" })], {}, "none"],
  ["another drive in the register", [], { canProveNone: false }, "no-evidence:"],
  ["another job's document as the answer", [found({}, taken)], { canProveNone: false }, "no-evidence:"],
  ["another job's answer, and our mark", [found({}, taken), found(marked)], { canProveNone: false }, "certain 12"],
  ["an equal receipt when no mark was sent", [found()], unmarked, "certain 11"],
  ["an equal receipt of an unproven model", [found()], { ...unmarked, isProven: false }, "certain 11"],
  ["an equal receipt with another contact", [found({ contact: "b@b.ru" })], toMailed, "ambiguous: 11"],
  ["an equal receipt with our contact in other words", [found({ contact: "A@a.ru " })], toMailed, "certain 11"],
  ["an equal correction when no mark was sent", [found({ type: "correction" })], unmarked, "ambiguous: 11"],
  ["two equal receipts when no mark was sent", [found(), found({ fd: 12 })], unmarked, "ambiguous: 11 12"],
  ["an equal receipt and an unread one", [found(), found({ ...unreadable, fd: 12 })], unmarked, "unreadable: 11 12"],
  ["an equal receipt with an unknown mark", [found({ mark: "C-3 89abcdef.00000000" })], unmarked, "none"],
  ["our own mark although none was sent", [found({ mark: own })], unmarked, "certain 11"],
  ["the order's own text", [found(ownText)], ofTable, "certain 11"],
  ["the order's own text, as a register spells it", [found({ mark: "5е" })], ofTable, "certain 11"],
  ["the order's own text like a mark", [found({ mark: stranger })], { ...unmarked, ...likeMark }, "certain 11"],
  [
    "the order's own text, beside another order's",
    [found(ownText), found({ fd: 12, mark: "6" })],
    ofTable,
    "ambiguous: 11 12",
  ],
  ["the order's own text with other goods", [found({ ...ownText, ...otherGoods })], ofTable, "none"],
  ["another text than the order's own", [found({ mark: "6" })], ofTable, "ambiguous: 11"],
  ["no text although the order has its own", [found()], ofTable, "ambiguous: 11"],
  ["a mark although the order has its own text", [found({ mark: sameOrder })], ofTable, "none"],
  ["our sum with other goods", [found(otherGoods)], unmarked, "none"],
  ["an equal receipt after another program's", [found({ ...otherGoods, fd: 5 }), found()], unmarked, "ambiguous: 11"],
  ["an equal receipt, one a shift older", [found({ ...otherGoods, fd: 5, shift: 2 }), found()], unmarked, "certain 11"],
  ["an equal receipt and one of our jobs", [found({ ...otherGoods, fd: 5 }, taken), found()], unmarked, "certain 11"],
  ["our sum with our name cut short", [found(shortName)], { ...unmarked, receipt: longName }, "ambiguous: 11"],
  ["our sum with a name in no code page", [found(questionMarks)], { ...unmarked, receipt: oddName }, "ambiguous: 11"],
  ["a position that was split in two", [found(splitInTwo)], unmarked, "certain 11"],
];

const correction = makeReceipt({ correction: { type: "self", date: "2026-07-14" } });
const fixing = makeReceipt({ ...correction, requisites: { additional: "4115683449" } });
const form31 = { type: "correction" } as const;
/** Tags as the drive shows them: 1178 (day) and 1192 (document that is corrected). */
const headed = (head: Readonly<Record<number, string>>) => ({ ...form31, tags: { head, items: [] } });
const [ofDay, ofOtherDay] = [headed({ 1178: "2026-07-14" }), headed({ 1178: "2026-07-13" })];
/** A correction of that day, which names the fiscal sign of the document that it corrects. */
const of = (document: string) => headed({ 1178: "2026-07-14", 1192: document });
const fixed = { ...unmarked, receipt: fixing };
const bySums = { ...ofDay, items: [] };

const correctionCases: readonly Case[] = [
  ["no document", [], {}, "none"],
  ["its mark", [found({ ...marked, ...form31 })], {}, "certain 12"],
  ["its mark on a receipt", [found(marked)], {}, "ambiguous: 12"],
  ["its mark on a correction of another day", [found({ ...marked, ...ofOtherDay })], {}, "certain 12"],
  ["an equal receipt", [found()], unmarked, "none"],
  ["an equal receipt without the mark", [found()], {}, "none"],
  ["an equal receipt in a header", [found(onlyHeader)], unmarked, "none"],
  ["an equal correction of a day that was not read", [found(form31)], unmarked, "ambiguous: 11"],
  ["an equal correction of its day", [found(ofDay)], unmarked, "certain 11"],
  ["an equal correction of another day", [found(ofOtherDay)], unmarked, "ambiguous: 11"],
  [
    "a correction of its sums and another day",
    [found({ ...bySums, ...ofOtherDay, items: [] })],
    unmarked,
    "ambiguous: 11",
  ],
  ["a correction of its sums and day", [found(bySums)], unmarked, "certain 11"],
  ["a correction of its sums with an unread day", [found({ ...form31, items: [] })], unmarked, "ambiguous: 11"],
  ["a correction of another sum", [found({ ...bySums, total: kopecks(9_000) })], unmarked, "none"],
  ["two corrections of its sums", [found(bySums), found({ ...bySums, fd: 12 })], unmarked, "ambiguous: 11 12"],
  ["a document of which nothing was read", [found(unreadable)], unmarked, "unreadable: 11"],
  ["an equal correction of the same document", [found(of("4115683449"))], fixed, "certain 11"],
  ["an equal correction of another document", [found(of("1"))], fixed, "ambiguous: 11"],
];

test.each(correctionCases)("a sent correction is matched as expected with %s", (_, documents, over, expected) => {
  expect(match(documents, sent({ receipt: correction, ...over }))).toEqual([expected]);
});

test("after a data loss a waiting correction may be a correction of an equal sum, and never a receipt of that sum", () => {
  expect(match([lost()], queued({ receipt: correction }))).toEqual(["none"]);
  expect(match([lost(form31)], queued({ receipt: correction }))).toEqual(["ambiguous: 11"]);
});

test.each(sentCases)("a sent receipt is matched as expected with %s", (_, documents, over, expected) => {
  expect(match(documents, sent(over))).toEqual([expected]);
});

function done(over: Partial<RequestDocument> = {}): Partial<SentClaim> {
  const time = "2026-11-20T14:00:00" as LocalTime;
  const numbers = { fn, fd: 4, fiscalSign: "1", shift: 1, receiptNumber: 1, time, total: kopecks(10_000) };
  return { task: { kind: "done", document: { ...numbers, ...over } } };
}

const before = found({ ...unreadable, fd: 4 });
const inService: readonly Case[] = [
  ["ended without effect", [], { task: { kind: "ended" } }, "none"],
  ["open", [], { task: { kind: "open" } }, "in-progress:"],
  ["open, our mark on the drive", [found(marked)], { task: { kind: "open" } }, "certain 12"],
  ["open, an equal document", [found()], { ...unmarked, task: { kind: "open" } }, "in-progress: 11"],
  ["open, an unread document", [found(unreadable)], { task: { kind: "open" } }, "in-progress: 11"],
  ["done long before", [before], done(), "certain 4"],
  ["done, without a sum", [before], done({ total: null }), "certain 4"],
  ["done, by a document of ours", [found({ ...marked, fd: 4 })], done(), "certain 4"],
  ["done, by a document without our mark", [found({ fd: 4 })], done(), "ambiguous: 4"],
  ["done, by a document with another mark", [found({ mark: otherMark })], done({ fd: 11 }), "ambiguous: 11"],
  ["done, by an unread document", [found(unreadable)], done({ fd: 11 }), "certain 11"],
  ["done, by an equal document when no mark was sent", [found()], { ...unmarked, ...done({ fd: 11 }) }, "certain 11"],
  ["done, our mark elsewhere", [found(marked)], done(), "certain 12"],
  ["done by a document that no register shows", [], done(), "no-evidence:"],
  ["done on another drive", [{ ...before, fn: otherDrive }], done({ fn: otherDrive }), "ambiguous: 4"],
  ["done, by another job's document", [{ ...before, owner: 7 }], done(), "ambiguous: 4"],
  ["done over another sum", [before], done({ total: kopecks(1) }), "ambiguous: 4"],
  ["done, by nothing that it can name", [], { task: { kind: "done", document: null } }, "no-evidence:"],
];

test.each(inService)("a sent receipt is matched as expected when its request is %s", (_, documents, over, expected) => {
  expect(match(documents, sent({ canLackMark: false, ...over }))).toEqual([expected]);
});

test("a print service's numbers are used where the register shows none, and change nothing that it shows", () => {
  const shown = found({ ...unreadable, fd: 4, fiscalSign: "7", shift: null, time: null, receiptNumber: 8 });
  const claim = sent({ canLackMark: false, ...done({ shift: 5, receiptNumber: 9 }) });
  expect(matchDocuments([shown], [claim]).get(claim)).toMatchObject({
    kind: "certain",
    found: { document: { fiscalSign: "7", shift: 5, time: "2026-11-20T14:00:00", receiptNumber: 8 } },
  });
});

const queuedCases: readonly (readonly [string, readonly FoundDocument[], Partial<QueuedClaim>, string])[] = [
  ["no document", [], {}, "none"],
  ["its mark", [found(marked)], {}, "certain 12"],
  ["its mark when only marks count", [found(marked)], { marksOnly: true }, "certain 12"],
  ["its mark on another total", [found({ ...marked, total: kopecks(1) })], {}, "ambiguous: 12"],
  ["its mark without a shift number", [found({ ...marked, shift: null })], {}, "unreadable: 12"],
  [
    "its mark on another total that the operator has seen",
    [found({ ...marked, total: kopecks(1) })],
    looked(12),
    "none",
  ],
  ["its mark on a document that the operator has seen", [found(marked)], looked(12), "certain 12"],
  ["its mark twice", [found(marked), found({ ...marked, fd: 13 })], {}, "ambiguous: 12 13"],
  ["its digits under another address", [found({ mark: "A-1 99999999.0a1b2c3d" })], { receipt: ofKit }, "certain 11"],
  ["an equal receipt in between", [found()], {}, "none"],
  ["an unread document in between", [found(unreadable)], {}, "none"],
  ["an equal receipt on a register first seen", [found({}, { foundWhen: "newRegister" })], {}, "none"],
  ["an equal receipt found after a loss", [lost()], {}, "ambiguous: 11"],
  ["an equal receipt found after a loss when only marks count", [lost()], { marksOnly: true }, "none"],
  ["an equal receipt of another register found after a loss", [lost({}, { register: otherTill })], {}, "none"],
  ["an equal receipt found after a loss that the operator has seen", [lost()], looked(11), "none"],
  ["an equal receipt found after a loss that the operator has not seen", [lost()], looked(10), "ambiguous: 11"],
  ["an equal receipt found after a loss on an unseen drive", [lost()], looked(11, otherDrive), "ambiguous: 11"],
  ["a receipt of another sum found after a loss", [lost({ total: kopecks(1) })], {}, "none"],
  ["a receipt of equal sum and other goods found after a loss", [lost(otherGoods)], {}, "ambiguous: 11"],
  ["a receipt of less than a rouble more found after a loss", [lost({ total: kopecks(10_099) })], {}, "ambiguous: 11"],
  ["a receipt of a rouble more found after a loss", [lost({ total: kopecks(10_101) })], {}, "none"],
  ["a receipt of the other direction found after a loss", [lost({ operation: "return" })], {}, "none"],
  ["another job's equal receipt found after a loss", [lost({}, taken)], {}, "none"],
  ["an equal receipt found after a crash", [found({}, { foundWhen: "afterCrash" })], {}, "ambiguous: 11"],
  ["another register's one after a crash", [found({}, { foundWhen: "afterCrash", register: otherTill })], {}, "none"],
  ["a receipt of other goods found after a crash", [found(otherGoods, { foundWhen: "afterCrash" })], {}, "none"],
  ["an unread document found after a loss", [lost(unreadable)], {}, "unreadable: 11"],
  ["an equal receipt after a program of the receipt", [found()], began(10, false), "ambiguous: 11"],
  ["an equal receipt after a program with a mark", [found()], began(10, true), "none"],
  ["an unread document after a program of the receipt", [found(unreadable)], began(10, true), "unreadable: 11"],
  ["other goods after a program of the receipt", [found(otherGoods)], began(10, false), "none"],
  ["an equal receipt before a program of the receipt", [found()], began(11, false), "none"],
  ["its order with other content found after a loss", [lost({ mark: sameOrder })], {}, "ambiguous: 11"],
  ["its changed order under an old address", [lost({ mark: "A-1 00000001.ffffffff" })], {}, "ambiguous: 11"],
  ["its changed order of first sight", [found({ mark: sameOrder }, { foundWhen: "newRegister" })], {}, "ambiguous: 11"],
  ["its changed order in between", [found({ mark: sameOrder })], {}, "none"],
  ["its changed order as a return", [lost({ mark: sameOrder, operation: "return" })], {}, "none"],
  ["its changed order of the kit", [lost({ mark: sameOrder })], { receipt: ofKit }, "none"],
  ["its changed order, seen by the operator", [lost({ mark: sameOrder })], looked(11), "none"],
  ["an order id that only begins alike", [lost({ mark: "A-11 89abcdef.ffffffff" })], {}, "none"],
  ["its order id of an unknown issuer found after a loss", [lost({ mark: stranger })], {}, "ambiguous: 11"],
  ["its order id in the former form", [lost({ mark: "A-1 0a1b2c3d" })], {}, "ambiguous: 11"],
  ["its order id in the registers' spelling", [lost({ mark: respelt })], { receipt: oddId }, "ambiguous: 11"],
  ["its order id with other goods", [lost({ mark: stranger, ...otherGoods })], {}, "ambiguous: 11"],
  ["its order id with another total", [lost({ mark: stranger, total: kopecks(1) })], {}, "none"],
  ["its order id on a register first seen", [found({ mark: stranger }, { foundWhen: "newRegister" })], {}, "none"],
  ["its order id of another site of the config", [lost({ mark: "A-1 cafecafe.ffffffff" })], {}, "none"],
  ["some text of another program", [lost({ mark: "Стол 5" })], {}, "none"],
  ["its own text found after a loss", [lost(ownText)], tabled, "ambiguous: 11"],
  ["its own text in the form of a mark found after a loss", [lost({ mark: stranger })], likeMark, "ambiguous: 11"],
  ["its own text in between", [found(ownText)], tabled, "none"],
  ["a mark in place of its own text found after a loss", [lost({ mark: sameOrder })], tabled, "ambiguous: 11"],
];

test.each(queuedCases)("a waiting receipt is matched as expected with %s", (_, documents, over, expected) => {
  expect(match(documents, queued(over))).toEqual([expected]);
});

const [first, second] = [sent({ ...unmarked, job: 1 }), sent({ ...unmarked, job: 2 })];
const waiting = queued({ mark: "A-1 89abcdef.00000002" });

const bothUnsure = ["ambiguous: 11", "ambiguous: 11"];
const together: readonly (readonly [string, readonly FoundDocument[], readonly Claim[], readonly string[]])[] = [
  ["two sent receipts and one equal document", [found()], [first, second], bothUnsure],
  [
    "two sent receipts and one equal document in the window of one",
    [found()],
    [first, { ...second, above: 11 }],
    ["certain 11", "none"],
  ],
  ["two receipts of a mark, one document", [found(marked)], [sent(), queued()], ["ambiguous: 12", "ambiguous: 12"]],
  [
    "one receipt with its mark and one that the document would fit too",
    [found(marked), found({ fd: 13 })],
    [sent(), { ...second, mark: "A-1 89abcdef.00000003" }],
    ["certain 12", "certain 13"],
  ],
  [
    "an unsure and a waiting receipt, and an unread document found after a loss",
    [lost(unreadable)],
    [first, waiting],
    ["unreadable: 11", "unreadable: 11"],
  ],
  [
    "an unsure and a waiting receipt, and an unread document in between",
    [found(unreadable)],
    [first, waiting],
    ["unreadable: 11", "none"],
  ],
  ["an unsure and a waiting receipt, and an equal document found after a loss", [lost()], [first, waiting], bothUnsure],
  ["two waiting receipts, and one equal document found after a loss", [lost()], [waiting, queued()], bothUnsure],
  [
    "another claim's unread receipt in the shift, which is no other program's",
    [found(unreadable), found({ fd: 13 })],
    [
      { ...first, upTo: 11 },
      { ...second, above: 12 },
    ],
    ["unreadable: 11", "certain 13"],
  ],
  [
    "two receipts that are one document for the service",
    [before],
    [sent(done()), sent(done())],
    ["ambiguous: 4", "ambiguous: 4"],
  ],
];

test.each(together)("several receipts are matched as expected: %s", (_, documents, claims, expected) => {
  expect(match(documents, ...claims)).toEqual(expected);
});
