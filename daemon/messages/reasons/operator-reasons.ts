import { both, reasons } from "../rows.js";

const nameAll = {
  en: "name all that its paper says, with --fn, --sign, --shift and --time",
  ru: "укажите всё, что на бумаге: --fn, --sign, --shift и --time",
};

export const operatorReasons = reasons({
  sameOrder: ["job {job} of the same order is {state}", "задание {job} того же заказа: состояние {state}"],
  firstNotPrinted: [
    "the document before it, job {job}, is {state}: it must be printed first",
    "документ перед ним, задание {job}, ещё не напечатан: состояние {state}",
  ],
  secondNeeded: [
    "the document before this one is not printed yet: wait for it, or set it aside first",
    "документ перед этим ещё не напечатан: дождитесь его или сначала откажитесь от его печати",
  ],
  secondGivenUp: [
    "the right receipt, job {job}, was set aside: begin to put it right once more",
    "правильный чек, задание {job}, отменён: начните исправление заново",
  ],
  cameAfter: [
    "job {job} of the same order came after the question and is {state}",
    "задание {job} того же заказа пришло после вопроса: состояние {state}",
  ],
  noPrintedSale: [
    "job {job} is no printed sale ({state})",
    "задание {job} — не напечатанная продажа (состояние {state})",
  ],
  noPaidDay: [
    "the order does not say when it was paid: name the day of the settlement (on the command line `--date 2026-07-14`)",
    "в заказе не сказано, когда он оплачен: назовите день расчёта (в командной строке `--date 2026-07-14`)",
  ],
  dayAhead: ["{day} is still to come", "{day} ещё не наступило"],
  textLeftOut: [
    'the order\'s text "{text}" is left out: in a correction this field (1192) is the fiscal sign of a wrong receipt',
    "текст заказа «{text}» не передан: в чеке коррекции это поле (1192) — ФП неверного чека",
  ],
  noPosition: [
    "position {position}: each of the positions 1 to {count} is named once, with a quantity above 0",
    "позиция {position}: назовите каждую из позиций от 1 до {count} один раз, количество больше нуля",
  ],
  lessLeft: [
    "position {position}: {left} is left, and {wanted} would be returned",
    "позиция {position}: осталось {left}, а вернуть надо {wanted}",
  ],
  noneLeft: [
    "position {position}: nothing is left to return, returns that still wait count too",
    "позиция {position}: возвращать уже нечего, считая возвраты, которые ждут печати",
  ],
  returnWaits: [
    "the return of what is left waits to be printed: job {job}",
    "возврат того, что осталось, ждёт печати (задание {job})",
  ],
  nothingToReturn: ["nothing is left of this receipt", "по этому чеку возвращать уже нечего"],
  aboutToPrint: ["{register} is about to print job {job}", "{register} уже готовится печатать задание {job}"],
  resolvedMeanwhile: [
    "job {job} was resolved meanwhile: it is {state}",
    "исход задания {job} уже записан: состояние {state}",
  ],
  phase: ["{register} is {phase}", "касса {register} сейчас не печатает: {phase}"],
  noPrinter: ["{register} has no printer", "у кассы {register} нет принтера"],
  copiesLast: [
    "{register} copies its last document only; its last one is {fd}",
    "{register} печатает копию только последнего документа, а он {fd}",
  ],
  copiesNone: [
    "{register} copies no document; its last one is {fd}",
    "{register} не печатает копий; её последний документ {fd}",
  ],
  neverConnected: [
    "{register} was never connected and may be the job's register under another id: connect it, name its former id as renamedFrom, or take it out of the config, and start fiscald again",
    "{register} ещё не подключалась и может быть кассой задания под другим id: подключите её, задайте прежний id в renamedFrom или уберите её из настроек и запустите fiscald снова",
  ],
  carriedOut: [
    "the print service says that this very job was carried out",
    "служба печати сообщает, что именно это задание выполнено",
  ],
  notEnded: [
    "the print service has not ended this very job and may still carry it out: end it there first",
    "служба печати не завершила именно это задание и ещё может его выполнить: сначала завершите его там",
  ],
  receiptOpen: [
    "a receipt stands open on the register and may be this job's own: cancel it there, do not finish it; if it was finished by hand, the job is printed",
    "на кассе открыт чек, и он может быть чеком этого задания: отмените его там, не завершайте; если его завершили вручную, задание напечатано",
  ],
  leftOut: [
    "the register shows no document {fd} now, and did before; its last one is {last}",
    "касса больше не показывает документ {fd}, который показывала раньше; её последний документ {last}",
  ],
  wasPrinted: [
    "it was printed: the register's document {fd} is this job's own; its site gets a result",
    "напечатано: документ кассы {fd} - чек этого задания; сайт получит результат",
  ],
  anyDrive: [
    `document {fd} may be on any drive: ${nameAll.en}`,
    `документ {fd} может быть на любом накопителе: ${nameAll.ru}`,
  ],
  noDrive: [
    `document {fd} of this job would be on drive {fn}, which no register has: ${nameAll.en}`,
    `документ {fd} этого задания должен быть на накопителе {fn}, которого нет ни в одной кассе: ${nameAll.ru}`,
  ],
  otherDrive: [
    "the job was sent to drive {sent}, the paper names {named}",
    "задание передано накопителю {sent}, а на бумаге {named}",
  ],
  noCandidate: [
    `document {fd} is none of those that may be this receipt; if it is the receipt, ${nameAll.en}`,
    `документ {fd} не из тех, которые могут быть этим чеком; если это он, ${nameAll.ru}`,
  ],
  severalDrives: [
    `a document {fd} that may be this receipt is on more than one drive: ${nameAll.en}`,
    `документ {fd}, который может быть этим чеком, есть на нескольких накопителях: ${nameAll.ru}`,
  ],
  older: [
    "document {fd} is older than the job: the drive was at {last} before it",
    "документ {fd} старше задания: до него последним в накопителе был {last}",
  ],
  unreadNow: [`document {fd} cannot be read now: ${nameAll.en}`, `документ {fd} сейчас не читается: ${nameAll.ru}`],
  otherSign: [
    "document {fd} has the fiscal sign {sign}, the paper says {named}",
    "у документа {fd} фискальный признак {sign}, а на бумаге {named}",
  ],
  nameClosing: ["name the document that closed the shift", "назовите документ, которым закрыта смена"],
  noPart: ["document {fd} is no part of a service job", "документ {fd} не относится к служебному заданию"],
  nameDocument: ["name the receipt's document number", "назовите номер документа чека"],
  noDocument: ["the register has no document {fd}", "документа {fd} в кассе нет"],
  noReceipt: ["document {fd} is no receipt", "документ {fd} - не чек"],
  otherMark: [
    "document {fd} carries the mark of another receipt: {mark}",
    "в документе {fd} метка другого чека: {mark}",
  ],
  otherReceipt: both(
    ({
      fd,
      operation,
      total,
    }: {
      readonly fd: number;
      readonly operation: string | null;
      readonly total: string | null;
    }) => `document ${fd} is a ${operation === "return" ? "return" : "sale"} of ${total ?? "an unread sum"}`,
    ({ fd, operation, total }) =>
      `документ ${fd} - это ${operation === "return" ? "возврат" : "продажа"} на ${total ?? "непрочитанную сумму"}`,
  ),
  ownMark: [
    "document {places} carries the mark of this very job: it was printed, name that document",
    "в документе {places} метка именно этого задания: оно напечатано, назовите этот документ",
  ],
  unread: [
    "document {places} may be this receipt and cannot be read now: look at its paper or in the OFD's cabinet, and if it is another receipt say so with {flags}",
    "документ {places} может быть этим чеком и сейчас не читается: посмотрите на бумаге или в кабинете ОФД и, если это другой чек, укажите {flags}",
  ],
});
