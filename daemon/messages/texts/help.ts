import { rows } from "../rows.js";

export const helpTexts = rows({
  program: [
    "Prints the paid orders of web sites on fiscal registrators",
    "Печатает оплаченные заказы с сайтов на кассах",
  ],
  version: ["the version of this program", "версия программы"],
  help: ["display help for command", "справка по команде"],
  /** The library commander writes these words into a help text. */
  own: {
    options: ["[options]", "[ключи]"],
    command: ["[command]", "[команда]"],
    choices: ["choices: ", "одно из: "],
    otherwise: ["default: ", "по умолчанию: "],
  },
  values: {
    action: ["action", "действие"],
    address: ["address", "адрес"],
    command: ["command", "команда"],
    count: ["count", "число"],
    date: ["date", "дата"],
    event: ["event", "событие"],
    fd: ["fd", "ФД"],
    file: ["file", "файл"],
    "host:port": ["host:port", "адрес:порт"],
    "host[:port]": ["host[:port]", "адрес[:порт]"],
    id: ["id", "имя"],
    ids: ["ids", "номера"],
    items: ["items", "строки"],
    job: ["job", "задание"],
    jobs: ["jobs", "задания"],
    kind: ["kind", "вид"],
    language: ["language", "язык"],
    level: ["level", "уровень"],
    name: ["name", "имя"],
    "name=value": ["name=value", "имя=значение"],
    number: ["number", "номер"],
    order: ["order", "заказ"],
    path: ["path", "путь"],
    rate: ["rate", "скорость"],
    register: ["register", "касса"],
    roubles: ["roubles", "рубли"],
    serial: ["serial", "номер"],
    site: ["site", "сайт"],
    state: ["state", "состояние"],
    tag: ["tag", "тег"],
    text: ["text", "текст"],
    time: ["time", "время"],
    url: ["url", "адрес"],
    version: ["version", "версия"],
    word: ["word", "слово"],
  },
  titles: {
    "Usage:": ["Usage:", "Использование:"],
    "Options:": ["Options:", "Ключи:"],
    "Commands:": ["Commands:", "Команды:"],
    "Arguments:": ["Arguments:", "Аргументы:"],
  },
  commands: {
    run: [
      "runs the daemon; SIGTERM and SIGINT stop it after the current receipt",
      "запускает демон; сигналы SIGTERM и SIGINT останавливают его после текущего чека",
    ],
    init: [
      "finds registers, asks for the site's address, writes a config",
      "находит кассы, спрашивает адрес сайта, записывает настройки",
    ],
    discover: [
      "registers on this machine's ports and on given hosts",
      "кассы на портах этого компьютера и на названных адресах",
    ],
    "check-config": ["all problems of the config at once", "все ошибки настроек сразу"],
    "check-site": [
      "plays the print server against a site: what is wrong with it, and how to mend it",
      "проверяет сайт вызовами сервера печати: что в нём не так и как исправить",
    ],
    status: [
      "registers, shifts, queue, outbox, and why orders wait",
      "кассы, смены, очередь, отправка и почему ждут заказы",
    ],
    doctor: [
      "checks everything that printing needs, and says what to do",
      "проверяет всё, что нужно для печати, и говорит, что делать",
    ],
    console: ["a one-time link to the operator's page", "одноразовая ссылка на страницу оператора"],
    jobs: ["the queue and its history, newest first", "очередь и её история, новые сверху"],
    explain: [
      "why an order is not printed yet, and its whole history",
      "почему заказ ещё не напечатан и вся его история",
    ],
    logs: ["shows the lines of the log", "показывает строки журнала"],
    restore: ["replaces the database by a copy from data/backup", "заменяет базу данных копией из папки `data/backup`"],
    export: [
      "packs this till into one file for another computer; nothing is printed here any more",
      "собирает программу в один файл для другого компьютера; здесь она больше не печатает",
    ],
    import: [
      "takes over a till that was exported on another computer",
      "переносит сюда программу из файла с другого компьютера",
    ],
    "support-bundle": [
      "writes one zip for support, with contacts and secrets masked",
      "записывает файл для поддержки (zip), контакты и секреты скрыты",
    ],
    service: [
      "install, uninstall or status: a systemd unit on Linux, a task that starts with the computer on Windows",
      "`install`, `uninstall` или `status`: служба systemd в Linux, задача при запуске компьютера в Windows",
    ],
    return: [
      "returns a printed receipt, whole or by lines",
      "оформляет возврат напечатанного чека, целиком или по строкам",
    ],
    retry: ["prints failed or refused jobs again", "печатает снова неудавшиеся или отклонённые задания"],
    correct: [
      "has a wrong or missed receipt put right: shows the documents, then asks; needs --case and --reason",
      "исправляет неверный или пропущенный чек: показывает документы и спрашивает; нужны --case и --reason",
    ],
    approve: [
      "prints held jobs, as they are or as corrections",
      "печатает задания, которые ждут решения, как есть или чеками коррекции",
    ],
    "set-aside": [
      "leaves failed, refused or held jobs not printed and takes them off the list of decisions",
      "оставляет неудавшиеся, отклонённые или ждущие решения задания ненапечатанными и убирает их из решений",
    ],
    "same-receipt": [
      "says that a refused return is the one that is printed, and sends its result again",
      "отклонённый возврат — тот же, что напечатан: его результат отправляется снова",
    ],
    cancel: ["cancels a waiting job", "отменяет задание, которое ждёт"],
    "print-anyway": [
      "prints a job although its order was printed before",
      "печатает задание, хотя его заказ уже напечатан",
    ],
    "x-report": ["prints the X report now", "печатает X-отчёт"],
    "z-report": ["prints the Z report now", "закрывает смену и печатает Z-отчёт"],
    "test-slip": ["prints a few lines that are no receipt", "печатает несколько строк, которые не являются чеком"],
    copy: [
      "prints a copy of a job's receipt on paper, where the model can",
      "печатает копию чека задания на бумаге, если модель это умеет",
    ],
    pause: [
      "lets a register print no orders until it is resumed; a receipt in hand is finished, closings go on",
      "ставит кассу на паузу: начатый чек допечатывается, новые заказы ждут, смена закрывается как обычно",
    ],
    resume: ["lets a paused register print again", "возобновляет печать на кассе"],
    "accept-identity": [
      "accepts the connected device as the right one, with the documents on it",
      "принимает подключённую кассу как нужную, с документами на ней",
    ],
    "accept-differences": [
      "accepts that a register registers receipts otherwise than they are sent",
      "принимает, что касса регистрирует чеки не такими, какими они переданы",
    ],
    "differences-mended": [
      "says that a register registers receipts as they are sent again",
      "сообщает, что касса снова регистрирует чеки такими, какими они переданы",
    ],
    resend: ["delivers an event once more", "отправляет событие ещё раз"],
    sync: ["sends the list of registers to a site, or to all", "отправляет список касс сайту или всем сайтам"],
    move: ["gives a waiting job to another register", "передаёт ожидающее задание другой кассе"],
    resolve: ["settles a job whose outcome is unknown", "записывает исход задания, если он неизвестен"],
    emulator: [
      "runs an emulated register; nothing fiscal happens",
      "эмулятор кассы для проб; фискальных документов он не создаёт",
    ],
  },
  options: {
    config: [
      "config file (or FISCALD_CONFIG); default ./config.json",
      "файл настроек (или FISCALD_CONFIG); по умолчанию `./config.json`",
    ],
    lang: [
      "en or ru (or FISCALD_LANG); default: log.language of the config",
      "`en` или `ru` (или FISCALD_LANG); по умолчанию `log.language` из настроек",
    ],
    json: ["as JSON", "в виде JSON"],
    operator: [
      "for the person at the till: looks, retries, prints test slips and X reports",
      "для человека у кассы: смотреть, повторять, пробная печать и X-отчёт",
    ],
    undo: [
      "the file is not used: this copy prints again, orders are compared with the registers' receipts first",
      "файл не нужен: эта копия снова печатает, сначала сверив заказы с чеками в кассах",
    ],
    case: [
      "what happened: missed, wrong, twice or test",
      "что случилось: `missed` (чека не было), `wrong` (ошибка), `twice` (лишний чек), `test` (пробная продажа)",
    ],
    document: ["the number of the wrong receipt's document", "номер документа неверного чека"],
    date: [
      "the day of the settlement: 2026-11-20; a correction needs it where the order does not say when it was paid",
      "дата расчёта: 2026-11-20; нужна для коррекции, если в заказе не сказано, когда он оплачен",
    ],
    set: [
      "what is right in a line: 2.price=90.00, 1.vat=vat22, also name and quantity; 1.paper=vat20: the rate that its paper shows; may be repeated",
      "что верно в строке: `2.price=90.00`, `1.vat=vat22`, также `name` и `quantity`; `1.paper=vat20` — ставка на бумаге; можно повторять",
    ],
    add: [
      'a further line as "name; price; quantity; rate": "Honey; 10.50; 2; vat10"; may be repeated',
      "ещё строка, «название; цена; количество; ставка»: `'Мёд; 10.50; 2; vat10'`; можно повторять",
    ],
    pay: [
      "how it was paid: 0 cash, 1 cashless; several with sums: 0=50.00; may be repeated",
      "как заплатили: 0 наличными, 1 безналичными; если по-разному, с суммами: `0=50.00`; можно повторять",
    ],
    at: [
      "the register, for an order or a receipt that this program does not know",
      "касса, если заказа или чека нет в этой программе",
    ],
    contact: ["with --at: the buyer's e-mail or phone", "с --at: почта или телефон покупателя"],
    internet: [
      "with --at: address of the shop, if paid on the internet",
      "с --at: адрес сайта, если оплатили в интернете",
    ],
    instruction: [
      "the number of the tax office's order by which it is corrected",
      "номер предписания налоговой, если исправляете по нему",
    ],
    yes: ["does it without asking, for scripts", "не спрашивать подтверждения (для скриптов)"],
    items: [
      "what is returned: positions of the receipt, as 1,3:2 (all of the first, two of the third); default: all that is left",
      "что вернуть, строки чека: 1,3:2 (первая целиком, из третьей две штуки); по умолчанию всё, что осталось",
    ],
    fixes: [
      "the receipt was wrong: the return names its fiscal sign (tag 1192)",
      "чек был ошибочным: в возврате будет его фискальный признак (тег 1192)",
    ],
    reason: ["who decided it and why, for the journal", "кто решил и почему, для истории задания"],
    out: ["the file to write", "какой файл записать"],
    host: [
      "also searches this host, on the makers' default ports or on this one; may be repeated",
      "искать и по этому адресу, на обычных портах производителей или на этом; можно указать несколько раз",
    ],
    port: [
      "searches only this serial port; may be repeated",
      "искать только на этом последовательном порту; можно указать несколько раз",
    ],
    schema: [
      "prints the JSON Schema of the config for editors",
      "печатает схему настроек (JSON Schema) для редакторов",
    ],
    on: ["tells what becomes of the rates of VAT on that day", "говорит, что станет со ставками НДС в этот день"],
    state: ["only in this state", "только в этом состоянии"],
    site: ["only of this site", "только этого сайта"],
    register: ["only of this register", "только этой кассы"],
    order: ["only of this order", "только этого заказа"],
    follow: ["then shows new lines", "затем показывать новые строки"],
    level: ["this level and the more severe ones", "этот уровень и более важные"],
    days: ["how many days back; default 1", "за сколько последних дней; по умолчанию 1"],
    dryRun: ["prints the steps and executes nothing", "показывает шаги и ничего не выполняет"],
    asCorrection: [
      "as correction receipts of the days on which the orders were paid; for failed and refused sales too",
      "чеками коррекции за дни, когда заказы оплачены; так же и неудавшиеся и отклонённые продажи",
    ],
    since: [
      "only those that ended since, as 2026-11-20T14:03",
      "только те, что завершились с этого времени: 2026-11-20T14:03",
    ],
    printed: [
      "the job was printed as this document (0 = without a document)",
      "задание напечатано этим документом (0 — без документа)",
    ],
    notPrinted: [
      "the job was not registered: it is printed after a check of the register",
      "задание не зарегистрировано: оно печатается после проверки кассы",
    ],
    checked: [
      "with --not-printed: this unreadable document is another receipt; may be repeated",
      "с --not-printed: этот нечитаемый документ — другой чек; можно указать несколько раз",
    ],
    fn: [
      "from the paper, if no register has the drive or can read the document: number of the fiscal drive",
      "с бумаги, если накопителя нет ни в одной кассе или документ не читается: номер фискального накопителя",
    ],
    sign: [
      "fiscal sign: with --fn, or with --at of the receipt too many",
      "фискальный признак: с --fn, или с --at — лишнего чека",
    ],
    shift: ["with --fn: number of the shift", "с --fn: номер смены"],
    time: ["with --fn: date and time, as 2026-11-20T14:03", "с --fn: дата и время в виде 2026-11-20T14:03"],
    receiptNumber: [
      "with --fn, optional: number of the receipt in its shift",
      "с --fn, необязательно: номер чека за смену",
    ],
    orders: [
      "waiting orders that have no receipt among the documents shown: they are printed; without numbers none",
      "заказы, у которых нет чека среди показанных документов: они будут напечатаны; без номеров — ни один",
    ],
    lost: [
      "the database or copy that knew its receipts is gone: orders are compared with them first; stop fiscald before",
      "базы или копии, знавшей её чеки, больше нет: сначала заказы сверяются с ними; до этого остановите fiscald",
    ],
  },
  emulator: {
    maker: ["whose protocol it speaks", "чей протокол эмулируется"],
    listen: [
      "tcp:HOST:PORT, serial:PATH, or http:HOST:PORT for a maker's print service",
      "`tcp:АДРЕС:ПОРТ`, `serial:ПУТЬ` или `http:АДРЕС:ПОРТ` для службы печати производителя",
    ],
    control: ["control port: faults, documents, tape, clock", "порт управления: неисправности, документы, лента, часы"],
    state: [
      "file of its fiscal memory; without it the memory is lost at the end",
      "файл фискальной памяти; без него память теряется при завершении",
    ],
    kkm: ["registration number", "регистрационный номер"],
    inn: ["taxpayer number", "ИНН"],
    fn: ["serial number of the fiscal drive, for a new state", "номер фискального накопителя для новой памяти"],
    ffd: ["format of fiscal documents", "формат фискальных документов"],
    timing: ["speed of the emulated device", "скорость эмулируемого устройства"],
    baud: ["baud rate, for serial and for realistic timing", "скорость порта: для `serial` и для `--timing realistic`"],
    protocol: [
      "link protocol, where the maker has several: v1, v2",
      "протокол обмена, если у производителя их несколько: `v1`, `v2`",
    ],
    model: ["model, where the maker has several", "модель, если у производителя их несколько"],
    timeZone: ["zone of its clock", "часовой пояс её часов"],
    unconfirmed: [
      "switch of an unconfirmed fact; may be repeated",
      "переключатель неподтверждённого факта; можно указать несколько раз",
    ],
  },
});
