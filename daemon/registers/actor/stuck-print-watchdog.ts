import type { DeviceState } from "@fiscald/drivers/fiscal-driver.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { RegisterContext } from "../register-context.js";

/**
 * Watches for a register that reports "printing" at each state read. Nothing that prints or cancels is sent to it:
 * its state is read on, a halted print is continued when the register asks for it, and after a while the connection
 * is made again, because the cause may be a stale one. The rest is for a person: see the warning `printing-long`.
 */
export interface StuckPrintWatchdog {
  read(print: DeviceState["print"]): void;
  /** Why the connection is to be closed now; null = it is not. Returns a fault at intervals only. */
  takeFault(): Fault | null;
}

export function createStuckPrintWatchdog({
  timings,
  clock,
  log,
}: Pick<RegisterContext, "timings" | "clock" | "log">): StuckPrintWatchdog {
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
      const message = `printing for ${Math.round(ms / 60_000)} minutes: connects again`;
      const fault = new Fault("link.lost", { message });
      log.warn("the print does not end", { fault });
      return fault;
    },
  };
}
