import type { DeviceState } from "@fiscald/drivers/fiscal-driver.js";
import { backoffDelayMs } from "@fiscald/shared/backoff.js";
import type { FnSerial } from "@fiscald/shared/ids.js";
import { type RecoverOptions, recoverRegister, worthLookingAgain } from "./recover-register.js";
import type { RegisterContext } from "./register-context.js";

/** Throws what keeps the register from being asked. */
export interface LookAgain {
  /** At each look at a register at rest. Null: nothing had to be asked anew. */
  look(options: Omit<RecoverOptions, "isFirst" | "context">): Promise<DeviceState | null>;
}

/**
 * What a maker's service may still carry out is asked for at each look, until it has ended. Documents that could not be read
 * are read anew while an order waits for them: seldom, and more seldom each time, for meanwhile the register prints nothing.
 */
export function createLookAgain(context: RegisterContext): LookAgain {
  const { stores, settings, clock, timings, random } = context;
  /** The newest job that waits, how often was looked for it, and when (monotonic ms) the next time is. */
  let unread: { readonly job: number; readonly looks: number; readonly at: number } | null = null;

  function isServiceAtWork(): boolean {
    return stores.attempts.doubtsOf(settings.id).some(({ doubt }) => doubt?.reason === "no-final-status");
  }

  /** The newest job in doubt that a document of this drive may settle once it can be read. */
  function newestUnread(fn: FnSerial): number | null {
    const unsure = stores.jobs.unfinished([settings.id]).filter(({ state }) => state === "unsure");
    if (unsure.length === 0) return null;
    const lastFd = stores.registers.find(settings.id)?.lastFd ?? 0;
    const isWorth = worthLookingAgain(stores, { fn, lastFd, register: settings.id });
    return isWorth ? Math.max(...unsure.map(({ id }) => id)) : null;
  }

  function isDue(fn: FnSerial): boolean {
    const job = newestUnread(fn);
    if (job === null) {
      unread = null;
      return false;
    }
    const now = clock.monotonic();
    if (unread?.job === job && now < unread.at) return false;
    // The first time it has been read just now.
    const looks = unread?.job === job ? unread.looks + 1 : 0;
    unread = { job, looks, at: now + backoffDelayMs(looks + 1, timings.unreadable, random) };
    return looks > 0;
  }

  return {
    async look(options) {
      if (!isDue(options.connected.identity.fn) && !isServiceAtWork()) return null;
      const end = await recoverRegister({ ...options, context, isFirst: false });
      if (end.kind === "blocked") throw end.fault;
      return end.state;
    },
  };
}
