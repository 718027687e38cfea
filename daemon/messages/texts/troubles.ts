/**
 * What is wrong, and what to do (console/troubles). A text names neither the register nor the site, which stand in
 * front of it; sentences with a command come last, because the page leaves them out.
 */
import { both, plural, rows } from "../rows.js";

/** The orders that a trouble is about. A job without an order is named by `#` and its number. */
export interface Counted {
  readonly count: number;
  /** The first of them, with commas. */
  readonly names: string;
  /** How many follow. */
  readonly more: number;
}

/** Numbers of jobs as they are typed on a command line. */
export interface OfJobs {
  readonly jobs: string;
}

export interface Caused extends Counted {
  /** Why, as a sentence. */
  readonly text: string;
}

export interface Days {
  readonly days: number;
}

const commands = (name: string, { jobs }: OfJobs) =>
  jobs
    .split(" ")
    .map((job) => `\`fiscald ${name} ${job}\``)
    .join(", ");

const isJob = ({ names }: Counted) => names.startsWith("#");
const inEnglish = ({ names, more }: Counted) => `${names}${more > 0 ? ` and ${more} more` : ""}`;
const inRussian = ({ names, more }: Counted) => `${names}${more > 0 ? ` и ещё ${more}` : ""}`;

/** `Order A-1 was refused.` or `2 orders were refused: A-1, A-2.` */
function english(counted: Counted, one: string, many: string): string {
  const noun = isJob(counted) ? "job" : "order";
  const { count } = counted;
  if (count === 1) return `${noun === "order" ? "Order" : "Job"} ${inEnglish(counted)} ${one}.`;
  return `${count} ${noun}s ${many}: ${inEnglish(counted)}.`;
}

/** `Заказ A-1 отклонён.` or `2 заказа отклонены: A-1, A-2.`; a job without an order is called «задание». */
function russian(counted: Counted, one: readonly [order: string, job: string], many: string): string {
  const { count } = counted;
  if (count === 1)
    return `${isJob(counted) ? "Задание" : "Заказ"} ${inRussian(counted)} ${one[isJob(counted) ? 1 : 0]}.`;
  const noun = isJob(counted)
    ? plural(count, "задание", "задания", "заданий")
    : plural(count, "заказ", "заказа", "заказов");
  return `${count} ${noun} ${many}: ${inRussian(counted)}.`;
}

const daysOf = (count: number) => `${count} day${count === 1 ? "" : "s"}`;
const russianDays = (count: number) => `${count} ${plural(count, "день", "дня", "дней")}`;
const hoursOrDays = (hours: number) => (hours < 48 ? `${hours} h` : daysOf(Math.floor(hours / 24)));
const russianHoursOrDays = (hours: number) => (hours < 48 ? `${hours} ч` : russianDays(Math.floor(hours / 24)));
const minutesOrMore = (minutes: number) => (minutes < 60 ? `${minutes} min` : hoursOrDays(Math.round(minutes / 60)));
const russianMinutesOrMore = (minutes: number) =>
  minutes < 60 ? `${minutes} мин` : russianHoursOrDays(Math.round(minutes / 60));

/** The day in words: 2026-12-08 becomes 8 декабря. */
function dayOf(date: string): string {
  const at = Date.parse(date);
  if (Number.isNaN(at)) return date;
  return new Intl.DateTimeFormat("ru", { day: "numeric", month: "long", timeZone: "UTC" }).format(at);
}

const messagesInRussian = (count: number) => plural(count, "сообщение", "сообщения", "сообщений");

const two = (value: number) => String(value).padStart(2, "0");

/** Wall clock in ms, said by this computer's clock and zone. */
export interface Moment {
  readonly at: number;
}

const timeOf = (date: Date) => `${two(date.getHours())}:${two(date.getMinutes())}`;

function minute({ at }: Moment): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${timeOf(date)}`;
}

function russianMinute({ at }: Moment): string {
  const date = new Date(at);
  return `${two(date.getDate())}.${two(date.getMonth() + 1)}.${date.getFullYear()}, ${timeOf(date)}`;
}

export const troubleTexts = rows({
  since: both(
    (moment: Moment) => `since ${minute(moment)}`,
    (moment) => `с ${russianMinute(moment)}`,
  ),
  cause: ["Cause", "Причина"],
  next: ["What to do", "Что делать"],
  /** What stands in front of a text, for several registers. */
  registers: both(
    (counted: Counted) => `${counted.count} registers: ${inEnglish(counted)}`,
    (counted) => `${counted.count} ${plural(counted.count, "касса", "кассы", "касс")}: ${inRussian(counted)}`,
  ),
  /** What a text about a register or a site ends with. */
  waiting: both(
    (counted: Counted) =>
      `${counted.count === 1 ? "1 order waits" : `${counted.count} orders wait`}: ${inEnglish(counted)}.`,
    (counted) =>
      counted.count === 1
        ? `Ждёт заказ ${inRussian(counted)}.`
        : `${plural(counted.count, "Ждёт", "Ждут", "Ждут")} ${counted.count} ${plural(counted.count, "заказ", "заказа", "заказов")}: ${inRussian(counted)}.`,
  ),
  daemonDown: {
    text: [
      "The daemon does not run: no order is taken and nothing is printed.",
      "Программа не запущена: заказы не принимаются, чеки не печатаются.",
    ],
    next: ["Start it: its service, or `fiscald run`.", "Запустите службу или `fiscald run`."],
  },
  storeTrouble: [
    "No order can be stored, so no site is polled. {text}",
    "Заказы некуда записать, поэтому сайты не опрашиваются. {text}",
  ],
  lockGone: {
    text: [
      "The lock file beside the database was deleted or replaced.",
      "Файл блокировки рядом с базой удалён или подменён.",
    ],
    next: ["Restart the daemon and leave the file alone.", "Перезапустите программу и не трогайте этот файл."],
  },
  consoleClosed: {
    text: [
      "The console is closed because of its token file; printing goes on.",
      "Консоль закрыта из-за файла с её паролем; печать продолжается.",
    ],
    next: [
      "Correct or delete the file and restart the daemon.",
      "Исправьте или удалите файл и перезапустите программу.",
    ],
  },
  alertFailed: {
    text: [
      "A person was to be alerted, and could not be reached; it is tried again.",
      "Нужно было сообщить человеку о неполадке, но сообщение не отправлено; попытки продолжаются.",
    ],
    next: [
      "Check `alerts` in the config and this machine's network.",
      "Проверьте `alerts` в настройках и сеть этого компьютера.",
    ],
  },
  unsure: {
    text: both(
      (counted: Counted & { readonly doubt: string }) =>
        `It is not known whether ${counted.count === 1 ? `the receipt of ${inEnglish(counted)} was` : `the receipts of ${counted.count} orders were`} registered${counted.count === 1 ? "" : `: ${inEnglish(counted)}`}. ${counted.doubt}`.trim(),
      (counted) =>
        `${
          counted.count === 1
            ? `Непонятно, вышел ли чек ${isJob(counted) ? "задания" : "заказа"} ${inRussian(counted)}.`
            : `Непонятно, вышли ли чеки ${counted.count} ${plural(counted.count, "заказа", "заказов", "заказов")}: ${inRussian(counted)}.`
        } ${counted.doubt}`.trim(),
    ),
    next: both(
      (given: OfJobs) =>
        `Compare with the register's last documents; nothing is printed until you answer. The answer: ${commands("resolve", given)} with \`--printed FD\` or \`--not-printed\`.`,
      (given) =>
        `Сравните с последними документами кассы: пока вы не ответите, ничего не напечатается. Ответ: ${commands("resolve", given)} с \`--printed ФД\` или \`--not-printed\`.`,
    ),
  },
  doubt: {
    "in-progress": [
      "The maker's print service may still print it; it is asked until it has ended.",
      "Служба печати производителя ещё может его напечатать; её опрашивают, пока она не закончит.",
    ],
    unreadable: [
      "A document that may be this one could not be found or read for certain. The last hundred are read again by themselves.",
      "Документ, который может быть этим чеком, не удалось найти или надёжно прочитать. Последние сто документов читаются повторно автоматически.",
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
    text: both(
      (given: Caused) => `${english(given, "waits for your decision", "wait for your decision")} ${given.text}`,
      (given) =>
        `${russian(given, ["ждёт вашего решения", "ждёт вашего решения"], "ждут вашего решения")} ${given.text}`,
    ),
    next: both(
      (given: OfJobs) =>
        `Compare it with the site's order, then print it or do not. To print it: ${commands("approve", given)}; to leave it not printed: ${commands("set-aside", given)}.`,
      (given) =>
        `Сверьте с заказом на сайте и напечатайте или откажитесь от печати. Напечатать: ${commands("approve", given)}; оставить ненапечатанным: ${commands("set-aside", given)}.`,
    ),
  },
  failed: {
    text: both(
      (given: Caused) => `${english(given, "is not printed", "are not printed")} ${given.text}`,
      (given) => `${russian(given, ["не напечатан", "не напечатано"], "не напечатаны")} ${given.text}`,
    ),
    retry: both(
      (given: OfJobs) => `Once the cause is gone, type ${commands("retry", given)}.`,
      (given) => `Устраните причину и наберите ${commands("retry", given)}.`,
    ),
  },
  refused: both(
    (given: Caused) => `${english(given, "was refused", "were refused")} ${given.text}`,
    (given) => `${russian(given, ["отклонён", "отклонено"], "отклонены")} ${given.text}`,
  ),
  wrongKkm: {
    text: both(
      (given: Counted & { readonly kkm: string; readonly asked: string }) =>
        `${english(given, "was refused", "were refused")} It is for the register with number ${given.kkm}, which the site has not. Registers of the site: ${given.asked}.`,
      (given) =>
        `${russian(given, ["отклонён", "отклонено"], "отклонены")} На сайте указана касса с рег. № ККТ ${given.kkm}, а здесь такой нет. Кассы сайта: ${given.asked}.`,
    ),
    next: [
      "Correct the register's number (`kkm`) in the site's order, or connect that register and bind it to the site.",
      "Исправьте номер кассы (`kkm`) в заказе на сайте или подключите эту кассу и укажите для неё сайт.",
    ],
  },
  cancelled: ["The order will not be printed. {text}", "Этот чек печататься не будет. {text}"],
  unreadable: {
    text: both(
      (given: Caused) =>
        given.names === ""
          ? `The site sent ${given.count === 1 ? "an order" : `${given.count} orders`} that cannot be read. ${given.text}`
          : `${english(given, "could not be read", "could not be read")} ${given.text}`,
      (given) =>
        given.names === ""
          ? `Сайт прислал ${given.count === 1 ? "заказ, который" : `${given.count} ${plural(given.count, "заказ", "заказа", "заказов")}, которые`} не удалось прочитать. ${given.text}`
          : `${russian(given, ["не удалось прочитать", "не удалось прочитать"], "не удалось прочитать")} ${given.text}`,
    ),
    next: ["No receipt was printed. Tell the site's developer.", "Чек не напечатан. Сообщите разработчику сайта."],
  },
  unknownAnswer: {
    text: [
      "The site answered with something that is neither an order nor «no orders».",
      "Сайт ответил не заказом и не сообщением, что заказов нет.",
    ],
    next: ["Show the answer to the site's developer.", "Покажите этот ответ разработчику сайта."],
  },
  printedTwice: {
    text: both(
      (counted: Counted) => english(counted, "was printed twice", "were printed twice"),
      (counted) => russian(counted, ["напечатан дважды", "выполнено дважды"], "напечатаны дважды"),
    ),
    next: [
      "Compare both documents, and undo one of them by a return or a correction receipt.",
      "Сравните оба документа и отмените один чеком возврата или чеком коррекции.",
    ],
  },
  printedAfterAll: {
    text: both(
      (counted: Counted) =>
        english(
          counted,
          "was reported as not printed, but the register has its receipt",
          "were reported as not printed, but the register has their receipts",
        ),
      (counted) =>
        russian(
          counted,
          ["числится ненапечатанным, но его чек есть в кассе", "числится невыполненным, но его чек есть в кассе"],
          "числятся ненапечатанными, но их чеки есть в кассе",
        ),
    ),
    next: [
      "Compare the receipt with the order. If its job failed, printing it again only reports this receipt to the site; otherwise undo the receipt by a return.",
      "Сверьте чек с заказом. Если его задание завершилось ошибкой, повторная печать лишь сообщит сайту этот чек; иначе отмените чек возвратом.",
    ],
  },
  unknownError: {
    text: [
      "The register reported error {number}, which is not in the reference.",
      "Касса сообщила ошибку № {number}, её нет в справочнике.",
    ],
    next: ["Send the support file to support.", "Отправьте файл для поддержки."],
  },
  driveOver: {
    text: both(
      ({ days }: Days) => `The fiscal drive ended ${daysOf(days)} ago: the register does not print.`,
      ({ days }) => `Накопитель закончился ${russianDays(days)} назад: касса не печатает.`,
    ),
    next: [
      "Call the service: the drive must be replaced. If it prints nevertheless, `fiscald resume` tries it.",
      "Вызовите сервис: накопитель нужно заменить. Если он всё же печатает, `fiscald resume` попробует.",
    ],
  },
  driveFull: [
    "The fiscal drive is full: the register does not print.",
    "Память накопителя заполнена: касса не печатает.",
  ],
  ofdOver: {
    text: both(
      ({ days }: Days) => `Receipts have not reached the OFD for ${daysOf(days)}: the register does not print.`,
      ({ days }) => `Чеки не уходят в ОФД ${russianDays(days)}: касса не печатает.`,
    ),
    next: [
      "Restore the register's connection to the OFD (its network, its OFD settings) or call the service. It prints again once the receipts are there.",
      "Восстановите связь кассы с ОФД (её сеть и настройки ОФД) или вызовите сервис. Когда чеки уйдут, касса напечатает.",
    ],
  },
  driveDays: {
    text: both(
      ({ days, until }: Days & { readonly until: string | null }) =>
        `The fiscal drive has ${daysOf(days)} left${until === null ? "" : ` (until ${until})`}.`,
      ({ days, until }) => `Накопителю осталось ${russianDays(days)}${until === null ? "" : ` (до ${dayOf(until)})`}.`,
    ),
    next: ["Order a new one and a service visit.", "Закажите новый и визит сервиса."],
  },
  driveDocuments: [
    "The fiscal drive has room for {count} documents.",
    "В накопителе осталось место для документов: {count}.",
  ],
  ofdQueue: {
    text: both(
      ({ hours, left }: { readonly hours: number; readonly left: number }) =>
        `Receipts have not reached the OFD for ${hoursOrDays(hours)}. Unless this is mended, the register stops printing in ${daysOf(left)}.`,
      ({ hours, left }) =>
        `Чеки не уходят в ОФД ${russianHoursOrDays(hours)}. Если не починить, через ${russianDays(left)} касса перестанет печатать.`,
    ),
    next: ["Check its network and its OFD settings.", "Проверьте сеть кассы и настройки ОФД в ней."],
  },
  clockAhead: {
    text: both(
      ({ minutes }: { readonly minutes: number }) => `The register's clock is ahead by ${minutesOrMore(minutes)}.`,
      ({ minutes }) => `Часы кассы спешат на ${russianMinutesOrMore(minutes)}.`,
    ),
    next: [
      "Do not print; call the service. If this computer's clock is wrong, set it right.",
      "Не печатайте, вызовите сервис. Если неверны часы этого компьютера, исправьте их.",
    ],
  },
  paperLow: {
    text: ["Paper is running low.", "Бумага заканчивается."],
    next: ["Prepare a new roll.", "Приготовьте новый рулон."],
  },
  printingLong: {
    text: ["The register has been printing for {minutes} minutes.", "Касса печатает уже {minutes} мин."],
    next: [
      "Check its paper and cover; switch it off and on if it hangs.",
      "Проверьте бумагу и крышку; если касса зависла, выключите и включите её.",
    ],
  },
  shiftExpired: {
    text: [
      "The shift has been open for more than 24 hours; receipts wait until it is closed.",
      "Смена открыта больше 24 часов, чеки ждут её закрытия.",
    ],
    next: [
      "It is closed by itself before the next receipt. If it stays open, close it at the register (Z report).",
      "Перед следующим чеком она закроется сама. Если не закрывается, закройте её на кассе (Z-отчёт).",
    ],
  },
  sameKkm: [
    "This is one device with {other}, or both have one number ({kkm}). Keep one of them in the config.",
    "Это одно устройство с кассой {other}, или у них один номер ({kkm}). Оставьте в настройках одну.",
  ],
  sameFn: [
    "Register {other} reports the same fiscal drive ({fn}); their documents cannot be distinguished. Check what they are connected to.",
    "Касса {other} называет тот же накопитель ({fn}), их документы не различить. Проверьте, к чему они подключены.",
  ],
  registerStarting: {
    text: ["It is being connected and checked.", "Касса подключается и проверяется."],
    next: [
      "Nothing: it prints in some seconds. If this lasts, check its power and cable.",
      "Ничего делать не нужно: печать начнётся через несколько секунд. Если это затянулось, проверьте питание и кабель кассы.",
    ],
  },
  registerStopped: {
    text: ["The register was stopped with the daemon.", "Касса остановлена вместе с программой."],
    next: ["Start the daemon again.", "Запустите программу снова."],
  },
  registerRemoved: {
    text: ["The register is not in the config any more.", "Этой кассы больше нет в настройках."],
    next: both(
      (given: OfJobs) =>
        `Give the order to another register or cancel it. The command: ${commands("move", given)} with the register's id.`,
      (given) => `Передайте заказ другой кассе или отмените его. Команда: ${commands("move", given)} с именем кассы.`,
    ),
  },
  shiftClosing: {
    text: ["The shift is being closed; receipts wait until that is done.", "Закрывается смена, чеки ждут закрытия."],
    next: [
      "Nothing: the receipt is printed after the closing. If this lasts, check the register's paper and cover.",
      "Ничего делать не нужно: чек напечатается после закрытия. Если оно затянулось, проверьте бумагу и крышку кассы.",
    ],
  },
  printing: {
    text: ["It is being printed now.", "Чек печатается сейчас."],
    next: [
      "Nothing: wait some seconds. If this lasts, check the register's paper, cover and power.",
      "Подождите несколько секунд. Если печать затянулась, проверьте бумагу, крышку и питание кассы.",
    ],
  },
  waitsForTurn: {
    text: both(
      ({ ahead }: { readonly ahead: number }) =>
        ahead === 0 ? "It is next in the queue." : `Receipts are printed in turn; before it: ${ahead}.`,
      ({ ahead }) => (ahead === 0 ? "Чек следующий в очереди." : `Чеки печатаются по очереди, впереди: ${ahead}.`),
    ),
    next: ["Nothing: it is printed in its turn.", "Ничего делать не нужно: чек напечатается в свою очередь."],
  },
  waitsForOther: [
    "It cannot print this receipt: {text} The receipt waits for register {other} of the same group.",
    "Она не может напечатать этот чек: {text} Чек ждёт кассу {other} той же группы.",
  ],
  waitsForReading: {
    text: [
      "It waits until register {other} was read: this order may be printed there already.",
      "Она ждёт ответа кассы {other}: возможно, этот чек уже напечатан на ней.",
    ],
    gone: [
      "If register {other} is gone for good, remove it from the config.",
      "Если кассы {other} больше нет, уберите её из настроек.",
    ],
  },
  triedAgain: [
    "The last try failed; it is tried again by itself. {text}",
    "Прошлая попытка не удалась, печать повторится сама. {text}",
  ],
  settling: {
    text: [
      "The register is asked whether the last try was registered; the answer decides what happens. {text}",
      "У кассы выясняется, зарегистрирован ли чек прошлой попытки; от ответа зависит, что дальше. {text}",
    ],
    next: [
      "Nothing: it goes on by itself once the register has answered.",
      "Ничего делать не нужно: печать продолжится сама, когда касса ответит.",
    ],
  },
  siteDown: ["{text} Its orders wait.", "{text} Чеки ждут."],
  siteHtml: {
    text: [
      "The site answers with a web page, not with an order. Its orders wait.",
      "Сайт отвечает страницей, а не заказом. Чеки ждут.",
    ],
    next: [
      "Tell the site's developer. Printing goes on by itself when the site answers with orders.",
      "Сообщите разработчику сайта. Печать продолжится сама, когда сайт ответит заказом.",
    ],
  },
  siteUnreadable: {
    text: ["The site's answer cannot be read. Its orders wait.", "Ответ сайта не читается. Чеки ждут."],
    next: ["Tell the site's developer.", "Сообщите разработчику сайта."],
  },
  siteRefusesUs: {
    text: [
      "The site does not accept this program's secret (answer {status}). Its orders wait.",
      "Сайт не принимает секрет этой программы (ответ {status}). Чеки ждут.",
    ],
    next: [
      "Compare the secret in the settings with the one on the site.",
      "Сверьте секрет в настройках программы с тем, что на сайте.",
    ],
  },
  siteNotFound: {
    text: [
      "There is no page at the site's address (answer 404). Its orders wait.",
      "По адресу сайта нет нужной страницы (ответ 404). Чеки ждут.",
    ],
    next: [
      "Compare the site's address in the settings with the one from its developer.",
      "Сверьте адрес сайта в настройках с тем, что дал разработчик.",
    ],
  },
  siteMoved: {
    text: [
      "The site points to another address (answer {status}). Its orders wait.",
      "Сайт отправляет на другой адрес (ответ {status}). Чеки ждут.",
    ],
    next: [
      "Ask the site's developer for the right address and write it into the settings.",
      "Узнайте у разработчика верный адрес и укажите его в настройках.",
    ],
  },
  siteError: {
    text: ["The site answers with the error {status}. Its orders wait.", "Сайт отвечает ошибкой {status}. Чеки ждут."],
    next: [
      "Tell the site's developer or its hosting. Printing goes on by itself when the site answers.",
      "Сообщите разработчику сайта или его хостингу. Печать продолжится сама, когда сайт ответит.",
    ],
  },
  nobodyPolls: {
    none: [
      "The site is not polled: no register is bound to it.",
      "Сайт не опрашивается: для него не указана ни одна касса.",
    ],
    next: [
      "Bind a register to the site in the settings (`sites` of the register).",
      "Укажите сайт для кассы в настройках (`sites` кассы).",
    ],
    unseen: [
      "The site is not polled yet: register {register} has never answered.",
      "Сайт пока не опрашивается: касса {register} ещё ни разу не ответила.",
    ],
    connect: [
      "Check that the register is switched on and its cable is plugged in.",
      "Проверьте, включена ли касса и вставлен ли кабель.",
    ],
  },
  notOffered: {
    text: [
      "The site has not offered this order. It is asked for: {asked}.",
      "Сайт этот заказ не отдавал. Его спрашивают о заказах для касс: {asked}.",
    ],
    next: [
      "Check on the site that the order is released for printing and that its register (`kkm`) is one of these.",
      "Проверьте на сайте, что заказ отправлен на печать и в нём указана одна из этих касс (`kkm`).",
    ],
  },
  eventRefused: {
    text: both(
      ({ count }: Counted) =>
        `The site does not accept ${count === 1 ? "a result or report" : `${count} results or reports`}.`,
      ({ count }) => `Сайт не принимает ${count} ${messagesInRussian(count)} о чеках и кассах.`,
    ),
    next: [
      "Tell the site's developer; when the site is mended, send them again. Their list: `fiscald status`.",
      "Сообщите разработчику сайта; когда исправит, отправьте снова. Список: `fiscald status`.",
    ],
  },
  eventWaits: {
    text: both(
      ({ count, minutes }: Counted & { readonly minutes: number }) =>
        `${count} ${count === 1 ? "message" : "messages"} could not be delivered for ${minutesOrMore(minutes)}.`,
      ({ count, minutes }) =>
        `${count} ${messagesInRussian(count)} сайту не доставлено уже ${russianMinutesOrMore(minutes)}.`,
    ),
    next: [
      "They are sent by themselves once the site accepts them. Check the site and this machine's network.",
      "Они уйдут сами, когда сайт их примет. Проверьте сайт и интернет этого компьютера.",
    ],
  },
  siteLeft: {
    text: [
      "Results wait for a site that is no longer in the settings: {count}.",
      "Результаты ждут сайта, которого больше нет в настройках: {count}.",
    ],
    next: [
      "If the site has another id now, name the old one there as `renamedFrom` and restart fiscald.",
      "Если у сайта теперь другое имя, впишите прежнее в его `renamedFrom` и перезапустите программу.",
    ],
  },
  receiptAltered: {
    all: ["All receipts wait.", "Все чеки на этой кассе ждут."],
    some: ["Receipts with that value wait.", "Чеки с этим значением ждут."],
    next: [
      "Correct the wrong receipt, and mend the register or accept what it does. The commands: `fiscald differences-mended {register}` or `fiscald accept-differences {register} {tag}`.",
      "Исправьте неверный чек и настройте кассу или примите, что она так делает. Команды: `fiscald differences-mended {register}` или `fiscald accept-differences {register} {tag}`.",
    ],
  },
  receiptDiffers: [
    "Check it on paper. If it is right so: `fiscald accept-differences {register}`.",
    "Сверьте с бумажным чеком. Если так и надо: `fiscald accept-differences {register}`.",
  ],
  receiptNotCompared: {
    text: [
      "Receipts are not compared with what was sent: their documents cannot be read.",
      "Чеки не сверены с переданными: документы кассы не читаются.",
    ],
    next: [
      "Check the first receipts on paper, their VAT rates above all.",
      "Проверьте первые чеки по бумаге, прежде всего ставки НДС.",
    ],
  },
});

/** What a site is asked for: the orders of which register. */
export const askedTexts = rows({
  kkm: both(
    (given: Moment & { readonly register: string; readonly kkm: string }) =>
      `${given.register} (kkm ${given.kkm}), last answer ${minute(given)}`,
    (given) => `${given.register} (рег. № ККТ ${given.kkm}), последний ответ ${russianMinute(given)}`,
  ),
  never: ["{register} (kkm {kkm}), no answer yet", "{register} (рег. № ККТ {kkm}), ответа ещё не было"],
  unknown: ["{register}, which was never connected", "{register} (ещё не подключалась)"],
  nothing: ["no register is bound to it", "для сайта не указана ни одна касса"],
});
