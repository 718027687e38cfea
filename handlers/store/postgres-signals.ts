import { backoffDelayMs } from "@fiscald/shared/backoff.js";
import { systemClock, type Timer } from "@fiscald/shared/clock.js";
import type { Logger } from "@fiscald/shared/logger.js";
import pg from "pg";
import { LocalListeners, type Signals } from "./signals.js";

export interface PostgresSignalsOptions {
  readonly address: string;
  /** Sends the notifications. */
  readonly pool: pg.Pool;
  readonly logger: Logger;
}

export interface PostgresSignals extends Signals {
  /** Another text after each signal on any channel; null while signals may be missed. */
  version(): string | null;
  /** This process has committed something: its own signal may still be on its way back. */
  changed(): void;
}

/**
 * LISTEN / NOTIFY over one connection of its own, opened at the first subscription and again when it is lost.
 * Whenever listening begins, also for the first time, every listener is called once, because it may have missed
 * signals.
 */
export function createPostgresSignals(options: PostgresSignalsOptions): PostgresSignals {
  const { address, pool, logger } = options;
  const listeners = new LocalListeners();
  let client: pg.Client | null = null;
  let retryTimer: Timer | null = null;
  let failures = 0;
  let closed = false;
  let count = 0;
  /** Channels that the present connection listens on. */
  const listened = new Set<string>();

  function tell(channel: string, payload: string): void {
    count += 1;
    listeners.tell(channel, payload);
  }

  async function listen(on: pg.Client, channel: string): Promise<void> {
    await on.query(`listen ${on.escapeIdentifier(channel)}`);
    if (on !== client) return;
    listened.add(channel);
    count += 1;
  }

  async function connect(): Promise<void> {
    const opening = new pg.Client({ connectionString: address });
    client = opening;
    opening.on("error", (error) => lost(opening, error));
    opening.on("end", () => lost(opening, null));
    opening.on("notification", ({ channel, payload }) => tell(channel, payload ?? ""));
    try {
      await opening.connect();
      for (const channel of listeners.channels()) await listen(opening, channel);
    } catch (error) {
      lost(opening, error);
      return;
    }
    failures = 0;
    for (const channel of listeners.channels()) tell(channel, "");
  }

  function lost(which: pg.Client, error: unknown): void {
    if (which !== client || closed) return;
    client = null;
    listened.clear();
    failures += 1;
    const reason = error instanceof Error ? error.message : "connection ended";
    logger.warn("lost the notification connection of the database", { reason });
    which.end().catch(() => undefined);
    const delay = backoffDelayMs(failures, { firstMs: 200, maxMs: 10_000 }, Math.random);
    retryTimer = systemClock.setTimer(delay, () => void connect());
  }

  return {
    notify(channel, payload = "") {
      pool.query("select pg_notify($1, $2)", [channel, payload]).catch((error: unknown) => {
        logger.warn("could not notify the other nodes", { reason: String(error) });
      });
    },
    subscribe(channel, listener) {
      const isNew = !listeners.channels().includes(channel);
      const unsubscribe = listeners.add(channel, listener);
      if (client === null && retryTimer === null) void connect();
      else if (isNew && client !== null) {
        listen(client, channel).then(
          () => tell(channel, ""),
          () => undefined,
        );
      }
      return unsubscribe;
    },
    version: () => (listened.size > 0 && listeners.channels().every((one) => listened.has(one)) ? String(count) : null),
    changed() {
      count += 1;
    },
    async close() {
      closed = true;
      retryTimer?.cancel();
      listeners.clear();
      const ending = client;
      client = null;
      await ending?.end().catch(() => undefined);
    },
  };
}
