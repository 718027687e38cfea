/** Tax and payment rows of the register (Shtrih-M protocol, 7.2): tables 6 and 5. */
import type { PaymentTypeRow, RegisterTables, TaxRow } from "@fiscald/shared/receipt/vat.js";
import { commands } from "../protocol/commands.js";
import type { Conversation } from "../protocol/conversation.js";
import { vatCodeOf } from "../protocol/tax-codes.js";
import { readNumber, readText } from "./read-facts.js";

const TAXES = 6;
const PAYMENTS = 5;
/** `typeClose`, and the row of the register's payment names. */
const paymentRows = [
  { id: 0, row: 1 },
  { id: 1, row: 2 },
  { id: 2, row: 14 },
  { id: 3, row: 15 },
  { id: 4, row: 16 },
] as const;

export async function readTables(talk: Conversation, signal: AbortSignal): Promise<RegisterTables> {
  return { taxes: await readTaxes(talk, signal), paymentTypes: await readPayments(talk, signal) };
}

async function readTaxes(talk: Conversation, signal: AbortSignal): Promise<readonly TaxRow[]> {
  const { rows } = await talk.ask(commands.tableInfo, { ...talk.admin, table: TAXES }, signal);
  const taxes: TaxRow[] = [];
  for (let row = 1; row <= rows; row += 1) {
    const rate = await readNumber(talk, { table: TAXES, row, field: 1 }, signal);
    const title = await readText(talk, { table: TAXES, row, field: 2 }, signal);
    if (rate === null) continue;
    const vat = vatCodeOf(row, rate);
    taxes.push({ id: row, title: vat === null ? `"${title}" (${rate / 100} %)` : title, vat });
  }
  return taxes;
}

async function readPayments(talk: Conversation, signal: AbortSignal): Promise<readonly PaymentTypeRow[]> {
  const types: PaymentTypeRow[] = [];
  for (const { id, row } of paymentRows) {
    const title = await readText(talk, { table: PAYMENTS, row, field: 1 }, signal);
    if (title !== "") types.push({ id, title });
  }
  return types;
}
