/** Every kind of finding: how bad it is, and a sentence that says how to mend it. */
import { plainText } from "../receipt/text-hygiene.js";

/** One sentence in both languages of the product. */
export interface Words {
  readonly en: string;
  readonly ru: string;
}

export type Language = keyof Words;

/** `wrong`: the print server cannot work so. `advice`: it can, but somebody should look. */
export type Level = "wrong" | "advice";

export interface Finding {
  readonly name: FindingName;
  readonly level: Level;
  /** The field of the order or of the answer; null = the answer as a whole. */
  readonly place: string | null;
  /** What was seen; in English as the print server logs it. */
  readonly what: Words;
  readonly mend: Words;
  /** The number of the exchange that shows it; null = it is seen in none. */
  readonly exchange: number | null;
}

interface Row {
  readonly level: Level;
  readonly mend: Words;
}

function row(level: Level, en: string, ru: string): Row {
  return { level, mend: { en, ru } };
}

const rows = {
  "no-answer": row(
    "wrong",
    "Let the handler answer within 10 seconds, at the address that was given, with a valid certificate.",
    "Обработчик должен отвечать за 10 секунд по указанному адресу, с действующим сертификатом.",
  ),
  "http-status": row(
    "wrong",
    "Answer HTTP 200 at this very address: the site's error log says what failed.",
    "Отвечайте HTTP 200 по этому самому адресу: что сломалось, написано в журнале ошибок сайта.",
  ),
  "secret-refused": row(
    "wrong",
    "Give the checker the site's secret (FISCAL_SECRET, --secret-file; the till has it in its config), and compare the clocks.",
    "Задайте проверке секрет сайта (FISCAL_SECRET, --secret-file; у кассы он в настройках) и сверьте часы.",
  ),
  encoding: row(
    "wrong",
    "Send UTF-8, uncompressed; if it has to be another encoding, declare it: Content-Type: application/json; charset=...",
    "Отправляйте UTF-8 без сжатия; другую кодировку объявите: Content-Type: application/json; charset=...",
  ),
  "not-json": row(
    "wrong",
    'Answer with JSON and nothing else; when nothing waits, with {"resultCode":0}.',
    'Отвечайте только JSON; когда заказов нет, ответ {"resultCode":0}.',
  ),
  refusal: row(
    "wrong",
    "Answer resultCode 0 when all went well; of the order poll that also means that nothing waits.",
    "Когда всё хорошо, отвечайте resultCode 0; на опрос заказов это значит и «заказов нет».",
  ),
  "not-an-order": row(
    "wrong",
    "Put the order into the root object `response`, with the fields `orderId` and `taskTable`.",
    "Поместите заказ в корневой объект `response` с полями `orderId` и `taskTable`.",
  ),
  receipt: row(
    "wrong",
    "Correct the named field: PROTOCOL.md has a table of them all.",
    "Исправьте указанное поле: таблица всех полей в PROTOCOL.ru.md.",
  ),
  "tax-row": row(
    "wrong",
    "`tax` is the number of a row in the list that `sync` brought, not the rate in percent: look the rate up there.",
    "`tax` это номер строки из списка, который прислал `sync`, а не процент: найдите ставку в этом списке.",
  ),
  "total-differs": row(
    "wrong",
    'Compare positions, quantities and discounts; sums are roubles with a dot: 1990 or "1990.00", never kopecks.',
    'Сверьте позиции, количества и скидки; суммы в рублях с точкой: 1990 или "1990.00", не в копейках.',
  ),
  "other-kkm": row(
    "wrong",
    "Send `kkm` as text, as `sync` brought it, with its leading zeros; or leave it out: then the register that asked prints.",
    "Передавайте `kkm` текстом, как в `sync`, с ведущими нулями; или не передавайте: напечатает спросившая касса.",
  ),
  "other-inn": row(
    "wrong",
    "`service.inn` must be the taxpayer of the register, as `sync` brought it.",
    "`service.inn` должен быть ИНН кассы, как в `sync`.",
  ),
  "foreign-kkm": row(
    "wrong",
    "Offer an order only to the register that its `kkm` names: compare it with `kkm` of the poll.",
    "Отдавайте заказ только той кассе, которую называет его `kkm`: сравните с `kkm` опроса.",
  ),
  "offered-to-two": row(
    "wrong",
    "Keep with the order the `kkm` (or the daemon) that got it first, and offer it to no other: two tills print it twice.",
    "Запомните, какой `kkm` (или программа) получил заказ первым, другим не отдавайте: две кассы напечатают его дважды.",
  ),
  "lost-on-poll": row(
    "wrong",
    "Offer the order at every poll until its result comes: an answer that is lost on its way loses the receipt otherwise.",
    "Отдавайте заказ на каждый опрос, пока не пришёл его результат: иначе потерянный ответ теряет чек.",
  ),
  "order-changes": row(
    "wrong",
    "Offer the same order with the same number, `receiptId` and content at every poll: anything else is a new receipt.",
    "Отдавайте тот же заказ с тем же номером, `receiptId` и содержимым: всё другое считается новым чеком.",
  ),
  "offered-again": row(
    "wrong",
    "Mark the order as printed when its result says so (`orderId` comes as text: compare it so), and offer it no more.",
    "Отметьте заказ напечатанным по результату (`orderId` приходит текстом, так и сравнивайте) и больше не отдавайте.",
  ),
  "wrong-secret": row(
    "wrong",
    "Compare the secret before anything else is done, and answer 401 where it is wrong: anybody gets the orders otherwise.",
    "Проверяйте секрет раньше всего и отвечайте 401, если он неверен: иначе заказы получит кто угодно.",
  ),
  "unknown-action": row(
    "wrong",
    "Answer an `action` that the site does not know with resultCode 2: with success, what it was about counts as done.",
    "На незнакомый `action` отвечайте resultCode 2: успех означал бы, что вызов выполнен.",
  ),
  "broken-body": row(
    "advice",
    "Answer a body that cannot be read with HTTP 400, or with resultCode 1: with success, a mangled result counts as heard.",
    "На нечитаемое тело отвечайте HTTP 400 или resultCode 1: успех означал бы, что результат услышан.",
  ),
  "no-secret": row(
    "advice",
    "Give the site a secret, best a signature: without one, whoever knows the address gets the orders.",
    "Задайте сайту секрет, лучше всего подпись: без него заказы получит любой, кто знает адрес.",
  ),
  "secret-status": row(
    "advice",
    "Answer a wrong secret with HTTP 401: the print server then tells its operator to compare the secrets.",
    "На неверный секрет отвечайте HTTP 401: тогда программа подскажет кассиру сверить секреты.",
  ),
  "odd-order": row(
    "advice",
    "It is printed, but perhaps not as it was meant: compare the paper with the order.",
    "Чек напечатается, но, возможно, не так, как задумано: сравните его с заказом.",
  ),
} as const satisfies Record<string, Row>;

export type FindingName = keyof typeof rows;

export interface Seen {
  readonly what: Words;
  readonly place?: string | null;
  /** Says more than the sentence of the table. */
  readonly mend?: Words | undefined;
  readonly exchange: number | null;
}

export function finding(name: FindingName, { what, place = null, mend, exchange }: Seen): Finding {
  const { level, mend: usual } = rows[name];
  // A site's own words may have several lines.
  const seen = { en: plainText(what.en), ru: plainText(what.ru) };
  return { name, level, place, what: seen, mend: mend ?? usual, exchange };
}
