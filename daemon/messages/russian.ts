/** Russian texts for operators (messages.ts). */
import { rateOfTaxId } from "@fiscald/shared/receipt/vat.js";
import type { Messages } from "./messages.js";
import { commandTexts } from "./russian/commands.js";
import { doctorTexts } from "./russian/doctor.js";
import { helpTexts } from "./russian/help.js";
import { discoverTexts, initTexts } from "./russian/init.js";
import { journalTexts } from "./russian/journal.js";
import { setupTexts } from "./russian/setup.js";

const commands = (name: string, jobs: string) =>
  jobs
    .split(" ")
    .map((job) => `\`fiscald ${name} ${job}\``)
    .join(", ");

/** The form of a noun after a number: 1 день, 2 дня, 5 дней. */
function plural(count: number, one: string, few: string, many: string): string {
  const form = new Intl.PluralRules("ru").select(count);
  return form === "one" ? one : form === "few" ? few : many;
}

export const russian: Messages = {
  why: {
    title: "Почему ещё не напечатан",
    nextTitle: "Что делать",
    daemonDown: {
      text: "Демон не запущен: заказы не принимаются, чеки не печатаются.",
      next: "Запустите службу или `fiscald run`.",
    },
    storeTrouble: ({ text }) => `База данных не записывает, поэтому сайты не опрашиваются. ${text}`,
    registerBlocked: ({ register, text }) => `Касса ${register} ждёт человека. ${text}`,
    registerOffline: ({ register, text }) => `Нет связи с кассой ${register}. ${text}`,
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
      unreadable: "Документ, который может быть этим чеком, не удалось прочитать; его прочитают ещё раз автоматически.",
      "no-evidence": "В фискальном накопителе этого не увидеть: он заменён или какое-то время не был под наблюдением.",
      ambiguous: "Прочитанные документы допускают больше одного ответа.",
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
      next: "Укажите сайт для кассы (`sites` кассы в настройках), подключите её хотя бы раз и проверьте `fiscald status`.",
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
    isJob: ({ job, order }) => `задание ${job} относится к заказу ${order}`,
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
  page: {
    allPrinted: "Всё печатается",
    printsWithWarnings: "Печатается, есть предупреждения",
    personNeeded: "Нужен человек",
    soundOn: "Звук: вкл.",
    soundOff: "Звук: выкл.",
    otherLanguage: "English",
    connection: {
      loading: "Читаю состояние",
      live: "На связи",
      lost: "Демон не отвечает",
      "no-access": "Страница закрыта",
    },
    shownAsOf: ({ at }) => `Показано состояние на ${at}. Связь восстановится сама.`,
    howToOpen: "Откройте её по ссылке, которую печатает команда `fiscald console` на этом компьютере.",
    troubles: "Обратите внимание",
    registers: "Кассы",
    sites: "Сайты",
    neverConnected: "ещё не подключалась",
    inHand: "Печатает сейчас",
    nothing: "ничего",
    queue: "В очереди",
    shift: "Смена",
    shiftStates: { open: "открыта", closed: "закрыта", expired: "старше 24 часов" },
    ofDay: ({ hours }) => `${hours} из 24 ч`,
    paper: "Бумага",
    papers: { present: "есть", low: "заканчивается", out: "нет", unknown: "касса не сообщает" },
    ofdQueue: "Не ушло в ОФД",
    documents: ({ count }) => `${count} ${plural(count, "документ", "документа", "документов")}`,
    drive: "Накопитель (ФН)",
    daysLeft: ({ count }) => `ещё ${count} ${plural(count, "день", "дня", "дней")}`,
    clock: "Часы",
    clockDifference: ({ minutes }) =>
      minutes === 0 ? "верны" : `${minutes > 0 ? "спешат" : "отстают"} на ${Math.abs(minutes)} мин`,
    oldFigures: "Эти данные получены до потери связи.",
    polled: "Последний ответ",
    lastOrder: "Последний заказ",
    undelivered: "Ждут отправки результаты",
    never: "не было",
    now: "Сейчас",
    orders: "Заказы",
    setup: "Настройка",
    searchLabel: "Заказ, номер документа (ФД), сумма или день (25.11.2026)",
    find: "Найти",
    nothingFound: "Ничего не найдено.",
    older: "Раньше",
    newer: "Позже",
    time: "Время",
    order: "Заказ",
    sum: "Сумма",
    register: "Касса",
    state: "Состояние",
    document: "ФД",
    back: "К списку",
    why: "Почему не напечатан",
    story: "Что происходило",
    results: "Результаты для сайта",
    deliveryStates: {
      pending: "ждёт",
      delivered: "доставлен",
      refused: "отвергнут сайтом",
    },
    receipt: "Чек, как он заказан",
    actions: "Что делать",
    actionNames: {
      retry: "Напечатать снова",
      cancel: "Не печатать",
      copy: "Копия на бумаге",
      notPrinted: "Чек не напечатан",
      printed: "Чек напечатан",
    },
    decisions: "Решения",
    noDecisions: "Решать нечего.",
    unsureJobs: "Исход неизвестен: сообщите, что с ними",
    failedJobs: "Не напечатаны",
    retryAll: "Напечатать все снова",
    foreignDevices: "Отвечает другая касса",
    acceptDevice: "Это нужная касса",
    refusedEvents: "Результаты, которые сайт отверг",
    resend: "Отправить снова",
    unreadAnswers: "Ответы сайта, которые не удалось прочитать",
    unreadNext: "По ним ничего не напечатано. Передайте их разработчику сайта.",
    pausedFor: "На паузе",
    pause: "Пауза",
    resume: "Возобновить печать",
    testSlip: "Пробная печать",
    xReport: "X-отчёт",
    zReport: "Закрыть смену (Z)",
    sync: "Отправить список касс",
    askRetryAll: ({ count }) =>
      `${count} ${plural(count, "чек", "чека", "чеков")} снова встанут в очередь и будут напечатаны. Продолжить?`,
    askAccept: ({ register }) => `${register} будет печатать на том устройстве, которое отвечает сейчас. Продолжить?`,
    askResend: ({ site }) => `Результат будет снова отправлен сайту ${site}. Продолжить?`,
    askPause: ({ register }) =>
      `${register} допечатает начатый чек и перестанет печатать заказы: они будут ждать или уйдут на другую кассу группы, пока вы не возобновите печать. Смена закроется как обычно. Продолжить?`,
    askResume: ({ register }) => `${register} начнёт печатать всё, что ждёт. Продолжить?`,
    askTestSlip: ({ register }) => `${register} напечатает несколько строк, это не чек. Продолжить?`,
    askCopy: ({ order }) => `Касса ещё раз напечатает копию чека заказа ${order}; новой продажи не будет. Продолжить?`,
    askX: ({ register }) => `${register} напечатает X-отчёт, смена останется открытой. Продолжить?`,
    askZ: ({ register }) => `${register} закроет смену и напечатает Z-отчёт. Продолжить?`,
    askSync: ({ site }) => `Сайту ${site} будет отправлен список его касс. Продолжить?`,
    askRetry: ({ order }) => `Чек заказа ${order} снова встанет в очередь и будет напечатан. Продолжить?`,
    askCancel: ({ order }) => `Чек заказа ${order} печататься не будет, сайт об этом узнает. Продолжить?`,
    askNotPrinted: ({ order, documents }) =>
      `Чек заказа ${order} будет напечатан${documents === "" ? "" : `; вы проверили, что документы ${documents} — другие чеки`}. Если он уже зарегистрирован, получится второй чек на одну оплату. Продолжить?`,
    askPrinted: "Номер его документа (ФД), с бумаги или из кабинета ОФД:",
    yes: "Да, продолжить",
    no: "Нет",
    done: "Готово.",
    jobKinds: {
      sale: "Приход",
      return: "Возврат прихода",
      "x-report": "X-отчёт",
      "z-report": "Закрытие смены (Z)",
      "sections-report": "Отчёт по отделам",
      "cashiers-report": "Отчёт по кассирам",
      "hours-report": "Отчёт по часам",
      "cash-in": "Внесение",
      "cash-out": "Выплата",
      "sync-time": "Установка часов",
      text: "Печать текста",
      service: "Служебное задание",
    },
    eventKinds: {
      result: "Результат",
      connected: "Касса подключена",
      disconnected: "Касса отключена",
      zreport: "Z-отчёт",
      sync: "Список касс",
      error: "Сообщение об ошибке",
    },
    tries: ({ count }) => `попыток: ${count}`,
    jobStates: {
      queued: "ждёт",
      printing: "печатается",
      unsure: "исход неизвестен",
      printed: "напечатан",
      failed: "не напечатан",
      refused: "отклонён",
      cancelled: "отменён",
    },
    siteStates: { green: "отвечает", yellow: "отвечает", red: "неполадка", grey: "ещё не опрошен" },
    ages: {
      now: "только что",
      minutes: ({ count }) => `${count} мин`,
      hours: ({ count }) => `${count} ч`,
      days: ({ count }) => `${count} ${plural(count, "день", "дня", "дней")}`,
    },
  },
  journal: journalTexts,
  eventStates: { pending: "ждёт доставки", delivered: "доставлено", refused: "отвергнуто" },
  status: {
    runs: "Демон работает.",
    down: "Демон не запущен; ниже то, что есть в его базе.",
    registers: ["КАССА", "СОСТОЯНИЕ", "KKM", "МОДЕЛЬ", "СМЕНА", "ПОСЛЕДНИЙ ФД", "В ОЧЕРЕДИ", ""],
    jobs: "ЗАДАНИЯ",
    events: ["СОБЫТИЯ ДЛЯ", "ЖДУТ", "ОТВЕРГНУТЫ", "САМОЕ СТАРОЕ"],
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
  alerts: {
    begun: ({ host }) => `fiscald на ${host}: нужен человек`,
    over: ({ host }) => `fiscald на ${host}: неполадка устранена`,
    isOver: "Прошло:",
    more: ({ count }) => `и ещё ${count}: см. \`fiscald status\``,
  },
  setup: setupTexts,
};
