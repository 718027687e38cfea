import { parseContact } from "@fiscald/shared/receipt/contact.js";

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
    ["9123456789", null],
    ["+7912", null],
    ["+1234567890123456", null],
    ["a@b@c", null],
    ["a b@c", null],
    ["@example.ru", null],
    ["a@b,c@d", null],
    ["a@b\u0000", null],
    ["buyer", null],
    ["", null],
  ])("reads %j as %j", (text, expected) => {
    expect(parseContact(text)).toBe(expected);
  });
});
