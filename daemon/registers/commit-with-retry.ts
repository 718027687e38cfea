import { isFault } from "@fiscald/shared/fault.js";
import { retryWhileBusy } from "../store/database/retry-while-busy.js";
import type { RegisterContext } from "./register-context.js";

/**
 * Repeats a refused commit, because the print cannot be undone. A stopped register gives no commit: the row then says
 * `printing`, and the next start reads the register.
 */
export async function commitWithRetry<T>(
  { clock, timings, log, stopping }: Pick<RegisterContext, "clock" | "timings" | "log" | "stopping">,
  commit: () => T,
): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await retryWhileBusy(clock, stopping, commit);
    } catch (error) {
      if (!isFault(error) || error.area !== "store" || stopping.aborted) throw error;
      if (failures === 0)
        log.error("the outcome of a job cannot be recorded; it is tried until it can", { fault: error });
      await clock.sleep(timings.storeRetryMs, stopping);
    }
  }
}
