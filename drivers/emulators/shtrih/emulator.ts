import { chooseOne, chooseSettings, type EmulatedModel, type ModelOptions } from "../device/emulated-model.js";
import type { DeviceLink, LinkPort, MakerProtocol } from "../device/maker-protocol.js";
import { taxTable } from "../memory/registration.js";
import { Fields, integer } from "./bytes.js";
import { type CommandRow, fail, type Outcome } from "./command-table.js";
import { correctionCommands } from "./commands/correction.js";
import { driveCommands } from "./commands/drive.js";
import { markingCommands } from "./commands/marking.js";
import { printCommands } from "./commands/print.js";
import { receiptCommands } from "./commands/receipt.js";
import { shiftCommands } from "./commands/shift.js";
import { statusCommands } from "./commands/status.js";
import { tableCommands } from "./commands/table.js";
import { tagCommands } from "./commands/tag.js";
import { ShtrihDevice } from "./device.js";
import { LinkV1, type LinkV1Options } from "./link-v1.js";
import { LinkV2 } from "./link-v2.js";
import { paymentNames, shtrihModels, taxRows } from "./models.js";
import { shtrihSettings } from "./settings.js";

const BYTE_TIMEOUT_MS = 100;
const modelNames = ["desktop", "smartpos", "nano", "poscenter"] as const;
const protocols = ["v1", "v2", "auto"] as const;

const commands: ReadonlyMap<number, CommandRow> = new Map(
  [
    ...statusCommands,
    ...tableCommands,
    ...printCommands,
    ...shiftCommands,
    ...receiptCommands,
    ...correctionCommands,
    ...tagCommands,
    ...driveCommands,
    ...markingCommands,
  ].map((row) => [row.code, row]),
);

/** Models `desktop` (v1), `smartpos` (v1 or v2 by the first byte), `nano` and `poscenter`. */
export function prepareShtrih(options: ModelOptions): EmulatedModel {
  const model = shtrihModels[chooseOne("model", options.model ?? "desktop", modelNames)];
  const protocol = chooseOne("protocol", options.protocol ?? model.protocol, protocols);
  const settings = chooseSettings(shtrihSettings, options.unconfirmed);
  return {
    title: model.title,
    columns: model.printWidthDots >= 576 ? 48 : 32,
    taxes: taxTable(taxRows),
    paymentNames,
    createProtocol: (core) => createProtocol(new ShtrihDevice(core, model, settings), protocol, options.wire === "tcp"),
  };
}

function createProtocol(device: ShtrihDevice, protocol: ShtrihProtocol, extraFf: boolean): MakerProtocol {
  return {
    createLink: (port) =>
      createShtrihLink(protocol, port, { byteTimeoutMs: BYTE_TIMEOUT_MS, extraFf, ...device.settings }),
    namesOf: (command) => {
      const { code, row } = parse(command);
      const name = code.toString(16).toUpperCase().padStart(2, "0");
      return row === null ? [name] : [name, row.name];
    },
    perform: (command) => perform(device, command),
    refuse: (command, code) => answerOf(parse(command), fail(code), 0),
    refuseReading: (command) => {
      const parsed = parse(command);
      return documentReaders.has(parsed.code) ? answerOf(parsed, fail(DRIVE_SILENT), 0) : null;
    },
    durationMs: (command) => parse(command).row?.ms ?? 8,
    powerCut: () => device.powerCut(),
  };
}

/** Error of a drive that does not answer (Shtrih-M protocol, 10). */
const DRIVE_SILENT = 0x30;
const documentReaders = new Set([0xff0a, 0xff3a, 0xff3b]);
const UNKNOWN_COMMAND = 0x37;
const BAD_LENGTH = 0x7e;
const WRONG_PASSWORD = 0x4f;
const WRONG_MODE = 0x73;
const SHIFT_EXPIRED = 0x4e;
const RECEIPT_OPEN = 0x4a;

interface ParsedCommand {
  readonly code: number;
  readonly row: CommandRow | null;
  readonly parameters: Uint8Array;
}

/** A command code has one byte, or two bytes in the groups FF and FE. */
function parse(command: Uint8Array): ParsedCommand {
  const [first = 0, second = 0] = command;
  const long = first === 0xff || first === 0xfe;
  const code = long ? first * 256 + second : first;
  return { code, row: commands.get(code) ?? null, parameters: command.subarray(long ? 2 : 1) };
}

function perform(device: ShtrihDevice, command: Uint8Array): Uint8Array {
  const parsed = parse(command);
  const { code, row, parameters } = parsed;
  if (row === null) {
    const short = code > 0xff && device.settings["unknown-ff-answer"] === "2";
    return short ? Uint8Array.of(0xff, UNKNOWN_COMMAND) : answerOf(parsed, fail(UNKNOWN_COMMAND), 0);
  }
  const fields = new Fields(parameters);
  const size = parameters.length - (row.password === "none" ? 0 : 4);
  if (size < (row.min ?? 0) || size > (row.max ?? Number.POSITIVE_INFINITY))
    return answerOf(parsed, fail(BAD_LENGTH), 0);
  const operator = row.password === "none" ? 0 : device.operatorOf(fields.integer(4));
  const error = operator === null || !mayUse(row, operator) ? WRONG_PASSWORD : refusalOf(device, row);
  const outcome = error === null ? row.run({ device, operator: operator ?? 0, fields, code }) : fail(error);
  device.lastError = "error" in outcome ? outcome.error : 0;
  return answerOf(parsed, outcome, operator ?? 0);
}

function mayUse(row: CommandRow, operator: number): boolean {
  if (row.password === "sys") return operator === 30;
  return row.password === "adm" ? operator >= 29 : true;
}

/** The error that refuses a command: the mode is checked first, then the paper (Shtrih-M protocol, 9). */
function refusalOf(device: ShtrihDevice, row: CommandRow): number | null {
  const { mode, submode } = device;
  if (row.modes !== undefined && !row.modes.includes(mode)) {
    if (mode === 3 && (row.name === "open-receipt" || row.name === "item")) return SHIFT_EXPIRED;
    if (mode === 8 && row.name === "open-receipt") return RECEIPT_OPEN;
    return WRONG_MODE;
  }
  if (row.paper === undefined || submode === 0) return null;
  if (row.paper === "document" && !device.printsDocuments && submode === 1) return null;
  return { 1: 0x6b, 2: 0x6b, 3: row.paper === "print" ? 0x58 : 0x72, 5: 0x50 }[submode] ?? 0x72;
}

function answerOf({ code, row }: ParsedCommand, outcome: Outcome, operator: number): Uint8Array {
  const head = code > 0xff ? [code >> 8, code & 0xff] : [code];
  if ("error" in outcome) return Uint8Array.of(...(code >> 8 === 0xfe ? [0xfe] : head), outcome.error);
  return Uint8Array.of(...head, 0, ...(row?.operatorByte === true ? integer(operator, 1) : []), ...outcome.data);
}

export type ShtrihProtocol = "v1" | "v2" | "auto";

/** `auto`: the first byte after power-on decides between the protocols, once. */
export function createShtrihLink(protocol: ShtrihProtocol, port: LinkPort, options: LinkV1Options): DeviceLink {
  if (protocol === "v1") return new LinkV1(port, options);
  if (protocol === "v2") return new LinkV2(port, options);
  let chosen: DeviceLink | null = null;
  return {
    receive(byte) {
      if (byte === 0x8f) chosen ??= new LinkV2(port, options);
      else if (byte === 0x05 || byte === 0x02) chosen ??= new LinkV1(port, options);
      chosen?.receive(byte);
    },
    reconnected: () => chosen?.reconnected(),
  };
}
