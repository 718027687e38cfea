import type { FaultText } from "../fault-codes/fault-row.js";
import type { Given, Texts } from "../texts.js";

export const findingTexts = {
  noAddress: (address: Given) => ({
    en: `${address} is no address: it begins with http:// or https://`,
    ru: `${address} — не адрес: он начинается с http:// или https://`,
  }),
  secretMissing: { en: "set FISCAL_SECRET, or name a --secret-file", ru: "задайте FISCAL_SECRET или --secret-file" },
  secretNotBase64: { en: "a signature's secret is base64 (whsec_...)", ru: "секрет подписи — base64 (whsec_...)" },
  basicSecret: { en: "the secret of basic is USER:PASSWORD", ru: "секрет для basic — ИМЯ:ПАРОЛЬ" },
  authKinds: {
    en: "--auth is signature, bearer, basic, header=NAME or none",
    ru: "--auth: signature, bearer, basic, header=ИМЯ или none",
  },
  calledWithoutSecret: { en: "the site is called without a secret", ru: "сайт вызывается без секрета" },
  answeredPollWith: (secret: FaultText) => ({
    en: `the site answered a poll with ${secret.en}`,
    ru: `сайт ответил на опрос, в котором ${secret.ru}`,
  }),
  wrongSecret: { en: "a wrong secret", ru: "неверный секрет" },
  noneSecret: { en: "no secret", ru: "нет секрета" },
  lateSecret: { en: "a signature that is an hour old", ru: "подпись часовой давности" },
  pollWithStatus: (secret: FaultText, status: Given) => ({
    en: `a poll with ${secret.en} is answered with HTTP ${status}`,
    ru: `на опрос, в котором ${secret.ru}, сайт отвечает HTTP ${status}`,
  }),
  tookBrokenBody: { en: "the site took a body that is no JSON", ru: "сайт принял тело, которое не JSON" },
  tookUnknownAction: { en: "an unknown action is answered with success", ru: "на незнакомый action ответ «успех»" },
  offeredToTwo: (order: Given, kkm: Given) => ({
    en: `the order ${order} was offered to register ${kkm}, and before its result to another one too`,
    ru: `заказ ${order} отдан кассе ${kkm}, и до его результата ещё одной`,
  }),
  otherNumber: (first: FaultText, second: FaultText) => ({
    en: `each poll brings the same order under another number: ${first.en}, then ${second.en}`,
    ru: `каждый опрос приносит тот же заказ под другим номером: ${first.ru}, затем ${second.ru}`,
  }),
  offeredOnce: (order: FaultText) => ({
    en: `the order ${order.en} was offered once, and not again although no result came`,
    ru: `заказ ${order.ru} отдан один раз и больше не отдаётся, хотя результата не было`,
  }),
  none: { en: "none", ru: "отсутствует" },
  otherReceiptId: (second: FaultText, first: FaultText) => ({
    en: `the second poll brought receiptId ${second.en}, the first ${first.en}`,
    ru: `второй опрос принёс receiptId ${second.ru}, первый ${first.ru}`,
  }),
  otherContent: (order: Given) => ({
    en: `the second poll brought the order ${order} with other content`,
    ru: `второй опрос принёс заказ ${order} с другим содержимым`,
  }),
  offeredAgain: (order: Given) => ({
    en: `the order ${order} was reported as printed, and is offered again`,
    ru: `о заказе ${order} сообщено, что он напечатан, а сайт отдаёт его снова`,
  }),
  failedAgain: (order: Given) => ({
    en: `the order ${order} was reported as failed, and is offered again at once`,
    ru: `о заказе ${order} сообщено, что он не напечатан, а сайт тут же отдаёт его снова`,
  }),
  withoutNumber: { en: "without a number", ru: "без номера" },
  soldAfterUnknown: (order: Given) => ({
    en: `the result of order ${order} is unknown, and the site offers it again`,
    ru: `результат заказа ${order} неизвестен, а сайт отдаёт его снова`,
  }),
  testOrderMissing: (order: Given, others: readonly string[]) => ({
    en: `the order ${order} was not offered${others.length === 0 ? "" : `, but ${others.join(", ")}`}`,
    ru: `заказ ${order} не отдан${others.length === 0 ? "" : `, отданы: ${others.join(", ")}`}`,
  }),
  nothingSaid: (order: Given) => ({
    en: `the order ${order} was not offered: each poll was answered with an empty body`,
    ru: `заказ ${order} не отдан: на каждый опрос пришло пустое тело`,
  }),
  cutCharacter: { en: "a text is cut inside a character", ru: "текст обрезан посреди буквы" },
  cashOnInternet: { en: "an internet payment is paid in cash", ru: "оплата через интернет — наличными" },
  saleMeant: { en: "the order is a return, and a sale was meant", ru: "отдан возврат, а нужна продажа" },
  returnMeant: { en: "the order is a sale, and a return was meant", ru: "отдана продажа, а нужен возврат" },
  refused: (code: Given, words: string) => ({
    en: `the site answered resultCode ${code}${words === "" ? "" : `: "${words}"`}`,
    ru: `сайт ответил resultCode ${code}${words === "" ? "" : `: "${words}"`}`,
  }),
  unreadable: (file: Given, detail: Given) => ({
    en: `the file ${file} cannot be read: ${detail}`,
    ru: `файл ${file} не читается: ${detail}`,
  }),
  otherRegister: (named: Given, asked: Given) => ({
    en: `the order names register ${named}, but register ${asked} asked`,
    ru: `заказ называет кассу ${named}, а спрашивала касса ${asked}`,
  }),
  otherTotal: (total: Given, expected: Given) => ({
    en: `the receipt comes to ${total}, not to ${expected}`,
    ru: `сумма чека ${total}, а не ${expected}`,
  }),
} satisfies Texts;

export const flagTexts = {
  testOrder: {
    en: "this order is a test, to be thrown away: it is reported as printed; any other one as failed",
    ru: "этот заказ пробный, его потом выбрасывают: о нём сообщается «напечатан», о любом другом — «не напечатан»",
  },
  total: { en: "what the test order costs, to be compared", ru: "сколько стоит пробный заказ, для сверки" },
  operation: { en: "whether the test order is a sale or a return", ru: "продажа пробный заказ или возврат" },
  json: { en: "as JSON, with every request and answer", ru: "в виде JSON, с каждым запросом и ответом" },
  strict: { en: "advice fails the check, too", ru: "и с советом проверка не пройдена" },
  junit: { en: "also writes a report in JUnit's XML", ru: "записать и отчёт в XML для JUnit" },
  auth: { en: "signature, bearer, basic, header=NAME or none", ru: "signature, bearer, basic, header=ИМЯ или none" },
  secretFile: {
    en: "holds the secret (basic: USER:PASSWORD); default: FISCAL_SECRET",
    ru: "файл с секретом (для basic — ИМЯ:ПАРОЛЬ); по умолчанию FISCAL_SECRET",
  },
  result: { en: "address of the print result; default: the same", ru: "адрес результата печати; по умолчанию тот же" },
  sync: { en: "address of the list of registers, or none", ru: "адрес для списка касс или none" },
  activity: { en: "address of connects and disconnects, or none", ru: "адрес событий связи с кассой или none" },
  zreport: { en: "address of Z reports, or none", ru: "адрес для Z-отчётов или none" },
  encoding: {
    en: "how calls are encoded; default: both are tried",
    ru: "кодировка запросов; по умолчанию пробуются обе",
  },
  format: { en: "format of the orders", ru: "формат заказов" },
  resultAction: { en: "`action` of results; default: orderConfirm", ru: "`action` результата (orderConfirm)" },
  kkm: { en: "the register that is played", ru: "номер кассы (kkm), за которую идёт проверка" },
  inn: { en: "its taxpayer; default: any", ru: "её ИНН; по умолчанию любой" },
  taxes: { en: "its tax rows, such as 1,2,4 (default: 1 to 12)", ru: "её строки налогов, например 1,2,4 (иначе 1–12)" },
  sum: { en: "This is a sum such as 240.00.", ru: "Это сумма, например 240.00." },
  address: {
    en: "This is an address such as https://shop.example/fiscal, or none.",
    ru: "Это адрес, например https://shop.example/fiscal, или none.",
  },
  numbers: { en: "These are numbers such as 1,2,4.", ru: "Это номера, например 1,2,4." },
} satisfies Texts;
