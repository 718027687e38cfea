import { type BackoffOptions, backoffDelayMs, type Clock, type Timer } from "../clock.js";
import { type Fault, toFault } from "../fault.js";
import type { LogFields, Logger } from "../logger.js";
import type { Delivery } from "./classify-response.js";
import type { OutboxHead, OutboxPort } from "./outbox-port.js";

export interface SenderOptions<Event> {
  readonly outbox: OutboxPort<Event>;
  /** One try. It has a time limit of its own; the signal aborts when a stop does not wait any longer. */
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
  return new OutboxSender(options);
}

class OutboxSender<Event> implements Sender {
  private readonly lanes = new Map<string, LaneMemory>();
  private readonly outages = new Map<string, Outage>();
  private readonly busyLanes = new Set<string>();
  private readonly busyDestinations = new Map<string, number>();
  private readonly inFlight = new Set<Promise<void>>();
  private readonly abort = new AbortController();
  private asideQueue: readonly OutboxHead[] = [];
  private asideDueAt = 0;
  private timer: Timer | null = null;
  private running: Promise<void> | null = null;
  private wokenMeanwhile = false;
  /** How often in a row the outbox could not be read, and could not record a delivery. */
  private unread = 0;
  private unrecorded = 0;
  private stopped = true;

  constructor(private readonly options: SenderOptions<Event>) {}

  start(): void {
    this.stopped = false;
    this.wake();
  }

  async stop(graceMs: number): Promise<void> {
    this.stopped = true;
    this.timer?.cancel();
    await this.running;
    const graceOver = new AbortController();
    const grace = this.options.clock.sleep(graceMs, graceOver.signal).then(
      () => this.abort.abort(),
      () => undefined,
    );
    await Promise.allSettled([...this.inFlight]);
    graceOver.abort();
    await grace;
  }

  wake(): void {
    if (this.stopped) return;
    if (this.running !== null) {
      this.wokenMeanwhile = true;
      return;
    }
    this.wokenMeanwhile = false;
    // Not at once: the caller may be in the middle of the transaction that adds the event.
    this.running = Promise.resolve()
      .then(() => this.startWhatIsDue())
      .catch((error: unknown) => {
        this.options.logger.error("outbox could not be read", { fault: toFault(error, "internal") });
        this.unread += 1;
        this.wakeIn(this.options.schedule.afterOutage(this.unread));
      })
      .finally(() => {
        this.running = null;
        if (this.wokenMeanwhile) this.wake();
      });
  }

  private wakeIn(ms: number): void {
    this.timer?.cancel();
    this.timer = this.options.clock.setTimer(ms, () => this.wake());
  }

  private async startWhatIsDue(): Promise<void> {
    const now = this.options.clock.monotonic();
    // Enough to find a head for every free slot, whatever is waiting or in flight.
    const limit = this.lanes.size + this.busyLanes.size + this.options.concurrency;
    const resting = [...this.outages].filter(([to, { dueAt }]) => dueAt > now || this.busyDestinations.has(to));
    const heads = await this.options.outbox.heads(limit, new Set(resting.map(([destination]) => destination)));
    if (this.stopped) return;
    let nextAt = Number.POSITIVE_INFINITY;
    for (const [, { dueAt }] of resting) if (dueAt > now) nextAt = Math.min(nextAt, dueAt);
    const beginIfDue = (head: OutboxHead): boolean => {
      const dueAt = this.dueTimeOf(head, now);
      if (dueAt > now) nextAt = Math.min(nextAt, dueAt);
      if (dueAt > now || !this.mayStart(head)) return false;
      this.begin(head);
      return true;
    };
    for (const head of heads) beginIfDue(head);
    // Last: the other events go out also when the ones that were set aside cannot be read.
    await this.collectAside(now);
    this.unread = 0;
    if (this.stopped) return;
    if (this.options.asideEveryMs !== null) nextAt = Math.min(nextAt, this.asideDueAt);
    this.asideQueue = this.asideQueue.filter((head) => !beginIfDue(head));
    this.timer?.cancel();
    // Uses the present time, because reading the heads took a while.
    if (nextAt !== Number.POSITIVE_INFINITY) this.wakeIn(Math.max(1, nextAt - this.options.clock.monotonic()));
  }

  /** During an outage one event at a time is sent, to find out whether it is over. */
  private mayStart(head: OutboxHead): boolean {
    if (this.inFlight.size >= this.options.concurrency || this.busyLanes.has(head.lane)) return false;
    return !this.outages.has(head.destination) || !this.busyDestinations.has(head.destination);
  }

  private dueTimeOf(head: OutboxHead, now: number): number {
    return Math.max(
      this.memoryOf(head)?.dueAt ?? 0,
      this.outages.get(head.destination)?.dueAt ?? 0,
      now + head.dueInMs,
    );
  }

  private async collectAside(now: number): Promise<void> {
    if (this.options.asideEveryMs === null || now < this.asideDueAt) return;
    // Each in a lane of its own: its former lane went on without it.
    this.asideQueue = (await this.options.outbox.aside()).map((head) => ({ ...head, lane: `aside ${head.id}` }));
    this.asideDueAt = now + this.options.asideEveryMs;
  }

  private memoryOf(head: OutboxHead): LaneMemory | null {
    const memory = this.lanes.get(head.lane);
    return memory?.headId === head.id && memory.revision === head.revision ? memory : null;
  }

  private begin(head: OutboxHead): void {
    this.busyLanes.add(head.lane);
    this.busyDestinations.set(head.destination, (this.busyDestinations.get(head.destination) ?? 0) + 1);
    const delivery = this.deliverHead(head)
      .catch((error: unknown) => {
        const fault = toFault(error, "internal");
        this.options.logger.error("delivery could not be recorded", { event: head.id, fault });
        this.unrecorded += 1;
        this.remember(head, this.options.schedule.afterOutage(this.unrecorded));
      })
      .finally(() => {
        this.busyLanes.delete(head.lane);
        const others = (this.busyDestinations.get(head.destination) ?? 1) - 1;
        if (others === 0) this.busyDestinations.delete(head.destination);
        else this.busyDestinations.set(head.destination, others);
        this.inFlight.delete(delivery);
        this.wake();
      });
    this.inFlight.add(delivery);
  }

  private async deliverHead(head: OutboxHead): Promise<void> {
    const event = await this.options.outbox.take(head);
    if (event === null) {
      this.lanes.delete(head.lane);
      return;
    }
    const log = this.options.logger.child({ event: head.id, ...this.options.describe(event) });
    const delivery = await this.tryToDeliver(event);
    if (this.abort.signal.aborted) return;
    this.noteDestination(head.destination, delivery);
    if (delivery.kind === "delivered") {
      await this.options.outbox.delivered(event);
      this.unrecorded = 0;
      this.lanes.delete(head.lane);
      log.info("event delivered", head.tries === 0 ? {} : { tries: head.tries + 1 });
      return;
    }
    const isRefused = delivery.kind === "refused";
    const refusals = head.refusals + (isRefused ? 1 : 0);
    const againInMs = this.options.schedule.afterFailure(delivery, { tries: head.tries + 1, refusals });
    await this.options.outbox.failed(event, { fault: delivery.fault, refused: isRefused, againInMs });
    if (againInMs === null) this.lanes.delete(head.lane);
    else this.remember(head, againInMs);
    this.logFailure(log, delivery, head, againInMs);
  }

  private async tryToDeliver(event: Event): Promise<Delivery> {
    try {
      return await this.options.deliver(event, this.abort.signal);
    } catch (error) {
      return { kind: "failed", fault: toFault(error, "internal") };
    }
  }

  private remember(head: OutboxHead, againInMs: number): void {
    this.lanes.set(head.lane, {
      headId: head.id,
      revision: head.revision,
      dueAt: this.options.clock.monotonic() + againInMs,
    });
  }

  private noteDestination(destination: string, delivery: Delivery): void {
    const outage = this.outages.get(destination);
    if (delivery.kind === "outage") {
      const now = this.options.clock.monotonic();
      // Deliveries that were under way side by side count once.
      if (outage !== undefined && now < outage.dueAt) return;
      const failures = (outage?.failures ?? 0) + 1;
      this.outages.set(destination, {
        failures,
        since: outage?.since ?? now,
        dueAt: now + this.options.schedule.afterOutage(failures),
      });
      if (outage === undefined) this.options.logger.warn("events wait", { to: destination, fault: delivery.fault });
      return;
    }
    if (outage === undefined) return;
    this.outages.delete(destination);
    const seconds = Math.round((this.options.clock.monotonic() - outage.since) / 1000);
    this.options.logger.info("events go out again", { to: destination, afterSeconds: seconds });
  }

  private logFailure(log: Logger, delivery: Failed, head: OutboxHead, againInMs: number | null): void {
    const fault: Fault = delivery.fault;
    if (againInMs === null) log.error("event set aside", { tries: head.tries + 1, fault });
    else if (delivery.kind !== "outage" && head.tries === 0) log.warn("event not delivered, tried again", { fault });
    else log.debug("event not delivered", { tries: head.tries + 1, againInMs, code: fault.code });
  }
}

export interface BackoffScheduleOptions {
  readonly event: BackoffOptions;
  readonly outage: BackoffOptions;
  /** Refusals by a live receiver after which an event is set aside. */
  readonly maxRefusals: number;
  readonly random: () => number;
}

/** Retries without end, except where a working receiver refuses. */
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
