/** Wrong passwords of one courier are limited, from wherever and under whatever token they come. */
import type { Clock } from "@fiscald/shared/clock.js";
import { Fault } from "@fiscald/shared/fault.js";

const WINDOW_MS = 60_000;

export interface LoginLimit {
  /**
   * Counts a login before its password is looked at, so that logins at one moment do not pass together; what it returns
   * takes the count back for the right password. Fault "api.too-many" above the limit, for the right password too.
   */
  begin(courier: string): () => void;
}

/** Kept in memory, by each node for itself; one window at a time, so that it stays small. */
export function createLoginLimit({ limit, clock }: { readonly limit: number; readonly clock: Clock }): LoginLimit {
  let windowStart = Number.NEGATIVE_INFINITY;
  let tries = new Map<string, number>();
  return {
    begin(courier) {
      const now = clock.monotonic();
      if (now - windowStart >= WINDOW_MS) {
        windowStart = now;
        tries = new Map();
      }
      const inWindow = tries;
      const count = inWindow.get(courier) ?? 0;
      if (count >= limit) {
        const seconds = Math.ceil((windowStart + WINDOW_MS - now) / 1000);
        throw new Fault("api.too-many", {
          message: "Too many logins of this courier with a wrong password.",
          details: { retryAfterSeconds: seconds },
        });
      }
      inWindow.set(courier, count + 1);
      return () => inWindow.set(courier, (inWindow.get(courier) ?? 1) - 1);
    },
  };
}
