/** What `connect` asks (Shtrih-M protocol, 11): nothing that writes. */
import { Fault } from "@fiscald/shared/fault.js";
import { toFnSerial, toInn, toKkm } from "@fiscald/shared/ids.js";
import { integerOf } from "../../codec/byte-cursor.js";
import { decodeField } from "../../codec/code-pages.js";
import { makerErrorOf, padKkm } from "../../driver-parts.js";
import { commands } from "../protocol/commands.js";
import type { Conversation } from "../protocol/conversation.js";
import { type ModelParameters, unknownModelParameters } from "../protocol/model-parameters.js";
import {
  type Font,
  hasNanoTaxCodes,
  printSettings,
  printSwitchFieldOf,
  type RegisterFacts,
  takesTagsFirst,
} from "../protocol/models.js";
import type { TableField } from "../protocol/status-commands.js";

const COMMAND_NOT_SUPPORTED = 0x37;
export const DESKTOP_FN_TABLE = 18;
const fnFields = { serial: 1, inn: 2, kkm: 3 } as const;
const TAXES_BY_HOST: TableField = { table: 1, row: 1, field: 14 };
const FFD_VERSION: TableField = { table: 17, row: 1, field: 17 };
/** Field of the format version on cash-core models, read where `FFD_VERSION` is empty. */
const CASH_CORE_FFD_VERSION: TableField = { table: 10, row: 1, field: 29 };
const ffdVersions: Readonly<Record<number, string>> = { 0: "1.0", 1: "1.0", 2: "1.05", 3: "1.1", 4: "1.2" };
/** How many fonts are read: an order can name no more, and the fifth and later fonts are for reports. */
const MAX_FONTS = 4;
const NARROWEST_PAPER = { fonts: [{ columns: 32 }], printWidth: 384 } as const;

export interface ReadFacts {
  readonly facts: RegisterFacts;
  /** True: paper is off for the next document, because an electronic receipt was interrupted. */
  readonly printIsOff: boolean;
}

/** Faults: `link.foreign`, `device.not-registered`, `device.wrong-password`, `device.fn-failure`. */
export async function readFacts(talk: Conversation, signal: AbortSignal): Promise<ReadFacts> {
  const device = await talk.ask(commands.deviceType, {}, signal);
  if (device.type !== 0) throw new Fault("link.foreign", { message: `${device.name} is no cash register` });
  const parameters = await readParameters(talk, signal);
  const long = await talk.ask(commands.longStatus, talk.operator, signal);
  const drive = await talk.ask(commands.fnStatus, talk.admin, signal);
  const registration = await talk.askOptional(commands.lastRegistration, talk.admin, signal);
  const fnTable = parameters.fnTable ?? DESKTOP_FN_TABLE;
  const text = (field: number) => readText(talk, { table: fnTable, row: 1, field }, signal);

  const kkm = padKkm((await text(fnFields.kkm)) || (registration?.kkm.trim() ?? ""));
  const inn = (await text(fnFields.inn)) || (registration?.inn.trim() ?? "");
  if (!/[1-9]/.test(kkm)) throw new Fault("device.not-registered");
  const paper = await readFonts(talk, signal);
  const switchField = printSwitchFieldOf(device, parameters, long.build);
  const setting = switchField === null ? null : await readNumber(talk, switchField, signal);
  const printIsOff = setting === printSettings.nextNot;
  return {
    printIsOff,
    facts: {
      identity: {
        kkm: toKkm(kkm),
        inn: toInn(inn),
        fn: toFnSerial(drive.serial),
        serial: (await text(fnFields.serial)) || String(long.serial),
        model: device.name,
        firmware: long.firmware,
        ffd: await readFfd(talk, parameters, signal),
        taxSystems: registration?.taxSystems ?? 0,
      },
      parameters,
      ...paper,
      tagsBeforeItem: takesTagsFirst(device, parameters),
      nanoTaxCodes: hasNanoTaxCodes(device),
      printSwitch:
        switchField === null || setting === null
          ? null
          : { field: switchField, owner: printIsOff ? printSettings.printed : setting },
      taxesByHost: (await readNumber(talk, TAXES_BY_HOST, signal)) === 1,
    },
  };
}

async function readParameters(talk: Conversation, signal: AbortSignal): Promise<ModelParameters> {
  try {
    return await talk.ask(commands.modelParameters, {}, signal);
  } catch (error) {
    if (makerErrorOf(error) === COMMAND_NOT_SUPPORTED) return unknownModelParameters;
    throw error;
  }
}

export async function readFfd(
  talk: Conversation,
  parameters: Pick<ModelParameters, "ffdTable" | "ffdField">,
  signal: AbortSignal,
): Promise<string | null> {
  const version = (await readFfdField(talk, parameters, signal))?.value;
  return version === undefined ? null : (ffdVersions[version] ?? null);
}

/** The field with the format of documents, and the format as a code of tag 1209. Null: there is none. */
export async function readFfdField(
  talk: Conversation,
  { ffdTable, ffdField }: Pick<ModelParameters, "ffdTable" | "ffdField">,
  signal: AbortSignal,
): Promise<{ readonly field: TableField; readonly value: number } | null> {
  const named = ffdTable === null || ffdField === null ? FFD_VERSION : { table: ffdTable, row: 1, field: ffdField };
  for (const field of [named, CASH_CORE_FFD_VERSION]) {
    const value = await readNumber(talk, field, signal);
    if (value !== null) return { field, value };
  }
  return null;
}

async function readFonts(
  talk: Conversation,
  signal: AbortSignal,
): Promise<{ readonly fonts: readonly Font[]; readonly printWidth: number }> {
  const first = await talk.askOptional(commands.fontParameters, { ...talk.admin, font: 1 }, signal);
  if (first === null || first.charWidth === 0) return NARROWEST_PAPER;
  const fonts = [fontOf(first)];
  for (let font = 2; font <= Math.min(first.fontCount, MAX_FONTS); font += 1) {
    const next = await talk.askOptional(commands.fontParameters, { ...talk.admin, font }, signal);
    if (next === null || next.charWidth === 0) break;
    fonts.push(fontOf(next));
  }
  return { fonts, printWidth: first.printWidth };
}

/** Letters with a greater ratio of width to height are wide: usual letters are about half as wide as high. */
const WIDE = 0.75;

function fontOf({ printWidth, charWidth, charHeight }: ReturnType<typeof commands.fontParameters.decode>): Font {
  const columns = Math.floor(printWidth / charWidth);
  return charWidth > WIDE * charHeight ? { columns, wide: true } : { columns };
}

export async function readText(talk: Conversation, field: TableField, signal: AbortSignal): Promise<string> {
  const value = await talk.askOptional(commands.readTable, { ...talk.admin, ...field }, signal);
  return value === null ? "" : decodeField(value, "cp1251").trim();
}

/** Null when the register has no such field, or answers nothing for it. */
export async function readNumber(talk: Conversation, field: TableField, signal: AbortSignal): Promise<number | null> {
  const value = await talk.askOptional(commands.readTable, { ...talk.admin, ...field }, signal);
  return value === null || value.length === 0 ? null : integerOf(value);
}
