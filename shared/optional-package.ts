/** Packages that only some users need: they are loaded on first use, and a fault names a package that is missing. */
import type Sqlite from "better-sqlite3";
import { Fault } from "./fault.js";
import { codeOfError } from "./files/folder-rights.js";

/** A missing package becomes the fault `usage.package-missing`; any other error stays as it is. */
export function explainMissing(name: string, error: unknown): unknown {
  if (!["MODULE_NOT_FOUND", "ERR_MODULE_NOT_FOUND"].includes(codeOfError(error))) return error;
  return new Fault("usage.package-missing", {
    message: { en: `the package ${name} is not installed`, ru: `пакет ${name} не установлен` },
    place: name,
    cause: error,
  });
}

const oldestNodeOfTheNewLibrary = 22;

/**
 * Loads the version of better-sqlite3 that this Node can run, by the caller's own `require`. Version 13 needs Node 22
 * and has its binaries; version 12 serves Node 20, and aborts the process on Node 24, whose ObjectWrap has no
 * environment left when an object is collected. Fault `store.library-missing`.
 */
export function loadSqliteLibrary(require: NodeJS.Require): typeof Sqlite {
  const major = Number.parseInt(process.versions.node, 10);
  const name = major >= oldestNodeOfTheNewLibrary ? "better-sqlite3" : "better-sqlite3-12";
  try {
    return require(name);
  } catch (cause) {
    const message = { en: `the package ${name} cannot be loaded`, ru: `пакет ${name} не загружается` };
    throw new Fault("store.library-missing", { message, place: name, cause });
  }
}
