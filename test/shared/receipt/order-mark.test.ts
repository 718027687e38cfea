import { toOrderId, toReceiptId, toSiteId } from "@fiscald/shared/ids.js";
import { markDigits, orderKey } from "@fiscald/shared/receipt/order-key.js";
import { formatMark, parseMark } from "@fiscald/shared/receipt/order-mark.js";
import fc from "fast-check";
import { makeItem, makeReceipt } from "../../support/make-job.js";

describe("the order mark, tag 1086", () => {
  test.each([
    ["A-1042", "A-1042 89abcdef.0123abcd"],
    ["Заказ №7 Ё", "Заказ ?7 Ё 89abcdef.0123abcd"],
    ["Сче\u0308т и\u0306", "Счет й 89abcdef.0123abcd"],
    ["😀", "? 89abcdef.0123abcd"],
    ["x".repeat(128), `${"x".repeat(128)} 89abcdef.0123abcd`],
  ])("the order mark of order %s is %s", (orderId, expected) => {
    expect(formatMark(toOrderId(orderId), { issuer: "89abcdef", digits: "0123abcd" })).toBe(expected);
  });

  test("any order mark is read back with its issuer and digits, whatever the order's number", () => {
    const hex = fc.stringMatching(/^[0-9a-f]{8}$/);
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 128, unit: "grapheme" }), hex, hex, (name, issuer, digits) => {
        const found = parseMark(formatMark(toOrderId(`${name}.`), { issuer, digits }));
        expect(found).toMatchObject({ issuer, digits });
      }),
    );
  });

  test.each([
    ["A-1 0123abcd", { orderId: "A-1", issuer: null, digits: "0123abcd" }],
    ["A-1 20261120", null],
    ["A-1 89abcdef.0123abc", null],
    ["89abcdef.0123abcd", null],
    ["A-1 89ABCDEF.0123ABCD", null],
    ["", null],
  ])("the order mark %j on a document is read as %j", (text, expected) => {
    expect(parseMark(text)).toEqual(expected);
  });
});

describe("the digits of a mark", () => {
  const receipt = makeReceipt({ orderId: toOrderId("A-1"), lines: [makeItem({ name: "Чай" })] });

  test("the digits of an order mark are the same at every site, although the key of the order is not", () => {
    const keyAt = (site: string) => orderKey({ site: toSiteId(site), receipt }).key;
    expect(keyAt("shop")).not.toBe(keyAt("cafe"));
    expect(markDigits(receipt)).toBe("9c76150e");
  });

  test("the digits of an order mark follow the content, or only the receiptId of an order that has one", () => {
    const other = { ...receipt, lines: [makeItem({ name: "Кофе" })] };
    expect(markDigits(other)).not.toBe(markDigits(receipt));
    const named = (id: string) => ({ receiptId: toReceiptId(id) });
    expect(markDigits({ ...other, ...named("r-1") })).toBe(markDigits({ ...receipt, ...named("r-1") }));
    expect(markDigits({ ...receipt, ...named("r-2") })).not.toBe(markDigits({ ...receipt, ...named("r-1") }));
  });
});
