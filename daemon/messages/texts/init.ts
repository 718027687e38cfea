import { rows } from "../rows.js";

export const initTexts = rows({
  begins: [
    "Makes the config {path}. Enter takes the answer in [brackets].",
    "Создаются настройки {path}. Enter — ответ в [скобках].",
  ],
  keepInn: ["Keep it?", "Оставить так?"],
  startAgain: [
    "Is the address wrong? Press Ctrl+C and begin again: nothing is written so far.",
    "Адрес неверный? Нажмите Ctrl+C и начните снова: пока ничего не записано.",
  ],
  auth: [
    "How the site recognises this program; Enter, unless its developer says otherwise",
    "Как сайт узнаёт эту программу; Enter, если разработчик сайта не сказал другого",
  ],
  mayReplace: [
    "{path} exists. Write a new one (the present one is renamed to {old})",
    "{path} уже есть. Записать новый (нынешний будет переименован в {old})",
  ],
  nothingWritten: ["Nothing was written.", "Ничего не записано."],
  written: ["Written: {path}, with {count} register(s).", "Записано: {path}, касс: {count}."],
  passwordIn: [
    "A password is in {path}, readable by this user only.",
    "Пароль — в файле {path}, читать его может только этот пользователь.",
  ],
  secretIn: [
    "The secret is in {path}, readable by this user only.",
    "Секрет — в файле {path}, читать его может только этот пользователь.",
  ],
  giveSecret: [
    "Give it to the site, which does not know it yet: {secret}",
    "Передайте его сайту, сайт его ещё не знает: {secret}",
  ],
  next: ["Next", "Дальше"],
  prove: [
    "Then see that it works: `fiscald doctor`, and `fiscald test-slip {id}` for a test slip.",
    "Затем проверьте, что всё работает: `fiscald doctor`, а пробный лист печатает `fiscald test-slip {id}`.",
  ],
  noDefaultTax: [
    "No position without a tax is printed by {ids}: the site names one, or `defaultTax` does.",
    "Товар без ставки НДС не печатается ({ids}): ставку присылает сайт, скажите это его разработчику (или задайте `defaultTax`).",
  ],
  yesNo: ["y/n", "д/н"],
  none: ["none", "нет"],
  orNone: ['"none" = without', "«нет» — не нужно"],
  register: {
    use: ["Use {what}", "Использовать {what}"],
    at: ["at", "на"],
    kkm: ["kkm", "рег. № ККТ"],
    inn: ["INN", "ИНН"],
    unread: [", whose identity cannot be read: {reason},", ", данные которой не читаются: {reason},"],
    sameRegister: [" (the same register on another connection)", " (та же касса по другому подключению)"],
    another: ["Add another register by hand", "Добавить ещё одну кассу вручную"],
    usualTitle: ["Register {number}", "Касса {number}"],
    logins: {
      operatorPassword: ["Password of the operator", "Пароль оператора кассы"],
      adminPassword: ["Password of the administrator", "Пароль администратора кассы"],
      password: ["Password of the register", "Пароль кассы"],
      user: ["User of the print service", "Пользователь службы печати"],
    },
    orDefault: ["(Enter = default)", "(Enter — по умолчанию)"],
    connection: [
      "How is the register connected? `serial` is a serial port or USB, `tcp` the network, `http` the print service of ATOL; `emulator` is an emulated register for trials: nothing fiscal happens",
      "Как подключена касса? `serial` — USB или COM-порт, `tcp` — сеть, `http` — служба печати АТОЛ; `emulator` — эмулятор для проб, фискальных документов он не создаёт",
    ],
    memoryFile: ["File for the emulator's memory", "Файл памяти эмулятора"],
  },
  problems: {
    needed: ["an answer is needed here", "здесь нужен ответ"],
    yesNo: ["answer y or n", "ответьте д или н"],
    oneOf: ["answer one of: {choices}", "ответьте одним из: {choices}"],
  },
});

export const discoverTexts = rows({
  looking: [
    "Looking for registers; nothing is printed or written on any of them. This may take half a minute.",
    "Идёт поиск касс; на них ничего не печатается и не записывается. Это может занять полминуты.",
  ],
  found: [
    ["DRIVER", "MODEL", "KKM", "INN", "FN", "CONNECTION", ""],
    ["ДРАЙВЕР", "МОДЕЛЬ", "РЕГ. № ККТ", "ИНН", "ФН", "ПОДКЛЮЧЕНИЕ", ""],
  ],
  ofDaemon: [
    "register {id} of the running daemon is here: see `fiscald status`",
    "здесь касса {id} работающего демона: см. `fiscald status`",
  ],
  nothing: [
    "\nNo register was found. What to do:\n  - switch the register on, connect it, wait until it has started, and look again;\n  - close every other program that uses it (driver tests, 1C, the maker's utilities): one port has one owner;\n  - over the network: add `--host ADDRESS[:PORT]` to this command, with the address that the register prints on its\n    start-up slip or keeps in its settings;\n  - on a serial port that is not listed: add `--port PATH`;\n{advice}  - on Linux, the user needs the group of the port (dialout): see `ls -l PATH`.\n",
    "\nКасса не найдена. Что делать:\n  - включите кассу, подключите её, дождитесь запуска и повторите поиск;\n  - закройте другие программы, которые с ней работают (тест драйвера, 1С, утилиты производителя): порт может\n    занимать только одна программа;\n  - по сети: добавьте к команде `--host АДРЕС[:ПОРТ]`; адрес касса печатает при включении или хранит в настройках;\n  - на порту, которого нет в списке: добавьте `--port ПУТЬ`;\n{advice}  - в Linux пользователю нужна группа порта (`dialout`): см. `ls -l ПУТЬ`.\n",
  ],
});
