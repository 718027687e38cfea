import { formatQuantity, formatRoubles, kopecks, quantity } from "../amounts.js";
import { isVatCode, VAT_SUMS, vatRates } from "./vat.js";

const QUANTITY = 1023;
const RATE = 1199;
/** Inside tag 1115. */
const VAT_SUM = 1120;
const sums = [
  ...[1020, 1031, 1043, 1079, 1081, 1102, 1103, 1104, 1105, 1106, 1107, VAT_SUM, 1198, 1200],
  ...[1215, 1216, 1217, 1229],
];

/** The value of a tag for people: sums in roubles, rates by their titles. Names are the same in every language. */
export function shownValue(tag: number, value: string): string {
  const number = /^-?\d{1,15}$/.test(value) ? Number(value) : null;
  if (tag === VAT_SUMS) {
    const each = value.split(",").map((one) => one.split("="));
    return each.map(([rate = "", sum = ""]) => `${shownValue(RATE, rate)} ${shownValue(VAT_SUM, sum)}`).join(", ");
  }
  if (number === null) return value;
  if (tag === RATE) return isVatCode(number) ? vatRates[number].title : value;
  if (tag === QUANTITY) return formatQuantity(quantity(number));
  return sums.includes(tag) ? formatRoubles(kopecks(number)) : value;
}
