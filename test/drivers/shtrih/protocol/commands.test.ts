import { answersCode } from "@fiscald/drivers/codec/command-table.js";
import { printSwitch } from "@fiscald/drivers/shtrih/compile/steps.js";
import { commands } from "@fiscald/drivers/shtrih/protocol/commands.js";
import { kopecks, quantity } from "@fiscald/shared/amounts.js";
import { hex, toHex } from "../../vectors/hex.js";
import { dataOf, v1Frames, v2Frames } from "../../vectors/shtrih-frames.js";

const password = 30;
const v2Data = (name: string) => v2Frames.find((row) => row.name === name)?.data ?? hex("");

describe("requests of real devices' logs", () => {
  test.each([
    ["short status", commands.shortStatus.encode({ password }), v1Frames.statusRequest],
    ["device type", commands.deviceType.encode({}), v1Frames.deviceTypeRequest],
    ["open receipt", commands.openReceipt.encode({ password: 1, type: 0 }), v1Frames.openReceiptRequest],
    ["full cut", commands.cut.encode({ password, partial: false }), v1Frames.cutRequest],
    ["OFD exchange", commands.ofdStatus.encode({ password }), v1Frames.ofdRequest],
    ["read document 29", commands.beginReadDocument.encode({ password, fd: 29 }), v1Frames.readDocumentRequest],
  ])("%s", (_, { payload }, frame) => {
    expect(toHex(payload)).toBe(toHex(dataOf(frame)));
  });

  test("item: the log's name is padded with zeros, ours is not", () => {
    const { payload } = commands.registerItem.encode({
      password,
      operation: 1,
      quantity: quantity(3_000_000),
      price: kopecks(1333),
      sum: kopecks(4000),
      taxCode: 1,
      department: 0,
      method: 4,
      subject: 1,
      name: "Позиция 1",
    });
    const logged = dataOf(v1Frames.itemRequest);
    expect(toHex(payload)).toBe(toHex(logged.slice(0, payload.length)));
    expect(logged.slice(payload.length).every((byte) => byte === 0)).toBe(true);
  });

  test("paper on again is the logged write of table 17 field 7", () => {
    const { command } = printSwitch(true, password);
    expect("request" in command ? toHex(command.request.payload) : "").toBe(toHex(dataOf(v1Frames.printSwitchRequest)));
  });

  test("close: sixteen sums from offset 6, tax system at 117", () => {
    const sums = new Map([
      [1, kopecks(100)],
      [2, kopecks(0x0102030405)],
      [16, kopecks(7)],
    ]);
    const { payload } = commands.closeReceipt.encode({ password, sums, taxSystem: 4 });
    expect(payload).toHaveLength(118);
    expect(toHex(payload.slice(0, 16))).toBe("FF 45 1E 00 00 00 64 00 00 00 00 05 04 03 02 01");
    expect(toHex(payload.slice(81, 86))).toBe("07 00 00 00 00");
    expect(payload.slice(86, 117).every((byte) => byte === 0)).toBe(true);
    expect(payload[117]).toBe(4);
  });
});

describe("answers of real devices' logs", () => {
  test("short status of a RETAIL-01F: shift closed is mode 2 open, paper there", () => {
    expect(commands.shortStatus.decode(dataOf(v1Frames.statusAnswer))).toEqual({
      operator: 30,
      flags: 0x0292,
      mode: 2,
      submode: 0,
      operations: 0,
      printResult: null,
    });
  });

  test("short status of a SmartPOS tells that a closed receipt is being printed", () => {
    expect(commands.shortStatus.decode(v2Data("status while a closed receipt is printed"))).toEqual({
      operator: 30,
      flags: 0x0090,
      mode: 8,
      submode: 5,
      operations: 1,
      printResult: 5,
    });
  });

  test("long status", () => {
    expect(commands.longStatus.decode(dataOf(v1Frames.longStatusAnswer))).toEqual({
      operator: 30,
      firmware: "C.1 build 54219",
      flags: 0x0292,
      mode: 2,
      submode: 0,
      clock: { date: { day: 25, month: 10, year: 2018 }, time: { hour: 8, minute: 36, second: 21 } },
      serial: 149_119,
      lastClosedShift: 3,
    });
  });

  test("device type", () => {
    expect(commands.deviceType.decode(dataOf(v1Frames.deviceTypeAnswer))).toMatchObject({
      type: 0,
      protocol: 1,
      subprotocol: 14,
      model: 22,
      name: "РИТЕЙЛ-01Ф",
    });
    expect(commands.deviceType.decode(v2Data("device type answer"))).toMatchObject({
      model: 45,
      name: "ШТРИХ-СМАРТПОС-Ф",
    });
  });

  test("model parameters of a desktop register and of a SmartPOS", () => {
    const desktop = commands.modelParameters.decode(dataOf(v1Frames.modelAnswer));
    expect(desktop).toMatchObject({ fnTable: 18, graphicsLineBytes: 64, ffdTable: null });
    expect([desktop.has("cutter"), desktop.has("protocol2"), desktop.has("swapGraphicsBits")]).toEqual([
      true,
      false,
      true,
    ]);
    const smartpos = commands.modelParameters.decode(v2Data("model answer"));
    expect(smartpos).toMatchObject({ fnTable: 13, ffdTable: 10, ffdField: 29 });
    expect([smartpos.has("cutter"), smartpos.has("protocol2"), smartpos.has("cashCore")]).toEqual([false, true, true]);
  });

  test("close", () => {
    expect(commands.closeReceipt.decode(dataOf(v1Frames.closeAnswer))).toEqual({
      change: 0,
      fd: 17_884,
      fiscalSign: 289_979_573,
    });
    expect(commands.closeReceipt.decode(v2Data("close answer"))).toEqual({ change: 0, fd: 82, fiscalSign: 0x3e0bbff2 });
  });

  test("nothing waits for the OFD", () => {
    expect(commands.ofdStatus.decode(dataOf(v1Frames.ofdAnswer))).toEqual({ count: 0, firstFd: 0, firstAt: null });
  });

  test("a document's header: a sale of 1500.00", () => {
    const data = hex("FF 0A 00 03 00 12 06 15 06 25 F9 B2 00 00 79 58 50 F5 01 F0 49 02 00 00");
    expect(commands.findDocument.decode(data)).toEqual({
      type: "receipt",
      time: "2018-06-21T06:37:00",
      fd: 45_817,
      fiscalSign: 4_115_683_449,
      operation: 1,
      total: 150_000,
      shift: null,
    });
  });

  test("shift parameters", () => {
    expect(commands.shiftParameters.decode(hex("FF 40 00 01 34 01 05 00"))).toEqual({
      open: true,
      shift: 308,
      receipt: 5,
    });
  });

  test.each([
    ["printing", commands.cut, dataOf(v1Frames.cutRefused), "device.printing", 0x50],
    [
      "cashless above the total",
      commands.closeReceipt,
      dataOf(v1Frames.closeRefused),
      "device.cashless-above-total",
      0x4d,
    ],
    ["wrong mode", commands.beginReadDocument, dataOf(v1Frames.readDocumentRefused), "device.wrong-mode", 0x73],
    ["no drive", commands.openReceipt, v2Data("no drive"), "device.fn-failure", 0x30],
  ])("%s is a refusal with the maker's number", (_, row, data, code, makerError) => {
    expect(() => row.decode(data)).toThrow(
      expect.objectContaining({ code, details: expect.objectContaining({ makerError, command: row.name }) }),
    );
  });

  test("a register that does not know the FF group answers one byte of the code and the error", () => {
    expect(() => commands.fnStatus.decode(hex("FF 37"))).toThrow(
      expect.objectContaining({ code: "device.not-supported" }),
    );
  });
});

describe("which answer belongs to which request", () => {
  test.each([
    [[0x10], "10 00 1E", true],
    [[0x10], "11 00 1E", false],
    [[0x10], "10", false],
    [[0xff, 0x45], "FF 45 4D", true],
    [[0xff, 0x45], "FF 46 00", false],
    [[0xff, 0x45], "FF 37", true],
    [[0xff, 0x45], "10 45 00", false],
  ])("%p and [%s]: %p", (code, data, expected) => {
    expect(answersCode(code, hex(data))).toBe(expected);
  });
});
