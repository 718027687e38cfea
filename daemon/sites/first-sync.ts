/**
 * The first list of registers after a start waits until every register has answered, or half a minute, because an
 * earlier list would name registers and tax rows that no longer exist.
 */
import type { Clock } from "@fiscald/shared/clock.js";
import { toFault } from "@fiscald/shared/fault.js";
import type { Logger } from "@fiscald/shared/logger.js";

export type FirstSync = ReturnType<typeof createFirstSync>;

export interface FirstSyncOptions {
  readonly allAnswered: () => boolean;
  readonly send: () => void;
  readonly clock: Clock;
  readonly log: Logger;
}

const LONGEST_WAIT_MS = 30_000;
const RETRY_MS = 5_000;

export function createFirstSync({ allAnswered, send, clock, log }: FirstSyncOptions) {
  let isHeld = true;
  let timer = clock.setTimer(LONGEST_WAIT_MS, release);

  function release(): void {
    if (!isHeld) return;
    timer.cancel();
    isHeld = false;
    try {
      send();
    } catch (error) {
      const fault = toFault(error, "internal");
      // A store fault is not logged here, because a busy or full database is reported when an order needs it.
      if (fault.area !== "store") log.error("the first list of registers cannot be sent yet", { fault });
      isHeld = true;
      timer = clock.setTimer(RETRY_MS, release);
    }
  }

  return {
    get isHeld() {
      return isHeld;
    },
    /** Called after each change of a register. */
    look(): void {
      if (isHeld && allAnswered()) release();
    },
    stop: () => timer.cancel(),
  };
}
