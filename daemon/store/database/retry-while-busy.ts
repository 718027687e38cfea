import type { Clock } from "@fiscald/shared/clock.js";
import { isFault } from "@fiscald/shared/fault.js";
import type { Database } from "./sqlite-file.js";

const BUSY_TIMEOUT_MS = 50;
const PAUSE_MS = 200;
/** With their pauses these tries take about five seconds. A tool that copies the file is done by then. */
const TRIES = 20;

/**
 * Call this once the registers are started, because during SQLite's synchronous wait no register and no console call is
 * served; `retryWhileBusy` waits with a timer instead. Statements before that keep the long wait, because a refused
 * start means that the daemon does not run.
 */
export function shortenBusyTimeout(db: Database): void {
  db.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
}

/** Rejects with the last `store.busy` after all tries or an abort, and immediately with any other fault. */
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
