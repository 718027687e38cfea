import type { FaultText } from "@fiscald/shared/fault-codes/fault-row.js";
import { both, reasons } from "../rows.js";

export const configReasons = reasons({
  problems: both(
    ({ count, file, lines }: { readonly count: number; readonly file: string; readonly lines: FaultText }) =>
      `${count === 1 ? "1 problem" : `${count} problems`} in ${file}:\n${lines.en}`,
    ({ count, file, lines }) => `${count === 1 ? "Ошибка в файле" : `Ошибок: ${count}, файл`} ${file}:\n${lines.ru}`,
  ),
  unreadVariable: [
    "this variable is not read: only `FISCALD__console__port` with a port's number is. Write the key into the config",
    "переменная не читается: действует только `FISCALD__console__port` с номером порта. Задайте ключ в файле",
  ],
  meantKey: ["there is no such key; did you mean `{near}`?", "такого ключа нет; может быть, `{near}`?"],
  knownKeys: ["there is no such key; known keys: {keys}", "такого ключа нет; известные ключи: {keys}"],
  oneOf: ["must be one of {names}", "нужно одно из: {names}"],
  base64: [
    "must be base64, with or without `whsec_` before it",
    "это не секрет подписи: нужен base64, с `whsec_` в начале или без; скопируйте секрет целиком",
  ],
  portTaken: ["another program listens at {address}", "{address}: там уже работает другая программа"],
  sameAs: ["is the same as in {place}", "то же, что и в {place}"],
  renamedFrom: [
    "is the id of one of the {list} that are still here",
    "это id одной из записей {list}, которые ещё здесь",
  ],
  placeholder: ["there is no placeholder {name}", "подстановки {name} нет"],
  noSite: ["there is no site {id}; there are: {known}", "сайта {id} нет; есть: {known}"],
  connection: [
    '{driver} registers are not reached by "{kind}"; there are: {kinds}',
    "кассы {driver} не подключаются через «{kind}»; можно: {kinds}",
  ],
  group: [
    "emulated and real registers cannot share the group {name}",
    "эмуляторы и настоящие кассы не бывают в одной группе {name}",
  ],
  emulatorForSite: [
    "this register is an emulator, and the site {site} ({host}) is neither on this machine nor in a private network: it would hear of receipts that do not exist. Connect a register, or for a trial set `emulated.allow` to true",
    "касса — эмулятор, а сайт {site} ({host}) не на этом компьютере и не в локальной сети: ему сообщили бы о чеках, которых нет. Подключите настоящую кассу или для пробы задайте `emulated.allow: true`",
  ],
  emulatorUnresolved: [
    "this register is an emulator, and the name {host} of the site {site} is not found, so nobody knows whether it is a real shop: correct the address, or for a trial set `emulated.allow` to true",
    "касса — эмулятор, а имя {host} сайта {site} не находится, и это может быть настоящий магазин: исправьте адрес или для пробы задайте `emulated.allow: true`",
  ],
  sameIssuer: [
    "{one} and {other} would use one another's order numbers: their orders addresses differ only in the scheme or in a secret; give each its own `issuer`",
    "{one} и {other} приняли бы номера заказов друг друга: их адреса заказов отличаются только схемой или секретом; задайте каждому свой `issuer`",
  ],
  certAndKey: ["certFile and keyFile go together", "certFile и keyFile задаются вместе"],
  certificate: ["this certificate and key cannot be used: {detail}", "этот сертификат с ключом не годится: {detail}"],
  openConsole: [
    "{host} can be reached from other machines, and without HTTPS everybody in that network could read the console's token and the orders: name `console.tls.certFile` and `console.tls.keyFile`, or take the host 127.0.0.1",
    "{host} доступен другим компьютерам, и без HTTPS каждый в этой сети прочёл бы токен страницы и заказы: задайте `console.tls.certFile` и `console.tls.keyFile` или возьмите адрес 127.0.0.1",
  ],
  secretInIssuer: [
    '"{name}" looks like a secret and is left out of the issuer; if it distinguishes this shop from others, set `issuer`',
    "«{name}» похоже на секрет и не входит в имя магазина; если оно отличает этот магазин от других, задайте `issuer`",
  ],
  siteUnused: [
    "no register names this site in its `sites`: it is not asked for orders",
    "ни у одной кассы этого сайта нет в `sites`: заказы у него не запрашиваются",
  ],
  defaultTaxMissing: [
    "is missing: an order with a position without a tax is not printed",
    "не задано: заказ, в котором есть позиция без ставки, не будет напечатан",
  ],
  cashierMissing: [
    "is missing: documents of {driver} registers all name a cashier, so this one prints nothing",
    "не задано: в каждом документе касс {driver} есть кассир, поэтому эта касса ничего не напечатает",
  ],
  noConfig: ["there is no such file: {file}", "файла настроек {file} нет"],
  unreadable: ["the config file {file} cannot be read: {detail}", "файл настроек {file} не читается: {detail}"],
  noVariable: ["the environment variable {name} is not set", "переменная окружения {name} не задана"],
  emptyFile: ["the file {path} is empty", "файл {path} пуст"],
  unreadableFile: ["the file {path} cannot be read: {detail}", "файл {path} не читается: {detail}"],
  notUtf8: [
    "{path} is not UTF-8 but {encoding}: save it as UTF-8",
    "{path} не в UTF-8, а в {encoding}: сохраните его в UTF-8",
  ],
  noJson: [
    "is no JSON: line {line}, column {column}: {reason}",
    "это не JSON: строка {line}, столбец {column}: {reason}",
  ],
  jsonText: ["text in double quotes is expected here", "здесь нужен текст в двойных кавычках"],
  jsonBackslash: [
    "a backslash is written twice in JSON (C:\\\\fiscald), or as / (C:/fiscald)",
    "обратная косая черта в JSON пишется дважды (C:\\\\fiscald) или как / (C:/fiscald)",
  ],
  jsonUnclosed: ["the closing double quote is missing", "не хватает закрывающей двойной кавычки"],
  jsonColon: ["a colon is missing before this", "перед этим не хватает двоеточия"],
  jsonComma: ["a comma or {end} is missing before this", "перед этим не хватает запятой или {end}"],
  jsonExtraComma: ["the comma before this is one too many", "запятая перед этим лишняя"],
  jsonTwice: ["this key is here twice", "этот ключ здесь второй раз"],
  jsonValue: ["a value is expected here", "здесь нужно значение"],
  jsonEnd: ["the file should end here", "здесь файл должен закончиться"],
  jsonTooEarly: ["the file ends too early", "файл обрывается"],
  jsonComment: ["JSON has no comments: remove it", "в JSON нет комментариев: уберите его"],
  jsonSingleQuotes: ["JSON has double quotes, not single ones", "в JSON двойные кавычки, а не одинарные"],
});
