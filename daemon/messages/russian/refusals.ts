/** Why an order is not printed, in Russian, by the English text in the code: a result to the site says it in brackets. */
export const russianRefusals: Readonly<Record<string, string>> = {
  // The register of an order
  "no register with kkm * is configured for this site": "кассы с номером $1 у этого сайта в настройках нет",
  "no register with kkm * is configured": "кассы с номером $1 в настройках нет",
  "no register * is configured": "кассы $1 в настройках нет",
  "kkm * is not known: it may be the one of *, which was never connected so far":
    "касса с номером $1 неизвестна: возможно, это $2, которая ещё не подключалась",
  "found kkm *, which is the one of *": "найдена касса с номером $1, а это номер кассы $2",
  "no connected register has drive *": "среди подключённых касс нет кассы с накопителем $1",
  "* was not connected so far": "$1 ещё не подключалась",
  "* is printing": "$1 печатает",
  "shift * is closed": "смена $1 закрыта",
  "set `cashier` of *: its documents all name one": "задайте `cashier` кассы $1: в её документах всегда есть кассир",
  "set `taxSystem` of *: it is registered for several": "задайте `taxSystem` кассы $1: у неё несколько систем",
  "the order was accepted for a register with other tax systems":
    "заказ принят для кассы с другими системами налогообложения",
  "the register has no tax rows for the rates of the order: *": "в кассе нет строк налогов для ставок заказа: $1",
  "no code of FF46h for tax row *": "для строки налогов $1 нет кода команды FF46h",
  '"*" at *: *': "«$1» по ставке $2: $3",
  // Pictures
  "*: only pictures on this machine are printed, no addresses": "$1: печатаются только картинки с этого компьютера",
  "*: * bytes are more than *": "$1: размер $2 байт, а можно не больше $3",
  "*: it is outside the pictures folder": "$1: вне папки картинок",
  "it has more than * megapixels": "в картинке больше $1 мегапикселей",
  "it is neither a PNG nor a JPEG file": "картинка не в формате PNG или JPEG",
  // Which receipt it is
  "job *": "задание $1",
  "FD * of *": "ФД $1 от $2",
  "* of this order is still being printed": "$1 этого заказа ещё печатается",
  "* of this order is *": "$1 этого заказа: $2",
  "* of this order was half done": "$1 этого заказа: сделано не всё",
  "already printed as * with other content": "уже напечатан с другим содержимым: $1",
  "already printed as *": "уже напечатан: $1",
  "an equal return is printed as *: another equal return needs a receiptId of its own":
    "такой же возврат напечатан: $1; ещё одному такому же нужен свой receiptId",
  "printed as * and returned as *: an equal sale needs a receiptId of its own, or the operator":
    "напечатан: $1, и возвращён: $2; такой же продаже нужен свой receiptId или решение оператора",
  "receiptId * belongs to *; this is *: make a new UUID for it":
    "receiptId $1 принадлежит другому чеку: $2; а это $3: создайте для него новый UUID",
  "a service job of order *": "служебное задание заказа $1",
  "a sale of * of order *": "продажа на $1 по заказу $2",
  "a return of * of order *": "возврат на $1 по заказу $2",
  "returns of * would exceed the * sold": "возвратов стало бы на $1, а продано на $2",
  "cancelled by the operator": "отменил оператор",
  "waiting for a person": "ждёт решения человека",
  unsure: "неясно, напечатан ли",
  "printed, its result is on its way": "напечатан, результат в пути",
  // The order and its document
  "the site sent the order again with other content": "сайт передал заказ ещё раз с другим содержимым",
  "answered with document * of drive *, expected *": "в ответе документ $1 накопителя $2, а ожидался $3",
  "stopped before the answer could be stored": "работа остановлена до того, как ответ записан",
  // What a register cannot print
  "the register has several tax systems: the order must name one":
    "у кассы несколько систем налогообложения: заказ должен назвать одну",
  "the register is not registered for tax system *": "касса не зарегистрирована с системой налогообложения $1",
  "the register has no payment type *": "в кассе нет вида оплаты $1",
  "no payment type *": "нет вида оплаты $1",
  'the register has no report "*"': "у кассы нет отчёта «$1»",
  "the register has * sections, not *": "отделов в кассе $1, а передан $2",
  "the register refuses a receipt of zero": "чек на ноль касса не печатает",
  "the total is zero": "сумма чека - ноль",
  "more than * positions": "позиций больше $1",
  "* positions, the register takes *": "позиций: $1, касса принимает $2",
  "this register needs a cashier's name: set `cashier` in its config":
    "этой кассе нужно имя кассира: задайте `cashier` в её настройках",
  "the register expects its taxes from the program (table 1 field 14 = 1): set it to 0":
    "касса ждёт сумм налогов от программы (таблица 1, поле 14 = 1): задайте 0",
  "internet receipts (tag 1125) need the register's option internetFlag: 1 by the maker's manual of FM16":
    "для чеков интернет-расчётов (тег 1125) нужна настройка кассы internetFlag: 1 по руководству изготовителя к ФМ16",
  "document * went to the tax office without tag 1125 (settlement on the internet): the option * does not do it on this register":
    "документ $1 ушёл в налоговую без тега 1125 (расчёт в интернете): настройка $2 на этой кассе не помогает",
  "document * went to the tax office without the order's place of settlement (tag 1187): this register does not take one":
    "документ $1 ушёл в налоговую без места расчётов из заказа (тег 1187): эта касса его не принимает",
  "* is tag *, which this register's protocol does not take": "$1 - тег $2, а его протокол этой кассы не передаёт",
  '* is "*", and tag 1271 takes a whole number up to 255': "$1 - «$2», а тег 1271 вмещает целое число не больше 255",
  "* is tag *, which only format 1.2 has": "$1 - тег $2, а он есть только в формате 1.2",
  "*.measure is 255 (other), which format 1.05 writes as a text: the order must name the unit":
    "$1.measure равно 255 (иная), а в формате 1.05 это текст: заказ должен назвать единицу",
  "* is * characters, tag * takes *": "$1: знаков $2, тег $3 вмещает $4",
  "* is * characters, this register's field for tag * takes *": "$1: знаков $2, поле кассы для тега $3 вмещает $4",
  "* take * bytes, this register's command for tags of an item takes *":
    "$1: байт $2, команда кассы для тегов позиции вмещает $3",
  "the register cannot hold *: another sign stands instead in *": "в кассе нет знаков $1; вместо них стоят другие: $2",
  '* "*" has letters that the register cannot hold: it would become "*"':
    "$1: в «$2» есть буквы, которых нет в кассе; вышло бы «$3»",
  "an internet receipt (tag 1125): no confirmed way; see `options.internetByParameter` of this register":
    "чек интернет-расчёта (тег 1125): проверенного способа нет; см. `options.internetByParameter` этой кассы",
  "this model refuses the order mark (tag 1084): its receipts go without it, as with orderMark: false":
    "эта модель не принимает метку заказа (тег 1084): чеки идут без неё, как при orderMark: false",
  // A position
  '"*": a quantity with more than three decimals': "«$1»: в количестве больше трёх знаков после точки",
  '"*": this register does not print a name that begins with //':
    "«$1»: названия, которые начинаются с //, эта касса не печатает",
  '"*" has a goods code (tag 1162), which format 1.2 does not have':
    "у «$1» код товара (тег 1162), которого в формате 1.2 нет",
  '"*" has a goods code of FFD 1.05': "у «$1» код товара формата 1.05",
  '"*" is marked, the register is not registered for FFD 1.2':
    "«$1» - маркированный товар, а касса зарегистрирована не по ФФД 1.2",
  '"*" has a marking code, which this register is not registered for':
    "у «$1» код маркировки, а для неё касса не зарегистрирована",
  '"*" has a marking code, which this register is not set up for':
    "у «$1» код маркировки, а для неё касса не настроена",
  '"*": one marking code is for one piece': "«$1»: один код маркировки - одна штука",
  '"*": one marking code is one piece': "«$1»: один код маркировки - одна штука",
  '"*": no price of this marked position makes its sum, which the register counts by itself':
    "«$1»: ни при какой цене маркированной позиции касса не насчитает её сумму",
  "a code has bytes that the register's protocol cannot carry": "в коде есть байты, которых протокол кассы не передаёт",
  "a code has a $, and how the register takes it is not known: set the option dollarInCodes":
    "в коде есть $, а как его принимает касса, неизвестно: задайте настройку dollarInCodes",
};
