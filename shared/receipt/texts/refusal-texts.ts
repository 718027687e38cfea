/** Says why an order cannot become a receipt, and what looks wrong in it. Names of fields are not translated. */
import type { FaultText } from "../../fault-codes/fault-row.js";
import type { Given, Texts } from "../../texts.js";

export const refusalTexts = {
  refusedCharacter: (name: Given, at: Given) => ({
    en: `has ${name} as character ${at}: a receipt cannot hold it`,
    ru: `знак номер ${at} — ${name}: в чеке его быть не может`,
  }),
  wronglyDecoded: (name: Given, at: Given) => ({
    en: `has ${name} as character ${at}, which a wrong character encoding leaves behind: a receipt cannot hold it`,
    ru: `знак номер ${at} — ${name}, след неверной кодировки: в чеке его быть не может`,
  }),
  missingOf: (names: Given) => ({ en: `is missing: there are ${names}`, ru: `отсутствует; возможно: ${names}` }),
  cashierMissing: {
    en: "is missing beside the cashier's INN or position",
    ru: "отсутствует, хотя есть ИНН или должность кассира",
  },
  discountTypeMissing: { en: "is missing beside discountValue", ru: "отсутствует, хотя есть discountValue" },
  agentMissing: { en: "is missing beside the supplier", ru: "отсутствует, хотя есть поставщик" },
  onePiece: { en: "must be 1: one marking code is one piece", ru: "нужно 1: один код маркировки — одна штука" },
  roubles: {
    en: "must be roubles with at most 2 decimals after a dot",
    ru: "нужны рубли, не больше 2 знаков после точки",
  },
  orderNumberMissing: { en: "a receipt needs an order number", ru: "чеку нужен номер заказа" },
  nameMissing: { en: "a position needs a name", ru: "позиции нужно название" },
  nameWithEntity: (entity: Given) => ({
    en: `the name has ${entity}, as for a page of HTML, and is printed so: send it unescaped`,
    ru: `в названии есть ${entity}, как для страницы HTML; так оно и напечатается: передавайте без замены знаков`,
  }),
  nameCut: (length: Given, max: Given) => ({
    en: `the name has ${length} characters and is cut to ${max}, as tag 1030 holds no more`,
    ru: `в названии знаков: ${length}, оно обрезано до ${max}: больше тег 1030 не вмещает`,
  }),
  cashierTooLong: (length: Given, max: Given) => ({
    en: `is ${length} characters with the position before it, at most ${max} are allowed`,
    ru: `вместе с должностью знаков: ${length}, а можно не больше ${max}`,
  }),
  productAbove: (max: Given) => ({ en: `price x quantity is above ${max}`, ru: `цена x количество больше ${max}` }),
  priceAbove: (max: Given) => ({ en: `the price of one unit is above ${max}`, ru: `цена единицы больше ${max}` }),
  lineAbove: (max: Given) => ({ en: `the line is above ${max}`, ru: `сумма строки больше ${max}` }),
  totalAbove: (max: Given) => ({ en: `the total is above ${max}`, ru: `итог больше ${max}` }),
  discountAbove: (off: Given, gross: Given) => ({
    en: `the discount ${off} is larger than the line, ${gross}`,
    ru: `скидка ${off} больше суммы строки, ${gross}`,
  }),
  sumAbove: (sum: Given, gross: Given) => ({
    en: `${sum} is above price x quantity, ${gross}`,
    ru: `${sum} больше, чем цена x количество: ${gross}`,
  }),
  totalOfItems: (stated: Given, total: Given) => ({
    en: `${stated} is not the sum of the items, ${total}`,
    ru: `${stated} не равно сумме позиций: ${total}`,
  }),
  otherTax: (stated: Given, counted: Given) => ({
    en: `is ${stated}, the register will count ${counted}`,
    ru: `передано ${stated}, а касса насчитает ${counted}`,
  }),
  noItems: { en: "there is no position to sell or return", ru: "нет ни одной позиции" },
  noPayments: { en: "there is no payment", ru: "нет оплаты" },
  negativePayment: (typeClose: Given, sum: Given) => ({
    en: `payments of type ${typeClose} come to ${sum}`,
    ru: `оплаты вида ${typeClose} в сумме дают ${sum}`,
  }),
  paidOf: (sum: Given, due: Given, missing: Given) => ({
    en: `payments are ${sum}, positions come to ${due}: ${missing} is missing`,
    ru: `оплат ${sum}, а позиций на ${due}: не хватает ${missing}`,
  }),
  cashlessOf: (sum: Given, due: Given, excess: Given) => ({
    en: `cashless payments are ${sum}, positions come to ${due}: ${excess} is too much`,
    ru: `безналичных оплат ${sum}, а позиций на ${due}: лишние ${excess}`,
  }),
  kopecksMoved: (paid: Given, total: Given) => ({
    en: `${paid} is paid of ${total}: the kopecks went to the positions`,
    ru: `оплачено ${paid} из ${total}: копейки добавлены к позициям или сняты с них`,
  }),
  totalZero: { en: "the total is 0.00: no receipt of it is printed", ru: "сумма чека 0.00: такой чек не печатается" },
  contactLeftOut: {
    en: "is neither an e-mail nor a phone: the receipt is printed on paper without it",
    ru: "не e-mail и не телефон: чек печатается на бумаге без него",
  },
  otherContact: {
    en: "is neither an e-mail nor a phone: the other contact counts",
    ru: "не e-mail и не телефон: взят другой контакт",
  },
  internetUrlMissing: { en: "is compulsory for an internet payment", ru: "обязательно при интернет-платеже" },
  internetContactMissing: {
    en: "an internet payment needs the buyer's e-mail or phone",
    ru: "при интернет-платеже нужен e-mail или телефон покупателя",
  },
  paperWithoutContact: {
    en: "printDoc is false, but there is no contact to send the receipt to: it is printed",
    ru: "printDoc равно false, но отправить чек некуда: он печатается",
  },
  noTime: { en: "is no time as dd.mm.yyyy HH:MM:SS", ru: "не время вида дд.мм.гггг ЧЧ:ММ:СС" },
  noPaidAt: {
    en: "is no time like 2026-11-20T14:05:00+03:00: the age of the payment is not known",
    ru: "не время вида 2026-11-20T14:05:00+03:00: давность оплаты неизвестна",
  },
  ean13Digits: { en: "EAN-13 takes 12 or 13 digits", ru: "в EAN-13 должно быть 12 или 13 цифр" },
  ean13Check: (digit: Given) => ({
    en: `the check digit of this EAN-13 is ${digit}`,
    ru: `контрольная цифра этого EAN-13: ${digit}`,
  }),
  code39: (max: Given) => ({
    en: `Code39 takes 1 to ${max} of A-Z, 0-9, space and - . $ / + %`,
    ru: `в Code39 может быть от 1 до ${max} знаков: A-Z, 0-9, пробел и - . $ / + %`,
  }),
  qrBytes: (max: Given) => ({ en: `QR takes 1 to ${max} bytes`, ru: `в QR помещается от 1 до ${max} байт` }),
  noLines: { en: "has no lines", ru: "нет ни одной строки" },
  tooManyLines: (max: Given) => ({ en: `has more than ${max} lines`, ru: `больше ${max} строк` }),
  tooLarge: (kilobytes: Given) => ({ en: `is larger than ${kilobytes} KB`, ru: `больше ${kilobytes} КБ` }),
  manyPositions: (count: Given, usual: Given) => ({
    en: `${count} positions: some registers take ${usual}`,
    ru: `позиций: ${count}; некоторые кассы принимают ${usual}`,
  }),
  tooManyItems: (count: Given, max: Given) => ({
    en: `${count} items: at most ${max} are allowed`,
    ru: `позиций: ${count}, а можно не больше ${max}`,
  }),
  notOpened: (type: FaultText) => ({
    en: `a receipt must begin with OpenCheckSell or OpenCheckReturn, not ${type.en}`,
    ru: `чек начинается с OpenCheckSell или OpenCheckReturn, а здесь ${type.ru}`,
  }),
  notClosed: (type: FaultText) => ({
    en: `a receipt must end with CloseCheck, not ${type.en}`,
    ru: `чек кончается на CloseCheck, а здесь ${type.ru}`,
  }),
  nothing: { en: "nothing", ru: "ничего" },
  secondReceipt: { en: "a second receipt in one table", ru: "второй чек в одной таблице" },
  strayCancel: {
    en: "CancelCheck may only stand before the receipt or close it",
    ru: "CancelCheck стоит только перед чеком или закрывает его",
  },
  afterClose: (type: FaultText) => ({
    en: `${type.en} stands after CloseCheck`,
    ru: `${type.ru} стоит после CloseCheck`,
  }),
  besideReceipt: (type: Given) => ({
    en: `${type} cannot stand in one table with a receipt`,
    ru: `${type} не может стоять в одной таблице с чеком`,
  }),
  strayReturn: {
    en: "Return stands in a sale: it needs OpenCheckReturn",
    ru: "Return стоит в продаже: нужен OpenCheckReturn",
  },
  vatBesideTax: { en: "stands beside `tax`: send one of them", ru: "передано вместе с `tax`: нужно одно из двух" },
  rateOver: (percent: Given, day: Given) => ({
    en: `${percent} % is in force only for refunds and later payments of what was sold before ${day}`,
    ru: `${percent} % действует только для возвратов и последующих оплат проданного до ${day}`,
  }),
  rateNotYet: (percent: Given, day: Given) => ({
    en: `${percent} % is in force from ${day} on`,
    ru: `${percent} % действует с ${day}`,
  }),
  noTaxRow: (name: Given, tax: Given, known: Given) => ({
    en: `"${name}": there is no tax row ${tax}, only ${known}; \`tax\` is the number of a row, no percentage`,
    ru: `«${name}»: строки налогов с номером ${tax} нет, есть ${known}; \`tax\` — номер строки, а не проценты`,
  }),
  changedRow: (name: Given, tax: Given, rates: readonly string[]) => ({
    en: `"${name}": tax row ${tax} is ${rates.join(", and was ")}`,
    ru: `«${name}»: строка налогов ${tax} — это ${rates.join(", а была ")}`,
  }),
  unlawfulRow: (name: Given, tax: Given, title: Given) => ({
    en: `"${name}": tax row ${tax} is ${title}, which is no rate of the law`,
    ru: `«${name}»: строка налогов ${tax} — это ${title}, а такой ставки нет в законе`,
  }),
  otherTaxpayer: (expected: Given, inn: Given) => ({
    en: `the order is for taxpayer ${expected}, the register belongs to taxpayer ${inn}`,
    ru: `заказ для ИНН ${expected}, а ИНН кассы ${inn}`,
  }),
  noRate: (shown: FaultText, names: Given, near: string | null) => ({
    en: `${shown.en} is no rate: ${near === null ? "" : `did you mean \`${near}\`? `}there are ${names}`,
    ru: `${shown.ru} — не ставка; ${near === null ? "" : `возможно, нужна \`${near}\`; `}есть ${names}`,
  }),
  rateOnlyInVats: {
    en: 'is missing: `vats` of the receipt is not read; a position without VAT says "none"',
    ru: "отсутствует: `vats` чека не читается; позиция без НДС говорит none",
  },
  permitMissing: {
    en: "is missing: this site sells no marked goods without the answer of the marking system (tag 1260)",
    ru: "отсутствует: этот сайт не продаёт маркированные товары без ответа системы маркировки (тег 1260)",
  },
  codeMissing: {
    en: "is missing: 30 or 32 is the subject of marked goods without a code",
    ru: "отсутствует: 30 и 32 — предмет расчёта маркированных товаров без кода",
  },
  byteOfCode: (hex: Given, at: Given) => ({
    en: `has ${hex} as byte ${at}: a code has Latin letters, digits, signs and GS, as scanned`,
    ru: `байт номер ${at} — ${hex}: в коде бывают латинские буквы, цифры, знаки и GS, как со сканера`,
  }),
  codeWith: (what: FaultText) => ({
    en: `has ${what.en}: send the code as scanned`,
    ru: `в коде ${what.ru}: передайте код как со сканера`,
  }),
  brackets: { en: "brackets round its identifiers", ru: "скобки вокруг идентификаторов" },
  inPlaceOf: (given: Given, meant: Given) => ({ en: `${given} in place of ${meant}`, ru: `${given} вместо ${meant}` }),
  asText: (what: Given) => ({ en: `${what} as text`, ru: `${what} текстом` }),
  base64Twice: { en: "is base64 of base64", ru: "закодирован в base64 дважды" },
  barcodeOfGood: { en: "is a bar code of the good, no marking code", ru: "это штрихкод товара, а не код маркировки" },
  withoutGs: { en: "has no GS: was it lost on the way?", ru: "в коде нет GS: не потерялся ли он по дороге?" },
  withoutTail: {
    en: "has no whole verification code (93, or 91 and 92) behind its serial number: was it cut on the way?",
    ru: "за серийным номером нет целого кода проверки (93 или 91 и 92): не обрезан ли он по дороге?",
  },
  repeatedCode: (path: Given) => ({
    en: `is the code of ${path} too: one code is one piece`,
    ru: `тот же код у ${path}: один код — одна штука`,
  }),
  prepaymentRate: (title: Given) => ({
    en: `${title} is a rate of prepayments, and the position is a full payment`,
    ru: `${title} — ставка предоплаты, а у позиции полный расчёт`,
  }),
  otherRates: { en: "and `tax` name different rates", ru: "и `tax` называют разные ставки" },
  otherThan: (path: Given) => ({ en: `says something else than ${path}`, ru: `не совпадает с ${path}` }),
  markForm: {
    en: "is not accepted in this form: send the code as `mark_code`",
    ru: "в таком виде не принимается: передайте код как `mark_code`",
  },
  markKind: {
    en: "is not carried: send `gs1m`, the code as scanned in base64",
    ru: "не передаётся: пришлите `gs1m`, код со сканера в base64",
  },
  markPart: {
    en: "is not carried: a part of a marked piece cannot be sold",
    ru: "не передаётся: часть маркированной штуки продать нельзя",
  },
  leaveOut: (tag: Given) => ({
    en: `is not carried: leave it out, tag ${tag} is optional`,
    ru: `не передаётся: уберите его, тег ${tag} необязателен`,
  }),
  sendInstead: (wanted: Given) => ({ en: `is not read: send ${wanted}`, ru: `не читается: передайте ${wanted}` }),
  otherDirection: (given: FaultText, opening: Given) => ({
    en: `${given.en} contradicts the opening line, which says ${opening}`,
    ru: `${given.ru} противоречит строке открытия чека: там ${opening}`,
  }),
  unseenLeftOut: { en: "has characters that nobody sees: they are left out", ru: "есть невидимые символы: они убраны" },
  leftOut: (flaw: FaultText) => ({ en: `${flaw.en}: it is left out`, ru: `${flaw.ru}; символ убран` }),
  onlySeparators: { en: "is empty: it has nothing but GS and blanks", ru: "пуст: в нём только GS и пробелы" },
  notReadHere: (path: Given) => ({
    en: `is not read here: send it as ${path}`,
    ru: `здесь не читается: передайте его как ${path}`,
  }),
  goodsCode: {
    en: "must be the bytes of tag 1162 as hex digits",
    ru: "нужны байты тега 1162 шестнадцатеричными цифрами",
  },
  noPhone: { en: "is no phone number: it is registered as it is", ru: "это не номер телефона: в чек войдёт как есть" },
  agentData: (tags: Given) => ({
    en: `lacks parts of tag 1223 that the law wants of this kind of agent: ${tags}`,
    ru: `нет частей тега 1223, которых закон требует от агента этого вида: ${tags}`,
  }),
  correction: {
    en: "corrections are not printed for a site: the operator makes them on the register",
    ru: "чеки коррекции для сайта не печатаются: их делает кассир на кассе",
  },
  correctionOfWhat: {
    en: "is missing: a correction says why it is made and of which day the settlement is",
    ru: "отсутствует: чек коррекции говорит, почему он пробит и какого дня расчёт",
  },
  noCorrection: {
    en: "stands in an order that is no correction: send sell_correction or sell_refund_correction",
    ru: "передано в заказе, который не коррекция: нужно sell_correction или sell_refund_correction",
  },
  dayAhead: (day: Given) => ({ en: `${day} is still to come`, ru: `${day} ещё не наступило` }),
  dayTooEarly: (day: Given) => ({
    en: `is before ${day}: no register of today was in use`,
    ru: `раньше ${day}: таких касс тогда не было`,
  }),
  orderOfTaxOffice: {
    en: "is the number of the tax office's order: a correction by such an order needs it, and no other has it",
    ru: "это номер предписания: он нужен при коррекции по предписанию и только при ней",
  },
  fiscalSignOf: {
    en: "must be the fiscal sign of the document that is corrected, 1 to 10 digits",
    ru: "нужен фискальный признак исправляемого документа, от 1 до 10 цифр",
  },
  changeCorrected: {
    en: "more is paid than the total: a correction has no change",
    ru: "оплачено больше суммы чека: в чеке коррекции сдачи нет",
  },
  noDirection: {
    en: "is no key of an order: send `receipt`, and sell or sell_refund as `operation`; purchases are not printed",
    ru: "такого ключа у заказа нет: передайте `receipt`, а в `operation` sell или sell_refund; покупки не печатаются",
  },
  noOperation: (shown: FaultText) => ({
    en: `${shown.en} is neither sell nor sell_refund: purchases are not printed, corrections only where the site may order them`,
    ru: `${shown.ru} — не sell и не sell_refund: покупки не печатаются, а коррекции — только если сайту разрешено их заказывать`,
  }),
} satisfies Texts;
