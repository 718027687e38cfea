/** Packages that only some of our users need: they are loaded when asked for, and their absence is a sentence. */
import type Sqlite from "better-sqlite3";
import { Fault } from "./fault.js";

/** Fault `usage.package-missing`, which names the package that was not found; other errors as they are. */
export function explainMissing(name: string, error: unknown): unknown {
  if (!isNotFound(error)) return error;
  return new Fault("usage.package-missing", {
    message: { en: `the package ${name} is not installed`, ru: `пакет ${name} не установлен` },
    place: name,
    cause: error,
  });
}

function isNotFound(error: unknown): boolean {
  if (typeof error !== "object" || error === null || !("code" in error)) return false;
  return error.code === "MODULE_NOT_FOUND" || error.code === "ERR_MODULE_NOT_FOUND";
}

const oldestNodeOfTheNewLibrary = 22;

/**
 * The better-sqlite3 that this Node can run, by the caller's own `require`: 13 needs Node 22 and brings its binaries;
 * 12 serves Node 20 and aborts the process on Node 24, whose ObjectWrap has no environment left when an object is
 * collected. Fault: `store.library-missing`.
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
