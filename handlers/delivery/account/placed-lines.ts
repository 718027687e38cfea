/** Receipts that are older than the lines that are kept with their positions: the order tells the positions; pure. */
import { type ItemLine, itemsOf, type SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { itemSum, toQuantity } from "../orders/rules.js";
import type { StoredItem, StoredOrder } from "../orders/stored-order.js";
import { soldItems } from "./due-receipts.js";
import type { GivenLine } from "./given-lines.js";
import { traitsOf } from "./same-position.js";

/** The lines as they were made of the sale's positions; of no position where the order has others now. */
export function placedLines(receipt: SaleReceipt, purpose: string, sale: StoredOrder): readonly GivenLine[] {
  const lines = itemsOf(receipt);
  if (purpose !== "sale" && purpose !== "prepayment") return unplaced(lines);
  const isWhole = purpose === "sale";
  const items = isWhole ? soldItems(sale) : sale.goods.filter((item) => itemSum(item) > 0);
  const placed: GivenLine[] = [];
  for (const item of items) {
    const own = linesOfItem(lines.slice(placed.length), item);
    const total = own.reduce((sum, line) => sum + line.total, 0);
    if (own.length === 0 || total > itemSum(item) || (isWhole && total < itemSum(item))) return unplaced(lines);
    placed.push(...own.map((line) => ({ line, of: traitsOf(item) })));
  }
  return placed.length === lines.length ? placed : unplaced(lines);
}

function unplaced(lines: readonly ItemLine[]): readonly GivenLine[] {
  return lines.map((line) => ({ line, of: null }));
}

/** The first lines that have its pieces together: one, or the two that it was split into. */
function linesOfItem(lines: readonly ItemLine[], { count }: StoredItem): readonly ItemLine[] {
  const [first, second] = lines;
  const pieces = toQuantity(count);
  if (first?.quantity === pieces) return [first];
  return first !== undefined && second !== undefined && first.quantity + second.quantity === pieces
    ? [first, second]
    : [];
}
