import { localTimeAt } from "@fiscald/shared/local-time.js";
import { checkReceipt } from "@fiscald/shared/receipt/check-receipt.js";
import type { SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { findRefusedCharacter, parseContact, plainText } from "@fiscald/shared/receipt/text-hygiene.js";
import fc from "fast-check";
import { makeItem, makeReceipt } from "../../support/make-job.js";
import { close, item, pay, read, sell, table } from "../../support/order-samples.js";

test.each([
  ["\u0007", /U\+0007 as character 2/],
  ["\u0000", /U\+0000/],
  ["\u0085", /U\+0085/],
  ["\u202e", /U\+202E/],
  ["\u2067", /U\+2067/],
  ["\u200f", /U\+200F/],
  ["\ud800", /U\+D800/],
  ["\ufffd", /U\+FFFD .*wrong character encoding/],
])("the character %j in a text is refused with its code and place", (character, words) => {
  expect(findRefusedCharacter(`a${character}b`)?.en).toMatch(words);
});

test("tabs, line ends and no-break spaces in a text become one space and are not refused", () => {
  expect(plainText("a\t\r\n\u00a0b")).toBe("a b");
  expect(findRefusedCharacter("a\t\r\n\u00a0b")).toBeNull();
});

test("any text from a keyboard is accepted, characters beyond the first plane included", () => {
  const letters = fc.string({
    unit: fc.oneof(fc.constantFrom(..."Ёё№²₽«»—…😀é"), fc.string({ minLength: 1, unit: "grapheme-ascii" })),
  });
  fc.assert(fc.property(letters, (text) => findRefusedCharacter(text) === null));
});

describe("a receipt with a refused character", () => {
  const bad = "a\u202eb";
  const time = localTimeAt(0, "UTC");
  const industry = { authority: "030", date: "21.11.2023", number: "1944", value: "UUID=1" };
  const agent = { type: 4, supplierName: null, supplierPhones: [], supplierInn: null };
  const sale = (over: Partial<SaleReceipt>) => makeReceipt(over);
  test.each([
    ["lines[0].data", sale({ lines: [makeItem({ name: bad })] })],
    ["lines[0].data", sale({ lines: [makeItem({ unit: bad })] })],
    ["contact", sale({ contact: `${bad}@x.ru` })],
    ["cashierName", sale({ cashier: { name: bad, inn: null } })],
    ["paymentPlace", sale({ settlementPlace: bad })],
    ["buyerName", sale({ requisites: { buyer: { name: bad } } })],
    ["buyerDocumentData", sale({ requisites: { buyer: { documentData: bad } } })],
    ["buyerAddress", sale({ requisites: { buyer: { address: bad } } })],
    ["additionalCheckProps", sale({ requisites: { additional: bad } })],
    ["operatingCheckProps", sale({ requisites: { operating: { id: bad, data: "x", time } } })],
    ["operatingCheckProps", sale({ requisites: { operating: { id: "0", data: bad, time } } })],
    ["additionalUserProps", sale({ requisites: { userProperty: { name: bad, value: "7" } } })],
    ["additionalUserProps", sale({ requisites: { userProperty: { name: "Стол", value: bad } } })],
    ["lines[0].data", sale({ lines: [makeItem({ requisites: { additional: bad } })] })],
    ["lines[0].data", sale({ lines: [makeItem({ requisites: { industry: { ...industry, number: bad } } })] })],
    ["lines[0].data", sale({ lines: [makeItem({ requisites: { industry: { ...industry, value: bad } } })] })],
    ["lines[0].data", sale({ lines: [makeItem({ agent: { ...agent, supplierName: bad } })] })],
    ["lines[0].data", sale({ lines: [makeItem({ agent: { ...agent, data: { operation: bad } } })] })],
    ["lines[0].data", sale({ lines: [makeItem({ agent: { ...agent, data: { transferAddress: bad } } })] })],
    [
      "lines[0].data",
      sale({ lines: [makeItem({ agent: { ...agent, data: { agentPhones: ["+79990000001", bad] } } })] }),
    ],
  ])("a receipt with a refused character is refused at its place %s", (place, receipt) => {
    expect(checkReceipt(receipt)).toMatchObject([{ path: place, resultCode: 1 }]);
  });

  test("a site's order with a refused character is broken at the place of that character", () => {
    const order = table([sell, item({ price: 1, quantity: 1 }, "Чай \ufffd"), pay(1), close]);
    expect(read(JSON.stringify(order))).toMatchObject({
      kind: "broken",
      fault: { place: "taskTable[1].data", code: "order.wrong-value" },
    });
  });
});

describe("parseContact", () => {
  test.each([
    ["buyer@example.ru", "buyer@example.ru"],
    [" почта@пример.рф ", "почта@пример.рф"],
    ["89123456789", "+79123456789"],
    ["79123456789", "+79123456789"],
    ["+7 (912) 345-67-89", "+79123456789"],
    ["8.912.345.67.89", "+79123456789"],
    ["+4930901820", "+4930901820"],
    [`${"a".repeat(59)}@b.ru`, `${"a".repeat(59)}@b.ru`],
    [`${"a".repeat(60)}@b.ru`, null],
    ["9123456789", "+79123456789"],
    ["+7 (912) 345‑67–89", "+79123456789"],
    ["mailto: buyer@example.ru", "buyer@example.ru"],
    ["4951234567", null],
    ["+7912", null],
    ["+1234567890123456", null],
    ["a@b@c", null],
    ["a b@c", null],
    ["@example.ru", null],
    ["a@b,c@d", null],
    ["a@b\u0000", null],
    ["buyer", null],
    ["", null],
  ])("the contact %j is read as %j", (text, expected) => {
    expect(parseContact(text)).toBe(expected);
  });
});
