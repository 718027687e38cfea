/** What keeps the daemon or a command from its database. */
import type { FaultText } from "@fiscald/shared/fault-codes/fault-row.js";
import type { Given, Texts } from "@fiscald/shared/texts.js";
import { type JobStateName, stateInRussian } from "./job-states.js";

export const storeReasons = {
  databaseOpen: (detail: Given) => ({
    en: `another program has the database open, nothing was changed: ${detail}`,
    ru: `база открыта другой программой, ничего не изменено: ${detail}`,
  }),
  held: (holder: FaultText) => ({ en: `the database is held by ${holder.en}`, ru: `база занята: ${holder.ru}` }),
  anotherProcess: { en: "another process", ru: "другой процесс" },
  process: (pid: Given, since: Given) => ({
    en: `process ${pid}, running since ${since}`,
    ru: `процесс ${pid}, работает с ${since}`,
  }),
  lockDeleted: (path: Given) => ({
    en: `another process has ${path} open, and its lock file was deleted: end that process first`,
    ru: `файл ${path} открыт другим процессом, а его файл блокировки удалён: сначала завершите тот процесс`,
  }),
  networkDisk: (path: Given, kind: Given) => ({
    en: `${path} is on a network file system (${kind})`,
    ru: `${path} лежит на сетевом диске (${kind})`,
  }),
  newer: (path: Given, version: Given, known: Given) => ({
    en: `the database ${path} has version ${version}, this program knows versions up to ${known}`,
    ru: `у базы ${path} версия ${version}, эта программа знает версии до ${known}`,
  }),
  damaged: (path: Given, detail: Given) => ({
    en: `the database ${path} is damaged: ${detail}`,
    ru: `база ${path} повреждена: ${detail}`,
  }),
  earlier: (path: Given) => ({
    en: `the database ${path} is of an earlier version: start the daemon once`,
    ru: `база ${path} более ранней версии: запустите демон один раз`,
  }),
  otherSiteId: (site: Given, id: Given) => ({
    en: `this orders address belongs to the site ${site}: under the new id ${id} its orders could be printed again; set "renamedFrom": "${site}" in the site ${id}, or keep the former id`,
    ru: `это адрес заказов сайта ${site}: под новым id ${id} его заказы могли бы напечататься снова; задайте "renamedFrom": "${site}" для сайта ${id} или оставьте прежний id`,
  }),
  noJob: (id: Given) => ({ en: `there is no job ${id}`, ru: `задания ${id} нет` }),
  jobState: (id: Given, state: JobStateName) => ({
    en: `job ${id} is ${state}`,
    ru: `задание ${id}: состояние ${stateInRussian(state)}`,
  }),
  documentTaken: (fd: Given, fn: Given, job: Given) => ({
    en: `document ${fd} of drive ${fn} is already recorded for another job than ${job}`,
    ru: `документ ${fd} накопителя ${fn} уже записан за другим заданием, не за ${job}`,
  }),
  movedTo: (path: Given, at: FaultText) => ({
    en: `it was exported at ${at.en} into ${path}`,
    ru: `перенос ${at.ru}, файл ${path}`,
  }),
  noPack: (path: Given) => ({
    en: `${path} was not written by \`fiscald export\``,
    ru: `файл ${path} записан не командой \`fiscald export\``,
  }),
  importedBefore: (at: FaultText, host: Given) => ({
    en: `this file was imported at ${at.en} on ${host} already; if that copy is gone for good, add --lost: orders are then compared with the registers' receipts`,
    ru: `этот файл уже загружен ${at.ru} на компьютере ${host}; если той копии больше нет, добавьте --lost: заказы сверятся с чеками в кассах`,
  }),
  ownDatabase: (path: Given) => ({
    en: `another till has its database here, ${path}: export that one first, or name another config`,
    ru: `здесь уже работает другая программа со своей базой ${path}: сначала перенесите её или укажите другой файл настроек`,
  }),
  noFile: (path: Given) => ({ en: `there is no file ${path}`, ru: `файла ${path} нет` }),
  noDatabase: (path: Given) => ({ en: `${path} is no database of ours`, ru: `${path} — не база fiscald` }),
  version: (path: Given, version: Given) => ({
    en: `${path} has version ${version}`,
    ru: `у ${path} версия ${version}`,
  }),
} satisfies Texts;
