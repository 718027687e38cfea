import type Sqlite from "better-sqlite3";
import { Fault } from "./fault.js";

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
    throw new Fault("store.library-missing", { message: `the package ${name} cannot be loaded`, place: name, cause });
  }
}
