/**
 * Compares a return with the sales of its order, and finds goods, VAT rates and quantities that no sale has. This is a
 * warning, never a refusal.
 */

import { formatQuantity, type Quantity, quantity } from "@fiscald/shared/amounts.js";
import type { FaultText } from "@fiscald/shared/fault-codes.js";
import { type ItemLine, itemsOf, type Receipt, totalOf } from "@fiscald/shared/receipt/receipt.js";
import { isReturn, isSale } from "@fiscald/shared/receipt/repeats/order-money.js";
import { fixedSign, plainSign } from "@fiscald/shared/receipt/repeats/repeat-decision.js";
import type { TaxMeaning } from "@fiscald/shared/receipt/tax-meaning.js";
import { vatRates } from "@fiscald/shared/receipt/vat.js";
import type { Job } from "../store/job.js";

export interface TaxedReceipt {
  readonly receipt: Receipt;
  readonly taxes: readonly TaxMeaning[];
}

type KnownSale = TaxedReceipt & Pick<Job, "state" | "operation"> & Partial<Pick<Job, "document">>;

export interface Difference {
  /** Path of the field in the return, such as `lines[0].vat`. */
  readonly path: string;
  readonly text: FaultText;
}

/**
 * `known`: the jobs of the return's order. The result is empty where none of its sales stands. An unknown rate
 * counts as equal.
 */
export function differencesFromSale(returned: TaxedReceipt, known: readonly KnownSale[]): readonly Difference[] {
  const printed = known.filter(({ state }) => state === "printed");
  const sales = printed.filter((one) => one.operation === "sale" && !printed.some((back) => takesBack(back, one)));
  const sold = sales.flatMap(positionsOf);
  if (sold.length === 0) return [];
  const back = positionsOf(returned);
  return back.flatMap(({ item, rate }, index): readonly Difference[] => {
    const same = sold.filter((other) => isSameGoods(item, other.item));
    if (same.length === 0) {
      const text = { en: `the sale has no "${item.name}"`, ru: `В чеке продажи нет позиции «${item.name}».` };
      return [{ path: `items[${index}].name`, text }];
    }
    const [wanted, had] = [countOf(item, back), countOf(item, sold)];
    if (wanted > had) {
      const [much, of] = [formatQuantity(wanted), formatQuantity(had)];
      const text = {
        en: `${much} of "${item.name}" are returned, and ${of} were sold`,
        ru: `Позиции «${item.name}» возвращается ${much}, а продано ${of}.`,
      };
      return [{ path: `items[${index}].quantity`, text }];
    }
    const rates = [...new Set(same.map((other) => other.rate))];
    if (rate === null || rates.includes(null) || rates.includes(rate)) return [];
    const text = {
      en: `"${item.name}" is returned with ${rate}, and was sold with ${rates.join(", ")}`,
      ru: `Позиция «${item.name}» возвращается со ставкой ${rate}, а продана со ставкой ${rates.join(", ")}.`,
    };
    return [{ path: `items[${index}].tax`, text }];
  });
}

/** A sale that was put right is taken back whole, in the name of its document; what is sold, its right document says. */
function takesBack({ receipt: back }: KnownSale, { receipt, document }: KnownSale): boolean {
  if (!isReturn(back) || !isSale(receipt) || document == null) return false;
  return fixedSign(back) === plainSign(document.fiscalSign) && totalOf(back) === totalOf(receipt);
}

function positionsOf({ receipt, taxes }: TaxedReceipt) {
  if (receipt.kind !== "receipt") return [];
  return itemsOf(receipt).map((item) => {
    const meaning = taxes.find(({ id }) => id === item.tax);
    const rate = meaning?.vat == null ? (meaning?.title ?? null) : vatRates[meaning.vat].title;
    return { item, rate };
  });
}

/** How much of the goods the receipts have. The limit of returns is a sum, so only this finds surplus pieces. */
function countOf(item: ItemLine, positions: readonly { readonly item: ItemLine }[]): Quantity {
  const same = positions.filter((other) => isSameGoods(item, other.item));
  return quantity(same.reduce((sum, other) => sum + other.item.quantity, 0));
}

function isSameGoods(one: ItemLine, other: ItemLine): boolean {
  const isSameCode = (code: "goodsCode" | "markingCode") => one[code] !== null && one[code] === other[code];
  return bare(one.name) === bare(other.name) || isSameCode("goodsCode") || isSameCode("markingCode");
}

/** The name in the form in which the order key compares names. */
function bare(name: string): string {
  return name.normalize("NFC").trim();
}
