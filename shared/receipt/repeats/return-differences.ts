/** Compares a return with its order's sales. A difference is only a warning: the money has gone back already. */
import { formatQuantity, quantity } from "../../amounts.js";
import { type OrderWarning, warning } from "../../exchange/order-problem.js";
import type { Texts } from "../../texts.js";
import { isSameGoods } from "../order-key.js";
import type { ItemLine } from "../receipt.js";

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
    en: `"${name}" is returned with ${rate}, and was sold with ${sold}`,
    ru: `позиция «${name}» возвращается со ставкой ${rate}, а продана со ставкой ${sold}`,
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
    if (same.length === 0) return [warning(at("name"), texts.notSold(item.name))];
    // The limit of returns is a sum, so only this comparison finds more pieces than were sold.
    const [back, had] = [countOf(item, [...before, ...returned]), countOf(item, same)];
    if (back > had) {
      return [warning(at("quantity"), texts.beyondSold(item.name, formatQuantity(back), formatQuantity(had)))];
    }
    const rates = [...new Set(same.map((other) => other.rate))];
    if (rate === null || rates.includes(null) || rates.includes(rate)) return [];
    return [warning(at("tax"), texts.otherRate(item.name, rate, rates.join(", ")))];
  });
}

function countOf(item: ItemLine, positions: readonly RatedItem[]) {
  const same = positions.filter((other) => isSameGoods(item, other.item));
  return quantity(same.reduce((sum, other) => sum + other.item.quantity, 0));
}
