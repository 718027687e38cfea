/** What is wrong with a config file, or may be missing in it. */
import type { FaultText } from "@fiscald/shared/fault-codes/fault-row.js";
import type { Given, Texts } from "@fiscald/shared/texts.js";

export const configReasons = {
  problems: (count: number, file: Given, lines: FaultText) => ({
    en: `${count === 1 ? "1 problem" : `${count} problems`} in ${file}:\n${lines.en}`,
    ru: `${count === 1 ? "Ошибка в файле" : `Ошибок: ${count}, файл`} ${file}:\n${lines.ru}`,
  }),
  unreadVariable: {
    en: "this variable is not read: only `FISCALD__console__port` with a port's number is. Write the key into the config",
    ru: "переменная не читается: действует только `FISCALD__console__port` с номером порта. Задайте ключ в файле",
  },
  meantKey: (near: Given) => ({
    en: `there is no such key; did you mean \`${near}\`?`,
    ru: `такого ключа нет; может быть, \`${near}\`?`,
  }),
  knownKeys: (keys: Given) => ({
    en: `there is no such key; known keys: ${keys}`,
    ru: `такого ключа нет; известные ключи: ${keys}`,
  }),
  oneOf: (names: Given) => ({ en: `must be one of ${names}`, ru: `нужно одно из: ${names}` }),
  base64: {
    en: "must be base64, with or without `whsec_` before it",
    ru: "это не секрет подписи: нужен base64, с `whsec_` в начале или без; скопируйте секрет целиком",
  },
  portTaken: (address: Given) => ({
    en: `another program listens at ${address}`,
    ru: `${address}: там уже работает другая программа`,
  }),
  sameAs: (place: Given) => ({ en: `is the same as in ${place}`, ru: `то же, что и в ${place}` }),
  renamedFrom: (list: Given) => ({
    en: `is the id of one of the ${list} that are still here`,
    ru: `это id одной из записей ${list}, которые ещё здесь`,
  }),
  placeholder: (name: Given) => ({ en: `there is no placeholder ${name}`, ru: `подстановки ${name} нет` }),
  noSite: (id: Given, known: Given) => ({
    en: `there is no site ${id}; there are: ${known}`,
    ru: `сайта ${id} нет; есть: ${known}`,
  }),
  connection: (driver: Given, kind: Given, kinds: Given) => ({
    en: `${driver} registers are not reached by "${kind}"; there are: ${kinds}`,
    ru: `кассы ${driver} не подключаются через «${kind}»; можно: ${kinds}`,
  }),
  group: (name: Given) => ({
    en: `emulated and real registers cannot share the group ${name}`,
    ru: `эмуляторы и настоящие кассы не бывают в одной группе ${name}`,
  }),
  emulatorForSite: (site: Given, host: Given) => ({
    en: `this register is an emulator, and the site ${site} (${host}) is neither on this machine nor in a private network: it would hear of receipts that do not exist. Connect a register, or for a trial set \`emulated.allow\` to true`,
    ru: `касса — эмулятор, а сайт ${site} (${host}) не на этом компьютере и не в локальной сети: ему сообщили бы о чеках, которых нет. Подключите настоящую кассу или для пробы задайте \`emulated.allow: true\``,
  }),
  emulatorUnresolved: (site: Given, host: Given) => ({
    en: `this register is an emulator, and the name ${host} of the site ${site} is not found, so nobody knows whether it is a real shop: correct the address, or for a trial set \`emulated.allow\` to true`,
    ru: `касса — эмулятор, а имя ${host} сайта ${site} не находится, и это может быть настоящий магазин: исправьте адрес или для пробы задайте \`emulated.allow: true\``,
  }),
  sameIssuer: (one: Given, other: Given) => ({
    en: `${one} and ${other} would use one another's order numbers: their orders addresses differ only in the scheme or in a secret; give each its own \`issuer\``,
    ru: `${one} и ${other} приняли бы номера заказов друг друга: их адреса заказов отличаются только схемой или секретом; задайте каждому свой \`issuer\``,
  }),
  certAndKey: { en: "certFile and keyFile go together", ru: "certFile и keyFile задаются вместе" },
  certificate: (detail: Given) => ({
    en: `this certificate and key cannot be used: ${detail}`,
    ru: `этот сертификат с ключом не годится: ${detail}`,
  }),
  openConsole: (host: Given) => ({
    en: `${host} can be reached from other machines, and without HTTPS everybody in that network could read the console's token and the orders: name \`console.tls.certFile\` and \`console.tls.keyFile\`, or take the host 127.0.0.1`,
    ru: `${host} доступен другим компьютерам, и без HTTPS каждый в этой сети прочёл бы токен страницы и заказы: задайте \`console.tls.certFile\` и \`console.tls.keyFile\` или возьмите адрес 127.0.0.1`,
  }),
  secretInIssuer: (name: Given) => ({
    en: `"${name}" looks like a secret and is left out of the issuer; if it distinguishes this shop from others, set \`issuer\``,
    ru: `«${name}» похоже на секрет и не входит в имя магазина; если оно отличает этот магазин от других, задайте \`issuer\``,
  }),
  siteUnused: {
    en: "no register names this site in its `sites`: it is not asked for orders",
    ru: "ни у одной кассы этого сайта нет в `sites`: заказы у него не запрашиваются",
  },
  defaultTaxMissing: {
    en: "is missing: an order with a position without a tax is not printed",
    ru: "не задано: заказ, в котором есть позиция без ставки, не будет напечатан",
  },
  cashierMissing: (driver: Given) => ({
    en: `is missing: documents of ${driver} registers all name a cashier, so this one prints nothing`,
    ru: `не задано: в каждом документе касс ${driver} есть кассир, поэтому эта касса ничего не напечатает`,
  }),
  unreadable: (file: Given, detail: Given) => ({
    en: `the config file ${file} cannot be read: ${detail}`,
    ru: `файл настроек ${file} не читается: ${detail}`,
  }),
  noVariable: (name: Given) => ({
    en: `the environment variable ${name} is not set`,
    ru: `переменная окружения ${name} не задана`,
  }),
  emptyFile: (path: Given) => ({ en: `the file ${path} is empty`, ru: `файл ${path} пуст` }),
  unreadableFile: (path: Given, detail: Given) => ({
    en: `the file ${path} cannot be read: ${detail}`,
    ru: `файл ${path} не читается: ${detail}`,
  }),
  notUtf8: (path: Given, encoding: Given) => ({
    en: `${path} is not UTF-8 but ${encoding}: save it as UTF-8`,
    ru: `${path} не в UTF-8, а в ${encoding}: сохраните его в UTF-8`,
  }),
  noJson: (line: Given, column: Given, reason: FaultText) => ({
    en: `is no JSON: line ${line}, column ${column}: ${reason.en}`,
    ru: `это не JSON: строка ${line}, столбец ${column}: ${reason.ru}`,
  }),
  jsonText: { en: "text in double quotes is expected here", ru: "здесь нужен текст в двойных кавычках" },
  jsonBackslash: {
    en: "a backslash is written twice in JSON (C:\\\\fiscald), or as / (C:/fiscald)",
    ru: "обратная косая черта в JSON пишется дважды (C:\\\\fiscald) или как / (C:/fiscald)",
  },
  jsonUnclosed: { en: "the closing double quote is missing", ru: "не хватает закрывающей двойной кавычки" },
  jsonColon: { en: "a colon is missing before this", ru: "перед этим не хватает двоеточия" },
  jsonComma: (end: Given) => ({
    en: `a comma or ${end} is missing before this`,
    ru: `перед этим не хватает запятой или ${end}`,
  }),
  jsonExtraComma: { en: "the comma before this is one too many", ru: "запятая перед этим лишняя" },
  jsonTwice: { en: "this key is here twice", ru: "этот ключ здесь второй раз" },
  jsonValue: { en: "a value is expected here", ru: "здесь нужно значение" },
  jsonEnd: { en: "the file should end here", ru: "здесь файл должен закончиться" },
  jsonTooEarly: { en: "the file ends too early", ru: "файл обрывается" },
  jsonComment: { en: "JSON has no comments: remove it", ru: "в JSON нет комментариев: уберите его" },
  jsonSingleQuotes: { en: "JSON has double quotes, not single ones", ru: "в JSON двойные кавычки, а не одинарные" },
} satisfies Texts;
