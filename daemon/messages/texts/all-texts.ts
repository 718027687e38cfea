/** States, histories and tables are in this file; other texts for operators are in the folder's other files. */
import { rateOfTaxId } from "@fiscald/shared/receipt/vat.js";
import { both, rows } from "../rows.js";
import { commandTexts } from "./commands.js";
import { doctorTexts } from "./doctor.js";
import { helpTexts } from "./help.js";
import { discoverTexts, initTexts } from "./init.js";
import { journalTexts } from "./journal.js";
import { pageTexts } from "./page.js";
import { setupTexts } from "./setup.js";
import { stepTexts } from "./steps.js";
import { askedTexts, troubleTexts } from "./troubles/trouble-texts.js";

export interface TaxOfPosition {
  readonly id: number | null;
  readonly rate: string;
}

export const allTexts = rows({
  troubles: troubleTexts,
  steps: stepTexts,
  asked: askedTexts,
  phases: {
    offline: ["offline", "нет связи"],
    connecting: ["connecting", "подключается"],
    recovering: ["recovering", "проверяется"],
    ready: ["ready", "готова"],
    readyInTrouble: ["ready, but something is wrong", "готова, есть неполадка"],
    finishing: ["finishing a print", "допечатывает"],
    busy: ["busy", "печатает"],
    blocked: ["blocked", "ждёт человека"],
    stopped: ["stopped", "остановлена"],
    unknown: ["unknown", "неизвестно"],
    paused: ["paused", "на паузе"],
  },
  explain: {
    job: ["job {job}  {state}  {what}", "задание {job}  {state}  {what}"],
    unread: [
      "order {order}  could not be read, nothing was printed for it",
      "заказ {order}  не удалось прочитать, чек не напечатан",
    ],
    found: ["order {order}", "заказ {order}"],
    unknown: [
      "the order {order} is not known: no site has offered it to this daemon",
      "заказ {order} неизвестен: ни один сайт его не отдавал",
    ],
    register: ["register {register}", "касса {register}"],
    polledFor: ["polled for kkm {kkm}", "получен опросом для кассы № {kkm}"],
    tax: both(
      ({ id, rate }: TaxOfPosition) =>
        `${id === null ? "without a tax id" : rateOfTaxId(id) === null ? `tax ${id}` : "rate in words"}: ${rate}`,
      ({ id, rate }) =>
        `${id === null ? "без ставки" : rateOfTaxId(id) === null ? `ставка ${id}` : "ставка словами"}: ${rate}`,
    ),
    operator: ["operator", "оператор"],
    document: ["FN {fn}  FD {fd}  FP {fiscalSign}  shift {shift}", "ФН {fn}  ФД {fd}  ФП {fiscalSign}  смена {shift}"],
    event: ["event {event} {kind} to {site}", "{kind} для {site} (событие {event})"],
    tries: ["{state} after {tries} tries", "{state}, попыток: {tries}"],
    triedAt: ["{state} after {tries} tries at {at}", "{state}, попыток: {tries}, {at}"],
    beforeThat: ["before that: {text}", "до этого: {text}"],
  },
  consoleLink: {
    once: [
      "The operator's page. The link works once, within five minutes:",
      "Страница оператора. Ссылка действует один раз, в течение пяти минут:",
    ],
  },
  page: pageTexts,
  journal: journalTexts,
  status: {
    runs: ["The daemon runs.", "Программа работает."],
    moved: [
      "It was moved to another computer; this is the state in the database that stayed here.",
      "Перенесена на другой компьютер; ниже то, что было в базе здесь.",
    ],
    down: [
      "The daemon does not run; this is the state in its database.",
      "Программа не запущена; ниже то, что есть в её базе.",
    ],
    closed: [
      "The daemon cannot be asked; this is in its database.",
      "Программу не удалось спросить; ниже то, что в её базе.",
    ],
    registers: [
      ["REGISTER", "STATE", "KKM", "MODEL", "SHIFT", "LAST FD", "WAITING", ""],
      ["КАССА", "СОСТОЯНИЕ", "РЕГ. № ККТ", "МОДЕЛЬ", "СМЕНА", "ПОСЛЕДНИЙ ФД", "В ОЧЕРЕДИ", ""],
    ],
    jobs: ["JOBS", "ЗАДАНИЯ"],
    events: [
      ["EVENTS FOR", "WAITING", "REFUSED", "OLDEST WAITS"],
      ["СОБЫТИЯ ДЛЯ", "ЖДУТ", "ОТВЕРГНУТЫ", "САМОЕ СТАРОЕ"],
    ],
    settings: [
      ["HOW IT IS SET", "WHERE IT STANDS", "VALUE", "RIGHT"],
      ["НАСТРОЕНО", "ГДЕ НАХОДИТСЯ", "ЗНАЧЕНИЕ", "ВЕРНОЕ"],
    ],
    noted: ["SET AS IT MAY BE (`fiscald doctor`)", "НАСТРОЕНО ДОПУСТИМО (`fiscald doctor`)"],
    refused: [
      ["REFUSED EVENT", "SITE", "KIND", "JOB", "TRIES", "THE SITE SAID"],
      ["ОТВЕРГНУТО", "САЙТ", "ВИД", "ЗАДАНИЕ", "ПОПЫТОК", "ОТВЕТ САЙТА"],
    ],
    troubles: ["WHAT IS WRONG", "ЧТО НЕ ТАК"],
    noTrouble: ["Nothing: everything prints.", "Ничего: всё печатается."],
  },
  commands: commandTexts,
  help: helpTexts,
  init: initTexts,
  discover: discoverTexts,
  doctor: doctorTexts,
  foreign: [
    "The register that answers is kkm {kkm} of taxpayer {inn}. Expected: kkm {expectedKkm} of taxpayer {expectedInn}.",
    "Отвечает касса с номером {kkm}, ИНН {inn}. Ожидается касса с номером {expectedKkm}, ИНН {expectedInn}.",
  ],
  alerts: {
    warned: ["fiscald on {host}: it prints, and a look helps", "fiscald на {host}: печатает, но нужно взглянуть"],
    begun: ["fiscald on {host}: a person is needed", "fiscald на {host}: нужен человек"],
    over: ["fiscald on {host}: it is over", "fiscald на {host}: неполадка устранена"],
    isOver: ["Over:", "Прошло:"],
    more: ["and {count} more: see `fiscald status`", "и ещё {count}: см. `fiscald status`"],
  },
  setup: setupTexts,
});
