/** Why a command cannot do what it was asked for. */
import type { FaultText } from "@fiscald/shared/fault-codes/fault-row.js";
import type { Given, Texts } from "@fiscald/shared/texts.js";

export const commandReasons = {
  helpOf: (command: Given) => ({
    en: `Help: \`fiscald ${command} --help\`.`,
    ru: `Справка: \`fiscald ${command} --help\`.`,
  }),
  wholeNumber: { en: "a whole number", ru: "Это целое число." },
  rate: { en: "a rate like 115200", ru: "Это скорость, например 115200." },
  nameAndValue: { en: "NAME=VALUE", ru: "ИМЯ=ЗНАЧЕНИЕ" },
  noNumber: (text: Given) => ({
    en: `${text} is not the number of a job or event`,
    ru: `${text} — не номер задания или события`,
  }),
  severalJobs: (order: Given, jobs: FaultText) => ({
    en: `the order ${order} has several jobs: ${jobs.en}. Name one by its number`,
    ru: `у заказа ${order} несколько заданий: ${jobs.ru}. Назовите одно по номеру`,
  }),
  noSale: (order: Given) => ({
    en: `the order ${order} has no printed sale`,
    ru: `у заказа ${order} нет напечатанной продажи`,
  }),
  items: (text: Given) => ({
    en: `--items ${text}: name positions of the receipt, as 1,3:2`,
    ru: `\`--items ${text}\`: нужны строки чека вида 1,3:2`,
  }),
  noJob: (text: Given) => ({ en: `there is no job and no order ${text}`, ru: `нет ни задания, ни заказа ${text}` }),
  mustBeOneOf: (place: Given, names: Given) => ({
    en: `${place} must be one of ${names}`,
    ru: `${place}: нужно одно из ${names}`,
  }),
  onDate: { en: "--on must be a date as YYYY-MM-DD", ru: "`--on`: нужна дата вида ГГГГ-ММ-ДД" },
  printedOrNot: { en: "say either --printed FD or --not-printed", ru: "задайте либо --printed ФД, либо --not-printed" },
  checkedAlone: { en: "--checked FD needs --not-printed", ru: "--checked ФД задаётся вместе с --not-printed" },
  paperAlone: { en: "numbers from the paper need --printed FD", ru: "числа с бумаги задаются вместе с --printed ФД" },
  paperWhole: {
    en: "--fn, --sign, --shift and --time must be given together",
    ru: "--fn, --sign, --shift и --time задаются вместе",
  },
  siteOfConfig: {
    en: "a site of the config is called as the config says",
    ru: "сайт из настроек вызывается так, как в них записано",
  },
  daemonRuns: {
    en: "the daemon runs and takes the orders of its sites itself: stop it, check, and start it again",
    ru: "демон работает и сам забирает заказы своих сайтов: остановите его, проверьте сайт и запустите снова",
  },
  noLogs: (folder: Given) => ({ en: `there are no logs in ${folder} yet`, ru: `в ${folder} пока нет журналов` }),
  fileOrUndo: { en: "say either FILE or --undo", ru: "задайте либо ФАЙЛ, либо --undo" },
  fileExists: (path: Given) => ({ en: `${path} exists already`, ru: `файл ${path} уже есть` }),
  notExported: { en: "nothing was exported from here", ru: "отсюда ничего не переносили" },
  foreignPath: (path: Given) => ({
    en: `the config names ${path}, a path of another system: make it relative in the config before the export`,
    ru: `в настройках путь другой системы: ${path}; до переноса сделайте его в настройках относительным`,
  }),
  noFilter: {
    en: "name jobs or give a filter: --state, --site, --register, --since",
    ru: "назовите задания или задайте отбор: --state, --site, --register, --since",
  },
  since: (text: Given) => ({
    en: `--since ${text} is not a time such as 2026-11-20T14:03`,
    ru: `--since ${text} — не время вида 2026-11-20T14:03`,
  }),
  noDatabase: (path: Given) => ({
    en: `there is no database at ${path}: the daemon has not run yet`,
    ru: `базы ${path} нет: демон ещё не запускался`,
  }),
  noDaemon: (address: Given) => ({
    en: `no daemon answers at ${address}: start it, by its service or \`fiscald run\``,
    ru: `по адресу ${address} демон не отвечает: запустите его службу или \`fiscald run\``,
  }),
  otherToken: (address: Given, file: Given) => ({
    en: `what listens at ${address} does not have the token in ${file}: it is the daemon of another config, or another program`,
    ru: `у программы по адресу ${address} нет токена из ${file}: это демон с другими настройками или другая программа`,
  }),
  tokenFile: (path: Given) => ({ en: `the token file ${path} cannot be read`, ru: `файл токена ${path} не читается` }),
  noFiscald: (address: Given) => ({ en: `${address} is not a fiscald daemon`, ru: `${address} — это не fiscald` }),
  noInput: {
    en: "there is no input to answer the questions from",
    ru: "ответы на вопросы взять неоткуда: нужен терминал",
  },
  needsYes: {
    en: "this must be confirmed, and there is no terminal to ask on: add --yes",
    ru: "нужно подтверждение, а спросить негде (это не терминал): добавьте --yes",
  },
  noAnswer: {
    en: "there was no answer to the question; nothing was written",
    ru: "ответа на вопрос не было; ничего не записано",
  },
  ownFolder: (folder: Given, example: Given) => ({
    en: `${folder} would become the service's own: give it a folder such as ${example} in the config`,
    ru: `${folder} стала бы папкой службы: задайте в настройках другую, например ${example}`,
  }),
  noService: (platform: Given) => ({
    en: `there is no service for ${platform}: run \`fiscald run\``,
    ru: `для ${platform} службы нет: запускайте \`fiscald run\``,
  }),
  serviceAction: (action: Given) => ({
    en: `service ${action}: say install, uninstall or status`,
    ru: `\`service ${action}\`: нужно \`install\`, \`uninstall\` или \`status\``,
  }),
  needsRights: {
    en: "this needs administrator's rights: run it with sudo, or as administrator",
    ru: "нужны права администратора: запустите через `sudo` или от имени администратора",
  },
  noHost: (text: Given) => ({
    en: `"${text}" is not HOST or HOST:PORT, such as 192.168.1.5:7778`,
    ru: `«${text}» — не УЗЕЛ и не УЗЕЛ:ПОРТ, например 192.168.1.5:7778`,
  }),
  notInTill: (order: Given) => ({
    en: `the order ${order} was never here: name its register with --at and its lines with --add`,
    ru: `заказа ${order} здесь не было: укажите кассу в --at и строки в --add`,
  }),
  caseNeeded: {
    en: "say with --case what happened: missed, wrong, twice or test",
    ru: "укажите в --case, что случилось: `missed`, `wrong`, `twice` или `test`",
  },
  reasonNeeded: {
    en: "say with --reason who decided it and why",
    ru: "укажите в --reason, кто решил и почему",
  },
  nameReceipt: {
    en: "name the order, its job, or with --document a receipt that is known here",
    ru: "укажите заказ, его задание или в --document документ известного здесь чека",
  },
  wrongEdit: (text: Given) => ({
    en: `"${text}" is not like 2.price=90.00 or 1.vat=vat22`,
    ru: `«${text}» не похоже на '2.price=90.00' или '1.vat=vat22'`,
  }),
  wrongLine: (text: Given) => ({
    en: `"${text}" is not like "Honey; 10.50; 2; vat10"`,
    ru: `«${text}» не похоже на 'Мёд; 10.50; 2; vat10'`,
  }),
  wrongPayment: (text: Given) => ({
    en: `"${text}" is not like 0 or 1=50.00`,
    ru: `«${text}» не похоже на 0 или 1=50.00`,
  }),
  wrongRate: (text: Given, known: Given) => ({
    en: `there is no rate ${text}; there are: ${known}`,
    ru: `ставки ${text} нет; есть: ${known}`,
  }),
  notChanged: (name: Given) => ({ en: `${name} is not changed here`, ru: `${name} здесь не меняется` }),
  noSite: (name: Given, known: Given) => ({
    en: `there is no site ${name}; there are: ${known}`,
    ru: `сайта ${name} нет; есть: ${known}`,
  }),
  noRegister: (name: Given, known: Given) => ({
    en: `there is no register ${name}; there are: ${known}`,
    ru: `кассы ${name} нет; есть: ${known}`,
  }),
} satisfies Texts;
