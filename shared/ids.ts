/** Branded identifiers: strings at run time, distinct types for the compiler. */
declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** Registration number of a register (tag 1037), which is text and never a number: trimmed, leading zeros kept. */
export type Kkm = Branded<"Kkm">;
/** Taxpayer number (tag 1018), 10 or 12 digits, trimmed. */
export type Inn = Branded<"Inn">;
/** Serial number of the fiscal drive (tag 1041), 16 digits. */
export type FnSerial = Branded<"FnSerial">;
export type OrderId = Branded<"OrderId">;
/** The handler kit's UUID for one receipt. */
export type ReceiptId = Branded<"ReceiptId">;
export type SiteId = Branded<"SiteId">;
export type RegisterId = Branded<"RegisterId">;

// These constructors only trim: the code that reads a value checks it.
export const toKkm = (text: string): Kkm => text.trim() as Kkm;
export const toInn = (text: string): Inn => text.trim() as Inn;
export const toFnSerial = (text: string): FnSerial => text.trim() as FnSerial;
export const toOrderId = (text: string): OrderId => text.trim() as OrderId;
export const toReceiptId = (text: string): ReceiptId => text.trim().toLowerCase() as ReceiptId;
export const toSiteId = (text: string): SiteId => text.trim() as SiteId;
export const toRegisterId = (text: string): RegisterId => text.trim() as RegisterId;

const INN_WEIGHTS = [3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8];

/** The last digit of an INN with 10 digits checks the others; with 12 digits the last two do. */
export function isDoubtfulInn(inn: string): boolean {
  if (!/^(\d{10}|\d{12})$/.test(inn)) return false;
  const isRight = (place: number) => {
    const sum = INN_WEIGHTS.slice(-place).reduce((total, weight, index) => total + weight * Number(inn[index]), 0);
    return Number(inn[place]) === (sum % 11) % 10;
  };
  return !(inn.length === 10 ? isRight(9) : isRight(10) && isRight(11));
}
