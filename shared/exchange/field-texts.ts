import type { FaultText } from "../fault-codes/fault-row.js";
import type { Given, Texts } from "../texts.js";

export const fieldTexts = {
  missing: { en: "is missing", ru: "отсутствует" },
  givenTwice: { en: "given twice, with different values", ru: "передано дважды, с разными значениями" },
  mustBeList: { en: "must be a list", ru: "нужен список" },
  mustBe: (expected: FaultText, shown: FaultText) => ({
    en: `must be ${expected.en}, not ${shown.en}`,
    ru: `нужно: ${expected.ru}; передано: ${shown.ru}`,
  }),
  oneElement: { en: "is a list of several elements, and takes one", ru: "это список из нескольких, а вмещается один" },
  aList: { en: "a list", ru: "список" },
  anObject: { en: "an object", ru: "объект" },
  aLineObject: { en: "a line object", ru: "строка-объект" },
  text: { en: "text", ru: "текст" },
  textUpTo: (max: Given) => ({ en: `text of 1 to ${max} characters`, ru: `текст от 1 до ${max} знаков` }),
  id: (max: Given) => ({
    en: `an id of 1 to ${max} characters (a long number has to be sent as text)`,
    ru: `номер от 1 до ${max} знаков (длинное число передаётся текстом)`,
  }),
  wholeNumber: (min: Given, max: Given) => ({
    en: `a whole number from ${min} to ${max}`,
    ru: `целое число от ${min} до ${max}`,
  }),
  decimalNumber: (min: Given, max: Given) => ({
    en: `a number from ${min} to ${max} with at most 2 decimals after a dot`,
    ru: `число от ${min} до ${max}, не больше 2 знаков после точки`,
  }),
  number: { en: "a number", ru: "число" },
  roublesUpTo: (max: Given) => ({
    en: `roubles with at most 2 decimals after a dot, up to ${max}`,
    ru: `рубли, не больше 2 знаков после точки, до ${max}`,
  }),
  roublesBetween: (min: Given, max: Given) => ({
    en: `roubles from ${min} to ${max} with at most 2 decimals after a dot`,
    ru: `рубли от ${min} до ${max}, не больше 2 знаков после точки`,
  }),
  roublesAboveZero: (max: Given) => ({
    en: `roubles above 0, up to ${max}, with at most 2 decimals after a dot`,
    ru: `рубли больше 0, до ${max}, не больше 2 знаков после точки`,
  }),
  quantity: {
    en: "a quantity above 0 with at most 6 decimals",
    ru: "количество больше 0, не больше 6 знаков после точки",
  },
  flag: { en: "1 or 0", ru: "1 или 0" },
  oneOf: (names: Given) => ({ en: `one of ${names}`, ru: `одно из ${names}` }),
  rateInWords: (names: Given) => ({ en: `{ "type": one of ${names} }`, ru: `{ "type": одно из ${names} }` }),
  base64: (max: Given) => ({ en: `base64 of 1 to ${max} bytes`, ru: `base64 от 1 до ${max} байт` }),
  uuid: { en: "a UUID", ru: "UUID" },
  threeDigits: { en: "three digits", ru: "три цифры" },
  twoDigits: { en: "two digits", ru: "две цифры" },
  inn: { en: "an INN of 10 or 12 digits", ru: "ИНН из 10 или 12 цифр" },
  innOfPerson: { en: "an INN of 12 digits", ru: "ИНН из 12 цифр" },
  tagCode: (tag: Given, names: Given) => ({
    en: `a code of tag ${tag} or one of ${names}`,
    ru: `код тега ${tag} или одно из имён: ${names}`,
  }),
  typeClose: {
    en: "0 cash, 1 electronic, 2 prepayment, 3 credit or 4 counter-provision",
    ru: "0 наличные, 1 электронные, 2 предоплата, 3 кредит или 4 встречное предоставление",
  },
  date: { en: "a date as dd.mm.yyyy", ru: "дата вида дд.мм.гггг" },
  day: {
    en: "a date as dd.mm.yyyy or yyyy-mm-dd, without a time",
    ru: "дата вида дд.мм.гггг или гггг-мм-дд, без времени",
  },
  fiscalSign: { en: "a fiscal sign of 1 to 10 digits", ru: "фискальный признак от 1 до 10 цифр" },
  time: { en: "a time as dd.mm.yyyy HH:MM:SS", ru: "время вида дд.мм.гггг ЧЧ:ММ:СС" },
  contact: {
    en: "must be an e-mail of up to 64 characters or a phone as + and digits",
    ru: "нужен e-mail до 64 знаков или телефон: + и цифры",
  },
  noLineType: (shown: FaultText) => ({
    en: `no such line type: ${shown.en}`,
    ru: `такого типа строки нет: ${shown.ru}`,
  }),
  usualLook: (shown: FaultText) => ({
    en: `${shown.en} is not among its values: printed in the usual way`,
    ru: `${shown.ru} — не из его значений: напечатано как обычно`,
  }),
  largestLook: (shown: FaultText, used: Given) => ({
    en: `${shown.en} is not among its values: printed as ${used}`,
    ru: `${shown.ru} — не из его значений: напечатано как ${used}`,
  }),
} satisfies Texts;
