import type { DeviceState } from "@fiscald/drivers/fiscal-driver.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { RegisterContext } from "../register-context.js";

/**
 * Watches for a register that says at each look that it is printing. What may be done about it is little, and nothing of it
 * prints or cancels: it is read again all the time, a halted print is continued as soon as the register asks for it, and
 * here the connection is made anew, because a stale one may be all that is wrong. The rest is a person's: see the early
 * warning `printing-long`.
 */
export interface PrintWatch {
  read(print: DeviceState["print"]): void;
  /** Why the connection is to be given up now; null = it is not. Says so once in a while. */
  takeFault(): Fault | null;
}

export function createPrintWatch({
  timings,
  clock,
  log,
}: Pick<RegisterContext, "timings" | "clock" | "log">): PrintWatch {
  let since: number | null = null;
  let steps = 0;
  return {
    read(print) {
      if (print !== "printing") {
        since = null;
        steps = 0;
      } else since ??= clock.monotonic();
    },
    takeFault() {
      if (since === null) return null;
      const ms = clock.monotonic() - since;
      if (ms < timings.printStuckMs * (steps + 1)) return null;
      steps += 1;
      const message = `printing for ${Math.round(ms / 60_000)} minutes: connects anew`;
      const fault = new Fault("link.lost", { message });
      log.warn("the print does not end", { fault });
      return fault;
    },
  };
}
