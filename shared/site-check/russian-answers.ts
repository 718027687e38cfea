/**
 * What is wrong with a site's answer, in Russian: the English text in the code is the key (`translate.ts`). Names of
 * fields and types stay as they are.
 */
import { faultCodes } from "../fault-codes.js";
import { translatorOf } from "../translate.js";

const said: Readonly<Record<string, string>> = {
  // The command
  "ENOENT: no such file or directory, open *": "файла $1 нет",
  "* is no address: it begins with http:// or https://": "$1 — не адрес: он начинается с http:// или https://",
  "there is no secret: set FISCAL_SECRET, or name a --secret-file":
    "секрета нет: задайте FISCAL_SECRET или файл в --secret-file",
  "the secret of a signature is base64, with or without whsec_": "секрет подписи — base64, с whsec_ в начале или без",
  "the secret of basic is USER:PASSWORD": "секрет для basic — ИМЯ:ПАРОЛЬ",
  "--auth is signature, bearer, basic, header=NAME or none": "--auth: signature, bearer, basic, header=ИМЯ или none",
  // The calls
  "the site is called without a secret": "сайт вызывается без секрета",
  "the site answered a poll with *": "сайт ответил на опрос, в котором $1",
  "a wrong secret": "неверный секрет",
  "no secret": "нет секрета",
  "a signature that is an hour old": "подпись часовой давности",
  "a poll with * is answered with HTTP *": "на опрос, в котором $1, сайт отвечает HTTP $2",
  "the site took a body that is no JSON": "сайт принял тело, которое не JSON",
  "the site answered an unknown action with success": "на незнакомый action сайт ответил успехом",
  "the order * was offered to register *, and before its result to another one too":
    "заказ $1 отдан кассе $2, и до его результата ещё одной",
  "each poll brings the same order under another number: *, then *":
    "каждый опрос приносит тот же заказ под другим номером: $1, затем $2",
  "the order * was offered once, and not again although no result came":
    "заказ $1 отдан один раз и больше не отдаётся, хотя результата не было",
  "the second poll brought receiptId *, the first *": "второй опрос принёс receiptId $1, первый $2",
  "the second poll brought the order * with other content": "второй опрос принёс заказ $1 с другим содержимым",
  "the order * was reported as printed, and is offered again":
    "о заказе $1 сообщено, что он напечатан, а сайт отдаёт его снова",
  "without a number": "без номера",
  none: "отсутствует",
  "the site answered resultCode *: *": "сайт ответил resultCode $1: $2",
  "the site answered resultCode *": "сайт ответил resultCode $1",
  "the order names register *, but register * asked": "заказ называет кассу $1, а спрашивала касса $2",
  "the receipt comes to *, not to *": "сумма чека $1, а не $2",
  // The answer
  "* answered with something that is no JSON: *": "$1: ответ не JSON: $2",
  "* answered with something that is no JSON": "$1: ответ не JSON",
  "* answered resultCode *: *": "$1: ответ resultCode $2: $3",
  "* answered resultCode *": "$1: ответ resultCode $2",
  "* answered * and points to an unreadable address": "$1: ответ $2 с адресом, который не читается",
  "* answered * and points to *, which is not encrypted: correct the redirect on the site":
    "$1: ответ $2 с переходом на $3, а там нет шифрования: исправьте переход на сайте",
  "* answered * and points to *, redirects are not followed: write that address into `sites[].urls`":
    "$1: ответ $2 с переходом на $3; переходы не выполняются: запишите этот адрес в `sites[].urls`",
  "* answered *: there is no such page, compare the address in `sites[].urls`":
    "$1: ответ $2: такой страницы нет, сверьте адрес в `sites[].urls`",
  "* answered *": "$1: ответ $2",
  "sent, but no whole answer: *": "отправлено, но ответ не пришёл целиком: $1",
  "no answer in * s": "ответа нет $1 с",
  "given up": "прервано",
  "given up before it was sent": "прервано до отправки",
  "no connection": "нет соединения",
  "other side closed": "сайт закрыл соединение",
  "connect ECONNREFUSED *; connect ECONNREFUSED *": "там никто не отвечает ($1, $2, ECONNREFUSED)",
  "connect ECONNREFUSED *": "там никто не отвечает ($1, ECONNREFUSED)",
  "connect ETIMEDOUT *": "соединиться не удалось за отведённое время ($1, ETIMEDOUT)",
  "Connect Timeout Error (*)": "соединиться не удалось за отведённое время ($1)",
  "connect EHOSTUNREACH *": "до адреса нет пути ($1, EHOSTUNREACH)",
  "connect ENETUNREACH *": "до адреса нет пути ($1, ENETUNREACH)",
  "read ECONNRESET": "соединение оборвано (ECONNRESET)",
  "Response does not match the HTTP/1.1 protocol (*)": "ответ не по протоколу HTTP ($1)",
  "getaddrinfo * *": "имя $2 не найдено ($1)",
  "certificate has expired": "сертификат просрочен",
  "self-signed certificate": "сертификат подписан самим сайтом",
  "self-signed certificate in certificate chain": "сертификат выдан центром, которому этот компьютер не доверяет",
  "unable to verify the first certificate":
    "сайт не прислал промежуточный сертификат, или центр сертификата не известен",
  "unable to get local issuer certificate": "центр сертификата не известен",
  "Hostname/IP does not match certificate's altnames: *": "сертификат выдан другому имени: $1",
  "*:wrong version number:*": "по этому адресу нет шифрования: нужен http:// или другой порт",
  "the answer is compressed (Content-Encoding: *), which was not asked for":
    "ответ сжат (Content-Encoding: $1), хотя об этом не просили",
  "the answer is not UTF-8, no charset is declared: send UTF-8, or declare the charset in Content-Type":
    "ответ не в UTF-8, а кодировка не объявлена: отправляйте UTF-8 или объявите её в Content-Type",
  "the answer is not UTF-8, and cannot be read as *, which is declared: send UTF-8, or declare the charset in Content-Type":
    "ответ не в UTF-8 и не читается как $1, что объявлено: отправляйте UTF-8 или верно объявите кодировку в Content-Type",
  "the answer is larger than * bytes": "ответ больше $1 байт",
  "the answer is nested deeper than * levels": "вложенность ответа больше $1 уровней",
  "the answer is an HTML page, no JSON: is it the address of the handler, and does it show an error?":
    "ответ не JSON, а страница HTML: это адрес обработчика, и нет ли на странице ошибки?",
  "the answer is no JSON: *": "ответ не JSON: $1",
  "Unexpected token *, * is not valid JSON": "лишнее $1 в $2",
  "Unexpected end of JSON input": "текст обрывается",
  "* after JSON at position * (line * column *)": "после JSON есть ещё текст, строка $3, столбец $4",
  "* after JSON at position *": "после JSON есть ещё текст, позиция $2",
  "* is not valid JSON": "$1 — не JSON",
  "* in JSON at position * (line * column *)": "неверно в строке $3, столбце $4",
  "* in JSON at position *": "неверно в позиции $2",
  'the answer * is neither an order nor one of the ways to say that there is none: an order stands in "response", nothing is {"resultCode":0}':
    'ответ $1 — не заказ и не «заказов нет»: заказ стоит в "response", а когда заказов нет, ответ {"resultCode":0}',
  "resultCode must be a number, not *": "resultCode — число, а передано $1",
  "* is given twice, with different values": "$1 передано дважды, с разными значениями",
  "this is a body of *: send `external_id` and a `receipt` with items, payments and total (FROM-CLOUD.md)":
    "это тело сервиса $1: передайте `external_id` и `receipt` с items, payments и total (FROM-CLOUD.ru.md)",
  "the answer mixes both receipt formats": "в ответе смешаны оба формата чека",
  "the site is set to the * format, but this is the other one": "сайту задан формат $1, а это другой",
  // A field of the order
  "is missing": "отсутствует",
  "is missing: there are *": "отсутствует; возможно: $1",
  "is missing beside the cashier's INN or position": "отсутствует, хотя есть ИНН или должность кассира",
  "is missing beside discountValue": "отсутствует, хотя есть discountValue",
  "is missing beside the supplier": "отсутствует, хотя есть поставщик",
  "given twice, with different values": "передано дважды, с разными значениями",
  "must be a list": "нужен список",
  "must be 1: one marking code is one piece": "нужно 1: один код маркировки — одна штука",
  "must be roubles with at most 2 decimals": "нужны рубли, не больше 2 знаков после точки",
  "must be *, not *": "нужно: $1; передано: $2",
  "a list": "список",
  "an object": "объект",
  "a line object": "строка-объект",
  text: "текст",
  "text of 1 to * characters": "текст от 1 до $1 знаков",
  "an id of 1 to * characters (a long number has to be sent as text)":
    "номер от 1 до $1 знаков (длинное число передаётся текстом)",
  "a whole number from * to *": "целое число от $1 до $2",
  "a number from * to * with at most 2 decimals": "число от $1 до $2, не больше 2 знаков после точки",
  "a number": "число",
  "roubles with at most 2 decimals, up to *": "рубли, не больше 2 знаков после точки, до $1",
  "roubles from * to * with at most 2 decimals": "рубли от $1 до $2, не больше 2 знаков после точки",
  "roubles above 0, up to *, with at most 2 decimals": "рубли больше 0, до $1, не больше 2 знаков после точки",
  "a quantity above 0 with at most 6 decimals": "количество больше 0, не больше 6 знаков после точки",
  "1 or 0": "1 или 0",
  "one of *": "одно из $1",
  '{ "type": one of * }': '{ "type": одно из $1 }',
  "base64 of 1 to * bytes": "base64 от 1 до $1 байт",
  "a UUID": "UUID",
  "three digits": "три цифры",
  "an INN of 10 or 12 digits": "ИНН из 10 или 12 цифр",
  "an INN of 12 digits": "ИНН из 12 цифр",
  "a code of tag * or one of *": "код тега $1 или одно из имён: $2",
  "0 cash, 1 electronic, 2 prepayment, 3 credit or 4 counter-provision":
    "0 наличные, 1 электронные, 2 предоплата, 3 кредит или 4 встречное предоставление",
  "must be an e-mail of up to 64 characters or a phone as + and digits":
    "нужен e-mail до 64 знаков или телефон: + и цифры",
  "no such line type: *": "такого типа строки нет: $1",
  "has * as character *: a receipt cannot hold it": "знак номер $2 — $1: в чеке его быть не может",
  "*, which a wrong character encoding leaves behind": "$1, след неверной кодировки,",
  // The receipt
  "a receipt needs an order number": "чеку нужен номер заказа",
  "a position needs a name": "позиции нужно название",
  "the name has *, as for a page of HTML, and is printed so: send it unescaped":
    "в названии есть $1, как для страницы HTML; так оно и напечатается: передавайте без замены знаков",
  "the name has * characters and is cut to *, as tag 1030 holds no more":
    "в названии знаков: $1, оно обрезано до $2: больше тег 1030 не вмещает",
  "is * characters with the position before it, at most * are allowed":
    "вместе с должностью знаков: $1, а можно не больше $2",
  "price x quantity is above *": "цена x количество больше $1",
  "the price of one unit is above *": "цена единицы больше $1",
  "the line is above *": "сумма строки больше $1",
  "the total is above *": "итог больше $1",
  "the discount * is larger than the line, *": "скидка $1 больше суммы строки, $2",
  "* is above price x quantity, *": "$1 больше, чем цена x количество: $2",
  "* is not the sum of the items, *": "$1 не равно сумме позиций: $2",
  "is *, the register will count *": "передано $1, а касса насчитает $2",
  "there is no position to sell or return": "нет ни одной позиции",
  "there is no payment": "нет оплаты",
  "payments of type * come to *": "оплаты вида $1 в сумме дают $2",
  "* is paid of *, and positions (*) may differ by a kopeck each":
    "оплачено $1 из $2; расходиться может копейка на позицию, позиций $3",
  "* is paid cashless of *, and positions (*) may differ by a kopeck each":
    "безналичными оплачено $1, а сумма чека $2; расходиться может копейка на позицию, позиций $3",
  "* is paid of *: the kopecks went to the positions":
    "оплачено $1 из $2: копейки добавлены к позициям или сняты с них",
  "the total is 0.00: no receipt of it is printed": "сумма чека 0.00: такой чек не печатается",
  "* is not among its values: printed in the usual way": "$1 — не из его значений: напечатано как обычно",
  "* is not among its values: printed as *": "$1 — не из его значений: напечатано как $2",
  "is neither an e-mail nor a phone: the receipt is printed on paper without it":
    "не e-mail и не телефон: чек печатается на бумаге без него",
  "is neither an e-mail nor a phone: the other contact counts": "не e-mail и не телефон: взят другой контакт",
  "is compulsory for an internet payment": "обязательно при интернет-платеже",
  "an internet payment needs the buyer's e-mail or phone": "при интернет-платеже нужен e-mail или телефон покупателя",
  "printDoc is false, but there is no contact to send the receipt to: it is printed":
    "printDoc равно false, но отправить чек некуда: он печатается",
  "is no time as dd.mm.yyyy HH:MM:SS": "не время вида дд.мм.гггг ЧЧ:ММ:СС",
  "EAN-13 takes 12 or 13 digits": "в EAN-13 должно быть 12 или 13 цифр",
  "the check digit of this EAN-13 is *": "контрольная цифра этого EAN-13: $1",
  "Code39 takes 1 to * of *": "в Code39 может быть от 1 до $1 знаков: A-Z, 0-9, пробел и - . $ / + %",
  "QR takes 1 to * bytes": "в QR помещается от 1 до $1 байт",
  // The table
  "has no lines": "нет ни одной строки",
  "has more than * lines": "больше $1 строк",
  "is larger than * KB": "больше $1 КБ",
  "* positions: some registers take *": "позиций: $1; некоторые кассы принимают $2",
  "* items: at most * are allowed": "позиций: $1, а можно не больше $2",
  "a receipt must begin with OpenCheckSell or OpenCheckReturn, not *":
    "чек начинается с OpenCheckSell или OpenCheckReturn, а здесь $1",
  "a receipt must end with CloseCheck, not *": "чек кончается на CloseCheck, а здесь $1",
  nothing: "ничего",
  "a second receipt in one table": "второй чек в одной таблице",
  "CancelCheck may only stand before the receipt or close it": "CancelCheck стоит только перед чеком или закрывает его",
  "* stands after CloseCheck": "$1 стоит после CloseCheck",
  "* cannot stand in one table with a receipt": "$1 не может стоять в одной таблице с чеком",
  "Return stands in a sale: it needs OpenCheckReturn": "Return стоит в продаже: нужен OpenCheckReturn",
  // Taxes, and keys of cloud services
  "stands beside `tax`: send one of them": "передано вместе с `tax`: нужно одно из двух",
  "* % is in force only for refunds and later payments of what was sold before *":
    "$1 % действует только для возвратов и последующих оплат проданного до $2",
  "* % is in force from * on": "$1 % действует с $2",
  '"*": there is no tax row *, only *': "«$1»: строки налогов с номером $2 нет, есть $3",
  '"*": tax row * is *, which is no rate of the law': "«$1»: строка налогов $2 — это $3, а такой ставки нет в законе",
  "the order is for taxpayer *, the register belongs to taxpayer *": "заказ для ИНН $1, а ИНН кассы $2",
  "* is no rate: there are *": "$1 — не ставка; есть $2",
  "is missing: this site sells no marked goods without the answer of the marking system (tag 1260)":
    "отсутствует: этот сайт не продаёт маркированные товары без ответа системы маркировки (тег 1260)",
  "is missing: 30 or 32 is the subject of marked goods without a code":
    "отсутствует: 30 и 32 — предмет расчёта маркированных товаров без кода",
  "has * as byte *: a code has Latin letters, digits, signs and GS, as scanned":
    "байт номер $2 — $1: в коде бывают латинские буквы, цифры, знаки и GS, как со сканера",
  "has *: send the code as scanned": "в коде $1: передайте код как со сканера",
  "brackets round its identifiers": "скобки вокруг идентификаторов",
  "&#29; in place of GS": "&#29; вместо GS",
  "&amp; in place of &": "&amp; вместо &",
  "%1D in place of GS": "%1D вместо GS",
  "* as text": "$1 текстом",
  "is empty: it has nothing but GS and blanks": "пуст: в нём только GS и пробелы",
  "has characters that nobody sees: they are left out": "есть невидимые символы: они убраны",
  "*: it is left out": "$1; символ убран",
  "is base64 of base64": "закодирован в base64 дважды",
  "is a bar code of the good, no marking code": "это штрихкод товара, а не код маркировки",
  "has no GS: was it lost on the way?": "в коде нет GS: не потерялся ли он по дороге?",
  "is the code of * too: one code is one piece": "тот же код у $1: один код — одна штука",
  "* is a rate of prepayments, and the position is a full payment": "$1 — ставка предоплаты, а у позиции полный расчёт",
  "row * of the register is *, not * %": "строка $1 кассы — это $2, а не $3 %",
  "and `tax` name different rates": "и `tax` называют разные ставки",
  "says something else than *": "не совпадает с $1",
  "belongs to a position: send it as *": "относится к позиции: передайте его как $1",
  "is not accepted in this form: send the code as `mark_code`":
    "в таком виде не принимается: передайте код как `mark_code`",
  "is not carried: send `gs1m`, the code as scanned in base64":
    "не передаётся: пришлите `gs1m`, код со сканера в base64",
  "is not carried: a part of a marked piece cannot be sold": "не передаётся: часть маркированной штуки продать нельзя",
  "is not carried: leave it out, tag 1234 is optional": "не передаётся: уберите его, тег 1234 необязателен",
  "is not read: send *": "не читается: передайте $1",
  "* contradicts the opening line, which says *": "$1 противоречит строке открытия чека: там $2",
  "is not carried: send it as *": "не передаётся: пришлите его как $1",
  "must be the bytes of tag 1162 as hex digits": "нужны байты тега 1162 шестнадцатеричными цифрами",
  "lacks parts of tag 1223 that the law wants of this kind of agent: *":
    "нет частей тега 1223, которых закон требует от агента этого вида: $1",
  "two digits": "две цифры",
  "a date as dd.mm.yyyy": "дата вида дд.мм.гггг",
  "a time as dd.mm.yyyy HH:MM:SS": "время вида дд.мм.гггг ЧЧ:ММ:СС",
  "corrections are not printed for a site: the operator makes them on the register":
    "чеки коррекции для сайта не печатаются: их делает кассир на кассе",
  "is no key of an order: send `receipt`, and sell or sell_refund as `operation`; purchases are not printed":
    "такого ключа у заказа нет: передайте `receipt`, а в `operation` sell или sell_refund; покупки не печатаются",
  "* is neither sell nor sell_refund: purchases and corrections are not printed":
    "$1 — не sell и не sell_refund: покупки и коррекции не печатаются",
};

/** With the cause of each fault, where nothing more exact is said. */
export const russianAnswers: Readonly<Record<string, string>> = {
  ...said,
  ...Object.fromEntries(Object.values(faultCodes).map(({ text }) => [text.en, text.ru])),
};

export const inRussian = translatorOf(russianAnswers);
