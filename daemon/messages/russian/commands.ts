/** What the commands print, in Russian (messages.ts). */
import type * as english from "../english/commands.js";
import type { Translated } from "../translated.js";

export const commandTexts: Translated<typeof english.commandTexts> = {
  wasSetAside: ({ job }) => `задание ${job} остаётся ненапечатанным, решать с ним больше нечего`,
  resultSentAgain: ({ job }) => `задание ${job} не печатается; результат такого же чека отправлен снова`,
  cancelled: ({ job }) => `задание ${job} отменено`,
  willBePrinted: ({ job }) => `задание ${job} будет напечатано`,
  queuedAgain: ({ job }) => `задание ${job} снова в очереди`,
  moved: ({ job, register }) => `задание ${job} передано кассе ${register}`,
  settled: ({ job }) => `исход задания ${job} записан`,
  noSuchJob: "такого задания нет",
  reportQueued: ({ report, register }) => `${report}-отчёт кассы ${register} поставлен в очередь`,
  testSlipQueued: ({ register }) => `касса ${register} печатает пробный лист`,
  copied: ({ job }) => `копия чека задания ${job} напечатана`,
  paused: ({ register }) => `касса ${register} на паузе: она не печатает заказы до \`fiscald resume ${register}\``,
  resumed: ({ register }) => `касса ${register} снова печатает`,
  declaredLost: ({ register }) =>
    `при следующем запуске заказы сверяются с чеками, которые уже есть в кассе ${register}`,
  differencesMended: ({ register }) => `ожидавшие чеки кассы ${register} печатаются, первые из них сверяются снова`,
  differencesAccepted: ({ register }) =>
    `принято то, что касса ${register} делает с чеками; чего ещё ждут чеки, говорит \`status\``,
  lossColumns: ["ЗАДАНИЕ", "ЗАКАЗ", "ПОЗИЦИЯ", "ВИД", "СУММА", "|", "НАКОПИТЕЛЬ", "ФД", "ВРЕМЯ", "ВИД", "СУММА"],
  ordersSinceLoss: ({ register, jobs }) =>
    `База была потеряна, и эти заказы ждут: каждый может оказаться одним из документов. Пока ничего не изменено.\n` +
    `Если документ — чек заказа: \`fiscald resolve ЗАДАНИЕ --printed ФД\`. Остальные напечатать и принять кассу:\n` +
    `  fiscald accept-identity ${register} --orders ${jobs}`,
  accepted: ({ register }) => `касса ${register} принята такой, какая она есть`,
  resent: ({ event }) => `событие ${event} будет отправлено снова`,
  synced: ({ site }) => `список касс отправляется сайту ${site}`,
  jobColumns: ["ЗАДАНИЕ", "СОСТОЯНИЕ", "САЙТ", "ЗАКАЗ", "КАССА", "ЧТО", "СУММА", "ФД", "ВРЕМЯ", ""],
  noLines: ({ days, path }) => `за последние дни (${days}) таких строк в ${path} нет`,
  configRight: ({ path, sites, registers }) => `${path}: ошибок нет; сайтов: ${sites}, касс: ${registers}`,
  lookAt: "обратите внимание на",
  ratesOn: ({ day }) => `НДС на ${day}:`,
  changes: "ИЗМЕНЕНИЕ",
  rateOnDay: {
    refused: ({ about, rates }) =>
      `${about}: продажи по ставкам ${rates} не печатаются; возвраты и способ расчёта 7 печатаются`,
    allowed: ({ about, rates }) => `${about}: продажи по ставкам ${rates} печатаются (\`rates.allow20\`)`,
    unset: ({ about }) => `${about}: позиция без ставки не печатается (\`defaultTax\` не задан)`,
    default: ({ about, rates }) => `${about}: позиция без ставки печатается по ставке ${rates}`,
    outdated: ({ about, rates }) =>
      `${about}: позиция без ставки печаталась бы по ставке ${rates}, а она уже не действует: измените \`defaultTax\``,
    unread: ({ about, rates }) => `${about}: строка ${rates} (\`defaultTax\`) ещё не прочитана из кассы`,
  },
  restored: ({ path, copy }) => `${path} заменён копией ${copy}`,
  renamed: ({ path }) => `прежний файл переименован в ${path}`,
  startAfterRestore: "Запустите демон: до печати он сверит документы касс с заданиями.",
  bundleMissing: ({ what }) => `не вошло в файл: ${what}`,
  bundleMasked: "Контакты покупателей, пароли и токены скрыты. Проверьте файл и отправьте его в поддержку.",
  serviceInstalled:
    "служба установлена и запущена; `fiscald service status` показывает службу, `fiscald status` — её работу",
  serviceRemoved: "служба удалена; настройки и данные остались на месте",
  noService: "служба не установлена (`fiscald service install`)",
};
