/**
 * Polls one site for the orders of one register: at once after an order or a long poll, after the period without an
 * order, with growing pauses while the site fails, and not at all while too many jobs wait or the gate is shut.
 */

import { backoffDelayMs, type Clock } from "@fiscald/shared/clock.js";
import { Fault, isFault, toFault } from "@fiscald/shared/fault.js";
import type { Kkm } from "@fiscald/shared/ids.js";
import type { Logger } from "@fiscald/shared/logger.js";
import { orderReasons } from "../messages/reasons/order-reasons.js";
import type { Deliveries } from "../sites/deliveries.js";
import type { PollAnswer } from "../sites/site-client.js";
import { retryWhileBusy } from "../store/database/retry-while-busy.js";
import type { IntakeGate } from "./intake-gate.js";
import type { AcceptResult, Polled } from "./intake-parts.js";

export interface PollerOptions {
  readonly periodMs: number;
  /** Known since the register's first connect; null = nothing can be asked for. */
  kkm(): Kkm | null;
  /** False while too many jobs wait and no register of the group is free. */
  hasRoom(): boolean;
  poll(kkm: Kkm, signal: AbortSignal): Promise<PollAnswer>;
  /** Stores the answer in one synchronous transaction. Throws a `store.*` fault when it could not be committed. */
  accept(answer: Polled): AcceptResult;
  /** Called with a fault for each failed poll and each lost answer, and with null for each good answer. */
  onTrouble(fault: Fault | null, kkm: Kkm): void;
  readonly deliveries: Pick<Deliveries, "count">;
  readonly gate: IntakeGate;
  readonly clock: Clock;
  random(): number;
  readonly log: Logger;
}

export type Poller = ReturnType<typeof createPoller>;

/** In this pause the order goes to its register, and no site is asked in a hot loop. */
const AFTER_ORDER_MS = 50;
const siteBackoff = { firstMs: 5000, maxMs: 300_000 };
const storeBackoff = { firstMs: 500, maxMs: 30_000 };

export function createPoller(options: PollerOptions) {
  const { gate, clock, log } = options;
  const stopping = new AbortController();
  const cutting = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let siteLeases = false;
  /** Each pause renews this controller, so that `askNow` ends the present pause or the next. */
  let asked = new AbortController();
  let lacksRegister = false;

  async function rest(ms: number): Promise<void> {
    await clock.sleep(ms, AbortSignal.any([stopping.signal, asked.signal])).catch((reason: unknown) => {
      if (stopping.signal.aborted) throw reason;
    });
    asked = new AbortController();
  }

  async function run(): Promise<void> {
    let failures = 0;
    while (!stopping.signal.aborted) {
      await gate.whenOpen(stopping.signal);
      const kkm = options.kkm();
      const startedAt = clock.monotonic();
      const result = kkm === null ? "no-room" : await askOnce(kkm);
      if (result !== "no-room") failures = result === "trouble" ? failures + 1 : 0;
      if (result === "order") {
        await clock.sleep(AFTER_ORDER_MS, stopping.signal);
        continue;
      }
      const periodLeftMs = options.periodMs - (clock.monotonic() - startedAt);
      const pauseMs = result === "trouble" ? backoffDelayMs(failures, siteBackoff, options.random) : periodLeftMs;
      lacksRegister = result === "no-room";
      if (pauseMs > 0) await rest(pauseMs);
      lacksRegister = false;
    }
  }

  async function askOnce(kkm: Kkm): Promise<"order" | "nothing" | "trouble" | "no-room"> {
    let answer: PollAnswer;
    const askedAt = clock.now();
    const deliveries = options.deliveries.count;
    const startedAt = clock.monotonic();
    try {
      // This reads the database, and a failed read is a trouble that passes, like a failing site.
      if (!options.hasRoom()) return "no-room";
      answer = await options.poll(kkm, cutting.signal);
    } catch (error) {
      if (cutting.signal.aborted) throw error;
      options.onTrouble(toFault(error, "internal"), kkm);
      return "trouble";
    }
    siteLeases = answer.leases;
    // The smaller of two readings counts: if the clock was set back, a later delivery would look older than the poll.
    const byPresentClock = clock.now() - (clock.monotonic() - startedAt);
    const result = await keep({ ...answer, kkm, deliveries, askedAt: Math.min(askedAt, byPresentClock) });
    if (result.kind === "site-error") {
      options.onTrouble(result.fault, kkm);
      return "trouble";
    }
    options.onTrouble(null, kkm);
    return result.kind === "order" ? "order" : "nothing";
  }

  /** Keeps the answer in memory until the database has it, because it may be the only copy of a paid order. */
  async function keep(answer: Polled): Promise<AcceptResult> {
    const { kkm } = answer;
    await gate.whenTurn(clock);
    for (let attempt = 1; ; attempt += 1) {
      try {
        const result = await retryWhileBusy(clock, cutting.signal, () => options.accept(answer));
        if (attempt > 1) {
          log.info("stored the answer that waited for the database", { kkm });
          gate.open();
        }
        return result;
      } catch (error) {
        const fault = toFault(error, "internal");
        if (fault.area !== "store") {
          if (attempt > 1) gate.open();
          return { kind: "site-error", fault };
        }
        if (attempt === 1) log.error("cannot store an order: no site is polled until it is stored", { kkm, fault });
        gate.close(fault);
      }
      await clock.sleep(backoffDelayMs(attempt, storeBackoff, options.random), cutting.signal).catch((reason) => {
        const message = orderReasons.stopped;
        options.onTrouble(new Fault("site.answer-lost", { message, details: { kkm } }), kkm);
        throw reason;
      });
    }
  }

  return {
    start(): void {
      running = run().catch((error: unknown) => {
        // Cutting a poll loses nothing at a site that leases its orders.
        if (stopping.signal.aborted && (siteLeases || !isFault(error))) return;
        log.error("a poller ended", { fault: toFault(error, "internal") });
      });
    },
    /** Ends the pause before the next poll, or the pause after a poll in flight. */
    askNow: () => asked.abort(),
    /** Ends a pause that waits for a register to become known or to have room. */
    registersChanged(): void {
      if (lacksRegister) asked.abort();
    },
    /** Lets a poll in flight finish, for `graceMs` at most. A site that leases orders is cut at once. */
    async stop(graceMs: number): Promise<void> {
      stopping.abort(new Error("the poller is stopped"));
      const cut = () => cutting.abort(new Error("the poller is stopped"));
      if (siteLeases) cut();
      const timer = clock.setTimer(graceMs, cut);
      await running;
      timer.cancel();
    },
  };
}
