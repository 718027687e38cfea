import type { Clock, Timer } from "../clock.js";
import { type Fault, toFault } from "../fault.js";
import type { LogFields, Logger } from "../logger.js";
import type { Delivery } from "./classify-response.js";
import type { OutboxHead, OutboxPort } from "./outbox-port.js";

export interface SenderOptions<Event> {
  readonly outbox: OutboxPort<Event>;
  /** One try. Bounded in time by itself; the signal aborts when a stop does not want to wait any longer. */
  readonly deliver: (event: Event, signal: AbortSignal) => Promise<Delivery>;
  readonly schedule: RetrySchedule;
  /** Deliveries at one time. */
  readonly concurrency: number;
  /** How often events that were set aside are tried again, beside once at every start; null = never. */
  readonly asideEveryMs: number | null;
  readonly describe: (event: Event) => LogFields;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface RetrySchedule {
  /**
   * Delay before the next try of this event, beside that of its destination; null: set it aside. Counts include the try
   * that just failed.
   */
  afterFailure(delivery: Failed, counts: { readonly tries: number; readonly refusals: number }): number | null;
  /** Delay before anything is sent to a destination again that failed `failures` times in a row. */
  afterOutage(failures: number): number;
}

export type Failed = Exclude<Delivery, { kind: "delivered" }>;

/**
 * Delivers what an outbox holds, at least once: oldest first within a lane, lanes side by side. A destination that is out
 * is probed with one event at a time, by backoff. Remembers nothing that matters: after a restart everything is due.
 */
export interface Sender {
  start(): void;
  /** There may be something new to deliver. */
  wake(): void;
  /** Lets deliveries in flight end, for at most `graceMs`; nothing is recorded afterwards. */
  stop(graceMs: number): Promise<void>;
}

interface LaneMemory {
  readonly headId: number;
  readonly revision: number;
  readonly dueAt: number;
}

interface Outage {
  readonly failures: number;
  readonly dueAt: number;
  readonly since: number;
}

export function createSender<Event>(options: SenderOptions<Event>): Sender {
  const { outbox, deliver, schedule, concurrency, asideEveryMs, describe, clock, logger } = options;
  const lanes = new Map<string, LaneMemory>();
  const outages = new Map<string, Outage>();
  const busyLanes = new Set<string>();
  const busyDestinations = new Map<string, number>();
  const inFlight = new Set<Promise<void>>();
  const abort = new AbortController();
  let asideQueue: readonly OutboxHead[] = [];
  let asideDueAt = 0;
  let timer: Timer | null = null;
  let running: Promise<void> | null = null;
  let wokenMeanwhile = false;
  let stopped = true;

  function wake(): void {
    if (stopped) return;
    if (running !== null) {
      wokenMeanwhile = true;
      return;
    }
    wokenMeanwhile = false;
    // Not at once: whoever wakes it may be in the middle of the transaction that adds the event.
    running = Promise.resolve()
      .then(startWhatIsDue)
      .catch((error: unknown) => {
        logger.error("outbox could not be read", { fault: toFault(error, "internal") });
        wakeIn(schedule.afterOutage(1));
      })
      .finally(() => {
        running = null;
        if (wokenMeanwhile) wake();
      });
  }

  function wakeIn(ms: number): void {
    timer?.cancel();
    timer = clock.setTimer(ms, wake);
  }

  async function startWhatIsDue(): Promise<void> {
    const now = clock.monotonic();
    await collectAside(now);
    // Enough to find every free place a head, whatever is waiting or under way.
    const heads = await outbox.heads(lanes.size + busyLanes.size + concurrency);
    if (stopped) return;
    let nextAt = asideEveryMs === null ? Number.POSITIVE_INFINITY : asideDueAt;
    const beginIfDue = (head: OutboxHead): boolean => {
      const dueAt = dueTimeOf(head, now);
      if (dueAt > now) nextAt = Math.min(nextAt, dueAt);
      if (dueAt > now || !mayStart(head)) return false;
      begin(head);
      return true;
    };
    for (const head of heads) beginIfDue(head);
    asideQueue = asideQueue.filter((head) => !beginIfDue(head));
    timer?.cancel();
    // By the time it is now: reading the heads took some.
    if (nextAt !== Number.POSITIVE_INFINITY) wakeIn(Math.max(1, nextAt - clock.monotonic()));
  }

  /** Until an outage is over, one event at a time finds out. */
  function mayStart(head: OutboxHead): boolean {
    if (inFlight.size >= concurrency || busyLanes.has(head.lane)) return false;
    return !outages.has(head.destination) || !busyDestinations.has(head.destination);
  }

  function dueTimeOf(head: OutboxHead, now: number): number {
    return Math.max(memoryOf(head)?.dueAt ?? 0, outages.get(head.destination)?.dueAt ?? 0, now + head.dueInMs);
  }

  async function collectAside(now: number): Promise<void> {
    if (asideEveryMs === null || now < asideDueAt) return;
    asideDueAt = now + asideEveryMs;
    // Each in a lane of its own: the lane that it stood in went on without it.
    asideQueue = (await outbox.aside()).map((head) => ({ ...head, lane: `aside ${head.id}` }));
  }

  function memoryOf(head: OutboxHead): LaneMemory | null {
    const memory = lanes.get(head.lane);
    return memory?.headId === head.id && memory.revision === head.revision ? memory : null;
  }

  function begin(head: OutboxHead): void {
    busyLanes.add(head.lane);
    busyDestinations.set(head.destination, (busyDestinations.get(head.destination) ?? 0) + 1);
    const delivery = deliverHead(head)
      .catch((error: unknown) => {
        const fault = toFault(error, "internal");
        logger.error("delivery could not be recorded", { event: head.id, fault });
        remember(head, schedule.afterOutage(1));
      })
      .finally(() => {
        busyLanes.delete(head.lane);
        const others = (busyDestinations.get(head.destination) ?? 1) - 1;
        if (others === 0) busyDestinations.delete(head.destination);
        else busyDestinations.set(head.destination, others);
        inFlight.delete(delivery);
        wake();
      });
    inFlight.add(delivery);
  }

  async function deliverHead(head: OutboxHead): Promise<void> {
    const event = await outbox.take(head);
    if (event === null) {
      lanes.delete(head.lane);
      return;
    }
    const log = logger.child({ event: head.id, ...describe(event) });
    const delivery = await tryToDeliver(event);
    if (abort.signal.aborted) return;
    noteDestination(head.destination, delivery);
    if (delivery.kind === "delivered") {
      await outbox.delivered(event);
      lanes.delete(head.lane);
      log.info("event delivered", head.tries === 0 ? {} : { tries: head.tries + 1 });
      return;
    }
    const isRefused = delivery.kind === "refused";
    const refusals = head.refusals + (isRefused ? 1 : 0);
    const againInMs = schedule.afterFailure(delivery, { tries: head.tries + 1, refusals });
    await outbox.failed(event, { fault: delivery.fault, refused: isRefused, againInMs });
    if (againInMs === null) lanes.delete(head.lane);
    else remember(head, againInMs);
    logFailure(log, delivery, head, againInMs);
  }

  async function tryToDeliver(event: Event): Promise<Delivery> {
    try {
      return await deliver(event, abort.signal);
    } catch (error) {
      return { kind: "failed", fault: toFault(error, "internal") };
    }
  }

  function remember(head: OutboxHead, againInMs: number): void {
    lanes.set(head.lane, { headId: head.id, revision: head.revision, dueAt: clock.monotonic() + againInMs });
  }

  function noteDestination(destination: string, delivery: Delivery): void {
    const outage = outages.get(destination);
    if (delivery.kind === "outage") {
      const now = clock.monotonic();
      // Deliveries that were under way side by side count once.
      if (outage !== undefined && now < outage.dueAt) return;
      const failures = (outage?.failures ?? 0) + 1;
      outages.set(destination, {
        failures,
        since: outage?.since ?? now,
        dueAt: now + schedule.afterOutage(failures),
      });
      if (outage === undefined) logger.warn("events wait", { to: destination, fault: delivery.fault });
      return;
    }
    if (outage === undefined) return;
    outages.delete(destination);
    const seconds = Math.round((clock.monotonic() - outage.since) / 1000);
    logger.info("events go out again", { to: destination, afterSeconds: seconds });
  }

  function logFailure(log: Logger, delivery: Failed, head: OutboxHead, againInMs: number | null): void {
    const fault: Fault = delivery.fault;
    if (againInMs === null) log.error("event set aside", { tries: head.tries + 1, fault });
    else if (delivery.kind !== "outage" && head.tries === 0) log.warn("event not delivered, tried again", { fault });
    else log.debug("event not delivered", { tries: head.tries + 1, againInMs, code: fault.code });
  }

  return {
    start() {
      stopped = false;
      wake();
    },
    wake,
    async stop(graceMs) {
      stopped = true;
      timer?.cancel();
      await running;
      const graceOver = new AbortController();
      const grace = clock.sleep(graceMs, graceOver.signal).then(
        () => abort.abort(),
        () => undefined,
      );
      await Promise.allSettled([...inFlight]);
      graceOver.abort();
      await grace;
    },
  };
}
