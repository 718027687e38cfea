/** Limits wrong passwords by address and courier, so that an attacker locks out only his own address. */
import type { Clock } from "@fiscald/shared/clock.js";
import { Fault } from "@fiscald/shared/fault.js";

const WINDOW_MS = 60_000;

export interface GuardedLogin {
  readonly address: string;
  readonly courier: string;
  /** A device of an earlier login; null: a new device. Attackers behind the same address do not use up its tries. */
  readonly knownDevice: string | null;
}

export interface LoginLimit {
  /** Counts a login before its password is checked, so that parallel logins count. Call the result if it succeeds. */
  begin(login: GuardedLogin): () => void;
}

/** Each node counts for itself in memory. Only the current minute is kept, so that the memory stays small. */
export function createLoginLimit({ limit, clock }: { readonly limit: number; readonly clock: Clock }): LoginLimit {
  let windowStart = Number.NEGATIVE_INFINITY;
  let tries = new Map<string, number>();
  return {
    begin(login) {
      const key = JSON.stringify([login.address, login.courier, login.knownDevice]);
      const now = clock.monotonic();
      if (now - windowStart >= WINDOW_MS) {
        windowStart = now;
        tries = new Map();
      }
      const inWindow = tries;
      const count = inWindow.get(key) ?? 0;
      if (count >= limit) {
        const seconds = Math.ceil((windowStart + WINDOW_MS - now) / 1000);
        throw new Fault("api.too-many", {
          message: "Too many logins of this courier with a wrong password.",
          details: { retryAfterSeconds: seconds },
        });
      }
      inWindow.set(key, count + 1);
      return () => inWindow.set(key, (inWindow.get(key) ?? 1) - 1);
    },
  };
}
