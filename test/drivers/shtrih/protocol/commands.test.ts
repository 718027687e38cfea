import { answersCode } from "@fiscald/drivers/shtrih/protocol/command-row.js";
import { commands } from "@fiscald/drivers/shtrih/protocol/commands.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import { hex, toHex } from "../../vectors/hex.js";
import { dataOf, v1Frames, v2Frames } from "../../vectors/shtrih-frames.js";

const v2Data = (name: string) => v2Frames.find((row) => row.name === name)?.data ?? hex("");

test("Shtrih-M's close has sixteen sums from offset 6 and the tax system at 117", () => {
  const sums = new Map([
    [1, kopecks(100)],
    [2, kopecks(0x0102030405)],
    [16, kopecks(7)],
  ]);
  const { payload } = commands.closeReceipt.encode({ password: 30, sums, taxSystem: 4 });
  expect(payload).toHaveLength(118);
  expect(toHex(payload.slice(0, 16))).toBe("FF 45 1E 00 00 00 64 00 00 00 00 05 04 03 02 01");
  expect(toHex(payload.slice(81, 86))).toBe("07 00 00 00 00");
  expect(payload.slice(86, 117).every((byte) => byte === 0)).toBe(true);
  expect(payload[117]).toBe(4);
});

describe("answers of real Shtrih-M devices' logs", () => {
  test("the flags in the model parameters of a real desktop Shtrih-M and of a SmartPOS are decoded", () => {
    const desktop = commands.modelParameters.decode(dataOf(v1Frames.modelAnswer));
    expect([desktop.has("cutter"), desktop.has("cashCore"), desktop.has("swapGraphicsBits")]).toEqual([
      true,
      false,
      true,
    ]);
    const smartpos = commands.modelParameters.decode(v2Data("model answer"));
    expect([smartpos.has("cutter"), smartpos.has("cashCore")]).toEqual([false, true]);
  });

  test("the header of a real Shtrih-M document, a sale of 1500.00, is decoded", () => {
    const data = hex("FF 0A 00 03 00 12 06 15 06 25 F9 B2 00 00 79 58 50 F5 01 F0 49 02 00 00");
    expect(commands.findDocument.decode(data)).toEqual({
      type: "receipt",
      time: "2018-06-21T06:37:00",
      fd: 45_817,
      fiscalSign: 4_115_683_449,
      operation: "sale",
      total: 150_000,
      shift: null,
    });
  });

  test("the format of a Shtrih-M's drive is decoded; an answer that is no tag gives null", () => {
    expect(commands.registeredFormat.decode(hex("FF 60 00 B9 04 01 00 04"))).toBe(4);
    expect(commands.registeredFormat.decode(hex("FF 60 00 04"))).toBeNull();
    expect(commands.registeredFormat.decode(hex("FF 60 00"))).toBeNull();
  });

  test("the shift parameters of a real Shtrih-M are decoded", () => {
    expect(commands.shiftParameters.decode(hex("FF 40 00 01 34 01 05 00"))).toEqual({
      open: true,
      shift: 308,
      receipt: 5,
    });
  });

  test("the one-byte answer of a Shtrih-M without the FF group is the fault of an unsupported command", () => {
    expect(() => commands.fnStatus.decode(hex("FF 37"))).toThrow(
      expect.objectContaining({ code: "device.not-supported" }),
    );
  });
});

describe("the command of a Shtrih-M answer", () => {
  test.each([
    [[0x10], "10 00 1E", true],
    [[0x10], "11 00 1E", false],
    [[0x10], "10", false],
    [[0xff, 0x45], "FF 45 4D", true],
    [[0xff, 0x45], "FF 46 00", false],
    [[0xff, 0x45], "FF 37", true],
    [[0xff, 0x45], "10 45 00", false],
  ])("the request %p and the Shtrih-M answer [%s] belong together: %p", (code, data, expected) => {
    expect(answersCode(code, hex(data))).toBe(expected);
  });
});
