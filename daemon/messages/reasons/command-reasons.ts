import { reasons } from "../rows.js";

export const commandReasons = reasons({
  helpOf: ["Help: `fiscald {command} --help`.", "Справка: `fiscald {command} --help`."],
  wholeNumber: ["a whole number", "Это целое число."],
  rate: ["a rate like 115200", "Это скорость, например 115200."],
  nameAndValue: ["NAME=VALUE", "ИМЯ=ЗНАЧЕНИЕ"],
  noNumber: ["{text} is not the number of a job or event", "{text} — не номер задания или события"],
  severalJobs: [
    "the order {order} has several jobs: {jobs}. Name one by its number in quotes, such as '{first}'",
    "у заказа {order} несколько заданий: {jobs}. Назовите одно по номеру в кавычках, например '{first}'",
  ],
  noSale: ["the order {order} has no printed sale", "у заказа {order} нет напечатанной продажи"],
  items: ["--items {text}: name positions of the receipt, as 1,3:2", "`--items {text}`: нужны строки чека вида 1,3:2"],
  noJob: ["there is no job and no order {text}", "нет ни задания, ни заказа {text}"],
  mustBeOneOf: ["{place} must be one of {names}", "{place}: нужно одно из {names}"],
  onDate: ["--on must be a date as YYYY-MM-DD", "`--on`: нужна дата вида ГГГГ-ММ-ДД"],
  printedOrNot: ["say either --printed FD or --not-printed", "задайте либо --printed ФД, либо --not-printed"],
  checkedAlone: ["--checked FD needs --not-printed", "--checked ФД задаётся вместе с --not-printed"],
  paperAlone: ["numbers from the paper need --printed FD", "числа с бумаги задаются вместе с --printed ФД"],
  paperWhole: [
    "--fn, --sign, --shift and --time must be given together",
    "--fn, --sign, --shift и --time задаются вместе",
  ],
  siteOfConfig: [
    "a site of the config is called as the config says",
    "сайт из настроек вызывается так, как в них записано",
  ],
  daemonRuns: [
    "the daemon runs and takes the orders of its sites itself: stop it, check, and start it again",
    "демон работает и сам забирает заказы своих сайтов: остановите его, проверьте сайт и запустите снова",
  ],
  noLogs: ["there are no logs in {folder} yet", "в {folder} пока нет журналов"],
  fileOrUndo: ["say either FILE or --undo", "задайте либо ФАЙЛ, либо --undo"],
  fileExists: ["{path} exists already", "файл {path} уже есть"],
  notExported: ["nothing was exported from here", "отсюда ничего не переносили"],
  foreignPath: [
    "the config names {path}, a path of another system: make it relative in the config before the export",
    "в настройках путь другой системы: {path}; до переноса сделайте его в настройках относительным",
  ],
  noFilter: [
    "name jobs or give a filter: --state, --site, --register, --since",
    "назовите задания или задайте отбор: --state, --site, --register, --since",
  ],
  since: ["--since {text} is not a time such as 2026-11-20T14:03", "--since {text} — не время вида 2026-11-20T14:03"],
  noDatabase: [
    "there is no database at {path}: the daemon has not run yet",
    "базы {path} нет: демон ещё не запускался",
  ],
  noDaemon: [
    "no daemon answers at {address}: start it, by its service or `fiscald run`",
    "по адресу {address} демон не отвечает: запустите его службу или `fiscald run`",
  ],
  otherToken: [
    "what listens at {address} does not have the token in {file}: it is the daemon of another config or another program, or the file could not be used when it started",
    "у программы по адресу {address} нет токена из {file}: это демон с другими настройками, другая программа, или при запуске файл не подошёл",
  ],
  tokenFile: ["the token file {path} cannot be read", "файл токена {path} не читается"],
  noFiscald: ["{address} is not a fiscald daemon", "{address} — это не fiscald"],
  noInput: ["there is no input to answer the questions from", "ответы на вопросы взять неоткуда: нужен терминал"],
  needsYes: [
    "this must be confirmed, and there is no terminal to ask on: add --yes",
    "нужно подтверждение, а спросить негде (это не терминал): добавьте --yes",
  ],
  noAnswer: [
    "there was no answer to the question; nothing was written",
    "ответа на вопрос не было; ничего не записано",
  ],
  ownFolder: [
    "{folder} would become the service's own: give it a folder such as {example} in the config",
    "{folder} стала бы папкой службы: задайте в настройках другую, например {example}",
  ],
  noService: [
    "there is no service for {platform}: run `fiscald run`",
    "для {platform} службы нет: запускайте `fiscald run`",
  ],
  serviceAction: [
    "service {action}: say install, uninstall or status",
    "`service {action}`: нужно `install`, `uninstall` или `status`",
  ],
  needsRights: [
    "this needs administrator's rights: run it with sudo, or as administrator",
    "нужны права администратора: запустите через `sudo` или от имени администратора",
  ],
  noHost: [
    '"{text}" is not HOST or HOST:PORT, such as 192.168.1.5:7778',
    "«{text}» — не УЗЕЛ и не УЗЕЛ:ПОРТ, например 192.168.1.5:7778",
  ],
  notInTill: [
    "the order {order} was never here: name its register with --at and its lines with --add",
    "заказа {order} здесь не было: укажите кассу в --at и строки в --add",
  ],
  caseNeeded: [
    "say with --case what happened: missed, wrong, twice or test",
    "укажите в --case, что случилось: `missed`, `wrong`, `twice` или `test`",
  ],
  reasonNeeded: ["say with --reason who decided it and why", "укажите в --reason, кто решил и почему"],
  nameReceipt: [
    "name the order, its job, or with --document a receipt that is known here",
    "укажите заказ, его задание или в --document документ известного здесь чека",
  ],
  wrongEdit: [
    '"{text}" is not like 2.price=90.00 or 1.vat=vat22',
    "«{text}» не похоже на '2.price=90.00' или '1.vat=vat22'",
  ],
  wrongLine: ['"{text}" is not like "Honey; 10.50; 2; vat10"', "«{text}» не похоже на 'Мёд; 10.50; 2; vat10'"],
  wrongPayment: ['"{text}" is not like 0 or 1=50.00', "«{text}» не похоже на 0 или 1=50.00"],
  wrongRate: ["there is no rate {text}; there are: {known}", "ставки {text} нет; есть: {known}"],
  notChanged: ["{name} is not changed here", "{name} здесь не меняется"],
  noSite: ["there is no site {name}; there are: {known}", "сайта {name} нет; есть: {known}"],
  noRegister: ["there is no register {name}; there are: {known}", "кассы {name} нет; есть: {known}"],
});
