/** Russian texts for operators (messages.ts). */
import { rateOfTaxId } from "@fiscald/shared/receipt/vat.js";
import type { english } from "./english.js";
import { commandTexts } from "./russian/commands.js";
import { doctorTexts } from "./russian/doctor.js";
import { helpTexts } from "./russian/help.js";
import { discoverTexts, initTexts } from "./russian/init.js";
import { journalTexts } from "./russian/journal.js";
import { pageTexts, plural } from "./russian/page.js";
import { setupTexts } from "./russian/setup.js";
import type { Translated } from "./translated.js";

const commands = (name: string, jobs: string) =>
  jobs
    .split(" ")
    .map((job) => `\`fiscald ${name} ${job}\``)
    .join(", ");

const daysOf = (count: number) => `${count} ${plural(count, "день", "дня", "дней")}`;

/** 2026-12-08 as 8 декабря. */
function dayOf(date: string): string {
  const at = Date.parse(date);
  if (Number.isNaN(at)) return date;
  return new Intl.DateTimeFormat("ru", { day: "numeric", month: "long", timeZone: "UTC" }).format(at);
}

export const russian: Translated<typeof english> = {
  why: {
    title: "Почему ещё не напечатан",
    nextTitle: "Что делать",
    daemonDown: {
      text: "Демон не запущен: заказы не принимаются, чеки не печатаются.",
      next: "Запустите службу или `fiscald run`.",
    },
    storeTrouble: ({ text }) => `База данных не записывает, поэтому сайты не опрашиваются. ${text}`,
    driveOver: ({ days }) => `Накопитель закончился ${daysOf(days)} назад: касса не печатает.`,
    ofdOver: ({ days }) => `Чеки не уходят в ОФД ${daysOf(days)}: пока не уйдут, касса не печатает.`,
    driveDays: ({ days, until }) =>
      `Накопителю осталось ${daysOf(days)}${until === null ? "" : ` (до ${dayOf(until)})`}. Закажите новый и визит сервиса.`,
    ofdQueue: ({ hours, left }) =>
      `Чеки не уходят в ОФД ${hours < 48 ? `${hours} ч` : daysOf(Math.floor(hours / 24))}. Если не починить, через ${daysOf(left)} касса перестанет печатать. Проверьте сеть кассы и настройки ОФД в ней.`,
    registerBlocked: ({ register, since, text }) =>
      `Касса ${register} ждёт человека${since === undefined ? "" : ` с ${since}`}. ${text}`,
    registerOffline: ({ register, since, text }) =>
      `Нет связи с кассой ${register}${since === undefined ? "" : ` с ${since}`}. ${text}`,
    registerPaused: ({ register, since }) => `Касса ${register} на паузе с ${since}.`,
    registerStarting: {
      text: ({ register }) => `Касса ${register} подключается и проверяется.`,
      next: "Ничего делать не нужно: печать начнётся через несколько секунд. Если это затянулось, проверьте питание и кабель кассы.",
    },
    registerStopped: {
      text: ({ register }) => `Касса ${register} остановлена вместе с демоном.`,
      next: "Запустите демон снова.",
    },
    registerRemoved: {
      text: ({ register }) => `Кассы ${register} больше нет в настройках.`,
      next: ({ jobs }) => `Передайте задание другой кассе (\`fiscald move ${jobs} КАССА\`) или отмените его.`,
    },
    shiftClosing: {
      text: ({ register }) => `Касса ${register} закрывает смену, чеки ждут закрытия.`,
      next: "Ничего делать не нужно: чек напечатается после закрытия. Если оно затянулось, проверьте бумагу и крышку кассы.",
    },
    printing: {
      text: ({ register }) => `Чек печатается сейчас на кассе ${register}.`,
      next: "Подождите несколько секунд. Если печать затянулась, проверьте бумагу, крышку и питание кассы.",
    },
    waitsForTurn: {
      text: ({ register, ahead }) =>
        ahead === 0
          ? `Чек следующий в очереди кассы ${register}.`
          : `Касса ${register} сначала печатает другие чеки, впереди: ${ahead}.`,
      next: "Ничего делать не нужно: чек напечатается в свою очередь.",
    },
    waitsForOther: {
      text: ({ register, other, text }) =>
        `Касса ${register} не может напечатать этот чек: ${text} Он ждёт кассу ${other} той же группы.`,
    },
    waitsForReading: {
      text: ({ register, other }) =>
        `Касса ${register} ждёт ответа кассы ${other}: возможно, этот чек уже напечатан на ней.`,
      gone: ({ other }) => `Если кассы ${other} больше нет, уберите её из настроек.`,
    },
    triedAgain: ({ register, text }) =>
      `Прошлая попытка на кассе ${register} не удалась, печать повторится сама. ${text}`,
    settling: {
      text: ({ register, text }) =>
        `У кассы ${register} выясняется, зарегистрирован ли чек прошлой попытки; от ответа зависит, что дальше. ${text}`,
      next: "Ничего делать не нужно: печать продолжится сама, когда касса ответит.",
    },
    unsure: {
      text: ({ register }) =>
        `Неизвестно, зарегистрирован ли этот чек на кассе ${register}; повторно он не печатается.`,
      next: ({ jobs }) =>
        `Посмотрите последние документы кассы и сообщите, что нашли: ${commands("resolve", jobs)} с \`--printed ФД\` или \`--not-printed\`.`,
    },
    doubt: {
      "in-progress": "Служба печати производителя ещё может его напечатать; её опрашивают, пока она не закончит.",
      unreadable:
        "Документ, который может быть этим, не удалось найти или надёжно прочитать. Последние сто документов читаются повторно автоматически.",
      "no-evidence": "Ни фискальный накопитель, ни счётчики кассы не показывают, выполнено ли это.",
      ambiguous: "Прочитанные документы допускают больше одного ответа.",
    },
    held: {
      text: ({ text }) => `Чек не печатается, пока его не одобрит человек. ${text}`,
      next: ({ jobs }) =>
        `Сверьте его с заказом на сайте. Напечатать: ${commands("approve", jobs)}; оставить ненапечатанным: ${commands("set-aside", jobs)}.`,
    },
    failed: {
      text: ({ text }) => `Чек не напечатан, попыток больше не будет. ${text}`,
      next: ({ text, jobs }) => `${text} Затем: \`fiscald retry ${jobs}\`.`,
    },
    refused: ({ text }) => `Заказ отклонён, чек не напечатан. ${text}`,
    cancelled: ({ text }) => `Этот чек печататься не будет. ${text}`,
    unreadable: ({ text }) => `Заказ с сайта не удалось прочитать, чек не напечатан. ${text}`,
    wrongKkm: {
      text: ({ kkm, asked, site }) =>
        `Заказ для кассы с номером ${kkm} (kkm), а у сайта ${site} такой кассы нет. Кассы сайта: ${asked}.`,
      next: "Исправьте kkm в заказе на сайте или подключите эту кассу и укажите для неё сайт.",
    },
    siteTrouble: ({ site, since, text }) => `Сайт ${site} не удаётся опросить с ${since}. ${text}`,
    siteHtml: {
      text: ({ site, since }) => `Сайт ${site} с ${since} отвечает на опрос веб-страницей (HTML), а не заказом.`,
      next: "Проверьте на сайте, что адрес в `urls.orders` — адрес обработчика и что на нём нет страницы ошибки или входа.",
    },
    siteUnreadable: ({ site, since, text }) =>
      `Сайт ${site} с ${since} отвечает на опрос не так, как положено. ${text}`,
    nobodyPolls: {
      text: ({ site, asked }) => `Сайт ${site} никто не опрашивает, его заказы не приходят: ${asked}.`,
      next: "Укажите сайт для кассы (`sites` кассы в настройках) и подключите её хотя бы раз. Затем проверьте `fiscald status`.",
    },
    notOffered: {
      text: ({ site, asked }) => `Сайт ${site} этот заказ не отдавал. Опрашивается: ${asked}.`,
      next: "Проверьте на сайте, что заказ отправлен на печать и его kkm — один из этих.",
    },
  },
  asked: {
    kkm: ({ kkm, register, at }) => `kkm ${kkm} (${register}), последний ответ ${at}`,
    never: ({ kkm, register }) => `kkm ${kkm} (${register}), ответа ещё не было`,
    unknown: ({ register }) => `касса ${register} ещё не подключалась, её kkm неизвестен`,
    nothing: "для сайта не указана ни одна касса",
  },
  states: {
    queued: "ждёт (queued)",
    held: "ждёт решения (held)",
    printing: "печатается (printing)",
    unsure: "исход неизвестен (unsure)",
    printed: "напечатан (printed)",
    failed: "не напечатан (failed)",
    refused: "отклонён (refused)",
    cancelled: "отменён (cancelled)",
  },
  phases: {
    offline: "нет связи",
    connecting: "подключается",
    recovering: "проверяется",
    ready: "готова",
    finishing: "допечатывает",
    busy: "печатает",
    blocked: "ждёт человека",
    stopped: "остановлена",
    unknown: "неизвестно",
    paused: "на паузе",
  },
  explain: {
    job: ({ job, state, what }) => `задание ${job}  ${state}  ${what}`,
    unread: ({ order }) => `заказ ${order}  не удалось прочитать, чек не напечатан`,
    unknown: ({ order }) => `заказ ${order} неизвестен: ни один сайт не отдавал его этому демону`,
    register: ({ register }) => `касса ${register}`,
    polledFor: ({ kkm }) => `получен опросом для kkm ${kkm}`,
    tax: ({ id, rate }) =>
      `${id === null ? "без ставки" : rateOfTaxId(id) === null ? `ставка ${id}` : "ставка словами"}: ${rate}`,
    operator: "оператор",
    shift: "смена",
    event: ({ event, kind, site }) => `событие ${event} ${kind} для ${site}`,
    tries: ({ state, tries, at }) => `${state}, попыток: ${tries}${at === null ? "" : `, ${at}`}`,
    beforeThat: ({ text }) => `до этого: ${text}`,
  },
  consoleLink: { once: "Страница оператора. Ссылка действует один раз, в течение пяти минут:" },
  page: pageTexts,
  journal: journalTexts,
  eventStates: { pending: "ждёт доставки", delivered: "доставлено", refused: "отвергнуто" },
  status: {
    runs: "Демон работает.",
    down: "Демон не запущен; ниже то, что есть в его базе.",
    registers: ["КАССА", "СОСТОЯНИЕ", "KKM", "МОДЕЛЬ", "СМЕНА", "ПОСЛЕДНИЙ ФД", "В ОЧЕРЕДИ", ""],
    jobs: "ЗАДАНИЯ",
    events: ["СОБЫТИЯ ДЛЯ", "ЖДУТ", "ОТВЕРГНУТЫ", "САМОЕ СТАРОЕ"],
    settings: ["НАСТРОЕНО", "ГДЕ НАХОДИТСЯ", "ЗНАЧЕНИЕ", "ВЕРНОЕ"],
    refused: ["ОТВЕРГНУТО", "САЙТ", "ВИД", "ЗАДАНИЕ", "ПОПЫТОК", "ОТВЕТ САЙТА"],
    why: "ПОЧЕМУ НЕ ПЕЧАТАЕТСЯ",
    noTrouble: "Печати ничто не мешает.",
    notAsked: "Неизвестно: консоль демона закрыта. Причина записана в журнале.",
    orders: "Заказы",
    warnings: "ПРЕДУПРЕЖДЕНИЯ",
    noWarnings: "Предупреждений нет.",
  },
  commands: commandTexts,
  help: helpTexts,
  init: initTexts,
  discover: discoverTexts,
  doctor: doctorTexts,
  foreign: ({ found, expected }) =>
    `Отвечает касса с номером ${found.kkm}, ИНН ${found.inn}. Ожидается касса с номером ${expected.kkm}, ИНН ${expected.inn}.`,
  alerts: {
    warned: ({ host }) => `fiscald на ${host}: печатает, есть предупреждение`,
    begun: ({ host }) => `fiscald на ${host}: нужен человек`,
    over: ({ host }) => `fiscald на ${host}: неполадка устранена`,
    isOver: "Прошло:",
    more: ({ count }) => `и ещё ${count}: см. \`fiscald status\``,
  },
  setup: setupTexts,
};
