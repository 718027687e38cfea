import type { Clock } from "@fiscald/shared/clock.js";
import { isFault } from "@fiscald/shared/fault.js";
import type { Database } from "./sqlite-file.js";

const BUSY_TIMEOUT_MS = 50;
const PAUSE_MS = 200;
/** About five seconds: a copy tool has done by then. */
const TRIES = 20;

/**
 * Once the registers are started: while a statement waits for another program that holds the database nothing else goes on,
 * no register and no call to the console. Patience is by timer, below. What is written before that may wait: nobody else
 * does, and a start that is refused is a daemon that does not run.
 */
export function shortenWaits(db: Database): void {
  db.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
}

/** Does `work` again while the database is busy. Rejects with its last `store.busy`, when the signal aborts too, and at once with any other fault. */
export async function retryWhileBusy<T>(
  clock: Pick<Clock, "sleep">,
  signal: AbortSignal | undefined,
  work: () => T | Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      const isBusy = isFault(error) && error.code === "store.busy";
      if (!isBusy || tries === TRIES || signal?.aborted === true) throw error;
      await clock.sleep(PAUSE_MS, signal).catch(() => {
        throw error;
      });
    }
  }
}
