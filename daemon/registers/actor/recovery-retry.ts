import type { DeviceState } from "@fiscald/drivers/fiscal-driver.js";
import { backoffDelayMs } from "@fiscald/shared/backoff.js";
import type { FnSerial } from "@fiscald/shared/ids.js";
import { isNear, worthLookingAgain } from "../recovery/look-back.js";
import { type RecoverOptions, recoverRegister } from "../recovery/recover-register.js";
import { isUnwitnessedClosing } from "../recovery/unwitnessed-closing.js";
import type { RegisterContext } from "../register-context.js";

/** Throws what keeps the register from being asked. */
export interface RecoveryRetry {
  /** Called at each state read of a ready register. Null: nothing had to be read again. */
  look(options: Omit<RecoverOptions, "isFirst" | "context">): Promise<DeviceState | null>;
}

/**
 * A task that a maker's service may still carry out is queried at each state read until it has ended. Unreadable
 * documents are read again while an order waits for them, and an uncertain closing is searched for at once. Both
 * happen at growing intervals, because the register prints nothing meanwhile.
 */
export function createRecoveryRetry(context: RegisterContext): RecoveryRetry {
  const { stores, settings } = context;
  // What could not be read has been tried just now.
  const unread = createPace(context, { first: "later" });
  const closings = createPace(context, { first: "now" });

  const doubts = () => stores.attempts.doubtsOf(settings.id);
  const lastFd = () => stores.registers.find(settings.id)?.lastFd ?? 0;

  function isServiceAtWork(): boolean {
    return doubts().some(({ doubt }) => doubt?.reason === "no-final-status");
  }

  /** The newest unsure job that a document of this drive may settle once it can be read. */
  function newestUnread(fn: FnSerial): number | null {
    const unsure = stores.jobs.unfinished([settings.id]).filter(({ state }) => state === "unsure");
    if (unsure.length === 0) return null;
    const isWorth = worthLookingAgain(stores, { fn, lastFd: lastFd(), register: settings.id });
    return isWorth ? Math.max(...unsure.map(({ id }) => id)) : null;
  }

  function newestClosing(fn: FnSerial): number | null {
    const closing = doubts().findLast(
      (doubt) => isUnwitnessedClosing(doubt) && isNear(doubt, { fn, lastFd: lastFd() }),
    );
    return closing?.job ?? null;
  }

  return {
    async look(options) {
      const { fn } = options.connected.identity;
      const isDue = [unread.isDue(newestUnread(fn)), closings.isDue(newestClosing(fn)), isServiceAtWork()];
      if (!isDue.includes(true)) return null;
      const end = await recoverRegister({ ...options, context, isFirst: false });
      if (end.kind === "blocked") throw end.fault;
      return end.state;
    },
  };
}

interface Pace {
  /** Whether a search for this job is due; null = no job. */
  isDue(job: number | null): boolean;
}

function createPace(
  { clock, timings, random }: Pick<RegisterContext, "clock" | "timings" | "random">,
  { first }: { readonly first: "now" | "later" },
): Pace {
  /** The job, the number of searches so far, and the time of the next one (monotonic ms). */
  let looked: { readonly job: number; readonly looks: number; readonly at: number } | null = null;
  return {
    isDue(job) {
      if (job === null) {
        looked = null;
        return false;
      }
      const now = clock.monotonic();
      if (looked?.job === job && now < looked.at) return false;
      const isNew = looked?.job !== job;
      const looks = looked === null || isNew ? 0 : looked.looks + 1;
      looked = { job, looks, at: now + backoffDelayMs(looks + 1, timings.unreadable, random) };
      return !isNew || first === "now";
    },
  };
}
