import { type FaultRow, fixOrder, never } from "./fault-row.js";

export const receiptFaults = {
  "receipt.framing": never(
    ["The receipt's opening and closing lines are wrong.", "Неверные строки открытия и закрытия чека."],
    fixOrder,
    1,
  ),
  "receipt.total-mismatch": never(["The receipt's sums do not agree.", "Суммы чека не сходятся."], fixOrder, 1),
  "receipt.payments-mismatch": never(
    ["The payments do not fit the total.", "Оплата не соответствует сумме чека."],
    fixOrder,
    1,
  ),
  "receipt.discount": never(["The discount does not fit the line.", "Скидка не подходит к строке."], fixOrder, 1),
  "receipt.no-items": never(["The receipt has no items.", "В чеке нет позиций."], fixOrder, 3),
  "receipt.no-payments": never(["The receipt has no payments.", "В чеке нет оплаты."], fixOrder, 3),
  "receipt.payment-type": never(
    ["A payment type has no payment of the register.", "Не сказано, какой оплате кассы соответствует тип оплаты."],
    ["Give the payment type its `closeTypeId`.", "Задайте типу оплаты `closeTypeId`."],
    3,
  ),
  "receipt.agent": never(
    [
      "It is not said which agent sells for the supplier, or the supplier's phone cannot be read.",
      "Не сказано, какой агент продаёт товар поставщика, или телефон поставщика не читается.",
    ],
    [
      "Set `agent.type` in /partnerOnlineSettings, and a phone of the supplier with its code, or none.",
      "Задайте `agent.type` в /partnerOnlineSettings, а телефон поставщика с кодом или пустым.",
    ],
    3,
  ),
  "receipt.id-reused": never(
    ["This `receiptId` or `key` belongs to another receipt.", "Такой `receiptId` или `key` уже у другого чека."],
    ["Give each receipt an id of its own and send it again.", "Дайте каждому чеку свой номер и отправьте снова."],
    1,
  ),
  "receipt.internet": never(
    ["It needs the site's address and the buyer's contact.", "Интернет-чеку нужны адрес сайта и контакт покупателя."],
    fixOrder,
    3,
  ),
  "receipt.unsupported": never(
    ["The register cannot print something that the receipt needs.", "Касса не может напечатать то, чего требует чек."],
    ["Use a register that can, or change its settings.", "Используйте другую кассу или измените её настройки."],
  ),
  "receipt.no-correction": never(
    [
      "The program cannot print this correction on this register.",
      "Такую коррекцию программа на этой кассе не печатает.",
    ],
    [
      "Do as the reason says. Make a correction at the register itself only where its format has that correction. If its order is in the list, take it off then (on the command line: `fiscald set-aside`).",
      "Сделайте, как сказано в причине. Чек коррекции пробивайте на самой кассе, только если он есть в её ФФД. Если его заказ есть в списке, потом уберите его оттуда (в командной строке: `fiscald set-aside`).",
    ],
  ),
  "receipt.image": never(
    ["The picture cannot be used.", "Картинку нельзя использовать."],
    [
      "Put the picture into `images.folder` of the config: at most 5 MB and 25 million dots.",
      "Положите картинку в папку `images.folder` из настроек: не больше 5 МБ и 25 млн точек.",
    ],
    1,
  ),
} as const satisfies Record<`receipt.${string}`, FaultRow>;

/** Faults of an order as a whole. */
export const orderFaults = {
  "order.unreadable": never(["The order cannot be read.", "Заказ не читается."], fixOrder, 1),
  "order.wrong-value": never(["A value of the order is wrong.", "Неверное значение в заказе."], fixOrder, 1),
  "order.missing-value": never(
    ["Something compulsory is missing in the order.", "В заказе не хватает обязательного поля."],
    fixOrder,
    3,
  ),
  "order.too-large": never(["The order is larger than allowed.", "Заказ слишком большой."], fixOrder, 1),
  "order.wrong-inn": never(
    ["The order is for another taxpayer than the register.", "ИНН заказа не совпадает с ИНН кассы."],
    fixOrder,
    1,
  ),
} as const satisfies Record<`order.${string}`, FaultRow>;
