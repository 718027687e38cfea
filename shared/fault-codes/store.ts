import { afterHelp, type FaultRow, never, repeat, reportUs, retriesByItself } from "./fault-row.js";

export const storeFaults = {
  "store.locked": afterHelp(
    ["Another daemon uses this database.", "Эту базу уже использует другой демон."],
    ["Stop the other daemon, or use another database.", "Остановите другой демон или укажите другую базу."],
  ),
  "store.busy": repeat(["The database is held by another program.", "База занята другой программой."], retriesByItself),
  "store.full": afterHelp(
    ["The disk is full.", "Диск заполнен."],
    ["Free disk space; no new orders are taken until then.", "Освободите место; до этого новые заказы не принимаются."],
  ),
  "store.damaged": afterHelp(
    ["The database is damaged.", "База данных повреждена."],
    [
      "Restore the latest copy. On the command line: `fiscald restore`.",
      "Восстановите последнюю копию. В командной строке: `fiscald restore`.",
    ],
  ),
  "store.not-ready": afterHelp(
    ["There is no database of this version yet.", "Базы этой версии ещё нет."],
    ["Run `fiscald run` once, or name the config (--config).", "Запустите `fiscald run` или укажите `--config`."],
  ),
  "store.moved": afterHelp(
    ["This till was moved and prints nothing here.", "Программа перенесена на другой компьютер и здесь не печатает."],
    [
      "Bring it back with `fiscald import FILE`, with the file of an export there. If the file was imported nowhere, `fiscald export --undo` lets this copy print again.",
      "Чтобы вернуть её сюда, сделайте перенос там и загрузите здесь: `fiscald import ФАЙЛ`. Если файл ещё нигде не загружен, эта копия снова печатает после `fiscald export --undo`.",
    ],
  ),
  "store.newer": never(
    ["The database was written by a newer version.", "База создана более новой версией."],
    ["Install that version or a later one.", "Установите ту же или более новую версию."],
  ),
  "store.network-file-system": never(
    ["The database is on a network file system.", "База лежит на сетевом диске."],
    ["Put the database on a local disk.", "Перенесите базу на локальный диск."],
  ),
  "store.forbidden": afterHelp(
    ["The system does not let this user write there.", "Система не разрешает этому пользователю писать туда."],
    [
      "Give the user of the daemon the named folder and the files in it (`chown -R`), or name another folder in the config.",
      "Отдайте названную папку и файлы в ней пользователю демона (`chown -R`) или укажите в настройках другую папку.",
    ],
  ),
  "store.library-missing": never(
    ["The SQLite module for this Node is not installed.", "Модуль SQLite для этой версии Node не установлен."],
    [
      "Install python3, make and a C++ compiler, then repeat `npm ci` (or `npm i -g`) without --omit=optional.",
      "Установите `python3`, `make` и компилятор C++, затем повторите `npm ci` (или `npm i -g`) без `--omit=optional`.",
    ],
  ),
  "store.closed": repeat(
    ["The site is stopping: its receipt store is closed.", "Сайт останавливается: его хранилище чеков закрыто."],
    retriesByItself,
  ),
  "store.failed": repeat(["The database refused an operation.", "Ошибка базы данных."], reportUs),
} as const satisfies Record<`store.${string}`, FaultRow>;

export const logFaults = {
  "log.failed": repeat(
    ["The log cannot be written.", "Журнал нельзя записать."],
    ["Free the disk, check its folder's rights; printing goes on.", "Освободите диск, проверьте права; печать идёт."],
  ),
} as const satisfies Record<`log.${string}`, FaultRow>;
