import {
  byteTag,
  containerTag,
  decodeTlvs,
  encodeTlv,
  fiscalSignOf,
  fiscalSignText,
  fixedStringTag,
  moneyOf,
  quantityOf,
  stringTag,
  tagValue,
  textOf,
  timeOf,
} from "@fiscald/drivers/codec/tlv.js";
import fc from "fast-check";
import { hex } from "../vectors/hex.js";

describe("tags", () => {
  test("tags are written in the bytes that the fiscal drive stores", () => {
    expect(stringTag(1008, "a@b.ru", 64)).toEqual(hex("F0 03 06 00 61 40 62 2E 72 75"));
    expect(byteTag(1125, 1)).toEqual(hex("65 04 01 00 01"));
    expect(fixedStringTag(1203, "123", 12)).toEqual(hex("B3 04 0C 00 31 32 33 20 20 20 20 20 20 20 20 20"));
    expect(containerTag(1084, [byteTag(1, 2)])).toEqual(hex("3C 04 05 00 01 00 01 00 02"));
  });

  test("a text that is longer than its tag allows is refused, and the fault names the text's place in the receipt", () => {
    expect(() => stringTag(1197, "килограммы-и-граммы", 16, "items[0].unit")).toThrow(
      expect.objectContaining({
        code: "receipt.unsupported",
        place: "items[0].unit",
        message: "items[0].unit is 19 characters, tag 1197 takes 16",
      }),
    );
    // CP866 lacks these four letters, and each is replaced by four.
    expect(() => stringTag(1197, "₽₽₽₽", 15)).toThrow("16 characters");
  });

  test("the tags 1077 and 1038 of a real device's document are read", () => {
    const [sign] = decodeTlvs(hex("35 04 06 00 31 04 3E 0B BF F2"));
    const [shift] = decodeTlvs(hex("0E 04 04 00 0C 00 00 00"));
    expect([sign?.tag, shift?.tag]).toEqual([1077, 1038]);
    // The close of this document was answered with F2 BF 0B 3E, least significant byte first.
    expect(fiscalSignOf(sign?.value ?? hex(""))).toBe(fiscalSignText(0x3e0bbff2));
    expect(moneyOf(shift?.value ?? hex(""))).toBe(12);
  });

  test("a real device's quantity of one unit is read, and the number of its decimals is used", () => {
    expect(quantityOf(hex("06 40 42 0F"))).toBe(1_000_000);
    expect(quantityOf(hex("03 DC 05"))).toBe(1_500_000);
    expect(quantityOf(hex("00 02"))).toBe(2_000_000);
    expect(quantityOf(hex("07 80 96 98 00"))).toBe(1_000_000);
  });

  test("a time tag is read as local time, without a time zone", () => {
    expect(timeOf(hex("00 00 00 00"))).toBe("1970-01-01T00:00:00");
    expect(timeOf(hex("FF FF FF 7F"))).toBe("2038-01-19T03:14:07");
  });

  test("a fiscal sign is written with ten digits, leading zero included", () => {
    expect(fiscalSignText(606_787_182)).toBe("0606787182");
  });

  test("reading a tag that is cut off throws the fault of a corrupt answer", () => {
    expect(() => decodeTlvs(hex("F0 03 06 00 61"))).toThrow(expect.objectContaining({ code: "link.corrupt" }));
  });

  test("any chain of tags is read back as it was written, and reading any bytes finishes", () => {
    const tag = fc.record({ tag: fc.nat(0xffff), value: fc.uint8Array({ maxLength: 40 }) });
    fc.assert(
      fc.property(fc.array(tag, { maxLength: 10 }), (tags) => {
        const bytes = Uint8Array.from(tags.flatMap(({ tag, value }) => Array.from(encodeTlv(tag, value))));
        expect(decodeTlvs(bytes)).toEqual(tags.map(({ tag, value }) => ({ tag, value: Uint8Array.from(value) })));
      }),
    );
  });

  test("of two equal tags the first one is read, and padding is removed from its text", () => {
    const tags = decodeTlvs(Uint8Array.of(...fixedStringTag(1203, "12", 12), ...fixedStringTag(1203, "34", 12)));
    const value = tagValue(tags, 1203);
    expect(value === null ? null : textOf(value)).toBe("12");
    expect(tagValue(tags, 1)).toBeNull();
  });
});
