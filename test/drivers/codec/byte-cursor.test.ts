import { ByteReader, ByteWriter, integerOf } from "@fiscald/drivers/codec/byte-cursor.js";
import fc from "fast-check";
import { hex } from "../vectors/hex.js";

describe("reading little-endian fields", () => {
  test("a reader takes little-endian fields one after another", () => {
    const reader = new ByteReader(hex("01 02 03 04 05 06 07 CF EE 00 41"));
    expect([reader.u8(), reader.u16(), reader.u32()]).toEqual([1, 0x0302, 0x07060504]);
    expect(reader.text(4, "cp1251")).toBe("По");
    expect(reader.remaining).toBe(0);
  });

  test("a reader of an answer that is too short throws the fault of a corrupt answer", () => {
    expect(() => new ByteReader(hex("01")).u16()).toThrow(expect.objectContaining({ code: "link.corrupt" }));
  });

  test("an integer beyond 2^53 is refused, and an integer of no bytes is zero", () => {
    expect(() => integerOf(hex("FF FF FF FF FF FF FF FF"))).toThrow(RangeError);
    expect(integerOf(hex(""))).toBe(0);
  });
});

describe("writing little-endian fields", () => {
  test("a writer puts little-endian fields one after another, texts cut or padded", () => {
    const bytes = new ByteWriter().u8(1).u16(2).u32(3).text("Чек", "cp1251", 2).fixedText("A", "cp866", 3, 0x20).done();
    expect(bytes).toEqual(hex("01 02 00 03 00 00 00 D7 E5 41 20 20"));
  });

  test.each([
    [256, 1],
    [-1, 1],
    [1.5, 2],
    [2 ** 40, 5],
    [1, 7],
  ])("writing %d into a field of %d bytes is refused", (value, size) => {
    expect(() => new ByteWriter().uint(value, size)).toThrow(RangeError);
  });

  test("any integer of up to six bytes is read back as it was written", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), fc.nat(), (size, seed) => {
        const value = seed % 256 ** size;
        expect(new ByteReader(new ByteWriter().uint(value, size).done()).uint(size)).toBe(value);
      }),
    );
  });
});
