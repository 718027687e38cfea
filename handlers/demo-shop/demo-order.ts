import { Fault } from "@fiscald/shared/fault.js";
import { z } from "zod";
import type { OrderBody } from "../print-server/order-body.js";
import { taskTable } from "../receipts/task-table-builder.js";

/** The picture of a good is named like its `id`. */
export const demoGoods = [
  { id: "coffee", title: "Кофе «Утро кассира»", note: "250 г, зерно", price: "690.00" },
  { id: "tea", title: "Чай «Закрытие смены»", note: "100 г, чёрный", price: "320.00" },
  { id: "croissant", title: "Круассан", note: "с миндалём", price: "145.50" },
  { id: "cake", title: "Торт «54-ФЗ»", note: "слоёный, 1 кг", price: "1250.00" },
  { id: "book", title: "Блокнот", note: "для номеров чеков", price: "399.90" },
  { id: "roll", title: "Чековая лента", note: "57 мм, 30 м", price: "58.00" },
];

const cartSchema = z.strictObject({
  items: z
    .array(z.strictObject({ id: z.string(), count: z.int().min(1).max(99) }))
    .min(1)
    .max(demoGoods.length),
  payment: z.enum(["cash", "electronic"]),
  /** "" = no address. */
  email: z.union([z.literal(""), z.email().max(64)]),
});

/** Fault `order.wrong-value` for a cart that the page would not send. */
export function orderOfCart(body: unknown, orderId: string): OrderBody {
  const cart = cartSchema.safeParse(body);
  if (!cart.success) throw new Fault("order.wrong-value", { message: z.prettifyError(cart.error) });
  const { items, payment, email } = cart.data;
  const order = taskTable.sale({ orderId, ...(email === "" ? {} : { contact: email }) });
  order.text("Демонстрационный магазин", { alignment: "Center", bold: true }).dash();
  for (const { id, count } of items) {
    const good = demoGoods.find((other) => other.id === id);
    if (good === undefined) throw new Fault("order.wrong-value", { message: `There is no such thing: ${id}` });
    // Every register has a row for `none` (no VAT). Without `defaultTax` a position that names no rate is refused.
    order.item({ name: good.title, price: good.price, quantity: count, tax: "none" });
  }
  return order.payRest(payment).trait().text("Спасибо за покупку!", { alignment: "Center" }).build();
}
