/** A cart of the demo shop as a receipt. */
import { Fault } from "@fiscald/shared/fault.js";
import { z } from "zod";
import type { OrderBody } from "../print-server/order-body.js";
import { taskTable } from "../receipts/task-table-builder.js";
import { demoGoods } from "./goods.js";

const cartSchema = z.strictObject({
  items: z
    .array(z.strictObject({ id: z.string(), count: z.int().min(1).max(99) }))
    .min(1)
    .max(demoGoods.length),
  payment: z.enum(["cash", "electronic"]),
  /** "" = none. */
  email: z.union([z.literal(""), z.email().max(64)]),
});

export type Cart = z.infer<typeof cartSchema>;

/** Fault `order.wrong-value` for anything that the page would not send. */
export function readCart(body: unknown): Cart {
  const parsed = cartSchema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new Fault("order.wrong-value", { message: z.prettifyError(parsed.error) });
}

export function orderOf({ items, payment, email }: Cart, orderId: string): OrderBody {
  const order = taskTable.sale({ orderId, ...(email === "" ? {} : { contact: email }) });
  order.text("Демонстрационный магазин", { alignment: "Center", bold: true }).dash();
  for (const { id, count } of items) {
    const good = demoGoods.find((other) => other.id === id);
    if (good === undefined) throw new Fault("order.wrong-value", { message: `There is no such thing: ${id}` });
    order.item({ name: good.title, price: good.price, quantity: count });
  }
  return order.payRest(payment).trait().text("Спасибо за покупку!", { alignment: "Center" }).build();
}
