/** The worker thread of check-integrity.ts. Posts SQLite's answer about the attempts, then about the whole database. */
import { parentPort } from "node:worker_threads";
import { openSqliteFile } from "./sqlite-file.js";

const [, , path = ""] = process.argv;
const db = openSqliteFile(path, { readonly: true });
try {
  for (const check of ["quick_check(attempts)", "integrity_check"]) {
    parentPort?.postMessage(String(db.pragma(check, { simple: true })));
  }
} finally {
  db.close();
}
