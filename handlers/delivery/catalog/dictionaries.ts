/** The fixed lists of the API's document (54-fz 15). */
import { vatCodes, vatRates } from "@fiscald/shared/receipt/vat.js";

function numbered(idField: string, titles: readonly string[]) {
  return titles.map((title, id) => ({ [idField]: id, title }));
}

export const orderStatuses = numbered("statusId", ["Не оплачен", "Оплачен"]);

export const deliveryStatuses = numbered("statusId", [
  "Новый",
  "Назначен курьеру",
  "В пути",
  "Доставлен",
  "Доставлен частично",
  "Отменён",
  "Возврат",
]);

export const closeTypes = numbered("closeTypeId", [
  "Наличными",
  "Безналичными",
  "Предварительная оплата (аванс)",
  "Последующая оплата (кредит)",
  "Иная форма оплаты (встречное предоставление)",
]);

export const taxTypes = vatCodes.map((code) => ({ taxTypeId: code, title: vatRates[code].title }));

/** Titles of the subjects of a position (tag 1212). */
const calcTitles = [
  [1, "Товар"],
  [2, "Подакцизный товар"],
  [3, "Работа"],
  [4, "Услуга"],
  [5, "Ставка азартной игры"],
  [6, "Выигрыш азартной игры"],
  [7, "Лотерейный билет"],
  [8, "Выигрыш лотереи"],
  [9, "Предоставление РИД"],
  [10, "Платёж"],
  [11, "Агентское вознаграждение"],
  [12, "Выплата"],
  [13, "Иной предмет расчёта"],
  [14, "Имущественное право"],
  [15, "Внереализационный доход"],
  [16, "Иные платежи и взносы"],
  [17, "Торговый сбор"],
  [18, "Курортный сбор"],
  [19, "Залог"],
  [20, "Расход"],
  [21, "Взносы на ОПС ИП"],
  [22, "Взносы на ОПС"],
  [23, "Взносы на ОМС ИП"],
  [24, "Взносы на ОМС"],
  [25, "Взносы на ОСС"],
  [26, "Платёж казино"],
  [27, "Выдача денежных средств"],
  [30, "Подакцизный маркируемый товар без кода"],
  [31, "Подакцизный маркируемый товар с кодом"],
  [32, "Маркируемый товар без кода"],
  [33, "Маркируемый товар с кодом"],
] as const;
export const calcIds = calcTitles.map(([calcId]) => calcId);
export const goodCalcTypes = calcTitles.map(([calcId, title]) => ({ calcId, title }));

export const permissions = [
  { actionId: "order.view", description: "Просмотр заказов" },
  { actionId: "order.edit", description: "Изменение заказа" },
  { actionId: "order.cancel", description: "Отмена заказа" },
  { actionId: "order.cancelItem", description: "Отмена позиций заказа" },
  { actionId: "order.return", description: "Оформление возврата" },
  { actionId: "order.changePaymentType", description: "Изменение вида оплаты" },
  { actionId: "payment.cash", description: "Приём наличных" },
  { actionId: "payment.card", description: "Приём оплаты картой" },
  { actionId: "receipt.print", description: "Печать чека" },
  { actionId: "receipt.correction", description: "Печать чека коррекции" },
  { actionId: "shift.close", description: "Закрытие смены" },
  { actionId: "report.x", description: "Печать X-отчёта" },
] as const;
