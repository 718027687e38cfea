import { formatQuantity, formatRoubles, kopecks, quantity } from "../amounts.js";
import { isVatCode, VAT_SUMS, vatRates } from "./vat.js";

const QUANTITY = 1023;
const sums = [1020, 1031, 1043, 1079, 1081, 1102, 1103, 1104, 1105, 1106, 1107, 1198, 1200, 1215, 1216, 1217, 1229];

/** Formats a tag's value for people: sums in roubles, rates by their titles. Names are the same in every language. */
export function shownValue(tag: number, value: string): string {
  const number = /^-?\d{1,15}$/.test(value) ? Number(value) : null;
  if (tag === VAT_SUMS)
    return value
      .replaceAll(/(\d+)=(\d+)/g, (_, vat, sum) => `${shownValue(1199, vat)} ${shownValue(1020, sum)}`)
      .replaceAll(",", ", ");
  if (number === null) return value;
  if (tag === 1199) return isVatCode(number) ? vatRates[number].title : value;
  if (tag === QUANTITY) return formatQuantity(quantity(number));
  return sums.includes(tag) ? formatRoubles(kopecks(number)) : value;
}
