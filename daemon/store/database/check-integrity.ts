/**
 * After an unclean end: the small tables that recovery starts from are checked at once, everything else meanwhile. With
 * 300,000 jobs a whole check takes seconds, in which no site would be polled.
 */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { Fault } from "@fiscald/shared/fault.js";
import { z } from "zod";
import type { Database } from "./sqlite-file.js";
import { toStoreFault } from "./store-fault.js";

const tablesCheckedFirst = ["meta", "registers", "documents", "attempts"];

/** Throws `store.damaged`. */
export function checkFirstTables(db: Database): void {
  for (const table of tablesCheckedFirst) {
    const answer = db.pragma(`quick_check(${table})`, { simple: true });
    if (answer !== "ok") throw damaged(db.name, String(answer));
  }
}

export interface WholeCheck {
  /** `store.damaged`, or why it could not be checked; null = it is sound, or the check was stopped. */
  readonly fault: Promise<Fault | null>;
  /** Waits until SQLite lets go of the file. */
  stop(): Promise<void>;
}

/** In a thread of its own: printing goes on meanwhile. */
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
