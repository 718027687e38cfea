import { sumInRussian } from "@fiscald/shared/texts.js";
import { both, plural, rows } from "../rows.js";

export const commandTexts = rows({
  sum: both(
    ({ roubles }: { readonly roubles: string }) => roubles,
    ({ roubles }) => sumInRussian(roubles),
  ),
  asks: {
    ofOrder: ["{what}, order {order}", "{what}, заказ {order}"],
    printAnyway: [
      "{register} will print one more fiscal receipt: {what}. An earlier receipt stays: both count in the day's sums.",
      "Касса {register} напечатает ещё один фискальный чек: {what}. Прежний чек останется, в итоги дня войдут оба.",
    ],
    notPrinted: [
      "{register} will print again: {what}, if no document of its own is found there. Did paper come out? Then stop here and name its number: --printed FD.",
      "Касса {register} напечатает снова: {what}, если в ней не найдётся этот документ. Бумага вышла? Тогда остановитесь и укажите номер с неё: --printed ФД.",
    ],
    cash: [
      "{register} will move cash: {what}. Count the drawer first: is it there already, or gone?",
      "Касса {register} проведёт наличные: {what}. Сначала пересчитайте ящик: не проведены ли они уже?",
    ],
    identity: [
      "The device that is connected now becomes {register}, as it is. Documents that are on it are not compared with orders any more: an order that another program printed there would be printed again.",
      "Подключённая сейчас касса станет кассой {register}, какая она есть. Её документы больше не сверяются с заказами: заказ, который на ней напечатала другая программа, напечатается снова.",
    ],
    identityPrints: ["These jobs will be printed: {jobs}.", "Будут напечатаны задания: {jobs}."],
    return: [
      "{register} will print a return of {sum}: {what}. Give the money back yourself.",
      "Касса {register} напечатает возврат на {sum}: {what}. Деньги покупателю верните сами.",
    ],
    exportWaiting: both(
      ({ count }: { readonly count: number }) =>
        `This stops the program here. ${count} ${count === 1 ? "order waits and moves" : "orders wait and move"} into the file; nothing prints until the file is imported on the other computer.`,
      ({ count }) =>
        `Программа здесь остановится. ${count} ${plural(count, "заказ ждёт и уйдёт", "заказа ждут и уйдут", "заказов ждут и уйдут")} в файл: до загрузки файла на другом компьютере ничего не напечатается.`,
    ),
    undoExport: [
      "This copy will print again. If the file was imported on another computer, both would print the same orders.",
      "Эта копия снова будет печатать. Если файл уже загружен на другом компьютере, одни и те же заказы напечатают обе.",
    ],
    correct: ["{about} The register will print this document.", "{about} Касса напечатает этот документ."],
    correctFirst: [
      "{about} The register will print the first document; the second waits for you.",
      "{about} Касса напечатает первый документ; второй будет ждать вас.",
    ],
    question: ["Go on? Type yes", "Продолжить? Наберите да"],
    no: ["no", "нет"],
  },
  /** The journal's reason for an action without `--reason`. */
  byCommandLine: ["by the command line", "из командной строки"],
  nothingChanged: ["Nothing was changed.", "Ничего не изменено."],
  /** The action is done at once, or by the register in its turn. */
  accepted: ["{about}: accepted", "{about}: принято"],
  /** `job` is the changed or new job, which a register prints in its turn. */
  acceptedJob: ["{about}: accepted, job {job} is {state}", "{about}: принято, задание {job}: {state}"],
  acceptedState: ["{about}: accepted, {state}", "{about}: принято, {state}"],
  /** Shown for a job that failed and is queued again, though the same receipt goes to the same register. */
  failsAgain: ["It fails again unless this was mended: {text}", "Снова не напечатается, если не устранено: {text}"],
  moreJobs: [
    "Only the latest {limit} are shown. Name a register, a site or a state to see others.",
    "Показаны только последние {limit}. Чтобы увидеть другие, укажите кассу, сайт или состояние.",
  ],
  job: ["job {job}", "задание {job}"],
  event: ["event {event}", "событие {event}"],
  untilResumed: [
    "it prints no orders until `fiscald resume {register}`",
    "заказы не печатаются до `fiscald resume {register}`",
  ],
  willBePrinted: ["job {job} will be printed", "задание {job} будет напечатано"],
  secondWaits: [
    "job {job} waits: when the first is printed, `fiscald approve {job}` prints it",
    "задание {job} ждёт: когда первое напечатано, его печатает `fiscald approve {job}`",
  ],
  noSuchJob: ["there is no such job", "такого задания нет"],
  declaredLost: [
    "at the next start orders are compared with the receipts that are on {register} already",
    "при следующем запуске заказы сверяются с чеками, которые уже есть в кассе {register}",
  ],
  lossColumns: [
    ["JOB", "ORDER", "FIRST LINE", "WHAT", "SUM", "|", "DRIVE", "FD", "TIME", "WHAT", "SUM"],
    ["ЗАДАНИЕ", "ЗАКАЗ", "ПОЗИЦИЯ", "ВИД", "СУММА", "|", "НАКОПИТЕЛЬ", "ФД", "ВРЕМЯ", "ВИД", "СУММА"],
  ],
  ordersSinceLoss: [
    "Since the database was lost these orders wait: each may be one of the documents. Nothing is changed yet.\nIs a document that of an order: `fiscald resolve JOB --printed FD`. Then print the others and accept the register:\n  fiscald accept-identity {register} --orders {jobs}",
    "База была потеряна, и эти заказы ждут: каждый может оказаться одним из документов. Пока ничего не изменено.\nЕсли документ — чек заказа: `fiscald resolve ЗАДАНИЕ --printed ФД`. Остальные напечатать и принять кассу:\n  fiscald accept-identity {register} --orders {jobs}",
  ],
  /** Who ordered a job that no site ordered. */
  sources: {
    site: ["site", "сайт"],
    schedule: ["schedule", "расписание"],
    operator: ["operator", "оператор"],
  },
  jobColumns: [
    ["JOB", "STATE", "SITE", "ORDER", "REGISTER", "WHAT", "SUM", "FD", "TIME", ""],
    ["ЗАДАНИЕ", "СОСТОЯНИЕ", "САЙТ", "ЗАКАЗ", "КАССА", "ЧТО", "СУММА", "ФД", "ВРЕМЯ", ""],
  ],
  noLines: ["no such line in the last {days} day(s) of {path}", "за последние дни ({days}) таких строк в {path} нет"],
  configRight: [
    "{path} is right: {sites} site(s), {registers} register(s)",
    "{path}: ошибок нет; сайтов: {sites}, касс: {registers}",
  ],
  lookAt: ["look at", "обратите внимание на"],
  ratesOn: ["VAT on {day}:", "НДС на {day}:"],
  changes: ["CHANGE", "ИЗМЕНЕНИЕ"],
  rateOnDay: {
    refused: [
      "{about}: sales at {rates} are refused; refunds and method 7 are printed",
      "{about}: продажи по ставкам {rates} не печатаются; возвраты и способ расчёта 7 печатаются",
    ],
    allowed: [
      "{about}: sales at {rates} are printed (`rates.allow20`)",
      "{about}: продажи по ставкам {rates} печатаются (`rates.allow20`)",
    ],
    unset: [
      "{about}: a position without a tax is refused (`defaultTax` is not set)",
      "{about}: позиция без ставки не печатается (`defaultTax` не задан)",
    ],
    default: [
      "{about}: a position without a tax is printed at {rates}",
      "{about}: позиция без ставки печатается по ставке {rates}",
    ],
    outdated: [
      "{about}: a position without a tax would be printed at {rates}, which is not in force: change `defaultTax`",
      "{about}: позиция без ставки печаталась бы по ставке {rates}, а она уже не действует: измените `defaultTax`",
    ],
    unread: [
      "{about}: row {rates} (`defaultTax`) has not been read from the register yet",
      "{about}: строка {rates} (`defaultTax`) ещё не прочитана из кассы",
    ],
  },
  restored: ["{path} is now the copy {copy}", "{path} заменён копией {copy}"],
  renamed: ["the replaced file was renamed to {path}", "прежний файл переименован в {path}"],
  startAfterRestore: [
    "Start the daemon: it compares the registers' documents with the jobs before it prints anything.",
    "Запустите демон: до печати он сверит документы касс с заданиями.",
  ],
  exported: [
    "{path} has the config, secrets and database, readable by this user only. Here the daemon has stopped and starts no more.",
    "Файл {path}: настройки, секреты и база, читать его может только этот пользователь. Здесь программа остановлена и больше не запустится.",
  ],
  variablesStay: [
    "These variables are not in the file, set them there: {names}",
    "Эти переменные в файл не входят, задайте их на новом компьютере: {names}",
  ],
  startThere: [
    "On the other computer: `fiscald import FILE`, connect the registers, start fiscald. Not used after all: `fiscald export --undo` here.",
    "На новом компьютере: `fiscald import ФАЙЛ`, подключите кассы, запустите fiscald. Передумали — здесь: `fiscald export --undo`.",
  ],
  exportUndone: [
    "This copy may start again; it compares orders with the registers' receipts before it prints.",
    "Эту копию снова можно запустить; до печати она сверит заказы с чеками в кассах.",
  ],
  imported: [
    "The till is here: config {path}, database {database}",
    "Перенос завершён: настройки {path}, база {database}",
  ],
  startHere: [
    "Connect the registers and start fiscald; `fiscald doctor` finds a port with another name.",
    "Подключите кассы и запустите fiscald; порт с другим именем найдёт `fiscald doctor`.",
  ],
  bundleParts: {
    config: ["the config", "настройки"],
    configFile: ["the config file", "файл настроек"],
    log: ["the log", "журнал"],
    database: ["the database", "база"],
    daemon: ["the running daemon", "работающий демон"],
    versions: ["the versions", "версии"],
    tokens: ["the tokens of the console", "токены страницы"],
  },
  bundleMissing: ["missing in the bundle: {what}", "не вошло в файл: {what}"],
  bundleMasked: [
    "Buyers' contacts, passwords and tokens are masked. Check the bundle, then send it to support.",
    "Контакты покупателей, пароли и токены скрыты. Проверьте файл и отправьте его в поддержку.",
  ],
  serviceSteps: {
    runs: ["runs", "выполняется"],
    removes: ["removes", "удаляется"],
    writes: ["writes {path}", "записывается {path}"],
  },
  serviceInstalled: [
    "installed and started; `fiscald service status` shows the service, `fiscald status` what it does",
    "служба установлена и запущена; `fiscald service status` показывает службу, `fiscald status` — её работу",
  ],
  serviceRemoved: [
    "the service is removed; config and data stay where they are",
    "служба удалена; настройки и данные остались на месте",
  ],
  noService: [
    "the service is not installed (`fiscald service install`)",
    "служба не установлена (`fiscald service install`)",
  ],
});
