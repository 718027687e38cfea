import { rows } from "../rows.js";

export const doctorTexts = rows({
  begins: [
    "Checking; nothing is printed, and no site is asked for an order. This takes up to half a minute.",
    "Идёт проверка; ничего не печатается, заказы у сайтов не запрашиваются. Это занимает до полуминуты.",
  ],
  running: ["The daemon runs.", "Демон работает."],
  notRunning: [
    "The daemon does not run: registers are asked directly.",
    "Демон не запущен: кассы опрашиваются напрямую.",
  ],
  closed: [
    "The daemon cannot be asked: registers are not checked.",
    "Демон спросить не удалось: кассы не проверяются.",
  ],
  nextTitle: ["What to do", "Что делать"],
  allWell: ["All is well.", "Всё в порядке."],
  found: ["To mend: {bad}, to look at: {warnings}.", "Исправить: {bad}, обратить внимание: {warnings}."],
  levels: {
    ok: ["ok", "в порядке"],
    warning: ["LOOK", "ВНИМАНИЕ"],
    bad: ["BAD", "ПЛОХО"],
  },
  checks: {
    files: ["files", "файлы"],
    console: ["console", "консоль"],
    proxy: ["proxy", "прокси"],
    site: ["site", "сайт"],
    clock: ["clock", "часы"],
    port: ["port", "порт"],
    register: ["register", "касса"],
    drive: ["fiscal drive", "накопитель (ФН)"],
    ofd: ["OFD", "ОФД"],
    settings: ["settings", "настройки"],
    trouble: ["trouble", "неполадка"],
  },
  files: {
    text: ["This user may read and write there.", "Этот пользователь может читать и писать там."],
    forbidden: ["This user may not write there.", "Этот пользователь не может писать там."],
    unreadable: ["This user may not read there.", "Этот пользователь не может читать там."],
    next: [
      "Give the folder to the user that the daemon runs as, or run this command as that user.",
      "Отдайте папку пользователю, от имени которого работает демон, или выполните команду от его имени.",
    ],
  },
  console: {
    free: ["The port is free.", "Порт свободен."],
    answers: ["The daemon answers there.", "Там отвечает демон."],
  },
  proxy: {
    none: [
      "No variable names a proxy; sites are called directly.",
      "Прокси в переменных не задан; сайты вызываются напрямую.",
    ],
    set: [
      "{names} names a proxy, but sites are called directly.",
      "Прокси задан ({names}), но сайты вызываются напрямую.",
    ],
    next: [
      "Let this computer reach the sites without the proxy, if the site cannot be reached.",
      "Если сайт недоступен, откройте этому компьютеру доступ к сайтам без прокси.",
    ],
  },
  site: {
    answers: [
      "Its server answers within {ms} ms. It was not asked for an order.",
      "Сервер сайта на связи ({ms} мс). О заказах его не спрашивали.",
    ],
    speaks: ["It answers by the protocol.", "Сайт отвечает по протоколу."],
    speaksAndTrusts: ["It answers by the protocol and takes the secret.", "Сайт отвечает по протоколу, секрет принят."],
    unproven: [
      "It answers, but the answer does not show that it knows the protocol.",
      "Сайт ответил, но по ответу не видно, что он знает протокол.",
    ],
    unguarded: [
      "It answers by the protocol, but does not check the secret: anybody could ask it for orders.",
      "Сайт отвечает по протоколу, но секрет не проверяет: заказы у него может взять любой.",
    ],
    unguardedNext: [
      "The set-up ends with a secret: give it to the site's developer, who has it checked there.",
      "В конце настройки появится секрет: передайте его разработчику сайта, пусть сайт его проверяет.",
    ],
    secretUnknown: ["It answers, but does not take the secret yet.", "Сайт отвечает, но секрет ещё не принят."],
    secretUnknownNext: [
      "Compare the secret with the site's developer, then test again.",
      "Сверьте секрет с разработчиком сайта и проверьте снова.",
    ],
    secretNewNext: [
      "That is right: the set-up ends with a new secret, give it to the site's developer.",
      "Так и должно быть: новый секрет появится в конце настройки, передайте его разработчику сайта.",
    ],
    addressNext: [
      "Compare the address letter by letter and check the internet connection; then ask the site's developer.",
      "Сверьте адрес по буквам и проверьте интернет; если всё верно, спросите разработчика сайта.",
    ],
    tlsNext: [
      "Check this computer's date and clock; then ask the site's developer about HTTPS.",
      "Проверьте дату и часы этого компьютера; если они верны, спросите разработчика сайта про HTTPS.",
    ],
    ownAddress: [
      "This is the address of fiscald's own page, not of a site.",
      "Это адрес этой же программы, а не сайта.",
    ],
    redirectsTo: ["It points to another address: {target}.", "Сайт отправляет на другой адрес: {target}."],
    redirectsToNext: ["Enter that address.", "Впишите этот адрес."],
    noPage: ["There is no such page on the site (404).", "Такой страницы на сайте нет (404)."],
    page: ["It answers with a web page, not by the protocol.", "Сайт отвечает обычной страницей, а не по протоколу."],
    noJson: ["It answers, but not by the protocol.", "Сайт отвечает, но не по протоколу."],
    refuses: [
      "It answers by the protocol, but refuses the list of registers (resultCode {resultCode}).",
      "Сайт отвечает по протоколу, но не принимает список касс (resultCode {resultCode}).",
    ],
    givesOrder: [
      "This address answers a test with an order, No. {order}. That order is not printed.",
      "Этот адрес отвечает заказом на проверку: заказ № {order}. Этот заказ не напечатан.",
    ],
    givesUnknownOrder: [
      "This address answers a test with an order. That order is not printed.",
      "Этот адрес отвечает заказом на проверку. Этот заказ не напечатан.",
    ],
    givesOrderNext: [
      "Do not enter this address: it gives an order to any call. Have the site's developer offer that order again, and ask for an address that tells the calls apart.",
      "Не указывайте этот адрес: он отдаёт заказ на любой вызов. Пусть разработчик сайта выдаст этот заказ ещё раз и назовёт адрес, который различает вызовы.",
    ],
    askDeveloper: [
      "Ask the site's developer for the address of its handler for fiscald.",
      "Спросите у разработчика сайта адрес обработчика для fiscald.",
    ],
  },
  clock: {
    right: ["This computer's clock agrees.", "Часы этого компьютера верны."],
    off: ["This computer's clock differs by {minutes} min.", "Часы этого компьютера расходятся на {minutes} мин."],
    next: [
      "Set date, time and time zone of this computer, and switch time synchronisation on.",
      "Проверьте дату, время и часовой пояс компьютера и включите синхронизацию времени.",
    ],
    register: [
      "The register's clock differs by {minutes} min from this computer's.",
      "Часы кассы расходятся с часами компьютера на {minutes} мин.",
    ],
    registerNext: [
      "Check both clocks and `timeZone` in the config; the service engineer sets a register's clock that is ahead.",
      "Проверьте те и другие часы и `timeZone` в настройках; часы кассы, которые спешат, переводит сервисный инженер.",
    ],
  },
  port: {
    opens: ["It opens, and the register is behind it.", "Открывается, за ним касса."],
  },
  register: {
    answers: ["It answers: {model}, kkm {kkm}.", "Отвечает: {model}, рег. № ККТ {kkm}."],
    emulator: ["An emulated register: nothing fiscal happens.", "Эмулятор: фискальных документов он не создаёт."],
    emulatorNext: [
      "For real receipts put a real register in its place in the config.",
      "Для настоящих чеков укажите в настройках вместо него кассу.",
    ],
    ordersWait: ["Orders still wait for this register: {count}.", "Для этой кассы ещё ждут заказы: {count}."],
    ordersWaitNext: [
      "Let them print first: without the register each is moved or cancelled by hand.",
      "Сначала дайте им напечататься: без этой кассы каждый придётся передать другой кассе или отменить вручную.",
    ],
  },
  drive: {
    well: ["Nothing is reported about it.", "Замечаний нет."],
    trial: [
      "Its number {fn} is of a drive for trials: receipts are not real, nothing reaches the tax service.",
      "Номер {fn} — у отладочного накопителя: чеки ненастоящие, в налоговую ничего не уходит.",
    ],
    trialNext: [
      "For real receipts have a real drive put in and the register registered with it.",
      "Для настоящих чеков вызовите сервис: нужен настоящий накопитель и регистрация кассы с ним.",
    ],
    daysLeft: ["It lives for {count} more days.", "Осталось дней работы: {count}."],
  },
  ofd: {
    none: ["No document waits for the OFD.", "Все документы ушли в ОФД."],
    unreported: ["The register does not report its queue.", "Касса не сообщает свою очередь."],
    waiting: ["Documents that wait for the OFD: {count}.", "Ждут отправки в ОФД, документов: {count}."],
  },
});
