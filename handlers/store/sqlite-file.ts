import { createRequire } from "node:module";
import { loadSqliteLibrary } from "@fiscald/shared/optional-package.js";
import type Sqlite from "better-sqlite3";

/** One open SQLite file, as better-sqlite3 gives it. */
export type Database = Sqlite.Database;
export type Statement = Sqlite.Statement;

const require = createRequire(import.meta.url);

/** Fault: `store.library-missing`; SQLite's own errors are thrown as they are. */
export function openSqliteFile(path: string, options: Sqlite.Options = {}): Database {
  const Library = loadSqliteLibrary(require);
  return new Library(path, options);
}
