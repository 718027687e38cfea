import type { FiscalTag } from "@fiscald/emulators/memory/fiscal-tag.js";
import { decodeTags, encodeTags } from "@fiscald/emulators/memory/fn-tlv.js";
import fc from "fast-check";
import { hex, toHex } from "../../vectors/hex.js";

test.each<[string, string, FiscalTag]>([
  ["the literal 1077", "35 04 06 00 31 04 3E 0B BF F2", { tag: 1077, hex: "31043e0bbff2" }],
  ["the literal 1038", "0E 04 04 00 0C 00 00 00", { tag: 1038, number: 12 }],
  ["the literal 1023", "FF 03 04 00 06 40 42 0F", { tag: 1023, decimals: 6, value: 1_000_000 }],
  ["text in CP866", "FD 03 06 00 88 A2 A0 AD AE A2", { tag: 1021, text: "Иванов" }],
  ["text filled with spaces", "FA 03 0C 00 37 37 30 30 30 30 30 30 30 30 20 20", { tag: 1018, text: "7700000000" }],
  [
    "a container of tags",
    "3C 04 09 00 3D 04 01 00 41 3E 04 00 00",
    {
      tag: 1084,
      items: [
        { tag: 1085, text: "A" },
        { tag: 1086, text: "" },
      ],
    },
  ],
  ["an unknown tag", "10 27 02 00 DE AD", { tag: 10_000, hex: "dead" }],
])("tags are decoded from the drive's bytes and encoded back: %s", (_title, bytes, tag) => {
  expect(decodeTags(hex(bytes))).toEqual([tag]);
  expect(toHex(encodeTags([tag]))).toBe(bytes);
});

test.each([
  ["a value that stops early", "35 04 06 00 31"],
  ["a head that stops early", "35 04 06"],
  ["a quantity without its decimals", "FF 03 00 00"],
  ["two bytes for a tag of one byte", "1E 04 02 00 01 00"],
  ["a number above all possible sums", "FC 03 08 00 FF FF FF FF FF FF FF FF"],
  ["a container whose content is no TLV", "3C 04 03 00 01 02 03"],
])("decoding %s as a tag of the drive is refused", (_title, bytes) => {
  expect(decodeTags(hex(bytes))).toBeNull();
});

test("a number tag of no bytes is decoded as zero", () => {
  expect(decodeTags(hex("FC 03 00 00"))).toEqual([{ tag: 1020, number: 0 }]);
});

test("decoding any bytes never throws, and decoded tags are encoded back", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      const tags = decodeTags(bytes);
      if (tags !== null) expect(decodeTags(encodeTags(tags))).toEqual(tags);
    }),
  );
});
