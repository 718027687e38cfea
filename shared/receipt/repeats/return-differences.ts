/** Compares a return, or a payment of credit, with its order's sales. A difference is only a warning. */
import { formatQuantity, quantity } from "../../amounts.js";
import { type OrderWarning, warning } from "../../exchange/order-problem.js";
import type { Texts } from "../../texts.js";
import { isSameGoods } from "../order-key.js";
import type { ItemLine } from "../receipt.js";
import { LATER_PAYMENT } from "../vat.js";

export interface RatedItem {
  readonly item: ItemLine;
  /** The VAT rate by name; null = the rate is not known, and counts as equal to any. */
  readonly rate: string | null;
}

const texts = {
  notSold: (name: string) => ({ en: `the sale has no "${name}"`, ru: `в чеке продажи нет позиции «${name}»` }),
  beyondSold: (name: string, returned: string, sold: string) => ({
    en: `"${name}" is returned ${returned} times in all, and was sold ${sold} times`,
    ru: `позиции «${name}» возвращено всего ${returned}, а продано ${sold}`,
  }),
  otherRate: (name: string, rate: string, sold: string) => ({
    en: `"${name}" has the rate ${rate}, and its sale has ${sold}`,
    ru: `у позиции «${name}» ставка ${rate}, а в чеке продажи ${sold}`,
  }),
} satisfies Texts;

/** `sold`: the positions of all sales that count. `before`: those of the other returns that count. */
export function returnDifferences(
  returned: readonly RatedItem[],
  sold: readonly RatedItem[],
  before: readonly RatedItem[] = [],
): readonly OrderWarning[] {
  return returned.flatMap(({ item, rate }, index) => {
    const at = (field: string) => `items[${index}].${field}`;
    const same = sold.filter((other) => isSameGoods(item, other.item));
    // A payment of credit may have another name and quantity than its sale, so only its rate is compared.
    const isPayment = item.method === LATER_PAYMENT;
    if (same.length === 0 && !isPayment) return [warning(at("name"), texts.notSold(item.name))];
    // The limit of returns is a sum, so only this comparison finds more pieces than were sold.
    const [back, had] = [countOf(item, [...before, ...returned]), countOf(item, same)];
    if (back > had && !isPayment) {
      return [warning(at("quantity"), texts.beyondSold(item.name, formatQuantity(back), formatQuantity(had)))];
    }
    const rates = [...new Set((same.length > 0 ? same : sold).map((other) => other.rate))];
    if (rate === null || rates.includes(null) || rates.includes(rate)) return [];
    return [warning(at("tax"), texts.otherRate(item.name, rate, rates.join(", ")))];
  });
}

function countOf(item: ItemLine, positions: readonly RatedItem[]) {
  const same = positions.filter((other) => isSameGoods(item, other.item));
  return quantity(same.reduce((sum, other) => sum + other.item.quantity, 0));
}
