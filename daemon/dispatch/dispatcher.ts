/**
 * Wakes when something may have changed, looks at the queue and hands each free register its next job. What waits is in
 * the database; only pauses and waiting times are in memory, by the monotonic clock.
 */
import { backoffDelayMs } from "@fiscald/shared/backoff.js";
import type { Timer } from "@fiscald/shared/clock.js";
import { Fault, toFault } from "@fiscald/shared/fault.js";
import type { RegisterId, SiteId } from "@fiscald/shared/ids.js";
import { type FiscalFeatures, usedFeatures } from "@fiscald/shared/receipt/used-features.js";
import type { Signal } from "@fiscald/shared/signal.js";
import type { RegisterFleet } from "../registers/actor/register-fleet.js";
import type { PrintEnd } from "../registers/print-outcome.js";
import { findLack, findMoveObstacle, type MoveObstacle } from "../registers/printing/move-obstacle.js";
import { answers, type RegisterSnapshot } from "../registers/register-snapshot.js";
import type { QueuedJob } from "../store/job.js";
import type { JobStore } from "../store/job-store.js";
import type { Journal } from "../store/journal.js";
import type { RegisterStore } from "../store/register-store.js";
import { chooseRegister, type RoutedRegister } from "./choose-register.js";
import { type CircuitBreaker, createCircuitBreaker } from "./circuit-breaker.js";
import { closingRegisters, groupByRegister, orderOf, pickDueJobs, takeTurns } from "./pick-jobs.js";
import { createRivals, type RivalsOptions } from "./restore-barrier.js";

export interface DispatcherOptions extends RivalsOptions {
  readonly jobs: JobStore;
  readonly journal: Journal;
  readonly registers: Pick<RegisterStore, "taxSource">;
  readonly fleet: Pick<RegisterFleet, "get" | "snapshots">;
  /** Notified when a job was queued or a register's state changed. */
  readonly wake: Signal;
  readonly random: () => number;
}

export interface Dispatcher {
  start(): void;
  /** Hands out nothing more; resolves when the jobs in hand have ended. */
  stop(): Promise<void>;
}

interface Waiting {
  /** Monotonic ms. */
  readonly since: number;
  readonly notBefore: number;
  /** Tries in a row that came to nothing. */
  readonly breaks: number;
}

interface InHand {
  readonly order: string | null;
  readonly register: RegisterId;
  readonly ended: Promise<void>;
}

type Registers = Map<RegisterId, RegisterSnapshot>;

const STORE_RETRY_MS = 5_000;
/** A register that has been away for so long is not waited for by a receipt that its own one cannot print (design.md 7.10). */
const ABSENT_MS = 24 * 3_600_000;
/** A failed order that its site offers again (domain 7.3). */
const againBackoff = { firstMs: 2_000, maxMs: 30_000 };
const breakBackoff = { firstMs: 500, maxMs: 30_000 };

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { jobs, journal, fleet, wake, clock, log } = options;
  const stopping = new AbortController();
  const inHand = new Map<number, InHand>();
  const waiting = new Map<number, Waiting>();
  const lastServed = new Map<RegisterId, SiteId>();
  const breakers = new Map<RegisterId, CircuitBreaker>();
  /** Until when a register is not asked again whether its paper is out; monotonic. */
  const printingUntil = new Map<RegisterId, number>();
  /** What the waiting jobs need of a register: their receipts are not read anew at each wake. */
  const needs = new Map<number, FiscalFeatures | null>();
  /** Jobs of which was said that they wait for a register that can do them. */
  const saidToWait = new Set<number>();
  /** Since when registers do not answer; monotonic. */
  const awaySince = new Map<RegisterId, number>();
  /** What registers have found that they lack for a job, by its id. */
  const lacks = new Map<number, Map<RegisterId, string>>();
  const rivals = createRivals(options);
  let timer: Timer | null = null;
  let running: Promise<void> = Promise.resolve();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      dispatchAll();
      await wake.wait(stopping.signal);
    }
  }

  function dispatchAll(): void {
    timer?.cancel();
    try {
      const queue = jobs.queue();
      remember(queue);
      const registers = new Map(fleet.snapshots().map((snapshot) => [snapshot.settings.id, snapshot]));
      rivals.recall(registers);
      for (const register of registers.values()) noteAway(register);
      const ordersInHand = new Set([...inHand.values()].flatMap(({ order }) => (order === null ? [] : [order])));
      const due = pickDueJobs({
        queue: queue.filter(({ id }) => !inHand.has(id)),
        ordersInHand,
        isDue: ({ id }) => (waiting.get(id)?.notBefore ?? 0) <= clock.monotonic(),
      });
      const closing = closingRegisters(queue);
      for (const [register, ofRegister] of groupByRegister(due)) {
        for (const job of takeTurns(ofRegister, lastServed.get(register) ?? null)) {
          const taken = place(job, registers, closing);
          if (taken !== null) registers.set(taken, fleet.get(taken).snapshot());
        }
      }
      wakeLater(queue, registers);
    } catch (error) {
      log.error("the queue cannot be read", { fault: toFault(error, "internal") });
      timer = clock.setTimer(STORE_RETRY_MS, () => wake.notify());
    }
  }

  function remember(queue: readonly QueuedJob[]): void {
    const ids = new Set(queue.map(({ id }) => id));
    for (const id of waiting.keys()) {
      // A job in doubt comes back with its pause when it turns out as not printed.
      const mayComeBack = ids.has(id) || inHand.has(id) || jobs.stateOf(id) === "unsure";
      if (!mayComeBack) waiting.delete(id);
    }
    for (const { id, tries } of queue) {
      if (waiting.has(id)) continue;
      const since = clock.monotonic();
      const notBefore = tries === 0 ? 0 : since + backoffDelayMs(tries, againBackoff, options.random);
      waiting.set(id, { since, notBefore, breaks: 0 });
    }
    for (const id of needs.keys()) if (!ids.has(id)) needs.delete(id);
    for (const id of lacks.keys()) if (!ids.has(id) && !inHand.has(id)) lacks.delete(id);
    for (const id of saidToWait) if (!ids.has(id)) saidToWait.delete(id);
  }

  function noteAway(register: RegisterSnapshot): void {
    const { id } = register.settings;
    if (answers(register)) awaySince.delete(id);
    else if (!awaySince.has(id)) awaySince.set(id, clock.monotonic());
  }

  function isAbsent(id: RegisterId): boolean {
    return clock.monotonic() - (awaySince.get(id) ?? clock.monotonic()) >= ABSENT_MS;
  }

  /** The register that was given the job; null when it has to wait. */
  function place(job: QueuedJob, registers: Registers, closing: ReadonlySet<RegisterId>): RegisterId | null {
    const own = registers.get(job.register);
    if (own === undefined) return null;
    const { group, moveAfterSeconds } = own.settings;
    if (!rivals.wereAsked(own, registers)) return null;
    const others = [...registers.values()].filter(
      (other) => other !== own && group !== null && other.settings.group === group && !isAbsent(other.settings.id),
    );
    const found = lacks.get(job.id);
    const ownLack = others.length === 0 ? null : (found?.get(job.register) ?? findLack(needsOf(job), own));
    const obstacleTo = (id: RegisterId): MoveObstacle | null => {
      const lack = found?.get(id);
      return lack === undefined ? obstacle(job, own, registers, id) : { reason: lack, unknown: false };
    };
    const route = chooseRegister({
      own: toRouted(own, closing.has(job.register) && job.source !== "schedule"),
      others: others.map((other) => toRouted(other, closing.has(other.settings.id))),
      waitedMs: clock.monotonic() - (waiting.get(job.id)?.since ?? clock.monotonic()),
      moveAfterMs: moveAfterSeconds * 1000,
      ownLack,
      obstacle: obstacleTo,
    });
    if (route.kind === "wait") {
      if (ownLack !== null) sayThatItWaits(job, ownLack);
      return null;
    }
    const register = route.kind === "move" ? route.to : job.register;
    if (route.kind === "move") move(job, own, route.to, ownLack);
    const mayTake = others.filter(({ settings: { id } }) => id !== register && obstacleTo(id)?.unknown !== false);
    hand(job, register, mayTake.length > 0 || (register !== job.register && ownLack === null));
    return register;
  }

  function toRouted({ settings, phase }: RegisterSnapshot, closes: boolean): RoutedRegister {
    const resting = breakers.get(settings.id)?.isOpen(clock.monotonic()) ?? false;
    // A register is ready some moments before it is known here how its job has ended.
    const hasJob = [...inHand.values()].some(({ register }) => register === settings.id);
    return { id: settings.id, free: phase === "ready" && !closes && !hasJob && !isPrinting(settings.id), resting };
  }

  function isPrinting(register: RegisterId): boolean {
    return (printingUntil.get(register) ?? 0) > clock.monotonic();
  }

  function needsOf({ id }: QueuedJob): FiscalFeatures | null {
    const known = needs.get(id);
    if (known !== undefined) return known;
    const receipt = jobs.find(id)?.receipt;
    const found = receipt === undefined ? null : usedFeatures(receipt).fiscal;
    needs.set(id, found);
    return found;
  }

  function obstacle(job: QueuedJob, from: RegisterSnapshot, registers: Registers, id: RegisterId): MoveObstacle | null {
    const to = registers.get(id);
    const full = jobs.find(job.id);
    if (to === undefined || full === null) return { reason: "it is gone", unknown: false };
    const taxSource = options.registers.taxSource(full.taxRegister);
    return findMoveObstacle({ receipt: full.receipt, doneParts: full.doneParts, from, to, taxSource });
  }

  function sayThatItWaits({ id, orderId, register }: QueuedJob, lack: string): void {
    if (saidToWait.has(id)) return;
    saidToWait.add(id);
    const message = `${register} cannot do ${lack}: the order waits for another register of its group`;
    log.warn(message, { job: id, order: orderId, register });
  }

  function move(job: QueuedJob, from: RegisterSnapshot, to: RegisterId, lack: string | null): void {
    const atRest = isPrinting(from.settings.id) ? "printing" : "left out";
    const state = from.phase === "ready" ? atRest : from.phase;
    const why = from.fault?.message ?? `${from.settings.id} is ${state}`;
    const reason = lack === null ? why : `${from.settings.id} cannot do ${lack}`;
    jobs.transaction(() => {
      const now = clock.now();
      jobs.move(job.id, to, now);
      const details = { from: job.register, to, reason };
      journal.add({ at: now, actor: "daemon", what: "moved", job: job.id, register: to, site: job.site, details });
    });
    log.info("moved to another register", {
      job: job.id,
      order: job.orderId,
      from: job.register,
      register: to,
      reason,
    });
  }

  function hand(job: QueuedJob, register: RegisterId, mayPass: boolean): void {
    const ended = fleet
      .get(register)
      .print(job.id, { mayPass })
      .then((end) => {
        inHand.delete(job.id);
        after(job, register, end);
        wake.notify();
      });
    inHand.set(job.id, { order: orderOf(job), register, ended });
  }

  function after(job: QueuedJob, register: RegisterId, end: PrintEnd): void {
    const breaker = breakers.get(register) ?? createCircuitBreaker();
    breakers.set(register, breaker);
    const at = clock.monotonic();
    if (end.kind === "again" && end.ofPrinting === true) {
      printingUntil.set(register, at + end.afterMs);
      return;
    }
    if (end.kind === "again" && end.lacks !== undefined) {
      lacks.set(job.id, (lacks.get(job.id) ?? new Map<RegisterId, string>()).set(register, end.lacks));
    }
    if (job.site !== null) lastServed.set(register, job.site);
    if (end.kind === "done") {
      if (end.failed !== true) breaker.succeeded();
    } else if (end.kind !== "again" || (end.afterMs > 0 && end.ofStore !== true)) breaker.failed(at);
    const { since, breaks: before } = waiting.get(job.id) ?? { since: at, breaks: 0 };
    if (end.kind === "doubt" || !hasProgress(job)) {
      const breaks = before + 1;
      const pauseMs = Math.max(pauseOf(end), backoffDelayMs(breaks, breakBackoff, options.random));
      waiting.set(job.id, { since, notBefore: at + pauseMs, breaks });
    } else waiting.set(job.id, { since, notBefore: at + pauseOf(end), breaks: 0 });
  }

  /** It left the queue, or a part of it is done: else it comes back after a pause that grows, whatever kept it (design.md 7.9). */
  function hasProgress({ id, doneParts }: QueuedJob): boolean {
    return jobs.stateOf(id) !== "queued" || (jobs.find(id)?.doneParts ?? 0) > doneParts;
  }

  /** Nobody notifies when a pause ends or a job has waited long enough to move. */
  function wakeLater(queue: readonly QueuedJob[], registers: Registers): void {
    const now = clock.monotonic();
    const times = queue.flatMap((job) => {
      const entry = waiting.get(job.id);
      if (entry === undefined || inHand.has(job.id)) return [];
      const moveAfterMs = (registers.get(job.register)?.settings.moveAfterSeconds ?? 0) * 1000;
      return [entry.notBefore, entry.since + moveAfterMs, rivals.lateAt()].filter((time) => time > now);
    });
    times.push(...[...printingUntil.values()].filter((time) => time > now));
    if (times.length > 0) timer = clock.setTimer(Math.min(...times) - now, () => wake.notify());
  }

  return {
    start() {
      rivals.start();
      running = run().catch((error: unknown) => {
        if (!stopping.signal.aborted) log.error("the dispatcher failed", { fault: toFault(error, "internal") });
      });
    },
    async stop() {
      stopping.abort(new Fault("register.stopped"));
      timer?.cancel();
      await running;
      await Promise.all([...inHand.values()].map(({ ended }) => ended));
    },
  };
}

function pauseOf(end: PrintEnd): number {
  return end.kind === "again" ? end.afterMs : 0;
}
