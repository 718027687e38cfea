import { type BackoffOptions, backoffDelayMs, type Clock, type Timer } from "../clock.js";
import { toFault } from "../fault.js";
import type { LogFields, Logger } from "../logger.js";
import type { Delivery } from "./classify-response.js";
import type { OutboxHead, OutboxPort } from "./outbox-port.js";

export interface SenderOptions<Event> {
  readonly outbox: OutboxPort<Event>;
  /** Tries once, within a time limit of its own. The signal aborts when `stop` no longer waits. */
  readonly deliver: (event: Event, signal: AbortSignal) => Promise<Delivery>;
  readonly schedule: RetrySchedule;
  readonly concurrency: number;
  /** How often events that were set aside are tried again (each start tries them once too); null = never. */
  readonly asideEveryMs: number | null;
  readonly describe: (event: Event) => LogFields;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface RetrySchedule {
  /** Delay before the next try of this event; null: set it aside. The counts include the failed try. */
  afterFailure(delivery: Failed, counts: { readonly tries: number; readonly refusals: number }): number | null;
  /** Delay before anything is sent again to a destination that has failed `failures` times in a row. */
  afterOutage(failures: number): number;
}

export type Failed = Exclude<Delivery, { kind: "delivered" }>;

/**
 * Delivers the events of an outbox, each at least once: oldest first within a lane, lanes side by side. A destination
 * that is down is probed with one event at a time, with growing delays. The sender remembers nothing that matters:
 * after a restart everything is due.
 */
export interface Sender {
  start(): void;
  wake(): void;
  /** Waits at most `graceMs` for deliveries that are under way; nothing is recorded after that. */
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
  const { outbox, schedule, concurrency, asideEveryMs, clock, logger } = options;
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
  /** How often in a row the outbox could not be read, or a delivery could not be recorded in it. */
  let unread = 0;
  let unrecorded = 0;
  let stopped = true;

  function wake(): void {
    if (stopped) return;
    if (running !== null) {
      wokenMeanwhile = true;
      return;
    }
    wokenMeanwhile = false;
    // Starts later, because the caller may be in the middle of the transaction that adds the event.
    running = Promise.resolve()
      .then(startWhatIsDue)
      .catch((error: unknown) => {
        logger.error("outbox could not be read", { fault: toFault(error, "internal") });
        unread += 1;
        wakeIn(schedule.afterOutage(unread));
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
    // High enough for one head per free slot, whatever is waiting or under way.
    const limit = lanes.size + busyLanes.size + concurrency;
    const resting = [...outages].filter(([to, { dueAt }]) => dueAt > now || busyDestinations.has(to));
    const heads = await outbox.heads(limit, new Set(resting.map(([destination]) => destination)));
    if (stopped) return;
    let nextAt = Number.POSITIVE_INFINITY;
    for (const [, { dueAt }] of resting) if (dueAt > now) nextAt = Math.min(nextAt, dueAt);
    const beginIfDue = (head: OutboxHead): boolean => {
      const dueAt = dueTimeOf(head, now);
      if (dueAt > now) nextAt = Math.min(nextAt, dueAt);
      if (dueAt > now || !mayStart(head)) return false;
      begin(head);
      return true;
    };
    for (const head of heads) beginIfDue(head);
    // Events that were set aside come last, so that all others go out even if the set-aside ones cannot be read.
    await collectAside(now);
    unread = 0;
    if (stopped) return;
    if (asideEveryMs !== null) nextAt = Math.min(nextAt, asideDueAt);
    asideQueue = asideQueue.filter((head) => !beginIfDue(head));
    timer?.cancel();
    if (nextAt !== Number.POSITIVE_INFINITY) wakeIn(Math.max(1, nextAt - clock.monotonic()));
  }

  /** During an outage only one event at a time may be sent, to find out whether the outage is over. */
  function mayStart({ lane, destination }: OutboxHead): boolean {
    if (inFlight.size >= concurrency || busyLanes.has(lane)) return false;
    return !outages.has(destination) || !busyDestinations.has(destination);
  }

  function dueTimeOf({ id, lane, revision, destination, dueInMs }: OutboxHead, now: number): number {
    const memory = lanes.get(lane);
    const isSame = memory?.headId === id && memory.revision === revision;
    return Math.max(isSame ? memory.dueAt : 0, outages.get(destination)?.dueAt ?? 0, now + dueInMs);
  }

  async function collectAside(now: number): Promise<void> {
    if (asideEveryMs === null || now < asideDueAt) return;
    // Each event gets a lane of its own, because its former lane went on without it.
    asideQueue = (await outbox.aside()).map((head) => ({ ...head, lane: `aside ${head.id}` }));
    asideDueAt = now + asideEveryMs;
  }

  function begin(head: OutboxHead): void {
    const { lane, destination } = head;
    busyLanes.add(lane);
    busyDestinations.set(destination, (busyDestinations.get(destination) ?? 0) + 1);
    const delivery = deliverHead(head)
      .catch((error: unknown) => {
        const fault = toFault(error, "internal");
        logger.error("delivery could not be recorded", { event: head.id, fault });
        unrecorded += 1;
        remember(head, schedule.afterOutage(unrecorded));
      })
      .finally(() => {
        busyLanes.delete(lane);
        const others = (busyDestinations.get(destination) ?? 1) - 1;
        if (others === 0) busyDestinations.delete(destination);
        else busyDestinations.set(destination, others);
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
    const log = logger.child({ event: head.id, ...options.describe(event) });
    const delivery = await tryToDeliver(event);
    if (abort.signal.aborted) return;
    noteDestination(head.destination, delivery);
    if (delivery.kind === "delivered") {
      await outbox.delivered(event);
      unrecorded = 0;
      lanes.delete(head.lane);
      log.info("event delivered", head.tries === 0 ? {} : { tries: head.tries + 1 });
      return;
    }
    const refused = delivery.kind === "refused";
    const tries = head.tries + 1;
    const refusals = head.refusals + (refused ? 1 : 0);
    const { fault } = delivery;
    const againInMs = schedule.afterFailure(delivery, { tries, refusals });
    await outbox.failed(event, { fault, refused, againInMs });
    if (againInMs === null) {
      lanes.delete(head.lane);
      log.error("event set aside", { tries, fault });
      return;
    }
    remember(head, againInMs);
    if (delivery.kind !== "outage" && tries === 1) log.warn("event not delivered, tried again", { fault });
    else log.debug("event not delivered", { tries, againInMs, code: fault.code });
  }

  async function tryToDeliver(event: Event): Promise<Delivery> {
    try {
      return await options.deliver(event, abort.signal);
    } catch (error) {
      return { kind: "failed", fault: toFault(error, "internal") };
    }
  }

  function remember({ lane, id, revision }: OutboxHead, againInMs: number): void {
    lanes.set(lane, { headId: id, revision, dueAt: clock.monotonic() + againInMs });
  }

  function noteDestination(destination: string, delivery: Delivery): void {
    const outage = outages.get(destination);
    const now = clock.monotonic();
    if (delivery.kind === "outage") {
      // Deliveries that ran side by side count as one failure.
      if (outage !== undefined && now < outage.dueAt) return;
      const failures = (outage?.failures ?? 0) + 1;
      const dueAt = now + schedule.afterOutage(failures);
      outages.set(destination, { failures, since: outage?.since ?? now, dueAt });
      if (outage === undefined) logger.warn("events wait", { to: destination, fault: delivery.fault });
    } else if (outages.delete(destination) && outage !== undefined) {
      const afterSeconds = Math.round((now - outage.since) / 1000);
      logger.info("events go out again", { to: destination, afterSeconds });
    }
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
      const grace = clock.setTimer(graceMs, () => abort.abort());
      await Promise.allSettled([...inFlight]);
      grace.cancel();
    },
  };
}

export interface BackoffScheduleOptions {
  readonly event: BackoffOptions;
  readonly outage: BackoffOptions;
  /** After so many refusals an event is set aside until a person sends it again, and its lane goes on without it. */
  readonly maxRefusals: number;
  readonly random: () => number;
}

export function backoffSchedule({ event, outage, maxRefusals, random }: BackoffScheduleOptions): RetrySchedule {
  return {
    afterFailure(delivery, { tries, refusals }) {
      if (delivery.kind === "outage") return 0;
      if (delivery.kind === "refused" && refusals >= maxRefusals) return null;
      return backoffDelayMs(delivery.kind === "refused" ? refusals : tries, event, random);
    },
    afterOutage: (failures) => backoffDelayMs(failures, outage, random),
  };
}
