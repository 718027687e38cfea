import { backoffDelayMs, type Clock, systemClock, type Timer } from "@fiscald/shared/clock.js";
import type { Logger } from "@fiscald/shared/logger.js";
import pg from "pg";
import { createListeners, endListeners, tellAll } from "./opened-database.js";

/** The signals of this channel prove that signals arrive, because a connection may die without notice. */
const PROOF_CHANNEL = "fiscald_proofs";
/** Listeners learn within ten seconds that signals may have been missed. */
const PROVEN_EVERY_MS = 5000;
/** A proof that was not sent in this time has met a dead connection of the pool. */
const SENT_WITHIN_MS = 3000;
const SENT_AGAIN_MS = 1000;

interface SignalsOptions {
  readonly address: string;
  /** Sends the proofs, over other connections than the one on which they must arrive. */
  readonly pool: Pick<pg.Pool, "query">;
  readonly logger: Logger;
  /** Tests pass a clock of their own. */
  readonly clock?: Clock;
}

/** Signals by LISTEN / NOTIFY. */
export function createPostgresSignals({ address, pool, logger, clock = systemClock }: SignalsOptions) {
  const listeners = createListeners();
  let client: pg.Client | null = null;
  let retryTimer: Timer | null = null;
  let proofTimer: Timer | null = null;
  let isStarted = false;
  let isProven = false;
  let isUnsent = false;
  let isWarned = false;
  let failures = 0;
  let closed = false;
  let count = 0;
  const listened = new Set<string>();
  let isBeginning = false;
  listeners.on(PROOF_CHANNEL, () => {
    isProven = true;
  });

  function tell(channel: string, payload: string): void {
    if (channel !== PROOF_CHANNEL) count += 1;
    listeners.emit(channel, payload);
  }

  function tellMissed(): void {
    count += 1;
    tellAll(listeners);
  }

  /** Judges only a proof that was sent: while the pool is down or busy, no listener could query anything. */
  async function prove(): Promise<void> {
    const asked = client;
    isProven = false;
    const notify = { text: "select pg_notify($1, '')", values: [PROOF_CHANNEL], query_timeout: SENT_WITHIN_MS };
    const isSent = await pool.query(notify).then(
      () => true,
      () => false,
    );
    if (closed) return;
    if (isSent && isUnsent) tellMissed();
    isUnsent = !isSent;
    proofTimer = clock.setTimer(isSent ? PROVEN_EVERY_MS : SENT_AGAIN_MS, () => {
      if (isSent && !isProven) {
        tellMissed();
        if (asked !== null) lost(asked, new Error("signals do not arrive: is there a pooler without LISTEN?"));
      }
      void prove();
    });
  }

  async function connect(): Promise<void> {
    const opening = new pg.Client({ connectionString: address });
    client = opening;
    opening.on("error", (error) => lost(opening, error));
    opening.on("end", () => lost(opening, null));
    opening.on("notification", ({ channel, payload }) => {
      if (channel === PROOF_CHANNEL) isWarned = false;
      tell(channel, payload ?? "");
    });
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
    if (!isWarned) logger.warn("lost the notification connection of the database", { reason });
    isWarned = true;
    which.end().catch(() => undefined);
    const delay = backoffDelayMs(failures, { firstMs: 200, maxMs: 10_000 }, Math.random);
    retryTimer = clock.setTimer(delay, () => void connect());
  }

  return {
    subscribe(channel: string, listener: (payload: string) => void): () => void {
      // Nobody would close a connection that is opened now.
      if (closed) return () => {};
      listeners.on(channel, listener);
      if (!isStarted) {
        isStarted = true;
        void connect();
        void prove();
      } else if (client !== null && !isBeginning && !listened.has(channel)) void listenOn(client);
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
      proofTimer?.cancel();
      endListeners(listeners);
      const ending = client;
      client = null;
      await ending?.end().catch(() => undefined);
    },
  };
}
