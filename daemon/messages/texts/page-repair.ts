import { both, rows } from "../rows.js";

export const repairTexts = rows({
  open: ["Wrong receipt", "Неверный чек"],
  openMissed: ["It was paid, and there is no receipt", "Заказ оплачен, а чека нет"],
  openUnknown: ["The order was not in the till", "Заказа не было в кассе"],
  what: ["What happened?", "Что случилось?"],
  cases: {
    missed: ["It was paid, and there is no receipt", "Расчёт был, а чека нет"],
    wrong: ["A mistake in the receipt: VAT, sum, goods, payment", "Ошибка в чеке: НДС, сумма, товар или оплата"],
    twice: ["A second receipt for the same payment", "Лишний чек: по этой оплате уже был чек"],
    test: ["A test sale, or a sale that is undone", "Пробная продажа или продажу отменили"],
  },
  register: ["Register", "Касса"],
  site: ["Site of the order", "Сайт заказа"],
  noSite: ["none", "без сайта"],
  order: ["Order number", "Номер заказа"],
  contact: ["The buyer's e-mail or phone", "Почта или телефон покупателя"],
  internet: ["Address of the shop, if paid on the internet", "Адрес сайта, если оплатили в интернете"],
  sign: ["Fiscal sign (FP) on the receipt too many", "ФП лишнего чека"],
  ofOtherProgram: [
    "The receipt too many was printed by another program, or by the register itself: its fiscal sign is none of this page? Then take “Orders”, “The order was not in the till”.",
    "Лишний чек пробила другая программа или сама касса: его ФП нет на этой странице? Тогда откройте «Заказы», «Заказа не было в кассе».",
  ],
  instruction: [
    "Number of the tax office's order, if it is corrected by one",
    "Номер предписания налоговой, если исправляете по нему",
  ],
  date: ["Day of the settlement", "Дата расчёта"],
  printedOn: ["the receipt is of {day}", "чек от {day}"],
  reason: ["Who decided it, and why", "Кто решил и почему"],
  right: ["What is right", "Как верно"],
  onReceipt: ["What the receipt too many says", "Что в лишнем чеке"],
  name: ["Name", "Название"],
  price: ["Price", "Цена"],
  quantity: ["Quantity", "Количество"],
  altered: ["The receipt has {read}, it was sent as {sent}", "На чеке {read}, передавали {sent}"],
  rateOnPaper: ["VAT on the paper", "НДС на чеке"],
  otherOnPaper: [
    "“VAT on the paper” is not what is known of this receipt. The wrong receipt is taken back at this rate: look at its paper.",
    "«НДС на чеке» не тот, что известен об этом чеке. Неверный чек возвращается по этой ставке: сверьте с бумагой.",
  ],
  rate: ["VAT", "НДС"],
  rightRate: ["The right VAT", "НДС верный"],
  addLine: ["Add a line", "Добавить строку"],
  leftOut: [
    "Quantity 0 takes a line out. Agent, marking code, kind of payment and contact stay as they are in the receipt.",
    "Количество 0 убирает строку. Агент, код маркировки, признаки расчёта и контакт останутся как в чеке.",
  ],
  plainLine: [
    "A new line is goods paid in full. It has no agent and no marking code: what has one is corrected at the register.",
    "Новая строка — товар с полным расчётом. Агента и кода маркировки в ней нет: такое исправляют на самой кассе.",
  ],
  payment: ["Paid", "Оплата"],
  byOrder: ["Order of the tax office", "Предписание налоговой"],
  agent: ["agent", "агент"],
  marked: ["marking code", "код маркировки"],
  sumsOnly: [
    "FFD 1.05: this document has sums by rate alone. Goods, agents and marking codes are not in it.",
    "ФФД 1.05: в этом документе только суммы по ставкам. Товаров, агентов и кодов маркировки в нём нет.",
  ],
  fixes: ["Fiscal sign of the wrong receipt", "ФП неверного чека"],
  addPayment: ["Another payment", "Ещё оплата"],
  show: ["Show the documents", "Показать документы"],
  print: ["Print this", "Напечатать"],
  printFirst: ["Print the first of two", "Напечатать первый из двух"],
  secondWaits: [
    "The second waits until the first is printed. Then open it here or in the decisions and press “Print it”.",
    "Второй подождёт, пока выйдет первый. Потом откройте его здесь или в «Решениях» и нажмите «Напечатать».",
  ],
  close: ["Close", "Закрыть"],
  unread: [
    "This form could not be read. Close it and open it again.",
    "Форму не удалось прочитать. Закройте её и откройте ещё раз.",
  ],
  share: both(
    ({ corrections, receipts, percent, risk }: ShareGiven) =>
      `Corrections of the last 30 days: ${corrections} of ${receipts} receipts (${percent} %); ${risk} % is a sign of risk.`,
    ({ corrections, receipts, percent, risk }) =>
      `Коррекции за 30 дней: ${corrections} из ${receipts} чеков (${percent} %); ${risk} % — признак риска для налоговой.`,
  ),
  month: both(
    ({ register, returns, corrections, risk }: MonthGiven) =>
      `${register}, 30 days: returns ${returns} % of sales, corrections ${corrections} % of receipts (a sign of risk: ${risk} %)`,
    ({ register, returns, corrections, risk }) =>
      `${register}, 30 дней: возвраты ${returns} % продаж, коррекции ${corrections} % чеков (признак риска: ${risk} %)`,
  ),
  about: ["Order {order} · {register} · {sum}.", "Заказ {order} · {register} · {sum}."],
  laterReceipt: [
    "This day is before the receipt, which is of {day}. Is it the day on which the money was paid?",
    "Эта дата раньше чека: он от {day}. Деньги точно получены в этот день?",
  ],
  story: ["How this receipt is put right", "Исправление этого чека"],
  why: ["Decided: {reason}", "Решение: {reason}"],
});

export interface ShareGiven {
  readonly corrections: number;
  readonly receipts: number;
  readonly percent: number;
  readonly risk: number;
}

/** The shares of a month on one register, in whole percent. */
export interface MonthGiven {
  readonly register: string;
  readonly returns: number;
  readonly corrections: number;
  readonly risk: number;
}
