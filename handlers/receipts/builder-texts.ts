/** What the builders refuse before the print server's own checks. Each text follows the path of its problem. */
import type { FaultText } from "@fiscald/shared/fault-codes.js";
import type { Given, Texts } from "@fiscald/shared/texts.js";

export const builderTexts = {
  notObject: (shown: FaultText) => ({ en: `must be an object, not ${shown.en}`, ru: `нужен объект, а не ${shown.ru}` }),
  noOption: (known: string, near: string | null) => ({
    en: `there is no such option: ${near === null ? `there are ${known}` : `did you mean \`${near}\`?`}`,
    ru: `такого параметра нет; ${near === null ? `есть ${known}` : `возможно, нужен \`${near}\`?`}`,
  }),
  noWord: (named: Given, what: FaultText, words: string) => ({
    en: `${named} is no ${what.en}; use ${words}`,
    ru: `${named}: такого ${what.ru} нет; есть ${words}`,
  }),
  rate: { en: "rate", ru: "значения ставки" },
  subject: { en: "subject", ru: "предмета расчёта" },
  method: { en: "method", ru: "способа расчёта" },
  agent: { en: "agent", ru: "вида агента" },
  direction: { en: "direction", ru: "направления" },
  taxSystem: { en: "tax system", ru: "названия системы налогообложения" },
  report: { en: "report", ru: "отчёта" },
  payment: { en: "payment", ru: "вида оплаты" },
  notCode: (shown: FaultText) => ({
    en: `must be text or bytes, not ${shown.en}`,
    ru: `нужен текст или байты, а не ${shown.ru}`,
  }),
  notText: (shown: FaultText) => ({ en: `must be text, not ${shown.en}`, ru: `нужен текст, а не ${shown.ru}` }),
  bothDiscounts: { en: "roubles or percent, not both", ru: "roubles или percent, но не оба" },
  noRoubles: (shown: FaultText) => ({ en: `${shown.en} is no sum of roubles`, ru: `${shown.ru} не сумма в рублях` }),
  noPercent: (shown: FaultText) => ({ en: `${shown.en} is no percentage`, ru: `${shown.ru} не процент` }),
  negative: { en: "must not be negative", ru: "не может быть отрицательной" },
  noPositionYet: {
    en: "there is no position yet: it is off those before it, so it comes after them",
    ru: "позиций ещё нет: скидка даётся на те, что добавлены до неё, и пишется после них",
  },
  notAboveZero: (roubles: string) => ({ en: `${roubles} is not above 0`, ru: `${roubles} не больше 0` }),
  saidAlready: {
    en: "was said already: only one kind can pay the rest, others are payments with their sums",
    ru: "уже указано: остаток платят одним видом оплаты, остальные пишутся платежами с суммами",
  },
  prepaidByMoney: {
    en: "a prepayment is paid by cash or electronic; its offset (`settlement`) is paid by prepayment",
    ru: "предоплату платят cash или electronic; prepayment платят в чеке расчёта за неё",
  },
  paperless: {
    en: "without paper the receipt needs a `contact` or an `internetUrl`",
    ru: "чеку без бумаги нужен `contact` или `internetUrl`",
  },
  noPaidAt: (shown: FaultText) => ({
    en: `must be a time with its offset like 2026-11-20T14:05:00+03:00, not ${shown.en}`,
    ru: `нужно время со смещением, как 2026-11-20T14:05:00+03:00, а не ${shown.ru}`,
  }),
  fixesTwice: {
    en: "and additionalCheckProps are both tag 1192: give one of them",
    ru: "и additionalCheckProps это один и тот же тег 1192: укажите что-то одно",
  },
  noSign: (shown: FaultText) => ({
    en: `must be 1 to 10 digits as text, not ${shown.en}`,
    ru: `нужны 1-10 цифр текстом, а не ${shown.ru}`,
  }),
  noCloudBody: (shown: FaultText) => ({
    en: `must be the parsed JSON object, not ${shown.en}: is \`express.json()\` before this route?`,
    ru: `нужен разобранный объект JSON, а не ${shown.ru}: стоит ли \`express.json()\` перед этим маршрутом?`,
  }),
  noDay: (shown: FaultText) => ({
    en: `must be a day as "2026-11-25", not ${shown.en}`,
    ru: `нужен день вида "2026-11-25", а не ${shown.ru}`,
  }),
  noOperation: {
    en: 'is missing: it is in the address of such services; pass { operation: "sell" } or "sell_refund"',
    ru: 'не указана: у таких сервисов она в адресе; передайте { operation: "sell" } или "sell_refund"',
  },
  notAsCalled: (operation: string) => ({
    en: `is not ${operation}, as the call says`,
    ru: `не ${operation}, как говорит вызов`,
  }),
  otherOperation: (shown: FaultText) => ({
    en: `${shown.en} is neither sell nor sell_refund: purchases and corrections are not printed`,
    ru: `${shown.ru}: это не sell и не sell_refund; покупки и коррекции не печатаются`,
  }),
} satisfies Texts;
