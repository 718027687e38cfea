import { createRequire } from "node:module";
import { loadSqliteLibrary } from "@fiscald/shared/optional-package.js";
import type Sqlite from "better-sqlite3";

export type Database = Sqlite.Database;
/** An interface, not an alias, so that the type of a set of statements can name it. */
export interface Statement extends Sqlite.Statement {}

const require = createRequire(import.meta.url);

/** Throws `store.library-missing`, or the SQLite error unchanged. */
export function openSqliteFile(path: string, options: Sqlite.Options = {}): Database {
  const Library = loadSqliteLibrary(require);
  return new Library(path, options);
}
