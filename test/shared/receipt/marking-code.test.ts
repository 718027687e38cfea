import { bareCode, markFlaw, markWarning } from "@fiscald/shared/receipt/marking-code.js";
import { close, item, itemOf, pay, refusalsOf, saleFrom, sell, table } from "../../support/order-samples.js";

const base64 = (text: string) => Buffer.from(text, "latin1").toString("base64");
const code = "010460000000000821A1B2C3D4E5F6G\u001d93dGVz";

const spellings = ["]d2", "]C1", "\u001d", "\u00e8", "]d2\u001d", "\u001d\u001d", "\u001d]d2", " ]d2", "]C1\u00e8 "];
const ends = ["", "\u001d", " ", "\u001d ", " \u001d\u001d"];

test.each(spellings.flatMap((before) => ends.map((after) => [before, after])))(
  "a marking code that is sent between %j and %j is read without these characters",
  (before, after) => {
    expect(bareCode(base64(`${before}${code}${after}`))).toBe(base64(code));
  },
);

test("a marking code keeps its own separators, blanks and brackets", () => {
  const own = `${code}\u001d\u001d]d2 x`;
  expect(bareCode(base64(own))).toBe(base64(own));
});

test("a marking code that consists of separators is refused", () => {
  const separators = bareCode(base64("\u001d \u001d"));
  expect(markFlaw(separators)?.en).toBe("is empty: it has nothing but GS and blanks");
});

const good = "010460742867909521";
const keyed = `${good}5xPlskUc\u001d91EE06`;

test.each<readonly [code: string, what: string, said: string | null]>([
  [`${good}5xPlskUc\u001d93dGVz`, "a short verification code", null],
  [`${keyed}\u001d92${"A".repeat(44)}`, "a key and a signature", null],
  [`${keyed}\u001d92${"A".repeat(88)}`, "a key and a long signature", null],
  [`${good}5xPlskUc\u001d93dGVz\u001d3103001200`, "a weight behind its verification code", null],
  ["0104607428679095", "no serial number", null],
  [`${good}5xPlskUc\u001d310300120093dGVz`, "a weight before its verification code in one piece", null],
  [`${good}5xPlskUc\u001d17261130310300120093dGVz`, "a day and a weight before its verification code", null],
  [`${good}5xPlskUc\u001d1726113091EE06\u001d92${"A".repeat(44)}`, "a day before its key in one piece", null],
  [`${good}5xPlskUc`, "no tail, as on goods without one", null],
  [`${good}5xPlskUc91xN`, "no GS below the length of a whole code", null],
  [`${good}5xPlskUc\u001d310300120093dG`, "a weight and a cut verification code", "no whole verification code"],
  [`${good}5xPlskUc\u001d93dG`, "a cut verification code", "no whole verification code"],
  [keyed, "a key alone", "no whole verification code"],
  [`${keyed}\u001d92${"A".repeat(30)}`, "a cut signature", "no whole verification code"],
  [`${good}5xPlskUc91EE0692${"A".repeat(44)}`, "no GS", "has no GS"],
])("a marking code %j with %s is warned of with %j", (mark, _, said) => {
  const { en = null } = markWarning(base64(mark)) ?? {};
  expect(en).toEqual(said === null ? null : expect.stringContaining(said));
});

const marked = (mark: string) => item({ price: 1, quantity: 1, markingCode: base64(mark) }, "Сапоги");
const sale = (...marks: readonly string[]) => table([sell, ...marks.map(marked), pay(marks.length, 0), close]);

test.each([
  ["]d2\u001d", ""],
  ["\u001d\u001d", ""],
  ["", "\u001d"],
  ["", " "],
])("a marking code on two lines, once with %j before and once with %j behind it, is refused", (before, after) => {
  expect(refusalsOf(sale(code, `${before}${code}${after}`))).toEqual(["1 taskTable[2].param.markingCode"]);
});

test("the register gets a marking code without the separators around it", () => {
  expect(itemOf(saleFrom(sale(`]d2\u001d${code} `))).markingCode).toBe(base64(code));
});
