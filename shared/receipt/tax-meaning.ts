/**
 * The meaning of an order's tax ids as VAT codes (tag 1199). The ids are translated once, when the order is accepted.
 * Each register prints the code by a row of its own. The receipt keeps the site's ids, because the order key contains
 * them. Pure.
 */
import { isSameGoods } from "./order-key.js";
import { type ItemLine, itemsOf, type Receipt, type SaleReceipt } from "./receipt.js";
import {
  LATER_PAYMENT,
  meaningOfRow,
  type RegisterTables,
  rateOfTaxId,
  successors,
  type TaxRow,
  taxIdOfRate,
  type VatCode,
  vatCodes,
  vatRates,
} from "./vat.js";

export interface TaxMeaning {
  /** The tax id as the site wrote it; null = positions without one, which get the register's default rate. */
  readonly id: number | null;
  /** Null: the rate is unknown; the id stays, and only the register that the order was accepted for can print it. */
  readonly vat: VatCode | null;
  /** The title of a row with an unknown rate; another title is another row. Null: no table had the row. */
  readonly title: string | null;
}

export type TitledRate = Pick<TaxMeaning, "vat" | "title">;

export interface TaxSource {
  /** The lists that the site may have used, the newest first; empty = the register's table is not known. */
  readonly lists: readonly (readonly TaxRow[])[];
  /** Null: the register has no `defaultTax`. */
  readonly defaultRow: TaxRow | null;
  /** The sales that a return gives back or a later payment pays off, the newest first. */
  readonly sold?: readonly SoldAtRates[];
}

export interface SoldAtRates {
  readonly receipt: SaleReceipt;
  readonly meant: readonly TaxMeaning[];
  /** The rates that the document shows, where a register is known to alter rates; else those that were meant. */
  readonly registered: readonly TaxMeaning[];
}

/** Each tax id has one meaning. An id with different rates in two lists fits no row of any register. */
export function meaningOfTaxes(receipt: Receipt, { lists, defaultRow, sold = [] }: TaxSource): readonly TaxMeaning[] {
  if (receipt.kind !== "receipt") return [];
  return [...new Set(itemsOf(receipt).map(({ tax }) => tax))].map((id) => {
    if (id === null) return { id, ...rateIn(receipt, id, defaultRow, sold) };
    const [newest, ...older] = ratesOf(id, lists);
    if (newest === undefined) return { id, vat: null, title: null };
    const row = lists.flat().find((one) => one.id === id);
    if (older.length === 0) return { id, ...(row === undefined ? newest : rateIn(receipt, id, row, sold)) };
    return { id, vat: null, title: [newest, ...older].map(rateInWords).join(" / ") };
  });
}

/** If the positions with this tax id mean two rates, the rate of the row itself. */
function rateIn(receipt: SaleReceipt, id: number | null, row: TaxRow | null, sold: readonly SoldAtRates[]): TitledRate {
  if (row === null) return rateOfRow(row);
  const items = itemsOf(receipt).filter(({ tax }) => tax === id);
  const [vat = null, ...others] = new Set(items.map((item) => rateAsSold(item, row, receipt, sold)));
  return vat === null || others.length > 0 ? rateOfRow(row) : { vat, title: null };
}

/**
 * A refund and a later payment have the rate of their sale (54-fz 2), whatever has changed since. The newest known sale
 * of the same goods counts, which may be a different sale from the returned one. For goods that no sale has, the sales
 * at the same row count while their rates agree.
 */
function rateAsSold(item: ItemLine, row: TaxRow, receipt: SaleReceipt, sold: readonly SoldAtRates[]): VatCode | null {
  const own = meaningOfRow(row, receipt, item.method);
  const isDated = receipt.correction !== undefined || receipt.settledOn !== undefined;
  if (own === null || isDated || (receipt.operation === "sale" && item.method !== LATER_PAYMENT)) return own;
  // Any other rate comes from another table; a position without an id belongs to no table.
  const isFit = (vat: VatCode) =>
    item.tax === null || vat === own || successors[vat] === own || successors[own] === vat;
  const positions = sold.flatMap(({ receipt: sale, meant, registered }) =>
    itemsOf(sale).flatMap((one) => {
      const rateOf = (taxes: readonly TaxMeaning[]) => taxes.find(({ id }) => id === one.tax)?.vat ?? null;
      // The sale may have been accepted before the register's rows were read.
      const vat = rateOf(meant) ?? (one.tax === item.tax ? meaningOfRow(row, sale, one.method) : null);
      return vat !== null && isFit(vat) ? [{ ...one, vat: rateOf(registered) ?? vat }] : [];
    }),
  );
  const goods = positions.filter((one) => isSameGoods(item, one));
  const found = goods.length > 0 ? goods : positions.filter((one) => one.tax === item.tax);
  const ofMethod = found.filter((one) => one.method === item.method);
  const [vat = own, ...others] = (ofMethod.length > 0 ? ofMethod : found).map((one) => one.vat);
  return goods.length > 0 || others.every((other) => other === vat) ? vat : own;
}

/** The newest rates come first. */
export function ratesOf(id: number, lists: TaxSource["lists"]): readonly TitledRate[] {
  const named = rateOfTaxId(id);
  if (named !== null) return [{ vat: named, title: null }];
  const rates = lists.flatMap((taxes) => taxes.filter((row) => row.id === id)).map(rateOfRow);
  const isSame = (one: TitledRate) => (other: TitledRate) => other.vat === one.vat && other.title === one.title;
  return rates.filter((rate, index) => rates.findIndex(isSame(rate)) === index);
}

function rateOfRow(row: TaxRow | null): TitledRate {
  if (row === null) return { vat: null, title: null };
  return row.vat === null ? { vat: null, title: row.title } : { vat: row.vat, title: null };
}

export interface RegisterRows {
  readonly taxes: readonly TaxRow[];
  /** The row for positions without a tax id; null = none. */
  readonly defaultTax: number | null;
}

/** The receipt with rows of the register that prints it, and that register's row for positions without a tax id. */
export interface ReceiptWithRows {
  readonly receipt: SaleReceipt;
  readonly defaultTax: number | null;
}

/** Null: the register has no row for one of the meanings. */
export function withRowsOf(
  register: RegisterRows,
  receipt: SaleReceipt,
  meanings: readonly TaxMeaning[],
): ReceiptWithRows | null {
  const rows = new Map(meanings.map((meaning) => [meaning.id, findRow(register, meaning)]));
  if ([...rows.values()].includes("none")) return null;
  const rowOf = (id: number | null): number | null => {
    const row = rows.get(id);
    return row === undefined || row === "none" ? (id ?? register.defaultTax) : row;
  };
  const lines = receipt.lines.map((line) =>
    line.type === "item" && line.tax !== null ? { ...line, tax: rowOf(line.tax) } : line,
  );
  return { receipt: { ...receipt, lines }, defaultTax: rowOf(null) };
}

/** Names the known rates, so that the receipt says the same on every register. */
export function withNamedRates(receipt: SaleReceipt, meanings: readonly TaxMeaning[]): SaleReceipt {
  const rateOf = (tax: number | null) => meanings.find(({ id }) => id === tax)?.vat ?? null;
  const lines = receipt.lines.map((line) => {
    const vat = line.type === "item" ? rateOf(line.tax) : null;
    return line.type !== "item" || vat === null ? line : { ...line, tax: taxIdOfRate(vat) };
  });
  return { ...receipt, lines };
}

/** Returns null when a row has no counterpart or no known meaning. */
export function mapTaxes(receipt: SaleReceipt, from: RegisterTables, to: RegisterTables): SaleReceipt | null {
  const meanings = meaningOfTaxes(receipt, { lists: [from.taxes], defaultRow: null });
  if (meanings.some(({ id, vat }) => id !== null && vat === null)) return null;
  // A register that substitutes the rates of 2025 calls two rows 22 % and none 20 %. Refunds say 20 % in words there.
  const named = vatCodes.filter((vat) => to.taxes.filter((row) => row.vat === successors[vat]).length > 1);
  const taxes = [...to.taxes, ...named.map((vat) => ({ id: taxIdOfRate(vat), title: vatRates[vat].title, vat }))];
  return withRowsOf({ taxes, defaultTax: null }, receipt, meanings)?.receipt ?? null;
}

/** Whether another register has a row for the tax id's rate. An unknown rate has no row there. */
export function hasRowFor(register: RegisterRows, id: number | null, meanings: readonly TaxMeaning[]): boolean {
  const meaning = meanings.find((other) => other.id === id);
  return meaning !== undefined && meaning.vat !== null && findRow(register, meaning) !== "none";
}

/** Takes a row with the rate, first the row with the same id. An id without any meaning is left to the driver. */
function findRow({ taxes, defaultTax }: RegisterRows, { id, vat, title }: TaxMeaning): number | null | "none" {
  const own = id ?? defaultTax;
  if (vat === null && title === null) return own;
  const fits = (row: TaxRow) => (vat === null ? row.vat === null && row.title === title : row.vat === vat);
  // A register that substitutes a rate may have no row for the rate that it registers.
  const fitting = taxes.some(fits) ? taxes.filter(fits) : taxes.filter(({ inSale }) => vat !== null && inSale === vat);
  const same = fitting.find((row) => row.id === own);
  // For a row with an unknown rate, only its id can be compared.
  const found = vat === null ? same : (same ?? fitting[0]);
  return found?.id ?? "none";
}

/** The rows that the order means, under the site's ids. */
export function rowsAsMeant(meanings: readonly TaxMeaning[]): readonly TaxRow[] {
  return meanings.flatMap(({ id, vat, title }) => {
    const known = vat === null ? title : vatRates[vat].title;
    return id === null || known === null ? [] : [{ id, title: known, vat }];
  });
}

/** The text is for people: `НДС 22% (1199: 11)`. */
export function rateInWords({ vat, title }: TitledRate): string {
  if (vat !== null) return `${vatRates[vat].title} (1199: ${vat})`;
  return title === null ? "unknown" : `unknown: "${title}"`;
}
