/** The page's words in the language that the operator chose; Russian at first. */
import { type Language, languages, type Messages, messagesIn } from "../../messages/messages.js";

const KEPT_AS = "fiscald-language";

interface Count {
  readonly count: number;
}

interface Moved {
  readonly order: string;
  readonly register: string;
}

interface Reconciled {
  readonly orders: number;
  readonly documents: number;
  readonly results: number;
}

interface Copied {
  readonly path: string;
}

/** What the catalogue does not have yet. */
const english = {
  asOf: ({ at }: { readonly at: string }) => `As of ${at}`,
  log: "Log",
  logLevel: "Level",
  logLevels: { error: "errors", warn: "and warnings", info: "everything of note", debug: "details too" },
  logOrder: "Order",
  logAll: "all",
  logEmpty: "No such line among the last ones.",
  logText: "What happened",
  poll: "Check now",
  askPoll: ({ site }: { readonly site: string }) => `${site} is asked for orders at once. Go on?`,
  move: ({ register }: { readonly register: string }) => `Print on ${register}`,
  askMove: ({ order, register }: Moved) =>
    `The receipt of order ${order} will be printed on ${register} instead. Go on?`,
  askResendResult: ({ order }: { readonly order: string }) =>
    `The result of order ${order} is sent to its site again. Go on?`,
  resendAll: "Send all of them again",
  askResendAll: ({ count }: Count) => `${count} results are sent to their sites again. Go on?`,
  day: "The day",
  dayLabel: "Show the day",
  downloadCsv: "Table for a spreadsheet (CSV)",
  kind: "What",
  count: "Receipts",
  sales: "Sales",
  returns: "Returns",
  paymentType: "Paid",
  paymentTypes: ["cash", "electronically", "by prepayment", "on credit", "by counter-provision"],
  otherPayment: ({ type }: { readonly type: number }) => `type ${type}`,
  shifts: "Shifts against the registers' own counters",
  closed: "Closed at",
  ourSales: "Our sales",
  ourReturns: "Our returns",
  counted: "The register's counters",
  countedSame: "the same",
  countedOther: ({ sales, returns }: { readonly sales: string; readonly returns: string }) =>
    `sales ${sales}, returns ${returns}`,
  countedAtClosing: "read at the closing",
  noCounters: "not reported",
  whyDiffers:
    "A difference is of receipts that another program or a cashier printed, or of an order that is not settled.",
  reconciliation: "Orders, documents and results",
  reconciled: ({ orders, documents, results }: Reconciled) =>
    `${orders} orders, ${documents} documents, ${results} results accepted by the sites.`,
  nothingMissing: "Nothing is missing, nothing is there twice.",
  missing: "Ordered and not printed",
  doubled: "Printed more than once",
  undelivered: "Printed, and the site has not accepted the result",
  unowned: "Receipts in the fiscal drive without an order of ours",
  perHour: ({ most }: { readonly most: number }) => `Receipts per hour, at most ${most}`,
  support: "For support",
  supportFile: "Support file",
  askSupportFile:
    "A file with the settings, the last log lines and the stories of open orders is made and downloaded, without " +
    "passwords and buyers' contacts. Go on?",
  copyNow: "Copy of the database",
  askCopyNow: "The database is copied into the folder for copies. Receipts go on being printed. Go on?",
  copied: ({ path }: Copied) =>
    `The copy is ${path}. It is put back only when the database is damaged: stop fiscald, then type ` +
    `fiscald restore "${path}"`,
};
const russian: typeof english = {
  asOf: ({ at }) => `Данные на ${at}`,
  log: "Журнал",
  logLevel: "Уровень",
  logLevels: { error: "ошибки", warn: "и предупреждения", info: "всё важное", debug: "с подробностями" },
  logOrder: "Заказ",
  logAll: "все",
  logEmpty: "Среди последних строк таких нет.",
  logText: "Что произошло",
  poll: "Проверить сейчас",
  askPoll: ({ site }) => `Сайт ${site} будет сразу опрошен. Продолжить?`,
  move: ({ register }) => `Печатать на: ${register}`,
  askMove: ({ order, register }) => `Чек заказа ${order} будет напечатан на другой кассе: ${register}. Продолжить?`,
  askResendResult: ({ order }) => `Результат заказа ${order} будет отправлен сайту ещё раз. Продолжить?`,
  resendAll: "Отправить все ещё раз",
  askResendAll: ({ count }) => `Результатов, которые будут отправлены ещё раз: ${count}. Продолжить?`,
  day: "День",
  dayLabel: "Показать день",
  downloadCsv: "Таблица для Excel (CSV)",
  kind: "Что",
  count: "Чеков",
  sales: "Приход",
  returns: "Возврат прихода",
  paymentType: "Оплачено",
  paymentTypes: ["наличными", "безналичными", "предоплатой", "в кредит", "встречным предоставлением"],
  otherPayment: ({ type }) => `вид ${type}`,
  shifts: "Смены и счётчики касс",
  closed: "Закрыта в",
  ourSales: "Наш приход",
  ourReturns: "Наш возврат",
  counted: "Счётчики кассы",
  countedSame: "сходится",
  countedOther: ({ sales, returns }) => `приход ${sales}, возврат ${returns}`,
  countedAtClosing: "читаются при закрытии",
  noCounters: "касса не сообщает",
  whyDiffers: "Разница — это чеки, которые напечатала другая программа или кассир, либо заказ с неизвестным исходом.",
  reconciliation: "Заказы, документы и результаты",
  reconciled: ({ orders, documents, results }) =>
    `Заказов: ${orders}, документов: ${documents}, результатов принято сайтами: ${results}.`,
  nothingMissing: "Всё на месте, дважды ничего не напечатано.",
  missing: "Заказано и не напечатано",
  doubled: "Напечатано больше одного раза",
  undelivered: "Напечатано, но сайт ещё не принял результат",
  unowned: "Чеки в накопителе без нашего заказа",
  perHour: ({ most }) => `Чеков за час, не больше ${most}`,
  support: "Для поддержки",
  supportFile: "Файл для поддержки",
  askSupportFile:
    "Будет создан и скачан файл: настройки, последние строки журнала и истории открытых заказов, без паролей и " +
    "контактов покупателей. Продолжить?",
  copyNow: "Копия базы данных",
  askCopyNow: "База данных будет скопирована в папку копий. Чеки тем временем печатаются. Продолжить?",
  copied: ({ path }) =>
    `Копия: ${path}. Возвращать её нужно, только если база повреждена: остановите fiscald и наберите ` +
    `fiscald restore "${path}"`,
};

export type Words = Messages["page"] & typeof english;

/** What every part of the page is given. */
export interface Spoken {
  readonly language: Language;
  readonly words: Words;
}

export function wordsIn(language: Language): Words {
  return { ...messagesIn(language).page, ...(language === "ru" ? russian : english) };
}

export function keptLanguage(): Language {
  const kept = localStorage.getItem(KEPT_AS);
  return languages.find((language) => language === kept) ?? "ru";
}

export function keepLanguage(language: Language): void {
  localStorage.setItem(KEPT_AS, language);
  document.documentElement.lang = language;
}
