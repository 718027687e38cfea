/** Which printed sales of its order a return is compared with, and at which VAT rates their goods were sold. */
import type { FaultText } from "@fiscald/shared/fault-codes.js";
import { itemsOf, type Receipt, totalOf } from "@fiscald/shared/receipt/receipt.js";
import { isReturn, isSale } from "@fiscald/shared/receipt/repeats/order-money.js";
import { fixedSign, plainSign } from "@fiscald/shared/receipt/repeats/repeat-decision.js";
import { type RatedItem, returnDifferences } from "@fiscald/shared/receipt/repeats/return-differences.js";
import type { TaxMeaning } from "@fiscald/shared/receipt/tax-meaning.js";
import { vatRates } from "@fiscald/shared/receipt/vat.js";
import { orderReasons } from "../messages/reasons/order-reasons.js";
import type { Job } from "../store/job.js";

export interface TaxedReceipt {
  readonly receipt: Receipt;
  readonly taxes: readonly TaxMeaning[];
}

type KnownJob = TaxedReceipt & Pick<Job, "state"> & Partial<Pick<Job, "document">>;

export interface Difference {
  /** Path of the field in the return, such as `items[0].tax`. */
  readonly path: string;
  readonly text: FaultText;
}

/** `known` are the jobs of the return's order. The result is empty when none of the order's sales counts any more. */
export function differencesFromSale(returned: TaxedReceipt, known: readonly KnownJob[]): readonly Difference[] {
  const counted = withoutReplaced(known.filter(({ state }) => state === "printed"));
  const sold = counted.filter(({ receipt }) => isSale(receipt)).flatMap(positionsOf);
  if (sold.length === 0) return [];
  const before = counted.filter(({ receipt }) => isReturn(receipt)).flatMap(positionsOf);
  const found = returnDifferences(positionsOf(returned), sold, before);
  return found.map(({ path, message, ru }) => ({ path, text: { en: message, ru } }));
}

/** Warns of each position whose rate is that of a sale's document in place of the rate that the sale was to have. */
export function ratesInPlaceOf(
  asMeant: readonly TaxMeaning[],
  { receipt, taxes }: TaxedReceipt,
): readonly Difference[] {
  const [wanted, used] = [asMeant, taxes].map((meant) => positionsOf({ receipt, taxes: meant }));
  return (used ?? []).flatMap(({ item: { name }, rate }, index) =>
    rate === null || rate === wanted?.[index]?.rate
      ? []
      : [{ path: `items[${index}].tax`, text: orderReasons.rateOfDocument({ name, rate }) }],
  );
}

/** Leaves out a sale that was put right and its whole return, so that only the right document counts. */
export function withoutReplaced<T extends KnownJob>(known: readonly T[]): readonly T[] {
  const takesBack = ({ receipt: back }: T, { receipt, document }: T) => {
    if (!isReturn(back) || !isSale(receipt) || document == null) return false;
    return fixedSign(back) === plainSign(document.fiscalSign) && totalOf(back) === totalOf(receipt);
  };
  return known.filter((one) => !known.some((other) => takesBack(one, other) || takesBack(other, one)));
}

function positionsOf({ receipt, taxes }: TaxedReceipt): readonly RatedItem[] {
  if (receipt.kind !== "receipt") return [];
  return itemsOf(receipt).map((item) => {
    const meaning = taxes.find(({ id }) => id === item.tax);
    const rate = meaning?.vat == null ? (meaning?.title ?? null) : vatRates[meaning.vat].title;
    return { item, rate };
  });
}
