import { localTimeAt } from "@fiscald/shared/local-time.js";
import { parseContact } from "@fiscald/shared/receipt/buyer-contact.js";
import { checkReceipt } from "@fiscald/shared/receipt/check-receipt.js";
import type { SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { findRefusedCharacter, plainText } from "@fiscald/shared/receipt/text-hygiene.js";
import fc from "fast-check";
import { makeItem, makeReceipt } from "../../support/make-job.js";
import { close, item, online, pay, read, saleFrom, sell, table } from "../../support/order-samples.js";

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

test("any text from a keyboard is accepted, even with characters beyond the first plane", () => {
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

  test("a picture whose file name has a refused character stops no receipt", () => {
    const picture = { type: "image", source: bad, alignment: "left" } as const;
    expect(checkReceipt(sale({ lines: [makeItem(), picture] }))).toEqual([]);
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
    ["a@b.ru\u200b", "a@b.ru"],
    ["\u202a+7 912 345\u00ad-67-89\u202c", "+79123456789"],
    ["", null],
  ])("parseContact reads %j as %j", (text, expected) => {
    expect(parseContact(text)).toBe(expected);
  });
});

describe("the contact of an order", () => {
  const contactLine = (data: string) => ({ type: "ClientContact", data });
  const withContacts = (...data: string[]) =>
    table([sell, item({ price: 1, quantity: 1 }), ...data.map(contactLine), pay(1), close]);

  test.each([
    ["an e-mail line before a phone line", withContacts("a@b.ru", "89123456789")],
    ["a phone line before an e-mail line", withContacts("89123456789", "a@b.ru")],
    [
      "a phone line beside the root's e-mail",
      table([sell, item({ price: 1, quantity: 1 }), contactLine("89123456789"), pay(1), close], {
        clientContact: "a@b.ru",
      }),
    ],
    ["a phone beside the root's e-mail", online({ attributes: { phone: "89123456789" } }, { clientContact: "a@b.ru" })],
  ])("the contact of an order is the e-mail of %s", (_what, order) => {
    expect(saleFrom(order).contact).toBe("a@b.ru");
  });

  test("the contact of an order with two e-mails is the last of them", () => {
    expect(saleFrom(withContacts("a@b.ru", "c@d.ru")).contact).toBe("c@d.ru");
  });

  test("a contact is kept without its invisible characters, with a warning at its place", () => {
    expect(read(withContacts("a@b.ru\u200b"))).toMatchObject({
      receipt: { contact: "a@b.ru" },
      warnings: [{ path: "taskTable[2].data", message: "has characters that nobody sees: they are left out" }],
    });
    expect(read(online({ attributes: { phone: "\u2060 89123456789" } }))).toMatchObject({
      receipt: { contact: "+79123456789" },
      warnings: [{ path: "receipt.attributes.phone" }],
    });
  });

  test("a contact of only invisible characters and a dash is no contact", () => {
    expect(read(withContacts("\u200b-"))).toMatchObject({ receipt: { contact: null }, warnings: [] });
  });
});

describe("a line that is only printed", () => {
  const paid = [item({ price: 1, quantity: 1 }), pay(1), close];
  const bad = ["\u200f", "\u0007", "\ufffd", "\ud800", "\u202e"];

  test.each(bad)(
    "a printed line with %j loses that character, with a warning, and stops no paid receipt",
    (character) => {
      const order = table([sell, { type: "String", data: `Спа${character}сибо` }, ...paid]);
      expect(read(JSON.stringify(order))).toMatchObject({
        receipt: { lines: [{ type: "text", content: { text: "Спасибо" } }, { type: "item" }] },
        warnings: [{ path: "taskTable[1].data", message: expect.stringMatching(/^has U\+.*left out$/) }],
      });
    },
  );

  test("a printed line keeps its line ends and tabs", () => {
    const order = table([sell, { type: "String", data: "a\nb\tc\u0000" }, ...paid]);
    expect(saleFrom(order).lines[0]).toMatchObject({ content: { text: "a\nb\tc" } });
  });

  test("a bar code with a forbidden character is printed without that character, with a warning", () => {
    const line = { type: "BarCode", data: "\u200fA1", param: { barCodeType: "QR" } };
    expect(read(table([sell, line, ...paid]))).toMatchObject({
      receipt: { lines: [{ data: "A1" }, {}] },
      warnings: [{ path: "taskTable[1].data" }],
    });
  });

  test("a printed line of a service job is also printed without a forbidden character", () => {
    expect(read(table([{ type: "String", data: "a\u0007b" }]))).toMatchObject({
      receipt: { kind: "service", lines: [{ content: { text: "ab" } }] },
    });
  });
});
