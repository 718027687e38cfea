/** Finds what is odd in a return beside its order's receipts. Such a return is printed: the money has gone back. */
import { quantity, toQuantityNumber } from "@fiscald/shared/amounts.js";
import { type OrderWarning, warning } from "@fiscald/shared/exchange/order-problem.js";
import { type ItemLine, itemsOf, type Receipt } from "@fiscald/shared/receipt/receipt.js";
import { isReturn, isSale } from "@fiscald/shared/receipt/repeats/order-money.js";
import type { EarlierReceipt } from "@fiscald/shared/receipt/repeats/repeat-decision.js";
import type { Texts } from "@fiscald/shared/texts.js";

const texts = {
  noSale: {
    en: "the sale of this return is not known here: its goods and sum were held against nothing",
    ru: "продажа этого возврата здесь не известна: товары и сумма ни с чем не сверены",
  },
  notSold: (name: string) => ({ en: `the sale has no "${name}"`, ru: `в чеке продажи нет позиции «${name}»` }),
  beyondSold: (name: string, returned: number, sold: number) => ({
    en: `"${name}" is returned ${returned} times in all, and was sold ${sold} times`,
    ru: `позиции «${name}» возвращено всего ${returned}, а продано ${sold}`,
  }),
} satisfies Texts;

/** `earlier`: the other receipts of the order. Each position is compared with the goods that were sold and returned. */
export function returnWarnings(receipt: Receipt, earlier: readonly EarlierReceipt[]): readonly OrderWarning[] {
  if (!isReturn(receipt)) return [];
  const sales = earlier.filter((other) => isSale(other.receipt));
  if (sales.length === 0) return [warning("orderId", texts.noSale)];
  const live = earlier.flatMap(({ state, receipt: one }) => (state === "failed" || state === "cancelled" ? [] : [one]));
  const sold = live.filter(isSale).flatMap(itemsOf);
  const back = [...live.filter(isReturn), receipt].flatMap(itemsOf);
  return itemsOf(receipt).flatMap((item, index) => {
    const [ofSale, returned] = [countOf(item, sold), countOf(item, back)];
    if (returned <= ofSale) return [];
    const text = ofSale === 0 ? texts.notSold(item.name) : texts.beyondSold(item.name, returned, ofSale);
    return [warning(`items[${index}].${ofSale === 0 ? "name" : "quantity"}`, text)];
  });
}

function countOf(item: ItemLine, items: readonly ItemLine[]): number {
  const same = items.filter((other) => isSameGoods(item, other));
  return toQuantityNumber(quantity(same.reduce((all, one) => all + one.quantity, 0)));
}

/** Whether two positions are of the same goods, compared as the daemon does. */
function isSameGoods(one: ItemLine, other: ItemLine): boolean {
  const isSameCode = (code: "goodsCode" | "markingCode") => one[code] !== null && one[code] === other[code];
  return bare(one.name) === bare(other.name) || isSameCode("goodsCode") || isSameCode("markingCode");
}

function bare(name: string): string {
  return name.normalize("NFC").trim();
}
