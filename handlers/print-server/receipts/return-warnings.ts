/** Compares a return with its order's receipts. An odd return is printed all the same: the money has gone back. */
import { type OrderWarning, warning } from "@fiscald/shared/exchange/order-problem.js";
import { itemsOf, type Receipt, type SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { isReturn, isSale } from "@fiscald/shared/receipt/repeats/order-money.js";
import type { EarlierReceipt } from "@fiscald/shared/receipt/repeats/repeat-decision.js";
import { type RatedItem, returnDifferences } from "@fiscald/shared/receipt/repeats/return-differences.js";

const noSale = {
  en: "the sale of this return is not known here: its goods and sum were held against nothing",
  ru: "продажа этого возврата здесь не известна: товары и сумма ни с чем не сверены",
};

/** `earlier`: the other receipts of the order. Each position is compared with the goods that were sold and returned. */
export function returnWarnings(receipt: Receipt, earlier: readonly EarlierReceipt[]): readonly OrderWarning[] {
  if (!isReturn(receipt)) return [];
  if (!earlier.some((other) => isSale(other.receipt))) return [warning("orderId", noSale)];
  const live = earlier.flatMap(({ state, receipt: one }) => (state === "failed" || state === "cancelled" ? [] : [one]));
  return returnDifferences(
    positionsOf([receipt]),
    positionsOf(live.filter(isSale)),
    positionsOf(live.filter(isReturn)),
  );
}

/** A tax id is a row of one register, so the kit does not know the rate. */
function positionsOf(receipts: readonly SaleReceipt[]): readonly RatedItem[] {
  return receipts.flatMap(itemsOf).map((item) => ({ item, rate: null }));
}
