/** Worker thread of check-integrity.ts: checks the whole database on its own connection and posts SQLite's answer. */
import { parentPort, workerData } from "node:worker_threads";
import { z } from "zod";
import { openSqliteFile } from "./sqlite-file.js";

const { path } = z.object({ path: z.string() }).parse(workerData);
const db = openSqliteFile(path, { readonly: true });
try {
  parentPort?.postMessage(String(db.pragma("integrity_check", { simple: true })));
} finally {
  db.close();
}
