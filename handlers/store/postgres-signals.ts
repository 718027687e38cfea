import { backoffDelayMs, systemClock, type Timer } from "@fiscald/shared/clock.js";
import type { Logger } from "@fiscald/shared/logger.js";
import pg from "pg";
import { createListeners, endListeners } from "./opened-database.js";

/** Signals by LISTEN / NOTIFY. A new connection calls every listener, because signals may have been missed. */
export function createPostgresSignals(address: string, logger: Logger) {
  const listeners = createListeners();
  let client: pg.Client | null = null;
  let retryTimer: Timer | null = null;
  let failures = 0;
  let closed = false;
  let count = 0;
  const listened = new Set<string>();
  let isBeginning = false;

  function tell(channel: string, payload: string): void {
    count += 1;
    listeners.emit(channel, payload);
  }

  async function connect(): Promise<void> {
    const opening = new pg.Client({ connectionString: address });
    client = opening;
    opening.on("error", (error) => lost(opening, error));
    opening.on("end", () => lost(opening, null));
    opening.on("notification", ({ channel, payload }) => tell(channel, payload ?? ""));
    await listenOn(opening, () => opening.connect());
    if (client === opening) failures = 0;
  }

  /** A connection takes one query at a time, so channels are subscribed one by one. */
  async function listenOn(which: pg.Client, begin: () => Promise<unknown> = async () => {}): Promise<void> {
    isBeginning = true;
    try {
      await begin();
      for (;;) {
        const channel = listeners.eventNames().find((one) => !listened.has(one));
        if (channel === undefined || which !== client) break;
        await which.query(`listen ${which.escapeIdentifier(channel)}`);
        if (which !== client) break;
        listened.add(channel);
        tell(channel, "");
      }
    } catch (error) {
      lost(which, error);
    } finally {
      if (which === client) isBeginning = false;
    }
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
    subscribe(channel: string, listener: (payload: string) => void): () => void {
      // Nobody would close a connection that is opened now.
      if (closed) return () => {};
      listeners.on(channel, listener);
      if (client === null && retryTimer === null) void connect();
      else if (client !== null && !isBeginning && !listened.has(channel)) void listenOn(client);
      return () => void listeners.off(channel, listener);
    },
    /** The text changes with each signal on any channel; null while signals may be missed. */
    version: () =>
      listened.size > 0 && listeners.eventNames().every((one) => listened.has(one)) ? String(count) : null,
    /** Call this after a commit of this process, whose own signal may still be on its way back. */
    changed(): void {
      count += 1;
    },
    async close(): Promise<void> {
      closed = true;
      retryTimer?.cancel();
      endListeners(listeners);
      const ending = client;
      client = null;
      await ending?.end().catch(() => undefined);
    },
  };
}
