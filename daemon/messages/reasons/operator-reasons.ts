/** Why an action of the operator on a job or a register is refused. */
import type { Given, Texts } from "@fiscald/shared/texts.js";
import { type JobStateName, stateInRussian } from "./job-states.js";

const nameAll = {
  en: "name all that its paper says, with --fn, --sign, --shift and --time",
  ru: "укажите всё, что на бумаге: --fn, --sign, --shift и --time",
};

export const operatorReasons = {
  sameOrder: (job: Given, state: JobStateName) => ({
    en: `job ${job} of the same order is ${state}`,
    ru: `задание ${job} того же заказа: состояние ${stateInRussian(state)}`,
  }),
  firstNotPrinted: (job: Given, state: JobStateName) => ({
    en: `the document before it, job ${job}, is ${state}: it must be printed first`,
    ru: `документ перед ним, задание ${job}, ещё не напечатан: состояние ${stateInRussian(state)}`,
  }),
  cameAfter: (job: Given, state: JobStateName) => ({
    en: `job ${job} of the same order came after the question and is ${state}`,
    ru: `задание ${job} того же заказа пришло после вопроса: состояние ${stateInRussian(state)}`,
  }),
  noPrintedSale: (job: Given, state: JobStateName) => ({
    en: `job ${job} is no printed sale (${state})`,
    ru: `задание ${job} — не напечатанная продажа (состояние ${stateInRussian(state)})`,
  }),
  noPaidDay: {
    en: "the order does not say when it was paid: name the day of the settlement (`--date 2026-07-14`)",
    ru: "в заказе не сказано, когда он оплачен: назовите день расчёта (`--date 2026-07-14`)",
  },
  dayAhead: (day: Given) => ({ en: `${day} is still to come`, ru: `${day} ещё не наступило` }),
  noPosition: (position: Given, count: Given) => ({
    en: `position ${position}: each of the positions 1 to ${count} is named once, with a quantity above 0`,
    ru: `позиция ${position}: назовите каждую из позиций от 1 до ${count} один раз, количество больше нуля`,
  }),
  lessLeft: (position: Given, left: Given, wanted: Given) => ({
    en: `position ${position}: ${left} is left, and ${wanted} would be returned`,
    ru: `позиция ${position}: осталось ${left}, а вернуть надо ${wanted}`,
  }),
  nothingToReturn: { en: "nothing is left of this receipt", ru: "по этому чеку возвращать уже нечего" },
  aboutToPrint: (register: Given, job: Given) => ({
    en: `${register} is about to print job ${job}`,
    ru: `${register} уже готовится печатать задание ${job}`,
  }),
  resolvedMeanwhile: (job: Given, state: JobStateName) => ({
    en: `job ${job} was resolved meanwhile: it is ${state}`,
    ru: `исход задания ${job} уже записан: состояние ${stateInRussian(state)}`,
  }),
  phase: (register: Given, phase: Given) => ({
    en: `${register} is ${phase}`,
    ru: `касса ${register} сейчас не печатает: ${phase}`,
  }),
  noPrinter: (register: Given) => ({ en: `${register} has no printer`, ru: `у кассы ${register} нет принтера` }),
  copiesLast: (register: Given, fd: Given) => ({
    en: `${register} copies its last document only; its last one is ${fd}`,
    ru: `${register} печатает копию только последнего документа, а он ${fd}`,
  }),
  copiesNone: (register: Given, fd: Given) => ({
    en: `${register} copies no document; its last one is ${fd}`,
    ru: `${register} не печатает копий; её последний документ ${fd}`,
  }),
  // Answers about a job with an unknown outcome
  neverConnected: (register: Given) => ({
    en: `${register} was never connected and may be the job's register under another id: connect it, name its former id as renamedFrom, or take it out of the config, and start fiscald again`,
    ru: `${register} ещё не подключалась и может быть кассой задания под другим id: подключите её, задайте прежний id в renamedFrom или уберите её из настроек и запустите fiscald снова`,
  }),
  carriedOut: {
    en: "the print service says that this very job was carried out",
    ru: "служба печати сообщает, что именно это задание выполнено",
  },
  notEnded: {
    en: "the print service has not ended this very job and may still carry it out: end it there first",
    ru: "служба печати не завершила именно это задание и ещё может его выполнить: сначала завершите его там",
  },
  receiptOpen: {
    en: "a receipt stands open on the register and may be this job's own: cancel it there, do not finish it; if it was finished by hand, the job is printed",
    ru: "на кассе открыт чек, и он может быть чеком этого задания: отмените его там, не завершайте; если его завершили вручную, задание напечатано",
  },
  leftOut: (fd: Given, last: Given) => ({
    en: `the register shows no document ${fd} now, and did before; its last one is ${last}`,
    ru: `касса больше не показывает документ ${fd}, который показывала раньше; её последний документ ${last}`,
  }),
  wasPrinted: (fd: Given) => ({
    en: `it was printed: the register's document ${fd} is this job's own; its site gets a result`,
    ru: `напечатано: документ кассы ${fd} - чек этого задания; сайт получит результат`,
  }),
  anyDrive: (fd: Given) => ({
    en: `document ${fd} may be on any drive: ${nameAll.en}`,
    ru: `документ ${fd} может быть на любом накопителе: ${nameAll.ru}`,
  }),
  noDrive: (fd: Given, fn: Given) => ({
    en: `document ${fd} of this job would be on drive ${fn}, which no register has: ${nameAll.en}`,
    ru: `документ ${fd} этого задания должен быть на накопителе ${fn}, которого нет ни в одной кассе: ${nameAll.ru}`,
  }),
  otherDrive: (sent: Given, named: Given) => ({
    en: `the job was sent to drive ${sent}, the paper names ${named}`,
    ru: `задание передано накопителю ${sent}, а на бумаге ${named}`,
  }),
  noCandidate: (fd: Given) => ({
    en: `document ${fd} is none of those that may be this receipt; if it is the receipt, ${nameAll.en}`,
    ru: `документ ${fd} не из тех, которые могут быть этим чеком; если это он, ${nameAll.ru}`,
  }),
  severalDrives: (fd: Given) => ({
    en: `a document ${fd} that may be this receipt is on more than one drive: ${nameAll.en}`,
    ru: `документ ${fd}, который может быть этим чеком, есть на нескольких накопителях: ${nameAll.ru}`,
  }),
  older: (fd: Given, last: Given) => ({
    en: `document ${fd} is older than the job: the drive was at ${last} before it`,
    ru: `документ ${fd} старше задания: до него последним в накопителе был ${last}`,
  }),
  unreadNow: (fd: Given) => ({
    en: `document ${fd} cannot be read now: ${nameAll.en}`,
    ru: `документ ${fd} сейчас не читается: ${nameAll.ru}`,
  }),
  otherSign: (fd: Given, sign: Given, named: Given) => ({
    en: `document ${fd} has the fiscal sign ${sign}, the paper says ${named}`,
    ru: `у документа ${fd} фискальный признак ${sign}, а на бумаге ${named}`,
  }),
  nameClosing: {
    en: "name the document that closed the shift",
    ru: "назовите документ, которым закрыта смена",
  },
  noPart: (fd: Given) => ({
    en: `document ${fd} is no part of a service job`,
    ru: `документ ${fd} не относится к служебному заданию`,
  }),
  nameDocument: { en: "name the receipt's document number", ru: "назовите номер документа чека" },
  noDocument: (fd: Given) => ({ en: `the register has no document ${fd}`, ru: `документа ${fd} в кассе нет` }),
  noReceipt: (fd: Given) => ({ en: `document ${fd} is no receipt`, ru: `документ ${fd} - не чек` }),
  otherMark: (fd: Given, mark: Given) => ({
    en: `document ${fd} carries the mark of another receipt: ${mark}`,
    ru: `в документе ${fd} метка другого чека: ${mark}`,
  }),
  otherReceipt: (fd: Given, operation: Given, total: string | null) => ({
    en: `document ${fd} is a ${operation === "return" ? "return" : "sale"} of ${total ?? "an unread sum"}`,
    ru: `документ ${fd} - это ${operation === "return" ? "возврат" : "продажа"} на ${total ?? "непрочитанную сумму"}`,
  }),
  ownMark: (places: Given) => ({
    en: `document ${places} carries the mark of this very job: it was printed, name that document`,
    ru: `в документе ${places} метка именно этого задания: оно напечатано, назовите этот документ`,
  }),
  unread: (places: Given, flags: Given) => ({
    en: `document ${places} may be this receipt and cannot be read now: look at its paper or in the OFD's cabinet, and if it is another receipt say so with ${flags}`,
    ru: `документ ${places} может быть этим чеком и сейчас не читается: посмотрите на бумаге или в кабинете ОФД и, если это другой чек, укажите ${flags}`,
  }),
} satisfies Texts;
