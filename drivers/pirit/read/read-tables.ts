/** Tax and payment rows (PIRIT protocol, 8): settings 40 and 41 (tax names and percents), 32 (payments). */
import {
  type PaymentTypeRow,
  type RegisterTables,
  type TaxRow,
  type VatCode,
  vatCodes,
  vatRates,
} from "@fiscald/shared/receipt/vat.js";
import type { PiritOptions } from "../options.js";
import { commands, paymentTypes } from "../protocol/commands.js";
import type { Conversation } from "../protocol/conversation.js";

const NO_VAT_ROW = 3;
/** The firmware computes the tax of these rows as a part of the sum, whatever their titles. */
const calculatedRows: readonly number[] = [4, 5];
/** Rows in use that the maker's manual does not list; 8 and 9 are unconfirmed. */
const unlisted: readonly (readonly [row: number, vat: VatCode])[] = [
  [6, 7],
  [7, 8],
  [8, 9],
  [9, 10],
];

const items = { paymentName: 32, taxName: 40, taxPercent: 41 } as const;
/** The table ends where the register refuses; this limit only makes sure that the reading ends. */
const MAX_TAX_ROWS = 32;

export async function readTables(
  talk: Conversation,
  options: PiritOptions,
  signal: AbortSignal,
): Promise<RegisterTables> {
  const listed = await readTaxes(talk, signal);
  const taxes = options.unlistedTaxRows ? [...listed, ...unlistedTaxRows(listed)] : listed;
  return { taxes, paymentTypes: await readPaymentTypes(talk, signal) };
}

async function readTaxes(talk: Conversation, signal: AbortSignal): Promise<readonly TaxRow[]> {
  const rows: TaxRow[] = [];
  for (let row = 0; row < MAX_TAX_ROWS; row += 1) {
    const name = await talk.askOptional(commands.readSetting, { item: items.taxName, index: row }, signal);
    const percent = await talk.askOptional(commands.readSetting, { item: items.taxPercent, index: row }, signal);
    if (name === null || percent === null) break;
    // A row without name and percent is unused, except the row without VAT.
    if (row === NO_VAT_ROW || `${name}${percent}`.trim() !== "") rows.push(taxRowOf(row, name, percent));
  }
  return rows;
}

async function readPaymentTypes(talk: Conversation, signal: AbortSignal): Promise<readonly PaymentTypeRow[]> {
  const types: PaymentTypeRow[] = [];
  for (const [id, index] of paymentTypes) {
    const title = await talk.askOptional(commands.readSetting, { item: items.paymentName, index }, signal);
    if (title !== null && title !== "") types.push({ id, title });
  }
  return types;
}

/** By settings 40 and 41. A percent of no known rate leaves the row without a meaning. */
export function taxRowOf(row: number, name: string, percent: string): TaxRow {
  if (row === NO_VAT_ROW) return { id: row, title: name || vatRates[6].title, vat: 6 };
  const calculated = calculatedRows.includes(row) || /\d\s*\/\s*\d/.test(name);
  const vat = vatCodes.find((code) => isRate(code, calculated, Number(percent))) ?? null;
  return { id: row, title: vat === null ? `"${name}" (${percent} %)` : name || vatRates[vat].title, vat };
}

export function unlistedTaxRows(listed: readonly TaxRow[]): readonly TaxRow[] {
  return unlisted
    .filter(([row]) => !listed.some(({ id }) => id === row))
    .map(([row, vat]) => ({ id: row, title: vatRates[vat].title, vat }));
}

/** A calculated rate may be given as its plain percent (20) or as its result (16.67). */
function isRate(code: VatCode, calculated: boolean, percent: number): boolean {
  const rate = vatRates[code];
  if (rate.percent === null || rate.calculated !== calculated) return false;
  const comesTo = (100 * rate.percent) / (100 + rate.percent);
  return percent === rate.percent || (calculated && Math.abs(percent - comesTo) < 0.01);
}
