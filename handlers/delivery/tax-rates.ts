import { type VatCode, vatRates } from "@fiscald/shared/receipt/vat.js";
import { type StoredRecord, textField } from "./stored-json.js";

/**
 * The rate (tag 1199) that a tax record of a shop means: by its title ("НДС 22%", "22/122", "Без НДС"), else by its id
 * as one of `/dictionary/taxTypes` (domain 8.5). Null when it is neither.
 */
export function vatOfTax(tax: StoredRecord): VatCode | null {
  return vatOfTitle(textField(tax, "title") ?? "") ?? vatOfTypeId(textField(tax, "taxId") ?? "");
}

export function vatOfTitle(title: string): VatCode | null {
  const text = title.toLowerCase().replaceAll("ё", "е");
  if (/без\s*ндс|не\s+облага|no\s*vat|without\s+vat|\bnone\b/.test(text)) return 6;
  const calculated = /(\d{1,2})\s*\/\s*(1\d{2})/.exec(text);
  if (calculated !== null) {
    const percent = Number(calculated[1]);
    return Number(calculated[2]) === 100 + percent ? codeOf(percent, true) : null;
  }
  const plain = /(\d{1,2})(?:[.,]0+)?\s*%/.exec(text) ?? /^\s*(?:ндс|vat)\s*(\d{1,2})\s*$/.exec(text);
  return plain === null ? null : codeOf(Number(plain[1]), false);
}

function vatOfTypeId(id: string): VatCode | null {
  return vatCodes().find((code) => String(code) === id) ?? null;
}

function codeOf(percent: number, calculated: boolean): VatCode | null {
  const found = vatCodes().find(
    (code) => vatRates[code].percent === percent && vatRates[code].calculated === calculated,
  );
  return found ?? null;
}

export function vatCodes(): readonly VatCode[] {
  return [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
}
