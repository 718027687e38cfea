/** Which printed sales of its order a return is compared with, and at which VAT rates their goods were sold. */
import type { FaultText } from "@fiscald/shared/fault-codes.js";
import { itemsOf, type Receipt, totalOf } from "@fiscald/shared/receipt/receipt.js";
import { isReturn, isSale } from "@fiscald/shared/receipt/repeats/order-money.js";
import { fixedSign, plainSign } from "@fiscald/shared/receipt/repeats/repeat-decision.js";
import { type RatedItem, returnDifferences } from "@fiscald/shared/receipt/repeats/return-differences.js";
import type { TaxMeaning } from "@fiscald/shared/receipt/tax-meaning.js";
import { vatRates } from "@fiscald/shared/receipt/vat.js";
import type { Job } from "../store/job.js";

export interface TaxedReceipt {
  readonly receipt: Receipt;
  readonly taxes: readonly TaxMeaning[];
}

type KnownSale = TaxedReceipt & Pick<Job, "state" | "operation"> & Partial<Pick<Job, "document">>;

export interface Difference {
  /** Path of the field in the return, such as `items[0].tax`. */
  readonly path: string;
  readonly text: FaultText;
}

/** `known`: the jobs of the return's order. The result is empty where none of its sales stands. */
export function differencesFromSale(returned: TaxedReceipt, known: readonly KnownSale[]): readonly Difference[] {
  const printed = known.filter(({ state }) => state === "printed");
  const sales = printed.filter((one) => one.operation === "sale" && !printed.some((back) => takesBack(back, one)));
  const sold = sales.flatMap(positionsOf);
  if (sold.length === 0) return [];
  const found = returnDifferences(positionsOf(returned), sold);
  return found.map(({ path, message, ru }) => ({ path, text: { en: message, ru } }));
}

/** A sale that was put right is taken back whole, in the name of its document; what is sold, its right document says. */
function takesBack({ receipt: back }: KnownSale, { receipt, document }: KnownSale): boolean {
  if (!isReturn(back) || !isSale(receipt) || document == null) return false;
  return fixedSign(back) === plainSign(document.fiscalSign) && totalOf(back) === totalOf(receipt);
}

function positionsOf({ receipt, taxes }: TaxedReceipt): readonly RatedItem[] {
  if (receipt.kind !== "receipt") return [];
  return itemsOf(receipt).map((item) => {
    const meaning = taxes.find(({ id }) => id === item.tax);
    const rate = meaning?.vat == null ? (meaning?.title ?? null) : vatRates[meaning.vat].title;
    return { item, rate };
  });
}
