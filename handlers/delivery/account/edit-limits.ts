/** Edits of an order that contradict a receipt which is handed out or printed: 422 at the field; pure. */
import { isFault } from "@fiscald/shared/fault.js";
import type { OrderChange } from "../orders/commit.js";
import { itemSum } from "../orders/rules.js";
import type { StoredOrder } from "../orders/stored-order.js";
import { type Account, type AccountEntry, isOut, offsetIn } from "./entries.js";
import { type CatalogFacts, saleContent } from "./order-receipt.js";
import { goodsSum, isUncovered, prepaidSum } from "./receipt-policy.js";
import type { GivenLine } from "./refundable.js";

export interface RefusedEdit {
  readonly field: string;
  readonly message: string;
}

/** The first contradiction; null where the edit is allowed, also because it makes the order equal to its receipt. */
export function refusedEdit(account: Account, { before, after }: OrderChange, facts: CatalogFacts): RefusedEdit | null {
  if (before === null || before === after) return null;
  const own = account.entries.filter((entry) => isOut(entry) && isOf(entry, after));
  const [first] = own;
  if (first === undefined) return null;
  const wrong = own.find((entry) => contradicts(entry, { before, after, facts }));
  if (wrong !== undefined) {
    const what = `order ${after.orderId} has a receipt that says otherwise: it is ${wordOf(wrong)}`;
    return { field: changedField(before, after), message: `${what}. Report what came back as a return` };
  }
  if (before.statusId === 0 || after.statusId === 1 || isUncovered(before, after)) return null;
  const message = `order ${after.orderId} cannot go back to 0: its receipt is ${wordOf(first)}`;
  return { field: "statusId", message };
}

function isOf({ refundId }: AccountEntry, { isRefund, orderId }: StoredOrder): boolean {
  return refundId === (isRefund ? orderId : null);
}

interface Edit {
  readonly before: StoredOrder;
  readonly after: StoredOrder;
  readonly facts: CatalogFacts;
}

function contradicts(entry: AccountEntry, { before, after, facts }: Edit): boolean {
  switch (entry.kind) {
    case "prepayment":
      return prepaidSum(before) !== prepaidSum(after) && prepaidSum(after) !== entry.total;
    case "return":
      return (
        after.isRefund &&
        textOf(moneyOfGoods(before)) !== textOf(moneyOfGoods(after)) &&
        goodsSum(after) !== entry.total
      );
    case "sale": {
      const isPrepaidAnew = prepaidSum(before) !== prepaidSum(after) && prepaidSum(after) !== offsetIn(entry);
      if (isPrepaidAnew && entry.by === "shop") return true;
      const [was, is] = [saleText(before, entry, facts), saleText(after, entry, facts)];
      return was !== is && is !== textOfReceipt(entry.lines, entry);
    }
  }
}

function saleText(order: StoredOrder, entry: AccountEntry, facts: CatalogFacts): string {
  try {
    const { lines, payments } = saleContent(order, offsetIn(entry), facts);
    return textOfReceipt(lines, { ...entry, payments });
  } catch (error) {
    if (!isFault(error)) throw error;
    return error.code;
  }
}

/** The courier's document does not name payments: only its positions count. */
function textOfReceipt(lines: readonly GivenLine[], { by, payments }: Pick<AccountEntry, "by" | "payments">): string {
  return textOf([lines.map(({ line }) => line), by === "courier" ? [] : payments]);
}

function moneyOfGoods({ goods }: StoredOrder) {
  return goods.map((item) => [item.goodId, item.position, item.count, itemSum(item)]);
}

function textOf(value: unknown): string {
  return JSON.stringify(value);
}

/** The first changed field that a receipt's money is computed from. */
function changedField(before: StoredOrder, after: StoredOrder): string {
  return moneyFields.find((field) => textOf(before[field]) !== textOf(after[field])) ?? "orderId";
}

const moneyFields = [
  "goods",
  "prePaymentSum",
  "payments",
  "paymentId",
  "isInternetPayment",
  "supplierId",
] as const satisfies readonly (keyof StoredOrder)[];

function wordOf({ state }: AccountEntry): string {
  if (state === "handed") return "being printed";
  return state === "unknown" ? "in doubt" : "printed";
}
