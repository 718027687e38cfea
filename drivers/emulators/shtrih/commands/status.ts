import { cp1251, deviceDate, deviceTime, integer } from "../bytes.js";
import { type CommandRow, fail, ok } from "../command-table.js";
import type { ShtrihDevice } from "../device.js";

export const statusCommands: readonly CommandRow[] = [
  {
    code: 0x10,
    name: "status",
    password: "op",
    operatorByte: true,
    ms: 2,
    run: ({ device }) => {
      const { flags, modeByte, submode, model } = device;
      const items = device.core.receipt?.lines.length ?? 0;
      const head = [flags & 0xff, flags >> 8, modeByte, submode, items & 0xff];
      if (!model.cashCore) return ok(head, [0xa1, 0xde, 0x01, 0xc0, items >> 8, 0x1d, 0x08, 0x00]);
      const lastPrint = submode === 5 ? 5 : submode === 0 ? 0 : 1;
      return ok(head, [0x33, 0x48, 0x00, 0x00, items >> 8, 0xff, 0xff, 0xff, lastPrint]);
    },
  },
  {
    code: 0x11,
    name: "long-status",
    password: "op",
    operatorByte: true,
    ms: 8,
    run: ({ device }) => longStatus(device),
  },
  {
    code: 0xfc,
    name: "device-type",
    password: "none",
    run: ({ device }) => ok(device.model.type, cp1251(device.model.title)),
  },
  {
    code: 0xf7,
    name: "parameters",
    password: "none",
    min: 1,
    run: ({ device, fields }) => (fields.integer(1) === 1 ? ok(device.parameters) : fail(0x33)),
  },
  { code: 0x13, name: "beep", password: "op", operatorByte: true, run: () => ok() },
  {
    code: 0x26,
    name: "font",
    password: "sys",
    min: 1,
    run: ({ device, fields }) => {
      const font = device.model.fonts[fields.integer(1) - 1];
      if (font === undefined) return fail(0x33);
      return ok(integer(device.model.printWidthDots, 2), [font.width, font.height, device.model.fonts.length]);
    },
  },
  {
    code: 0x1a,
    name: "money-register",
    password: "op",
    min: 1,
    operatorByte: true,
    run: ({ device, fields }) => ok(integer(moneyRegister(device, fields.integer(fields.left > 1 ? 2 : 1)), 6)),
  },
  {
    code: 0x6b,
    name: "error-text",
    password: "none",
    run: ({ device, fields }) => {
      if (!device.hasFlag(36)) return fail(0x37);
      const code = fields.left > 0 ? fields.integer(1) : device.lastError;
      return ok(cp1251(`ОШИБКА ${code.toString(16).toUpperCase()}H`));
    },
  },
  {
    code: 0xd1,
    name: "printer-state",
    password: "op",
    operatorByte: true,
    run: ({ device }) => ok(new Uint8Array(8), [device.core.printer.status === "printing" ? 0 : 1]),
  },
];

function longStatus(device: ShtrihDevice): { readonly data: Uint8Array } {
  const { core, model, flags } = device;
  const now = core.now();
  const closedShift = core.shift === "closed" ? core.shiftRecord.number : core.shiftRecord.number - 1;
  const serial = Number(core.registration.serial.replaceAll(/\D/g, "")) % 0x100000000;
  const body = [
    ...cp1251("C1"),
    ...integer(54219, 2),
    ...[25, 4, 18],
    device.numberField(1, 1, 1),
    ...integer(core.through % 10_000, 2),
    ...integer(flags, 2),
    device.modeByte,
    device.submode,
    model.cashCore ? 128 : 2,
    ...cp1251("NA"),
    ...[0, 0],
    ...[1, 1, 16],
    ...deviceDate(now),
    ...deviceTime(now),
    0,
    ...integer(serial, 4),
    ...integer(closedShift, 2),
    ...[0, 0, 0, 0],
    ...integer(Number(core.registration.inn), 6),
    ...(model.cashCore ? [0, 0] : []),
  ];
  return { data: Uint8Array.from(body) };
}

function moneyRegister({ core }: ShtrihDevice, register: number): number {
  const { shiftRecord, cash } = core;
  if (register === 241) return cash;
  if (register === 242) return shiftRecord.cashIn;
  if (register === 243) return shiftRecord.cashOut;
  return 0;
}
