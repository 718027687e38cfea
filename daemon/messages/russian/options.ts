/** What the options of the command line do, in Russian: the English text in the code is the key. */
export const optionTexts: Readonly<Record<string, string>> = {
  // Of most commands
  "config file (or FISCALD_CONFIG); default ./config.json":
    "файл настроек (или FISCALD_CONFIG); по умолчанию ./config.json",
  "en or ru (or FISCALD_LANG); default: log.language of the config":
    "en или ru (или FISCALD_LANG); по умолчанию log.language из настроек",
  "as JSON": "в виде JSON",
  "for the person at the till: looks, retries, prints test slips and X reports":
    "для человека у кассы: смотреть, повторять, пробная печать и X-отчёт",
  "why, for the journal": "почему, для истории задания",
  // Looking for registers
  "the file to write; default: as --config": "какой файл записать; по умолчанию тот же, что --config",
  "also searches this host, on the makers' default ports or on this one; may be repeated":
    "искать и по этому адресу, на обычных портах производителей или на этом; можно указать несколько раз",
  "searches only this serial port; may be repeated":
    "искать только на этом последовательном порту; можно указать несколько раз",
  "prints the JSON Schema of the config for editors": "печатает JSON Schema настроек для редакторов",
  "tells what becomes of the rates of VAT on that day": "говорит, что станет со ставками НДС в этот день",
  // Queue, log, support
  "only in this state": "только в этом состоянии",
  "only of this site": "только этого сайта",
  "only of this register": "только этой кассы",
  "only of this order": "только этого заказа",
  "how many": "сколько",
  "then shows new lines": "затем показывать новые строки",
  "this level and the more severe ones": "этот уровень и более важные",
  "how many days back": "за сколько последних дней",
  "as JSON, one object a line": "в виде JSON, по объекту на строку",
  "the file to write; default: fiscald-support-TIME.zip in this folder":
    "какой файл записать; по умолчанию fiscald-support-ВРЕМЯ.zip в этой папке",
  "prints the steps and executes nothing": "показывает шаги и ничего не выполняет",
  "status as JSON": "status в виде JSON",
  // Actions
  "waiting orders that have no receipt among the documents shown: they are printed; without numbers none":
    "заказы, у которых нет чека среди показанных документов: они будут напечатаны; без номеров — ни один",
  "failed or refused; both when left out": "failed или refused; без ключа и те, и другие",
  "only orders of this site": "только заказы этого сайта",
  "only jobs of this register": "только задания этой кассы",
  "only those that ended since, as 2026-11-20T14:03": "только те, что завершились с этого времени: 2026-11-20T14:03",
  "the job was printed as this document (0 = without a document)":
    "задание напечатано этим документом (0 — без документа)",
  "the job was not registered: it is printed after a check of the register":
    "задание не зарегистрировано: оно печатается после проверки кассы",
  "with --not-printed: this unreadable document is another receipt; may be repeated":
    "с --not-printed: этот нечитаемый документ — другой чек; можно указать несколько раз",
  "from the paper, if no register has the drive or can read the document: number of the fiscal drive":
    "с бумаги, если накопителя нет ни в одной кассе или документ не читается: номер фискального накопителя",
  "with --fn: fiscal sign": "с --fn: фискальный признак",
  "with --fn: number of the shift": "с --fn: номер смены",
  "with --fn: date and time, as 2026-11-20T14:03": "с --fn: дата и время в виде 2026-11-20T14:03",
  "with --fn, optional: number of the receipt in its shift": "с --fn, необязательно: номер чека за смену",
  "the database that knew its receipts is lost: orders are compared with them; fiscald must be stopped":
    "база, знавшая её чеки, потеряна: заказы сверяются с ними; fiscald должен быть остановлен",
  // Checking a site
  "this order is a test: it is reported as printed; any other one as failed":
    "этот заказ пробный: о нём сообщается «напечатан», о любом другом — «не напечатан»",
  "what the test order costs, to be compared with its receipt": "сколько стоит пробный заказ, для сверки с его чеком",
  "as JSON, with every request and answer": "в виде JSON, с каждым запросом и ответом",
  "also writes a report in JUnit's XML": "записать и отчёт в XML для JUnit",
  "how the calls prove themselves: signature, bearer, basic, header=NAME or none":
    "чем подтверждаются запросы: signature, bearer, basic, header=ИМЯ или none",
  "holds the secret (basic: USER:PASSWORD); default: FISCAL_SECRET":
    "файл с секретом (для basic — ИМЯ:ПАРОЛЬ); по умолчанию FISCAL_SECRET",
  "address of the print result; default: the same address": "адрес для результата печати; по умолчанию тот же адрес",
  "address of the list of registers, or none": "адрес для списка касс или none",
  "address of connects and disconnects, or none": "адрес для событий «касса на связи» и «нет связи» или none",
  "address of Z reports, or none": "адрес для Z-отчётов или none",
  "how calls are encoded; default: as the site understands them":
    "как кодируются запросы; по умолчанию так, как понимает сайт",
  "format of the orders": "формат заказов",
  "`action` of the print result; default: orderConfirm": "`action` результата печати; по умолчанию orderConfirm",
  "the register that is played": "номер кассы (kkm), за которую идёт проверка",
  "its taxpayer; default: any": "её ИНН; по умолчанию любой",
  "its tax rows, such as 1,2,4; default: 1 to 6": "её ставки налогов, например 1,2,4; по умолчанию с 1 по 6",
  // The emulator
  "whose protocol it speaks": "чей протокол эмулируется",
  "tcp:HOST:PORT, serial:PATH, or http:HOST:PORT for a maker's print service":
    "tcp:АДРЕС:ПОРТ, serial:ПУТЬ или http:АДРЕС:ПОРТ для службы печати производителя",
  "control port: faults, documents, tape, clock": "порт управления: неисправности, документы, лента, часы",
  "file of its fiscal memory; without it the memory is lost at the end":
    "файл фискальной памяти; без него память теряется при завершении",
  "registration number": "регистрационный номер",
  "taxpayer number": "ИНН",
  "serial number of the fiscal drive, for a new state": "номер фискального накопителя для новой памяти",
  "format of fiscal documents": "формат фискальных документов",
  "speed of the emulated device": "скорость эмулируемого устройства",
  "baud rate, for serial and for realistic timing": "скорость порта, для serial и для timing realistic",
  "link protocol, where the maker has several: v1, v2": "протокол обмена, если у производителя их несколько: v1, v2",
  "model, where the maker has several": "модель, если у производителя их несколько",
  "zone of its clock": "часовой пояс её часов",
  "switch of an unconfirmed fact; may be repeated":
    "переключатель неподтверждённого факта; можно указать несколько раз",
};
