/** Faults of an order as a whole. */
import { type FaultRow, row } from "./fault-row.js";
import { fixOrder } from "./hints.js";

export const orderFaults = {
  "order.unreadable": row("never", 1, ["The order cannot be read.", "Заказ не читается."], fixOrder),
  "order.wrong-value": row("never", 1, ["A value of the order is wrong.", "Неверное значение в заказе."], fixOrder),
  "order.missing-value": row(
    "never",
    3,
    ["Something compulsory is missing in the order.", "В заказе не хватает обязательного поля."],
    fixOrder,
  ),
  "order.too-large": row("never", 1, ["The order is larger than allowed.", "Заказ слишком большой."], fixOrder),
  "order.wrong-inn": row(
    "never",
    1,
    ["The order is for another taxpayer than the register.", "ИНН заказа не совпадает с ИНН кассы."],
    fixOrder,
  ),
} as const satisfies Record<`order.${string}`, FaultRow>;
