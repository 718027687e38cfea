/** The worker thread of check-integrity.ts. Posts SQLite's answer about the attempts, then about the whole database. */
import { parentPort, workerData } from "node:worker_threads";
import { z } from "zod";
import { openSqliteFile } from "./sqlite-file.js";

const { path } = z.object({ path: z.string() }).parse(workerData);
const db = openSqliteFile(path, { readonly: true });
try {
  for (const check of ["quick_check(attempts)", "integrity_check"]) {
    parentPort?.postMessage(String(db.pragma(check, { simple: true })));
  }
} finally {
  db.close();
}
