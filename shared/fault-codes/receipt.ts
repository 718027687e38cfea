/** Faults of an order's receipt. */
import { type FaultRow, fixOrder, row } from "./fault-row.js";

export const receiptFaults = {
  "receipt.framing": row(
    "never",
    1,
    ["The receipt's opening and closing lines are wrong.", "Неверные строки открытия и закрытия чека."],
    fixOrder,
  ),
  "receipt.total-mismatch": row("never", 1, ["The receipt's sums do not agree.", "Суммы чека не сходятся."], fixOrder),
  "receipt.payments-mismatch": row(
    "never",
    1,
    ["The payments do not fit the total.", "Оплата не соответствует сумме чека."],
    fixOrder,
  ),
  "receipt.discount": row(
    "never",
    1,
    ["The discount does not fit the line.", "Скидка не подходит к строке."],
    fixOrder,
  ),
  "receipt.no-items": row("never", 3, ["The receipt has no items.", "В чеке нет позиций."], fixOrder),
  "receipt.no-payments": row("never", 3, ["The receipt has no payments.", "В чеке нет оплаты."], fixOrder),
  "receipt.internet": row(
    "never",
    3,
    [
      "An internet receipt needs the site's address and the buyer's contact.",
      "Интернет-чеку нужны адрес сайта и контакт покупателя.",
    ],
    fixOrder,
  ),
  "receipt.unsupported": row(
    "never",
    4,
    ["The register cannot print something that the receipt needs.", "Касса не может напечатать то, чего требует чек."],
    [
      "Use a register that can, or change the register's settings.",
      "Используйте другую кассу или измените её настройки.",
    ],
  ),
  "receipt.image": row(
    "never",
    1,
    ["The picture cannot be used.", "Картинку нельзя использовать."],
    [
      "Put the picture into `images.folder` of the config: at most 5 MB and 25 million dots.",
      "Положите картинку в папку `images.folder` из настроек: не больше 5 МБ и 25 млн точек.",
    ],
  ),
} as const satisfies Record<`receipt.${string}`, FaultRow>;

/** Faults of an order as a whole. */
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
