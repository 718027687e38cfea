/** Why an order is not printed: cause and next step (console/why/why-not-printed.ts). */
import { both, plural, rows } from "../rows.js";

export interface Days {
  readonly days: number;
}

export interface Begun {
  readonly register: string;
  /** The text of a fault, in the catalogue's language. */
  readonly text: string;
  readonly since?: string;
}

export interface Jobs {
  /** Job numbers as they are typed on a command line. */
  readonly jobs: string;
}

const commands = (name: string, jobs: string) =>
  jobs
    .split(" ")
    .map((job) => `\`fiscald ${name} ${job}\``)
    .join(", ");

const daysOf = (count: number) => `${count} day${count === 1 ? "" : "s"}`;

const russianDays = (count: number) => `${count} ${plural(count, "день", "дня", "дней")}`;

/** The day in words: 2026-12-08 becomes 8 декабря. */
function dayOf(date: string): string {
  const at = Date.parse(date);
  if (Number.isNaN(at)) return date;
  return new Intl.DateTimeFormat("ru", { day: "numeric", month: "long", timeZone: "UTC" }).format(at);
}

export const whyTexts = rows({
  title: ["Why not yet", "Почему ещё не напечатан"],
  nextTitle: ["What to do", "Что делать"],
  daemonDown: {
    text: [
      "The daemon does not run: no order is taken and nothing is printed.",
      "Демон не запущен: заказы не принимаются, чеки не печатаются.",
    ],
    next: ["Start it: its service, or `fiscald run`.", "Запустите службу или `fiscald run`."],
  },
  storeTrouble: [
    "The database stores nothing, so no site is polled. {text}",
    "База данных не записывает, поэтому сайты не опрашиваются. {text}",
  ],
  driveOver: both(
    ({ days }: Days) => `The fiscal drive ended ${daysOf(days)} ago: the register does not print.`,
    ({ days }) => `Накопитель закончился ${russianDays(days)} назад: касса не печатает.`,
  ),
  ofdOver: both(
    ({ days }: Days) =>
      `Receipts have not reached the OFD for ${daysOf(days)}: the register does not print until they do.`,
    ({ days }) => `Чеки не уходят в ОФД ${russianDays(days)}: пока не уйдут, касса не печатает.`,
  ),
  driveDays: both(
    ({ days, until }: Days & { readonly until: string | null }) =>
      `The fiscal drive has ${daysOf(days)} left${until === null ? "" : ` (until ${until})`}. Order a new one and a service visit.`,
    ({ days, until }) =>
      `Накопителю осталось ${russianDays(days)}${until === null ? "" : ` (до ${dayOf(until)})`}. Закажите новый и визит сервиса.`,
  ),
  ofdQueue: both(
    ({ hours, left }: { readonly hours: number; readonly left: number }) =>
      `Receipts have not reached the OFD for ${hours < 48 ? `${hours} h` : daysOf(Math.floor(hours / 24))}. Unless this is mended, the register stops printing in ${daysOf(left)}. Check its network and its OFD settings.`,
    ({ hours, left }) =>
      `Чеки не уходят в ОФД ${hours < 48 ? `${hours} ч` : russianDays(Math.floor(hours / 24))}. Если не починить, через ${russianDays(left)} касса перестанет печатать. Проверьте сеть кассы и настройки ОФД в ней.`,
  ),
  registerBlocked: both(
    ({ register, since, text }: Begun) =>
      `Register ${register} waits for a person${since === undefined ? "" : ` since ${since}`}. ${text}`,
    ({ register, since, text }) =>
      `Касса ${register} ждёт человека${since === undefined ? "" : ` с ${since}`}. ${text}`,
  ),
  registerOffline: both(
    ({ register, since, text }: Begun) =>
      `Register ${register} is offline${since === undefined ? "" : ` since ${since}`}. ${text}`,
    ({ register, since, text }) => `Нет связи с кассой ${register}${since === undefined ? "" : ` с ${since}`}. ${text}`,
  ),
  registerPaused: ["Register {register} is paused since {since}.", "Касса {register} на паузе с {since}."],
  registerStarting: {
    text: ["Register {register} is being connected and checked.", "Касса {register} подключается и проверяется."],
    next: [
      "Nothing: it prints in some seconds. If this lasts, check its power and cable.",
      "Ничего делать не нужно: печать начнётся через несколько секунд. Если это затянулось, проверьте питание и кабель кассы.",
    ],
  },
  registerStopped: {
    text: ["Register {register} was stopped with the daemon.", "Касса {register} остановлена вместе с демоном."],
    next: ["Start the daemon again.", "Запустите демон снова."],
  },
  registerRemoved: {
    text: ["Register {register} is not in the config any more.", "Кассы {register} больше нет в настройках."],
    next: [
      "Give the job to another register (`fiscald move {jobs} REGISTER`) or cancel it.",
      "Передайте задание другой кассе (`fiscald move {jobs} КАССА`) или отмените его.",
    ],
  },
  shiftClosing: {
    text: [
      "Register {register} closes its shift; receipts wait until that is done.",
      "Касса {register} закрывает смену, чеки ждут закрытия.",
    ],
    next: [
      "Nothing: the receipt is printed after the closing. If this lasts, check the register's paper and cover.",
      "Ничего делать не нужно: чек напечатается после закрытия. Если оно затянулось, проверьте бумагу и крышку кассы.",
    ],
  },
  printing: {
    text: ["Register {register} is printing it now.", "Чек печатается сейчас на кассе {register}."],
    next: [
      "Nothing: wait some seconds. If this lasts, check the register's paper, cover and power.",
      "Подождите несколько секунд. Если печать затянулась, проверьте бумагу, крышку и питание кассы.",
    ],
  },
  waitsForTurn: {
    text: both(
      ({ register, ahead }: { readonly register: string; readonly ahead: number }) =>
        ahead === 0 ? `It is next on register ${register}.` : `Register ${register} prints others first: ${ahead}.`,
      ({ register, ahead }) =>
        ahead === 0
          ? `Чек следующий в очереди кассы ${register}.`
          : `Касса ${register} сначала печатает другие чеки, впереди: ${ahead}.`,
    ),
    next: ["Nothing: it is printed in its turn.", "Ничего делать не нужно: чек напечатается в свою очередь."],
  },
  waitsForOther: {
    text: [
      "Register {register} cannot print it: {text} It waits for register {other} of the same group.",
      "Касса {register} не может напечатать этот чек: {text} Он ждёт кассу {other} той же группы.",
    ],
  },
  waitsForReading: {
    text: [
      "Register {register} waits until register {other} was read: this order may be printed there already.",
      "Касса {register} ждёт ответа кассы {other}: возможно, этот чек уже напечатан на ней.",
    ],
    gone: [
      "If register {other} is gone for good, remove it from the config.",
      "Если кассы {other} больше нет, уберите её из настроек.",
    ],
  },
  triedAgain: [
    "The last try on register {register} failed; it is tried again by itself. {text}",
    "Прошлая попытка на кассе {register} не удалась, печать повторится сама. {text}",
  ],
  settling: {
    text: [
      "Register {register} is asked whether the last try was registered; the answer decides what happens. {text}",
      "У кассы {register} выясняется, зарегистрирован ли чек прошлой попытки; от ответа зависит, что дальше. {text}",
    ],
    next: [
      "Nothing: it goes on by itself once the register has answered.",
      "Ничего делать не нужно: печать продолжится сама, когда касса ответит.",
    ],
  },
  unsure: {
    text: [
      "It is not known whether register {register} registered this receipt, so it is not printed again.",
      "Неизвестно, зарегистрирован ли этот чек на кассе {register}; повторно он не печатается.",
    ],
    next: both(
      ({ jobs }: Jobs) =>
        `Look at the register's last documents, then say what you found: ${commands("resolve", jobs)} with \`--printed FD\` or \`--not-printed\`.`,
      ({ jobs }) =>
        `Посмотрите последние документы кассы и сообщите, что нашли: ${commands("resolve", jobs)} с \`--printed ФД\` или \`--not-printed\`.`,
    ),
  },
  doubt: {
    "in-progress": [
      "The maker's print service may still print it; it is asked until it has ended.",
      "Служба печати производителя ещё может его напечатать; её опрашивают, пока она не закончит.",
    ],
    unreadable: [
      "A document that may be this one could not be found or read for certain. The last hundred are read again by themselves.",
      "Документ, который может быть этим, не удалось найти или надёжно прочитать. Последние сто документов читаются повторно автоматически.",
    ],
    "no-evidence": [
      "Neither the fiscal drive nor the register's counters show whether it was done.",
      "Ни фискальный накопитель, ни счётчики кассы не показывают, выполнено ли это.",
    ],
    ambiguous: [
      "The documents that were read leave more than one answer.",
      "Прочитанные документы допускают больше одного ответа.",
    ],
  },
  held: {
    text: [
      "Nothing is printed until a person approves it. {text}",
      "Чек не печатается, пока его не одобрит человек. {text}",
    ],
    next: both(
      ({ jobs }: Jobs) =>
        `Compare it with the site's order. To print it: ${commands("approve", jobs)}; to leave it not printed: ${commands("set-aside", jobs)}.`,
      ({ jobs }) =>
        `Сверьте его с заказом на сайте. Напечатать: ${commands("approve", jobs)}; оставить ненапечатанным: ${commands("set-aside", jobs)}.`,
    ),
  },
  failed: {
    text: ["Printing failed and is not tried any more. {text}", "Чек не напечатан, попыток больше не будет. {text}"],
    next: ["{text} Then: `fiscald retry {jobs}`.", "{text} Затем: `fiscald retry {jobs}`."],
  },
  refused: ["The order was refused, nothing was printed for it. {text}", "Заказ отклонён, чек не напечатан. {text}"],
  cancelled: ["The order will not be printed. {text}", "Этот чек печататься не будет. {text}"],
  unreadable: [
    "The site's order could not be read, nothing was printed for it. {text}",
    "Заказ с сайта не удалось прочитать, чек не напечатан. {text}",
  ],
  wrongKkm: {
    text: [
      "The order is for kkm {kkm}, which no register of site {site} has. Registers of the site: {asked}.",
      "Заказ для кассы с номером {kkm} (kkm), а у сайта {site} такой кассы нет. Кассы сайта: {asked}.",
    ],
    next: [
      "Correct kkm in the site's order, or connect that register and bind it to the site.",
      "Исправьте kkm в заказе на сайте или подключите эту кассу и укажите для неё сайт.",
    ],
  },
  siteTrouble: [
    "Site {site} cannot be asked for orders since {since}. {text}",
    "Сайт {site} не удаётся опросить с {since}. {text}",
  ],
  siteHtml: {
    text: [
      "Site {site} has answered polls with a web page (HTML) instead of an order since {since}.",
      "Сайт {site} с {since} отвечает на опрос веб-страницей (HTML), а не заказом.",
    ],
    next: [
      "Check on the site that the address in `urls.orders` is that of the handler, and that it shows no error page or login.",
      "Проверьте на сайте, что адрес в `urls.orders` — адрес обработчика и что на нём нет страницы ошибки или входа.",
    ],
  },
  siteUnreadable: [
    "Site {site} has answered polls with something that is no order since {since}. {text}",
    "Сайт {site} с {since} отвечает на опрос не так, как положено. {text}",
  ],
  nobodyPolls: {
    text: [
      "Site {site} is not polled, so its orders do not arrive: {asked}.",
      "Сайт {site} никто не опрашивает, его заказы не приходят: {asked}.",
    ],
    next: [
      "Bind a register to the site (`sites` of the register) and connect it once. Then check `fiscald status`.",
      "Укажите сайт для кассы (`sites` кассы в настройках) и подключите её хотя бы раз. Затем проверьте `fiscald status`.",
    ],
  },
  notOffered: {
    text: [
      "Site {site} has not offered this order. It is asked for: {asked}.",
      "Сайт {site} этот заказ не отдавал. Опрашивается: {asked}.",
    ],
    next: [
      "Check on the site that the order is released for printing and that its kkm is one of these.",
      "Проверьте на сайте, что заказ отправлен на печать и его kkm — один из этих.",
    ],
  },
});

/** What a site is asked for: the orders of which register. */
export const askedTexts = rows({
  kkm: ["kkm {kkm} ({register}), last answer {at}", "kkm {kkm} ({register}), последний ответ {at}"],
  never: ["kkm {kkm} ({register}), no answer yet", "kkm {kkm} ({register}), ответа ещё не было"],
  unknown: [
    "{register} was never connected, its kkm is not known",
    "касса {register} ещё не подключалась, её kkm неизвестен",
  ],
  nothing: ["no register is bound to it", "для сайта не указана ни одна касса"],
});
