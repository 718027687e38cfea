/**
 * Integrity checks after a crash. The small tables that recovery reads are checked before the start. The whole database
 * is checked in the background: with 300,000 jobs this takes seconds, and polling must not wait for it.
 */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { Fault } from "@fiscald/shared/fault.js";
import { z } from "zod";
import type { Database } from "./sqlite-file.js";
import { toStoreFault } from "./store-fault.js";

const recoveryTables = ["meta", "registers", "documents", "attempts"];

/** Throws `store.damaged`. */
export function checkRecoveryTables(db: Database): void {
  for (const table of recoveryTables) {
    const answer = db.pragma(`quick_check(${table})`, { simple: true });
    if (answer !== "ok") throw damaged(db.name, String(answer));
  }
}

export interface WholeCheck {
  /**
   * `store.damaged`, or the fault that made the check impossible. Null when the database is intact or the check was
   * stopped.
   */
  readonly fault: Promise<Fault | null>;
  /** Waits until SQLite has closed the file. */
  stop(): Promise<void>;
}

/** Runs in a worker thread, so that printing continues during the check. */
export function checkWholeDatabase(path: string): WholeCheck {
  const worker = new Worker(new URL("./integrity-worker.js", import.meta.url), { workerData: { path } });
  const stopping = new AbortController();
  return {
    fault: answerOf(worker, path, stopping.signal),
    async stop() {
      stopping.abort();
      await worker.terminate();
    },
  };
}

async function answerOf(worker: Worker, path: string, stopping: AbortSignal): Promise<Fault | null> {
  try {
    const [answer] = z.tuple([z.string()]).parse(await once(worker, "message", { signal: stopping }));
    return answer === "ok" ? null : damaged(path, answer);
  } catch (error) {
    return stopping.aborted ? null : toStoreFault(error, path);
  }
}

function damaged(path: string, answer: string): Fault {
  return new Fault("store.damaged", { message: `the database ${path} is damaged: ${answer}`, place: path });
}
