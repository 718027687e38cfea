import { crc16Ccitt, xorOf } from "@fiscald/drivers/framing/framing.js";
import { hex } from "../vectors/hex.js";

describe("checksums", () => {
  test.each([
    ["", 0x00],
    ["05 10 1E 00 00 00", 0x0b],
    ["01 FC", 0xfd],
    ["FF FF", 0x00],
  ])("the checksum of the bytes [%s] by exclusive or is %i", (bytes, expected) => {
    expect(xorOf(hex(bytes))).toBe(expected);
  });

  test("CRC-16/CCITT-FALSE of the digits 1 to 9 is its published check value", () => {
    expect(crc16Ccitt(Buffer.from("123456789"))).toBe(0x29b1);
  });

  test("CRC-16/CCITT-FALSE of nothing is its initial value", () => {
    expect(crc16Ccitt([])).toBe(0xffff);
  });
});
