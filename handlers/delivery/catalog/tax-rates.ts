/** The VAT rates that a shop's tax records mean, and the tax rows of its registers. */
import { findVatCode, type RegisterTables, type VatCode, vatCodes, vatRates } from "@fiscald/shared/receipt/vat.js";
import { z } from "zod";
import type { SyncedRegister } from "../../print-server/host-callbacks.js";
import type { Reader, Writer } from "../store/delivery-store.js";
import { type StoredRecord, textField } from "./records.js";

/** The rate (code of tag 1199) by the record's title, else by its id in `/dictionary/taxTypes` (54-fz 15). */
export function vatOfTax(tax: StoredRecord): VatCode | null {
  const title = textField(tax, "title") ?? "";
  if (namesRate(title)) return vatOfTitle(title);
  return vatCodes.find((code) => String(code) === textField(tax, "taxId")) ?? null;
}

/** Null for a title without a rate, with several rates, or with an unknown rate (5,5 %). */
export function vatOfTitle(title: string): VatCode | null {
  if (isWithoutVat(title)) return 6;
  const [rate, second] = ratesIn(title);
  if (rate === undefined && isSimplified(title)) return 6;
  if (rate === undefined || second !== undefined) return null;
  if (rate.of !== null && rate.of !== 100 + rate.percent) return null;
  return findVatCode(rate.percent, rate.of !== null);
}

function namesRate(title: string): boolean {
  return isWithoutVat(title) || isSimplified(title) || ratesIn(title).length > 0;
}

function isWithoutVat(title: string): boolean {
  return /без\s*(ндс|налога)|не\s+облага|no\s*vat|without\s+vat|\bnone\b/.test(
    title.toLowerCase().replaceAll("ё", "е"),
  );
}

/** A title with УСН (the simplified tax system) and without a rate means no VAT. */
function isSimplified(title: string): boolean {
  return /(?<!\p{L})усн(?!\p{L})/iu.test(title);
}

interface TitleRate {
  readonly percent: number;
  /** The lower number of a calculated rate such as 22/122; null: a plain rate. */
  readonly of: number | null;
}

/** `22%`, `22,0 %`, `22/122`, `22%/122%`: whole numbers, so that 122 % and 5,5 % are not taken for 22 and 5. */
const written = /(?<![\d.,])(\d+(?:[.,]\d+)?)\s*(?:%?\s*\/\s*(1\d\d(?:[.,]\d+)?)(?!\d)|%)/g;
const bare = /^\s*(?:ндс|vat)\s*(\d{1,2})\s*$/i;

function ratesIn(title: string): readonly TitleRate[] {
  const numberOf = (text: string) => Number(text.replace(",", "."));
  const only = bare.exec(title)?.[1];
  if (only !== undefined) return [{ percent: numberOf(only), of: null }];
  return [...title.matchAll(written)].map(([, percent = "", of]) => ({
    percent: numberOf(percent),
    of: of === undefined ? null : numberOf(of),
  }));
}

const titledIds = z.array(z.object({ id: z.number(), title: z.string() }));
const storedTables = z.object({ taxes: titledIds, paymentTypes: titledIds });

export async function saveRegisterTables(
  tx: Writer,
  { resource, now }: { readonly resource: number; readonly now: number },
  registers: readonly SyncedRegister[],
): Promise<void> {
  for (const { kkm, taxes, paymentTypes } of registers) {
    const body = JSON.stringify({ taxes, paymentTypes });
    await tx
      .insertInto("delivery_register_tables")
      .values({ resource, kkm, body, updated_at: now })
      .onConflict((conflict) => conflict.columns(["resource", "kkm"]).doUpdateSet({ body, updated_at: now }))
      .execute();
  }
}

/** Null until the register's first sync. A row whose title names no rate has the rate null. */
export async function findRegisterTables(db: Reader, resource: number, kkm: string): Promise<RegisterTables | null> {
  const row = await db
    .selectFrom("delivery_register_tables")
    .select("body")
    .where((is) => is.and({ resource, kkm }))
    .executeTakeFirst();
  if (row === undefined) return null;
  const { taxes, paymentTypes } = storedTables.parse(JSON.parse(row.body));
  return { taxes: taxes.map((tax) => ({ ...tax, vat: vatOfTitle(tax.title) })), paymentTypes };
}

/** In this table the id of every rate is its code of tag 1199. The receipts of the print bridge use these ids. */
export const codeTables: RegisterTables = {
  taxes: vatCodes.map((vat) => ({ id: vat, title: vatRates[vat].title, vat })),
  paymentTypes: [],
};
