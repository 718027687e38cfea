import { formatQuantity, formatRoubles, kopecks, quantity } from "../amounts.js";
import { fiscalTags } from "./fiscal-tags.js";
import { isVatCode, vatRates } from "./vat.js";

const types = new Map(fiscalTags.map(({ tag, type }) => [tag, type]));

/** The value of a tag for people: sums in roubles, rates by their titles. Names are the same in every language. */
export function shownValue(tag: number, value: string): string {
  const number = /^-?\d{1,15}$/.test(value) ? Number(value) : null;
  if (number === null) return value;
  if (tag === 1199) return isVatCode(number) ? vatRates[number].title : value;
  switch (types.get(tag)) {
    case "money":
      return formatRoubles(kopecks(number));
    case "quantity":
      return formatQuantity(quantity(number));
    default:
      return value;
  }
}
