/** Gives each free register its next job when something may have changed. Only waiting times are kept in memory. */

import { backoffDelayMs, type Timer } from "@fiscald/shared/clock.js";
import { Fault, toFault } from "@fiscald/shared/fault.js";
import type { RegisterId, SiteId } from "@fiscald/shared/ids.js";
import { localTimeAt } from "@fiscald/shared/local-time.js";
import type { Signal } from "@fiscald/shared/signal.js";
import type { RegisterFleet } from "../registers/actor/register-fleet.js";
import { findMoveObstacle, type MoveObstacle } from "../registers/printing/move-obstacle.js";
import { paymentTime } from "../registers/printing/order-age.js";
import type { PrintOutcome } from "../registers/register-machine.js";
import type { RegisterSettings } from "../registers/register-settings.js";
import type { RegisterSnapshot } from "../registers/register-snapshot.js";
import type { BriefJob } from "../store/job.js";
import type { JobStore } from "../store/job-store.js";
import type { Journal } from "../store/journal.js";
import { type CircuitBreaker, chooseRegister, createCircuitBreaker, type RoutedRegister } from "./choose-register.js";
import { closingRegisters, groupByRegister, inServingOrder, orderOf, pickDueJobs } from "./pick-jobs.js";
import { createRestoreBarrier, type RestoreBarrierOptions } from "./restore-barrier.js";

export interface DispatcherOptions extends RestoreBarrierOptions {
  readonly jobs: JobStore;
  readonly journal: Journal;
  readonly fleet: Pick<RegisterFleet, "get" | "snapshots">;
  readonly wake: Signal;
  readonly random: () => number;
}

interface Waiting {
  /** Monotonic ms. */
  readonly since: number;
  readonly notBefore: number;
  /** The number of tries in a row that made no progress. */
  readonly breaks: number;
}

interface InHand {
  readonly order: string | null;
  readonly ended: Promise<void>;
}

interface Lack {
  readonly reason: string;
  readonly until: number | null;
}

type Registers = Map<RegisterId, RegisterSnapshot>;

/** The orders that a register had to print when it came back after an outage, by the day on which they were paid. */
export interface WhatWaited {
  /** When the register came back, by the wall clock in ms. */
  readonly at: number;
  readonly orders: number;
  readonly days: Readonly<Record<string, number>>;
}

/** When an order has waited this long for a register that comes back, the orders that waited are reported for as long. */
const OUTAGE_MS = 3_600_000;
const STORE_RETRY_MS = 5_000;
/** The queue is read at least this often, because a register's rest, for one, ends without an event. */
const LOOK_AGAIN_MS = 10_000;
/** A receipt that its own register cannot print does not wait for a register absent this long (exactly-once 10). */
const ABSENT_MS = 24 * 3_600_000;
/** Pauses before a failed order that its site offers again is printed again (54-fz 14). */
const againBackoff = { firstMs: 2_000, maxMs: 30_000 };
/** A register that refuses a job without a visible cause is blocked for less. Another job is tried there first. */
const PROBE_MS = 65_000;
const breakBackoff = { firstMs: 500, maxMs: 30_000 };

export class Dispatcher {
  private readonly stopping = new AbortController();
  private readonly inHand = new Map<number, InHand>();
  /** A register is ready shortly before the dispatcher hears that its job ended. */
  private readonly atWork = new Set<RegisterId>();
  private readonly waiting = new Map<number, Waiting>();
  private readonly lastServed = new Map<RegisterId, SiteId>();
  private readonly breakers = new Map<RegisterId, CircuitBreaker>();
  /** The log already says that these jobs wait for a register with the right features. */
  private readonly saidToWait = new Set<number>();
  /** Since when each register has not answered, in monotonic ms. */
  private readonly awaySince = new Map<RegisterId, number>();
  private readonly everConnected = new Set<RegisterId>();
  private readonly backWith = new Map<RegisterId, WhatWaited>();
  /** By job id. After `until` (monotonic ms) the register is asked again, as a person may have mended it. */
  private readonly lacks = new Map<number, Map<RegisterId, Lack>>();
  private readonly barrier: ReturnType<typeof createRestoreBarrier>;
  private timer: Timer | null = null;
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly options: DispatcherOptions) {
    this.barrier = createRestoreBarrier(options);
  }

  start(): void {
    if (this.stopping.signal.aborted) return;
    this.barrier.start();
    this.running = this.run().catch((error: unknown) => {
      if (!this.stopping.signal.aborted)
        this.options.log.error("the dispatcher failed", { fault: toFault(error, "internal") });
    });
  }

  /** The register that must be read before `register` prints an order (restore-barrier.ts); null = none. */
  awaited(register: RegisterId): RegisterId | null {
    return this.barrier.awaited(this.options.fleet.get(register).snapshot(), this.readRegisters());
  }

  /** The orders that waited for a register that came back in the last hour; null = there was no outage. */
  whatWaited(register: RegisterId): WhatWaited | null {
    const waited = this.backWith.get(register) ?? null;
    return waited !== null && this.options.clock.now() - waited.at < OUTAGE_MS ? waited : null;
  }

  /** Starts no further job. Resolves when the running jobs have ended. */
  async stop(): Promise<void> {
    this.stopping.abort(new Fault("register.stopped"));
    this.timer?.cancel();
    await this.running;
    await Promise.all([...this.inHand.values()].map(({ ended }) => ended));
  }

  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      this.dispatchAll();
      // Changes of the turn before have been seen, and so have the changes made by handing out jobs.
      this.options.wake.clear();
      await this.options.wake.wait(this.stopping.signal);
      // Changes that come together wake once, such as a register's change and the outcome of its job.
      await this.options.clock.turn();
    }
  }

  private dispatchAll(): void {
    this.timer?.cancel();
    try {
      const waiting = this.options.jobs.waiting();
      const queue = waiting.filter(({ state }) => state === "queued");
      this.remember(queue);
      const registers = this.readRegisters();
      this.barrier.update(registers);
      for (const register of registers.values()) this.noteAway(register, queue);
      const ordersInHand = new Set([...this.inHand.values()].flatMap(({ order }) => (order === null ? [] : [order])));
      const due = pickDueJobs({
        waiting: waiting.filter(({ id }) => !this.inHand.has(id)),
        ordersInHand,
        isDue: ({ id }) => (this.waiting.get(id)?.notBefore ?? 0) <= this.options.clock.monotonic(),
      });
      const closing = closingRegisters(queue);
      for (const [register, ofRegister] of groupByRegister(due)) {
        for (const job of inServingOrder(ofRegister, this.lastServed.get(register) ?? null)) {
          const taken = this.place(job, registers, closing);
          if (taken !== null) registers.set(taken, this.options.fleet.get(taken).snapshot());
        }
      }
      this.wakeLater(queue, registers);
    } catch (error) {
      this.options.log.error("the queue cannot be read", { fault: toFault(error, "internal") });
      this.timer = this.options.clock.setTimer(STORE_RETRY_MS, () => this.options.wake.notify());
    }
  }

  private readRegisters(): Registers {
    return new Map(this.options.fleet.snapshots().map((snapshot) => [snapshot.settings.id, snapshot]));
  }

  private remember(queue: readonly BriefJob[]): void {
    const ids = new Set(queue.map(({ id }) => id));
    for (const id of this.waiting.keys()) {
      // A job whose outcome is unknown keeps its pause, because it returns to the queue when it proves not printed.
      const mayComeBack = ids.has(id) || this.inHand.has(id) || this.options.jobs.stateOf(id) === "unsure";
      if (!mayComeBack) this.waiting.delete(id);
    }
    for (const { id, tries } of queue) {
      if (this.waiting.has(id)) continue;
      const since = this.options.clock.monotonic();
      const notBefore = tries === 0 ? 0 : since + backoffDelayMs(tries, againBackoff, this.options.random);
      this.waiting.set(id, { since, notBefore, breaks: 0 });
    }
    for (const id of this.lacks.keys()) if (!ids.has(id) && !this.inHand.has(id)) this.lacks.delete(id);
    for (const id of this.saidToWait) if (!ids.has(id)) this.saidToWait.delete(id);
  }

  private noteAway({ settings, isConnected, pausedSince }: RegisterSnapshot, queue: readonly BriefJob[]): void {
    const { id } = settings;
    const now = this.options.clock.monotonic();
    const since = this.awaySince.get(id) ?? now;
    if (!isConnected) return void this.awaySince.set(id, since);
    // How long this program was off before the register's first connect is not known.
    const isOutage = now - since >= OUTAGE_MS || !this.everConnected.has(id);
    if (isOutage && pausedSince === null) this.sayWhatWaited(settings, queue);
    this.everConnected.add(id);
    this.awaySince.delete(id);
  }

  /** Logs after an outage, of the register or of this program, how many orders of which days are about to be printed. */
  private sayWhatWaited({ id: register, timeZone }: RegisterSettings, queue: readonly BriefJob[]): void {
    const { jobs, clock, log } = this.options;
    const now = clock.now();
    const waited = queue.filter((job) => job.source === "site" && job.register === register);
    const isLong = waited.some(({ createdAt }) => now - createdAt >= OUTAGE_MS);
    if (!isLong || this.whatWaited(register) !== null) return;
    const days: Record<string, number> = {};
    for (const { id, createdAt } of waited) {
      const { receipt } = jobs.get(id);
      const paidAt = receipt.kind === "receipt" ? paymentTime(receipt, now) : null;
      const day = localTimeAt(paidAt ?? createdAt, timeZone).slice(0, 10);
      days[day] = (days[day] ?? 0) + 1;
    }
    const fields = { register, orders: waited.length, days };
    this.backWith.set(register, { ...fields, at: now });
    log.warn("a register is back after an outage, and takes up what waited", fields);
  }

  /** Whether the register is paused, or has been away for so long that no order waits for it. */
  private isOutOfUse({ settings: { id }, pausedSince }: RegisterSnapshot): boolean {
    const now = this.options.clock.monotonic();
    return pausedSince !== null || now - (this.awaySince.get(id) ?? now) >= ABSENT_MS;
  }

  /** The register that got the job; null = the job has to wait. */
  private place(job: BriefJob, registers: Registers, closing: ReadonlySet<RegisterId>): RegisterId | null {
    const own = registers.get(job.register);
    if (own === undefined) return null;
    const { group, moveAfterSeconds } = own.settings;
    // The closing of a shift prints no order, so it need not wait.
    if (job.source !== "schedule" && this.barrier.awaited(own, registers) !== null) return null;
    const others = [...registers.values()].filter(
      (other) => other !== own && group !== null && other.settings.group === group && !this.isOutOfUse(other),
    );
    const found = this.lacksOf(job.id);
    const ownLack = others.length === 0 ? null : (found?.get(job.register) ?? null);
    const obstacleTo = (id: RegisterId): MoveObstacle | null => {
      const lack = found?.get(id);
      return lack === undefined ? this.obstacle(job, own, registers, id) : { reason: lack, unknown: false };
    };
    const route = chooseRegister({
      own: this.toRouted(own, job, closing.has(job.register) && job.source !== "schedule"),
      others: others.map((other) => this.toRouted(other, job, closing.has(other.settings.id))),
      waitedMs: this.options.clock.monotonic() - (this.waiting.get(job.id)?.since ?? this.options.clock.monotonic()),
      moveAfterMs: moveAfterSeconds * 1000,
      ownLack,
      obstacle: obstacleTo,
    });
    if (route.kind === "wait") {
      if (ownLack !== null) this.warnOnce(job, ownLack);
      return null;
    }
    const register = route.kind === "move" ? route.to : job.register;
    if (route.kind === "move") this.move(job, own, route.to, ownLack);
    const mayTake = others.filter(({ settings: { id } }) => id !== register && obstacleTo(id)?.unknown !== false);
    this.hand(job, register, mayTake.length > 0 || (register !== job.register && ownLack === null));
    return register;
  }

  private toRouted(
    { settings, phase, pausedSince }: RegisterSnapshot,
    { site, orderId }: BriefJob,
    closes: boolean,
  ): RoutedRegister {
    // A paused register still closes its shift and prints reports. A receipt of an order goes elsewhere at once.
    const isPaused = pausedSince !== null && (site !== null || orderId !== null);
    const resting = isPaused || (this.breakers.get(settings.id)?.isOpen(this.options.clock.monotonic()) ?? false);
    const free = phase === "ready" && !isPaused && !closes && !this.atWork.has(settings.id);
    return { id: settings.id, free, resting };
  }

  private obstacle(job: BriefJob, from: RegisterSnapshot, registers: Registers, id: RegisterId): MoveObstacle | null {
    const to = registers.get(id);
    const full = this.options.jobs.find(job.id);
    if (to === undefined || full === null) return { reason: "it is gone", unknown: false };
    return findMoveObstacle({ job: full, from, to });
  }

  private warnOnce({ id, orderId, register }: BriefJob, lack: string): void {
    if (this.saidToWait.has(id)) return;
    this.saidToWait.add(id);
    const fields = { job: id, order: orderId, register, lack };
    this.options.log.warn("the register lacks something for the order: it waits for another one of its group", fields);
  }

  private move(job: BriefJob, from: RegisterSnapshot, to: RegisterId, lack: string | null): void {
    const state = from.pausedSince !== null ? "paused" : from.phase === "ready" ? "left out" : from.phase;
    const why = from.fault?.message ?? `${from.settings.id} is ${state}`;
    const reason = lack === null ? why : `${from.settings.id} cannot print it: ${lack}`;
    const { jobs, journal, clock, log } = this.options;
    const { id, orderId: order, register: former, site } = job;
    jobs.transaction(() => {
      const at = clock.now();
      jobs.move(id, to, at);
      const details = { from: former, to, reason };
      journal.add({ at, actor: "daemon", what: "moved", job: id, register: to, site, details });
    });
    log.info("moved to another register", { job: id, order, from: former, register: to, reason });
  }

  private hand(job: BriefJob, register: RegisterId, mayPass: boolean): void {
    const ended = this.options.fleet
      .get(register)
      .print(job.id, { mayPass })
      .then((end) => this.after(job, register, end))
      .catch((error: unknown) =>
        this.options.log.error("the queue cannot be read", { fault: toFault(error, "internal") }),
      )
      .finally(() => {
        this.inHand.delete(job.id);
        this.atWork.delete(register);
        this.options.wake.notify();
      });
    this.inHand.set(job.id, { order: orderOf(job), ended });
    this.atWork.add(register);
  }

  private after(job: BriefJob, register: RegisterId, end: PrintOutcome): void {
    if (end.kind === "finishing") return;
    const breaker = this.breakers.get(register) ?? createCircuitBreaker();
    this.breakers.set(register, breaker);
    const at = this.options.clock.monotonic();
    const lack = end.kind === "again" ? end.lacks : undefined;
    if (lack !== undefined) {
      const until = end.kind === "again" && end.mayBeMended === true ? at + breakBackoff.maxMs : null;
      const others = this.lacks.get(job.id) ?? new Map<RegisterId, Lack>();
      this.lacks.set(job.id, others.set(register, { reason: lack, until }));
    }
    if (job.site !== null) this.lastServed.set(register, job.site);
    if (end.kind === "done") {
      if (end.failed !== true) breaker.succeeded();
    } else if (end.kind !== "again" || end.afterMs > 0) breaker.failed(at);
    const { since, breaks: before } = this.waiting.get(job.id) ?? { since: at, breaks: 0 };
    // No growing pause is needed when a register lacks something: the job goes to another register.
    if (lack === undefined && (end.kind === "doubt" || !this.hasProgress(job))) {
      const breaks = before + 1;
      const pauseMs = Math.max(this.pauseOf(end, register), backoffDelayMs(breaks, breakBackoff, this.options.random));
      this.waiting.set(job.id, { since, notBefore: at + pauseMs, breaks });
    } else this.waiting.set(job.id, { since, notBefore: at + this.pauseOf(end, register), breaks: 0 });
  }

  /** A job in a group needs no pause after a block, because it goes to another register. */
  private pauseOf(end: PrintOutcome, register: RegisterId): number {
    const { group } = this.options.fleet.get(register).settings;
    if (end.kind === "blocked" && !end.visible && group === null) return PROBE_MS;
    return end.kind === "again" ? end.afterMs : 0;
  }

  /** Leaves out a lack that a person may have mended: that register is asked again. */
  private lacksOf(job: number): ReadonlyMap<RegisterId, string> {
    const now = this.options.clock.monotonic();
    const lacks = [...(this.lacks.get(job) ?? [])].filter(([, { until }]) => until === null || until > now);
    return new Map(lacks.map(([register, { reason }]) => [register, reason]));
  }

  /** Without progress a job waits longer each time, whatever the cause (exactly-once 9). */
  private hasProgress({ id, doneParts }: BriefJob): boolean {
    return this.options.jobs.stateOf(id) !== "queued" || (this.options.jobs.find(id)?.doneParts ?? 0) > doneParts;
  }

  /** No event comes when a pause is over, or when a job has waited long enough to move. */
  private wakeLater(queue: readonly BriefJob[], registers: Registers): void {
    const now = this.options.clock.monotonic();
    const times = queue.flatMap((job) => {
      const entry = this.waiting.get(job.id);
      if (entry === undefined || this.inHand.has(job.id)) return [];
      const moveAfterMs = (registers.get(job.register)?.settings.moveAfterSeconds ?? 0) * 1000;
      const mended = [...(this.lacks.get(job.id)?.values() ?? [])].map(({ until }) => until ?? 0);
      return [entry.notBefore, entry.since + moveAfterMs, this.barrier.lateAt(), ...mended].filter(
        (time) => time > now,
      );
    });
    const next = Math.min(now + LOOK_AGAIN_MS, ...times);
    this.timer = this.options.clock.setTimer(next - now, () => this.options.wake.notify());
  }
}
