import { decodeField, decodeText, encodeText } from "@fiscald/drivers/codec/code-pages.js";
import iconv from "iconv-lite";
import { hex } from "../vectors/hex.js";

describe("texts in code pages", () => {
  test("Russian letters have their own bytes in each of the two code pages", () => {
    expect(encodeText("Ёж №1", "cp1251")).toEqual(hex("A8 E6 20 B9 31"));
    expect(encodeText("Ёж №1", "cp866")).toEqual(hex("F0 A6 20 FC 31"));
  });

  test.each(["cp1251", "cp866"] as const)("the bytes below 80h are ASCII with its control characters in %s", (page) => {
    const ascii = Uint8Array.from(Array(128).keys());
    expect(decodeText(ascii, page)).toBe(Buffer.from(ascii).toString("latin1"));
    expect(encodeText(decodeText(ascii, page), page)).toEqual(ascii);
  });

  test.each(["cp1251", "cp866"] as const)("%s has the characters that iconv-lite has", (page) => {
    // CP1251 has no character at 98h.
    const bytes = Uint8Array.from(Array(256).keys()).filter((byte) => byte !== 0x98 || page === "cp866");
    expect(decodeText(bytes, page)).toBe(iconv.decode(Buffer.from(bytes), page));
  });

  test("a character that the code page lacks becomes a look-alike or a question mark", () => {
    expect(decodeText(encodeText("«Чай» — 5 ₽…", "cp866"), "cp866")).toBe('"Чай" - 5 руб....');
    expect(decodeText(encodeText("а‐б‑в―г 1\u2009000\u202f₽", "cp866"), "cp866")).toBe("а-б-в-г 1 000 руб.");
    expect(decodeText(encodeText("«Чай» —", "cp1251"), "cp1251")).toBe("«Чай» —");
    expect(decodeText(encodeText("茶", "cp1251"), "cp1251")).toBe("?");
  });

  test("a letter of two code points is encoded as one letter", () => {
    expect(decodeText(encodeText("и\u0306", "cp866"), "cp866")).toBe("й");
  });

  test("a text field ends at its zero byte, and spaces at its end are padding", () => {
    expect(decodeField(hex("41 42 20 20"), "cp1251")).toBe("AB");
    expect(decodeField(hex("41 00 42 43"), "cp1251")).toBe("A");
  });
});
