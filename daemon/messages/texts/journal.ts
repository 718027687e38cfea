/** The entries of a job's journal, as `explain` and the page show them. Most keys are the entries' English text. */
const inRussian = {
  "outcome unknown": "исход неизвестен",
  "reported as unknown": "сайту сообщено, что исход неизвестен",
  "cancelled by the operator": "отменён оператором",
  "held for a person": "ждёт решения человека",
  "receipt put right by the operator": "неверный чек исправляют по решению человека",
  "approved by the operator": "оператор велел напечатать",
  "returned by the operator": "оператор оформил возврат чека",
  "set aside by the operator": "оператор оставил его ненапечатанным",
  "moved by the operator": "передан другой кассе оператором",
  "retried by the operator": "отправлен на печать снова оператором",
  "print anyway": "оператор велел напечатать ещё раз",
  "resolved as printed": "оператор сообщил: чек напечатан",
  "resolved as printed by its paper": "оператор сообщил номера с бумаги: чек напечатан",
  "resolved as not printed": "оператор сообщил: чек не напечатан",
  "may be printed already": "возможно, уже напечатан",
  "unknown since the database was lost": "неизвестно после потери базы данных",
  "a receipt beside an error, not printed": "чек пришёл вместе с ошибкой, не напечатан",
  "attempt began": "попытка начата",
  "cannot be settled": "выяснить исход не удалось",
  "documents compared": "документы сверены",
  "document differs": "документ не совпал с отправленным",
  "document not compared": "документ не сверен с отправленным",
  "differences accepted by the operator": "расхождения приняты оператором",
  "differences mended, says the operator": "расхождения устранены, сообщил оператор",
  "tried again": "оператор велел попробовать кассу ещё раз",
  failed: "не напечатан",
  "found printed": "найден среди документов кассы",
  "not printed, queued again": "не напечатан, снова в очереди",
  "nothing to close": "закрывать нечего",
  "nothing to print": "печатать нечего",
  "order accepted": "заказ принят",
  "order refused": "заказ отклонён",
  "the operator is asked": "решает оператор: это ещё один чек или тот же самый",
  "the site makes a new receiptId at each offer": "сайт даёт заказу новый receiptId при каждом опросе",
  "the known receiptId came with other lines": "известный receiptId пришёл с другими строками: они не напечатаны",
  "the return differs from its sale": "в возврате есть позиции или ставки, которых нет в чеке продажи",
  "the order is odd": "заказ принят, хотя что-то в нём странно",
  "the sale of this return is not known here": "чек прихода для этого возврата здесь неизвестен: сверить не с чем",
  "the order's number has characters that nobody sees": "в номере заказа есть невидимые символы",
  "a web page, no order": "сайт ответил страницей, а не заказом",
  "put away by the operator": "оператор убрал это из списка",
  "order unreadable": "заказ не читается",
  "order replaced": "заказ заменён новым",
  "order repeated, nothing to do": "заказ пришёл повторно, делать ничего не нужно",
  "order repeated, result sent again": "заказ пришёл повторно, результат отправлен снова",
  "order repeated, tried again": "заказ пришёл повторно, печать повторяется",
  "order mended, tried again": "заказ пришёл исправленным, печатается в новом виде",
  moved: "передан другой кассе",
  printed: "напечатан",
  "shift opened": "смена открыта",
  "shift closed": "смена закрыта",
  "cut off while printing": "печать прервана",
  "cut off between two parts, queued again": "прервано между двумя частями, снова в очереди",
  "shift not closed yet": "смена ещё не закрыта",
  "shift closing queued": "закрытие смены поставлено в очередь",
  "unknown answer": "непонятный ответ",
  connected: "касса на связи",
  disconnected: "нет связи с кассой",
  "test slip asked for": "запрошена пробная печать",
  "copy printed": "напечатана копия чека",
  "paused by the operator": "оператор поставил кассу на паузу",
  "resumed by the operator": "оператор возобновил печать",
  "database declared lost": "оператор сообщил, что прежняя база потеряна",
  "identity accepted": "касса принята оператором",
  "cash movements unknown since the database was lost": "после потери базы неизвестно, двигались ли наличные",
  "database copied by the operator": "оператор сделал копию базы данных",
  "support file made by the operator": "оператор сделал файл для поддержки",
  "stopped to be moved": "остановлено для переноса на другой компьютер",
  "poll asked for": "сайт опрошен по просьбе",
  "printed twice": "напечатан дважды",
  "printed after all": "чек найден, хотя задание закрыто как ненапечатанное",
  "register renamed": "касса переименована в настройках",
  "config changed": "настройки изменены оператором",
  "sync asked for": "оператор отправил список касс",
  "x report asked for": "оператор запросил X-отчёт",
  "z report asked for": "оператор запросил Z-отчёт",
  "read-back agrees": "прочитанный чек совпал с отправленным",
  "read-back disagrees": "прочитанный чек не совпал с отправленным",
} as const;

const otherEnglish: Readonly<Partial<Record<keyof typeof inRussian, string>>> = {
  "held for a person": "waits until a person approves it",
  "receipt put right by the operator": "a person has the receipt put right",
  "returned by the operator": "the operator has the receipt returned",
  "set aside by the operator": "the operator leaves it not printed",
  "document differs": "the document is not what was sent",
  "document not compared": "the document was not compared with what was sent",
  "tried again": "the operator had the register tried again",
  "the operator is asked": "the operator is asked: one receipt more, or the same one",
  "the return differs from its sale": "the return has goods or rates that its sale does not have",
  "the order is odd": "something in the order is odd; it was taken",
  "a web page, no order": "the site answered with a web page",
  "database declared lost": "the operator says that an earlier database is lost",
  "stopped to be moved": "stopped, to be moved to another computer",
  "printed after all": "its receipt was found, although it ended as not printed",
};

const told = {
  result: "результат",
  connected: "«касса на связи»",
  disconnected: "«нет связи с кассой»",
  zreport: "Z-отчёт",
  sync: "список касс",
  error: "сообщение об ошибке",
} as const;

const ends = {
  delivered: "доставлено сайту",
  "not delivered": "не доставлено сайту",
  "set aside": "отложено, сайт отвергает",
  "sent again by the operator": "отправлено снова оператором",
} as const;

type Entry = keyof typeof inRussian | `${keyof typeof told} ${keyof typeof ends}`;

export const journalTexts = entries();

function entries(): Readonly<Record<Entry, readonly [english: string, russian: string]>>;
function entries(): Readonly<Record<string, readonly [english: string, russian: string]>> {
  const english: Readonly<Record<string, string>> = otherEnglish;
  const deliveries = Object.entries(told).flatMap(([kind, what]) =>
    Object.entries(ends).map(([end, how]) => [`${kind} ${end}`, `${how}: ${what}`] as const),
  );
  return Object.fromEntries(
    [...Object.entries(inRussian), ...deliveries].map(([key, text]) => [key, [english[key] ?? key, text]]),
  );
}
