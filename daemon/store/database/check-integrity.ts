/**
 * Integrity checks after a crash. The small tables are checked before the start, the rest in a worker thread, because
 * with 300,000 jobs the check takes seconds and polling must not wait. The worker begins with the attempts, which
 * printing waits for, because a lost row there could print a receipt twice.
 */
import { on } from "node:events";
import { Worker } from "node:worker_threads";
import { Fault } from "@fiscald/shared/fault.js";
import { z } from "zod";
import { storeReasons } from "../../messages/reasons/store-reasons.js";
import type { Database } from "./sqlite-file.js";
import { toStoreFault } from "./store-fault.js";

const smallTables = ["meta", "registers", "documents"];

/** Throws `store.damaged`. */
export function checkSmallTables(db: Database): void {
  for (const table of smallTables) {
    const answer = db.pragma(`quick_check(${table})`, { simple: true });
    if (answer !== "ok") throw damaged(db.name, String(answer));
  }
}

/** A fault is `store.damaged` or the one that made the check impossible. */
export type CheckResult = "intact" | "stopped" | Fault;

export function checkInBackground(path: string) {
  const worker = new Worker(new URL("./integrity-worker.js", import.meta.url), { argv: [path] });
  const stopping = new AbortController();
  const answers = on(worker, "message", { signal: stopping.signal });
  async function next(): Promise<CheckResult> {
    try {
      const [answer] = z.tuple([z.string()]).parse((await answers.next()).value);
      return answer === "ok" ? "intact" : damaged(path, answer);
    } catch (error) {
      return stopping.signal.aborted ? "stopped" : toStoreFault(error, path);
    }
  }
  const attempts = next();
  return {
    attempts,
    /** Includes the attempts. */
    whole: attempts.then((result) => (result === "intact" ? next() : result)),
    /** Resolves when SQLite has closed the file. */
    async stop(): Promise<void> {
      stopping.abort();
      await worker.terminate();
    },
  };
}

function damaged(path: string, answer: string): Fault {
  return new Fault("store.damaged", { message: storeReasons.damaged({ path, detail: answer }), place: path });
}
