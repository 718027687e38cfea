/** Tax and payment rows as the register holds them (reference, section 8): settings 40, 41 and 32. */
import type { PaymentTypeRow, RegisterTables, TaxRow } from "@fiscald/shared/receipt/vat.js";
import type { PiritOptions } from "../options.js";
import { commands } from "../protocol/commands.js";
import type { Conversation } from "../protocol/conversation.js";
import { paymentTypes } from "../protocol/field-codes.js";
import { NO_VAT_ROW, taxRowOf, unlistedTaxRows } from "../protocol/tax-rows.js";

const items = { paymentName: 32, taxName: 40, taxPercent: 41 } as const;
/** The table ends where the register refuses. This limit only makes sure that the loop ends. */
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
