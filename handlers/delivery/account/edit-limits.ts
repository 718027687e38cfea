/** Refuses edits of an order that contradict a receipt which is handed out or printed: 422 at the field. Pure. */
import { sumKopecks } from "@fiscald/shared/amounts.js";
import type { Problem } from "../http/api-errors.js";
import type { OrderChange } from "../orders/order-change.js";
import { goodsSum, isOnReceipt, isUncovered, markingCodeOf, prepaidSum, soldItems } from "../orders/receipt-policy.js";
import { itemSum } from "../orders/rules.js";
import type { StoredItem, StoredOrder } from "../orders/stored-order.js";
import { type Account, type AccountEntry, isOut, isRegistered, offsetOf } from "./entries.js";
import type { CatalogFacts } from "./order-receipt.js";
import { salePayments } from "./payment-forms.js";

/** Null also for an edit that makes the order equal to its receipt. Money that a courier moved is always stored. */
export function refusedEdit(
  account: Account,
  { before, after }: OrderChange,
  facts: CatalogFacts,
  isOfShop: boolean,
): Problem | null {
  if (before === null || before === after) return null;
  const refundId = after.isRefund ? after.orderId : null;
  const own = account.entries.filter((entry) => isOut(entry) && entry.refundId === refundId);
  for (const entry of own) {
    const fields = moneyFields(entry, after).filter((name) => isOfShop || !reported.includes(name));
    const changed = fields.filter((name) => textOfField(before, name) !== textOfField(after, name));
    const field = changed.find((name) => saysOtherwise(entry, name, { before, after }, facts));
    if (field === undefined) continue;
    const what = `order ${after.orderId} has a receipt that says otherwise: it is ${wordOf(entry)}`;
    return { place: field, message: `${what}. What comes back is a refund order, what is added a new order` };
  }
  const [first] = own;
  if (first === undefined || before.statusId === 0 || after.statusId === 1) return null;
  if (isUncovered(before, after) && !isSold(account)) return null;
  const message = `order ${after.orderId} cannot go back to 0: its receipt is ${wordOf(first)}`;
  return { place: "statusId", message };
}

export function isSold({ entries }: Account): boolean {
  const printed = (kind: AccountEntry["kind"]) => {
    return sumKopecks(entries.filter((entry) => entry.kind === kind && isRegistered(entry)).map(({ total }) => total));
  };
  return printed("sale") > printed("return");
}

type MoneyField = "goods" | "prePaymentSum" | "payments" | "paymentId" | "isInternetPayment" | "supplierId";

/** Fields that a courier's report of money changes. */
const reported: readonly MoneyField[] = ["payments", "paymentId"];

/** Fields that the receipt's money is computed from. A courier's document names no payments. */
function moneyFields({ kind, by }: AccountEntry, { isRefund }: StoredOrder): readonly MoneyField[] {
  if (kind === "prepayment") return ["prePaymentSum"];
  if (kind === "return") return isRefund ? ["goods"] : [];
  if (by === "courier") return ["goods", "supplierId"];
  return ["goods", "prePaymentSum", "payments", "paymentId", "isInternetPayment", "supplierId"];
}

function textOfField(order: StoredOrder, field: MoneyField): string {
  if (field === "goods") return textOfGoods(order.isRefund ? order.goods : soldItems(order));
  return JSON.stringify(field === "prePaymentSum" ? prepaidSum(order) : order[field]);
}

function textOfGoods(items: readonly StoredItem[]): string {
  const onReceipt = items.filter(isOnReceipt);
  return JSON.stringify(
    onReceipt.map((item) => [
      item.goodId ?? item.description,
      item.taxId,
      item.count,
      itemSum(item),
      markingCodeOf(item),
    ]),
  );
}

function saysOtherwise(
  entry: AccountEntry,
  name: MoneyField,
  { before, after: order }: { readonly before: StoredOrder; readonly after: StoredOrder },
  facts: CatalogFacts,
): boolean {
  if (name === "supplierId") return true;
  if (name === "prePaymentSum")
    return prepaidSum(order) !== (entry.kind === "sale" ? offsetOf(entry, before) : entry.total);
  if (entry.kind === "return") return goodsSum(order) !== entry.total;
  if (name === "goods") return textOfField(order, name) !== textOfGoods(entry.lines.map(({ of }) => of));
  // An internet payment planned in cash is electronic, but a new payment type must have the receipt's form.
  const isOwn = name === "paymentId" && order.payments.length === 0;
  const paid = isOwn ? { ...order, isInternetPayment: 0 as const } : order;
  const payments = salePayments(paid, entry.total, offsetOf(entry, order), facts);
  return JSON.stringify(payments) !== JSON.stringify(entry.payments);
}

function wordOf({ state }: AccountEntry): string {
  if (state === "handed") return "being printed";
  return state === "unknown" ? "in doubt" : "printed";
}
