/** Says why one register cannot print a receipt that is right in itself. */
import type { FaultText } from "../../fault-codes.js";
import type { Given, Texts } from "../../texts.js";

/** Names of tax systems by the values of tag 1055. */
const taxSystems: Readonly<Record<number, FaultText>> = {
  1: { en: "general", ru: "ОСН" },
  2: { en: "simplified, income", ru: "УСН доход" },
  4: { en: "simplified, income less expenses", ru: "УСН доход минус расход" },
  8: { en: "imputed income", ru: "ЕНВД" },
  16: { en: "agricultural", ru: "ЕСХН" },
  32: { en: "patent", ru: "патент" },
};

export const unfitTexts = {
  noTaxCode: (tax: Given) => ({
    en: `no code of FF46h for tax row ${tax}`,
    ru: `для строки налогов ${tax} нет кода команды FF46h`,
  }),
  taxSystemMissing: {
    en: "the register has several tax systems: the order must name one",
    ru: "у кассы несколько систем налогообложения: заказ должен назвать одну",
  },
  noTaxSystem: (system: number) => ({
    en: `the register is not registered for the tax system of the receipt: ${taxSystems[system]?.en ?? system}`,
    ru: `система налогообложения чека — ${taxSystems[system]?.ru ?? system}, а касса с ней не зарегистрирована`,
  }),
  registerPayment: (type: Given) => ({
    en: `the register has no payment type ${type}`,
    ru: `в кассе нет вида оплаты ${type}`,
  }),
  correctionFormatUnknown: {
    en: "a correction depends on the format (FFD) that the register is registered for, and this register does not report it",
    ru: "чек коррекции зависит от ФФД, по которому зарегистрирована касса, а эта касса его не сообщает",
  },
  correction105: {
    en: "this register works by FFD 1.05, which corrects sales without the register alone: a wrong receipt needs an ordinary return and a right sale, both with its fiscal sign (tag 1192); about a missed return ask an accountant",
    ru: "касса работает по ФФД 1.05: коррекция там только для расчётов без кассы; неверный чек исправляют обычный возврат и верный приход, оба с его фискальным признаком (тег 1192); о пропущенном возврате спросите бухгалтера",
  },
  correctionWithItems: {
    en: "this firmware makes no corrections with positions (flag 48 of F7h), which FFD 1.1 and 1.2 need: update it",
    ru: "эта прошивка не делает чеков коррекции с позициями (флаг 48 в F7h), а ФФД 1.1 и 1.2 их требуют: обновите её",
  },
  correctionRate: (title: Given) => ({
    en: `no command of this register for ${title} in a correction of FFD 1.05 is confirmed: make it at the register, or register it for FFD 1.2`,
    ru: `команда этой кассы для «${title}» в коррекции по ФФД 1.05 не подтверждена: пробейте её на самой кассе или зарегистрируйте кассу по ФФД 1.2`,
  }),
  correctionOption: (title: Given, option: Given) => ({
    en: `the command of this register for ${title} in a correction of FFD 1.05 is not confirmed: turn on \`options.${option}\` and compare the first one with its paper, or make it at the register`,
    ru: `команда этой кассы для «${title}» в коррекции по ФФД 1.05 не подтверждена: включите \`options.${option}\` и сверьте первый чек с бумагой или пробейте его на самой кассе`,
  }),
  correctionField: (place: Given) => ({
    en: `${place}: a correction of FFD 1.05 has no place for it on this register: make it at the register, or register it for FFD 1.2`,
    ru: `${place}: в коррекции по ФФД 1.05 на этой кассе для этого нет места: пробейте её на самой кассе или зарегистрируйте кассу по ФФД 1.2`,
  }),
  rateUnknown: (name: Given, title: Given) => ({
    en: `"${name}": the rate of the row "${title}" is not known, and a correction needs its sum`,
    ru: `«${name}»: ставка строки «${title}» неизвестна, а коррекции нужна её сумма`,
  }),
  noReport: (report: Given) => ({ en: `the register has no report "${report}"`, ru: `у кассы нет отчёта «${report}»` }),
  noSection: (max: Given, section: Given) => ({
    en: `the register has ${max} sections, not ${section}`,
    ru: `отделов в кассе ${max}, а передан ${section}`,
  }),
  zeroReceipt: { en: "the register refuses a receipt of zero", ru: "чек на ноль касса не печатает" },
  positions: (count: Given, max: Given) => ({
    en: `${count} positions, the register takes ${max}`,
    ru: `позиций: ${count}, касса принимает ${max}`,
  }),
  cashierMissing: {
    en: "this register needs a cashier's name: set `cashier` in its config",
    ru: "этой кассе нужно имя кассира: задайте `cashier` в её настройках",
  },
  taxesExpected: {
    en: "the register expects its taxes from the program (table 1 field 14 = 1): set it to 0",
    ru: "касса ждёт сумм налогов от программы (таблица 1, поле 14 = 1): задайте 0",
  },
  internetFlag: {
    en: "internet receipts (tag 1125) need the register's option internetFlag: 1 by the maker's manual of FM16",
    ru: "для чеков интернет-расчётов (тег 1125) нужна настройка кассы internetFlag: 1 по руководству изготовителя к ФМ16",
  },
  internetLost: (fd: Given, option: Given) => ({
    en: `document ${fd} went to the tax office without tag 1125 (settlement on the internet): the option ${option} does not do it on this register`,
    ru: `документ ${fd} ушёл в налоговую без тега 1125 (расчёт в интернете): настройка ${option} на этой кассе не помогает`,
  }),
  notForInternet: {
    en: "the register is not registered for settlements on the internet (tag 1108)",
    ru: "касса не зарегистрирована для расчётов в интернете (тег 1108)",
  },
  lettersLost: (letters: Given, places: Given) => ({
    en: `the register cannot hold ${letters}: another sign stands instead in ${places}`,
    ru: `в кассе нет знаков ${letters}: вместо них напечатан другой знак в ${places}`,
  }),
  noPicture: (name: Given) => ({
    en: `the picture ${name} is not there: left out`,
    ru: `картинки «${name}» нет: пропущена`,
  }),
  paperAlways: {
    en: "this register cannot leave a receipt off the paper: printed",
    ru: "касса не умеет пробивать чеки без бумаги: чек напечатан",
  },
  paperWithoutContact: {
    en: "no paper was asked for, but there is no contact to send the receipt to: printed",
    ru: "чек без контакта отправить некуда: он напечатан на бумаге",
  },
  markUnasked: {
    en: "the marking system was not reached: the code is sold with the drive's own check",
    ru: "Честный знак не ответил: код проверил только фискальный накопитель",
  },
  placeLost: (fd: Given) => ({
    en: `document ${fd} went to the tax office without the order's place of settlement (tag 1187): this register does not take one`,
    ru: `документ ${fd} ушёл в налоговую без места расчётов из заказа (тег 1187): эта касса его не принимает`,
  }),
  tagNotTaken: (path: Given, tag: Given) => ({
    en: `${path} is tag ${tag}, which this register's protocol does not take`,
    ru: `${path} - тег ${tag}, а протокол этой кассы его не передаёт`,
  }),
  operatingId: (path: Given, value: Given) => ({
    en: `${path} is "${value}", and tag 1271 takes a whole number up to 255`,
    ru: `${path} - «${value}», а тег 1271 вмещает целое число не больше 255`,
  }),
  onlyFormat12: (path: Given, tag: Given) => ({
    en: `${path} is tag ${tag}, which only format 1.2 has`,
    ru: `${path} - тег ${tag}, а он есть только в формате 1.2`,
  }),
  measureOther: (path: Given) => ({
    en: `${path}.measure is 255 (other), which format 1.05 writes as a text: the order must name the unit`,
    ru: `${path}.measure равно 255 (иная), а в формате 1.05 это текст: заказ должен назвать единицу`,
  }),
  tooLong: (path: Given, length: Given, tag: Given, max: Given) => ({
    en: `${path} is ${length} characters, tag ${tag} takes ${max}`,
    ru: `${path}: знаков ${length}, тег ${tag} вмещает ${max}`,
  }),
  fieldTooLong: (path: Given, length: Given, tag: Given, max: Given) => ({
    en: `${path} is ${length} characters, this register's field for tag ${tag} takes ${max}`,
    ru: `${path}: знаков ${length}, поле кассы для тега ${tag} вмещает ${max}`,
  }),
  tagsTooLong: (paths: Given, size: Given, max: Given) => ({
    en: `${paths} take ${size} bytes, this register's command for tags of an item takes ${max}`,
    ru: `${paths}: байт ${size}, команда кассы для тегов позиции вмещает ${max}`,
  }),
  otherLetters: (path: Given, text: Given, becomes: Given) => ({
    en: `${path} "${text}" has letters that the register cannot hold: it would become "${becomes}"`,
    ru: `${path}: в «${text}» есть буквы, которых нет в кассе; вышло бы «${becomes}»`,
  }),
  internetUnconfirmed: {
    en: "an internet receipt (tag 1125): no confirmed way; see `options.internetByParameter` of this register",
    ru: "чек интернет-расчёта (тег 1125): проверенного способа нет; см. `options.internetByParameter` этой кассы",
  },
  quantityDecimals: (name: Given) => ({
    en: `"${name}": a quantity with more than three decimals`,
    ru: `«${name}»: в количестве больше трёх знаков после точки`,
  }),
  slashes: (name: Given) => ({
    en: `"${name}": this register does not print a name that begins with //`,
    ru: `«${name}»: названия, которые начинаются с //, эта касса не печатает`,
  }),
  goodsCode12: (name: Given) => ({
    en: `"${name}" has a goods code (tag 1162), which format 1.2 does not have`,
    ru: `у «${name}» код товара (тег 1162), которого в формате 1.2 нет`,
  }),
  markNotRegistered: (name: Given) => ({
    en: `"${name}" has a marking code, which this register is not registered for`,
    ru: `у «${name}» код маркировки, а для неё касса не зарегистрирована`,
  }),
  markIsOnePiece: (name: Given) => ({
    en: `"${name}": one marking code is one piece`,
    ru: `«${name}»: один код маркировки - одна штука`,
  }),
  markedSum: (name: Given) => ({
    en: `"${name}": no price of this marked position makes its sum, which the register counts by itself`,
    ru: `«${name}»: ни при какой цене маркированной позиции касса не насчитает её сумму`,
  }),
  codeBytes: {
    en: "a code has bytes that the register's protocol cannot carry",
    ru: "в коде есть байты, которых протокол кассы не передаёт",
  },
  codeDollar: {
    en: "a code has a $, and how the register takes it is not known: set the option dollarInCodes",
    ru: "в коде есть $, а как его принимает касса, неизвестно: задайте настройку dollarInCodes",
  },
} satisfies Texts;
