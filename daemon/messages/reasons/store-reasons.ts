import { reasons } from "../rows.js";

export const storeReasons = reasons({
  databaseOpen: [
    "another program has the database open, nothing was changed: {detail}",
    "база открыта другой программой, ничего не изменено: {detail}",
  ],
  held: ["the database is held by {holder}", "база занята: {holder}"],
  anotherProcess: ["another process", "другой процесс"],
  process: ["process {pid}, running since {since}", "процесс {pid}, работает с {since}"],
  lockDeleted: [
    "another process has {path} open, and its lock file was deleted: end that process first",
    "файл {path} открыт другим процессом, а его файл блокировки удалён: сначала завершите тот процесс",
  ],
  networkDisk: ["{path} is on a network file system ({kind})", "{path} лежит на сетевом диске ({kind})"],
  newer: [
    "the database {path} has version {version}, this program knows versions up to {known}",
    "у базы {path} версия {version}, эта программа знает версии до {known}",
  ],
  damaged: ["the database {path} is damaged: {detail}", "база {path} повреждена: {detail}"],
  earlier: [
    "the database {path} is of an earlier version: start the daemon once",
    "база {path} более ранней версии: запустите демон один раз",
  ],
  otherSiteId: [
    'this orders address belongs to the site {site}: under the new id {id} its orders could be printed again; set "renamedFrom": "{site}" in the site {id}, or keep the former id',
    'это адрес заказов сайта {site}: под новым id {id} его заказы могли бы напечататься снова; задайте "renamedFrom": "{site}" для сайта {id} или оставьте прежний id',
  ],
  noJob: ["there is no job {id}", "задания {id} нет"],
  jobState: ["job {id} is {state}", "задание {id}: состояние {state}"],
  documentTaken: [
    "document {fd} of drive {fn} is already recorded for another job than {job}",
    "документ {fd} накопителя {fn} уже записан за другим заданием, не за {job}",
  ],
  movedTo: ["it was exported at {at} into {path}", "перенос {at}, файл {path}"],
  noPack: ["{path} was not written by `fiscald export`", "файл {path} записан не командой `fiscald export`"],
  importedBefore: [
    "this file was imported at {at} on {host} already; if that copy is gone for good, add --lost: orders are then compared with the registers' receipts",
    "этот файл уже загружен {at} на компьютере {host}; если той копии больше нет, добавьте --lost: заказы сверятся с чеками в кассах",
  ],
  ownDatabase: [
    "another till has its database here, {path}: export that one first, or name another config",
    "здесь уже работает другая программа со своей базой {path}: сначала перенесите её или укажите другой файл настроек",
  ],
  noFile: ["there is no file {path}", "файла {path} нет"],
  noDatabase: ["{path} is no database of ours", "{path} — не база fiscald"],
  version: ["{path} has version {version}", "у {path} версия {version}"],
});
