import type { FaultText } from "../fault-codes/fault-row.js";
import type { Given, Texts } from "../texts.js";

export const answerTexts = {
  compressed: (encoding: Given) => ({
    en: `the answer is compressed (Content-Encoding: ${encoding}), which was not asked for`,
    ru: `ответ сжат (Content-Encoding: ${encoding}), хотя об этом не просили`,
  }),
  notUtf8: {
    en: "the answer is not UTF-8, no charset is declared: send UTF-8, or declare the charset in Content-Type",
    ru: "ответ не в UTF-8, а кодировка не объявлена: отправляйте UTF-8 или объявите её в Content-Type",
  },
  notCharset: (charset: Given) => ({
    en: `the answer is not UTF-8, and cannot be read as ${charset}, which is declared: send UTF-8, or declare the charset in Content-Type`,
    ru: `ответ не в UTF-8 и не читается как ${charset}, что объявлено: отправляйте UTF-8 или верно объявите кодировку в Content-Type`,
  }),
  tooLarge: (bytes: Given) => ({ en: `the answer is larger than ${bytes} bytes`, ru: `ответ больше ${bytes} байт` }),
  tooDeep: (levels: Given) => ({
    en: `the answer is nested deeper than ${levels} levels`,
    ru: `вложенность ответа больше ${levels} уровней`,
  }),
  html: {
    en: "the answer is an HTML page, no JSON: is it the address of the handler, and does it show an error?",
    ru: "ответ не JSON, а страница HTML: это адрес обработчика, и нет ли на странице ошибки?",
  },
  noJson: (detail: Given) => ({ en: `the answer is no JSON: ${detail}`, ru: `ответ не JSON: ${detail}` }),
  unknown: (form: Given) => ({
    en: `the answer ${form} is neither an order nor one of the ways to say that there is none: an order stands in "response", nothing is {"resultCode":0}`,
    ru: `ответ ${form} — не заказ и не «заказов нет»: заказ стоит в "response", а когда заказов нет, ответ {"resultCode":0}`,
  }),
  resultCodeNoNumber: (shown: FaultText) => ({
    en: `resultCode must be a number, not ${shown.en}`,
    ru: `resultCode — число, а передано ${shown.ru}`,
  }),
  givenTwice: (names: Given) => ({
    en: `${names} is given twice, with different values`,
    ru: `${names} передано дважды, с разными значениями`,
  }),
  foreignBody: (service: Given) => ({
    en: `this is a body of ${service}: send \`external_id\` and a \`receipt\` with items, payments and total (FROM-CLOUD.md)`,
    ru: `это тело сервиса ${service}: передайте \`external_id\` и \`receipt\` с items, payments и total (FROM-CLOUD.ru.md)`,
  }),
  mixed: { en: "the answer mixes both receipt formats", ru: "в ответе смешаны оба формата чека" },
  otherFormat: (format: Given) => ({
    en: `the site is set to the ${format} format, but this is the other one`,
    ru: `сайту задан формат ${format}, а это другой`,
  }),
  problems: (first: { path: string; message: string; ru: string }, others: number) => ({
    en: `${first.path || "the order"}: ${first.message}${others === 0 ? "" : ` (and ${others} more)`}`,
    ru: `${first.path || "заказ"}: ${first.ru}${others === 0 ? "" : `, и ещё: ${others}`}`,
  }),
} satisfies Texts;
