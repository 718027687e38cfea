/** Every kind of finding: how bad it is, and how to mend it. */
import { plainText } from "../receipt/text-hygiene.js";

export interface BothLanguages {
  readonly en: string;
  readonly ru: string;
}

export type Language = keyof BothLanguages;

/** `wrong`: the print server cannot work with the site. `advice`: it can, but somebody should look. */
export type Level = "wrong" | "advice";

export interface Finding {
  readonly name: FindingName;
  readonly level: Level;
  /** The field of the order or of the answer; null = the answer as a whole. */
  readonly place: string | null;
  /** What was seen; the English text is what the print server would log. */
  readonly what: BothLanguages;
  readonly mend: BothLanguages;
  /** The number of the exchange that shows it; null = no exchange does. */
  readonly exchange: number | null;
}

/** How to mend what keeps the print server from working. */
const wrong = {
  "no-answer": {
    en: "Let the handler answer within 10 seconds, at the address that was given, with a valid certificate.",
    ru: "Обработчик должен отвечать за 10 секунд по указанному адресу, с действующим сертификатом.",
  },
  "http-status": {
    en: "Answer HTTP 200 at this very address: the site's error log says what failed.",
    ru: "Отвечайте HTTP 200 по этому самому адресу: что сломалось, написано в журнале ошибок сайта.",
  },
  "secret-refused": {
    en: "Give the checker the site's secret (FISCAL_SECRET, --secret-file; the till has it in its config), and compare the clocks.",
    ru: "Задайте проверке секрет сайта (FISCAL_SECRET, --secret-file; у кассы он в настройках) и сверьте часы.",
  },
  encoding: {
    en: "Send UTF-8, uncompressed; if it has to be another encoding, declare it: Content-Type: application/json; charset=...",
    ru: "Отправляйте UTF-8 без сжатия; другую кодировку объявите: Content-Type: application/json; charset=...",
  },
  "not-json": {
    en: 'Answer with JSON and nothing else; when nothing waits, with {"resultCode":0}.',
    ru: 'Отвечайте только JSON; когда заказов нет, ответ {"resultCode":0}.',
  },
  refusal: {
    en: "Answer resultCode 0 when all went well; of the order poll that also means that nothing waits.",
    ru: "Когда всё хорошо, отвечайте resultCode 0; на опрос заказов это значит и «заказов нет».",
  },
  "not-an-order": {
    en: "Put the order into the root object `response`, with the fields `orderId` and `taskTable`.",
    ru: "Поместите заказ в корневой объект `response` с полями `orderId` и `taskTable`.",
  },
  receipt: {
    en: "Correct the named field: PROTOCOL.md has a table of them all.",
    ru: "Исправьте указанное поле: таблица всех полей в PROTOCOL.ru.md.",
  },
  "tax-row": {
    en: "`tax` is the number of a row in the list that `sync` brought, not the rate in percent: look the rate up there.",
    ru: "`tax` это номер строки из списка, который прислал `sync`, а не процент: найдите ставку в этом списке.",
  },
  "total-differs": {
    en: 'Compare positions, quantities and discounts; sums are roubles with a dot: 1990 or "1990.00", never kopecks.',
    ru: 'Сверьте позиции, количества и скидки; суммы в рублях с точкой: 1990 или "1990.00", не в копейках.',
  },
  "operation-differs": {
    en: "A sale opens with OpenCheckSell, a return with OpenCheckReturn (`operation` sell, sell_refund): see where it is set.",
    ru: "Продажу открывает OpenCheckSell, возврат OpenCheckReturn (`operation` sell, sell_refund): проверьте, где выбрано.",
  },
  "html-in-name": {
    en: "Send the text as it is, unescaped and without tags: html_entity_decode(strip_tags($name)) in PHP.",
    ru: "Передавайте текст как есть, без замены знаков и тегов: в PHP html_entity_decode(strip_tags($name)).",
  },
  "cut-text": {
    en: "Cut texts by characters and not by bytes: mb_substr($name, 0, 128) in PHP, not substr.",
    ru: "Обрезайте текст по буквам, а не по байтам: в PHP mb_substr($name, 0, 128), а не substr.",
  },
  "cash-on-internet": {
    en: "Send typeClose 1 for money that came through the internet; leave isInternetPayment out where cash is paid.",
    ru: "Деньги через интернет — это typeClose 1; если платят наличными, не передавайте isInternetPayment.",
  },
  "rate-like-percent": {
    en: '`tax` is the number of a row in the list that `sync` brought: look it up there, or send `vat`: {"type": "vat7"}.',
    ru: '`tax` это номер строки из списка `sync`: найдите его там или передайте `vat`: {"type": "vat7"}.',
  },
  "test-order-missing": {
    en: "Pay the test order, and offer it to the register that asks (--kkm). An earlier check may have reported it as failed: make another one. A print server may have it already: stop it (a site with the kit: `fiscald-site receipts list --state handed`).",
    ru: "Оплатите пробный заказ и отдавайте его спросившей кассе (--kkm). Прошлая проверка могла сообщить, что он не напечатан: сделайте другой заказ. Возможно, он уже у сервера печати: остановите его (сайт с набором: `fiscald-site receipts list --state handed`).",
  },
  "sells-after-unknown": {
    en: "After `unknown` offer the order no more and wait for the second result: the receipt may be printed already.",
    ru: "После `unknown` не отдавайте заказ и ждите второго результата: чек, возможно, уже напечатан.",
  },
  "other-kkm": {
    en: "Send `kkm` as text, as `sync` brought it, with its leading zeros; or leave it out: then the register that asked prints.",
    ru: "Передавайте `kkm` текстом, как в `sync`, с ведущими нулями; или не передавайте: напечатает спросившая касса.",
  },
  "other-inn": {
    en: "`service.inn` must be the taxpayer of the register, as `sync` brought it.",
    ru: "`service.inn` должен быть ИНН кассы, как в `sync`.",
  },
  "foreign-kkm": {
    en: "Offer an order only to the register that its `kkm` names: compare it with `kkm` of the poll.",
    ru: "Отдавайте заказ только той кассе, которую называет его `kkm`: сравните с `kkm` опроса.",
  },
  "offered-to-two": {
    en: "Keep with the order the `kkm` (or the daemon) that got it first, and offer it to no other: two tills print it twice.",
    ru: "Запомните, какой `kkm` (или программа) получил заказ первым, другим не отдавайте: две кассы напечатают его дважды.",
  },
  "lost-on-poll": {
    en: "Offer the order at every poll until its result comes: an answer that is lost on its way loses the receipt otherwise.",
    ru: "Отдавайте заказ на каждый опрос, пока не пришёл его результат: иначе потерянный ответ теряет чек.",
  },
  "order-changes": {
    en: "Offer the same order with the same number, `receiptId` and content at every poll: anything else is a new receipt.",
    ru: "Отдавайте тот же заказ с тем же номером, `receiptId` и содержимым: всё другое считается новым чеком.",
  },
  "offered-again": {
    en: "Mark the order as printed when its result says so (`orderId` comes as text: compare it so), and offer it no more.",
    ru: "Отметьте заказ напечатанным по результату (`orderId` приходит текстом, так и сравнивайте) и больше не отдавайте.",
  },
  "wrong-secret": {
    en: "Compare the secret before anything else is done, and answer 401 where it is wrong: anybody gets the orders otherwise.",
    ru: "Проверяйте секрет раньше всего и отвечайте 401, если он неверен: иначе заказы получит кто угодно.",
  },
  "unknown-action": {
    en: "Answer an `action` that the site does not know with resultCode 2: with success, what it was about counts as done.",
    ru: "На незнакомый `action` отвечайте resultCode 2: успех означал бы, что вызов выполнен.",
  },
} as const satisfies Record<string, BothLanguages>;

/** How to mend what somebody should look at. */
const advice = {
  "broken-body": {
    en: "Answer a body that cannot be read with HTTP 400, or with resultCode 1: with success, a mangled result counts as heard.",
    ru: "На нечитаемое тело отвечайте HTTP 400 или resultCode 1: успех означал бы, что результат услышан.",
  },
  "offered-after-failed": {
    en: "If the site has not heard it, compare `orderId` as text, or `receiptId`; if it tries again by itself, let it wait some minutes.",
    ru: "Если сайт его не услышал, сравнивайте `orderId` как текст или `receiptId`; если он повторяет сам, пусть ждёт несколько минут.",
  },
  "no-secret": {
    en: "Give the site a secret, best a signature: without one, whoever knows the address gets the orders.",
    ru: "Задайте сайту секрет, лучше всего подпись: без него заказы получит любой, кто знает адрес.",
  },
  "secret-status": {
    en: "Compare the secret before anything else, and answer a wrong one with HTTP 401: the till's operator is told then.",
    ru: "Проверяйте секрет раньше всего и на неверный отвечайте HTTP 401: тогда программа подскажет сверить секреты.",
  },
  "unknown-key": {
    en: "Spell the key as PROTOCOL.md has it; if it is the shop's own and means nothing here, leave it out.",
    ru: "Напишите ключ как в PROTOCOL.ru.md; если он нужен только магазину, не передавайте его.",
  },
  "no-rate": {
    en: 'Send the rate of each position: `vat`: {"type": "vat22"}, or `tax` with a row of `sync`.',
    ru: 'Передавайте ставку каждой позиции: `vat`: {"type": "vat22"} или `tax` со строкой из `sync`.',
  },
  "odd-order": {
    en: "It is printed, but perhaps not as it was meant: compare the paper with the order.",
    ru: "Чек напечатается, но, возможно, не так, как задумано: сравните его с заказом.",
  },
} as const satisfies Record<string, BothLanguages>;

const mends = { ...wrong, ...advice };

export type FindingName = keyof typeof mends;

export interface Seen {
  readonly what: BothLanguages;
  readonly place?: string | null;
  readonly mend?: BothLanguages | undefined;
  readonly exchange?: number | null;
}

export function finding(name: FindingName, { what, place = null, mend, exchange = null }: Seen): Finding {
  const level = Object.hasOwn(wrong, name) ? "wrong" : "advice";
  // A site's own text may have several lines.
  const seen = { en: plainText(what.en), ru: plainText(what.ru) };
  return { name, level, place, what: seen, mend: mend ?? mends[name], exchange };
}
