/**
 * Feeds events to the state machine (register-machine.ts) and carries out its effects, one exchange at a time. Jobs,
 * state reads, recovery and operator's actions are items of one queue.
 */
import type { DeviceState } from "@fiscald/drivers/fiscal-driver.js";
import type { Timer } from "@fiscald/shared/clock.js";
import { Fault, saidBy, toFault } from "@fiscald/shared/fault.js";
import { faultArea } from "@fiscald/shared/fault-codes.js";
import { createTaskQueue } from "@fiscald/shared/task-queue.js";
import { commitWithRetry } from "../commit-with-retry.js";
import {
  type ConnectedRegister,
  checkedRegisterOf,
  type RegisterTools,
  requireAsConnected,
} from "../connected-register.js";
import { JobRecorder } from "../job-recorder.js";
import { compareNext } from "../printing/check-documents.js";
import { blockOf, readRestingState } from "../printing/preflight.js";
import { printJob } from "../printing/print-job.js";
import { markInterrupted, sweep } from "../recovery/sweep.js";
import { openPrograms } from "../recovery/sweep-scope.js";
import type { RegisterContext } from "../register-context.js";
import { RegisterKnowledge } from "../register-knowledge.js";
import {
  initialState,
  type PrintOutcome,
  type RegisterEffect,
  type RegisterInput,
  stepRegister,
} from "../register-machine.js";
import type { RegisterSnapshot } from "../register-snapshot.js";
import { findClosing } from "../shift/queue-shift-close.js";
import { createShiftGuard, type ShiftGuard } from "../shift/shift-guard.js";
import {
  connectRegister,
  findForeignIdentity,
  forgetIdentity,
  learnIdentity,
  recordConnection,
} from "./connect-register.js";

export interface RegisterActorOptions extends Omit<RegisterContext, "stopping"> {
  /** Called when the register becomes able or unable to take a job, or when another field of its snapshot changes. */
  onChange(): void;
  /** Called in place of `onChange` when a ready register was read and stays ready. */
  onRead(): void;
  /** Called when the outcome of the job is unknown until the register is read. */
  onDoubt(job: number): void;
}

/** With every tenth state the identity is read, because a registration may change while a print service runs. */
const READS_PER_IDENTITY = 10;

export class RegisterActor {
  private readonly context: RegisterContext;
  private readonly recorder: JobRecorder;
  private readonly tasks = createTaskQueue();
  private readonly stopping = new AbortController();
  private machine = initialState;
  private connected: ConnectedRegister | null = null;
  private readonly known = new RegisterKnowledge();
  private jobInHand: number | null = null;
  private timer: Timer | null = null;
  private comparing: Timer | null = null;
  private stateReads = 0;
  private readonly shift: ShiftGuard;

  constructor(private readonly options: RegisterActorOptions) {
    this.context = { ...options, stopping: this.stopping.signal };
    this.recorder = new JobRecorder({ ...this.context, register: options.settings.id });
    const commit = (work: () => void) => this.enqueue(() => commitWithRetry(this.context, work));
    const { context, recorder } = this;
    const onQueued = () => options.onChange();
    this.shift = createShiftGuard({ context, recorder, commit, onQueued });
  }

  start(): void {
    const { driver, stores, settings } = this.context;
    const record = stores.registers.find(settings.id);
    if (record !== null) this.known.introduced = { ...record, capabilities: null, settings: [] };
    this.known.pausedSince = stores.registers.pausedSince(settings.id);
    driver.onLost((fault) => this.onLost(fault));
    this.feed({ type: "start" });
  }

  /** Lets the running item finish, and refuses the waiting items. */
  async stop(): Promise<void> {
    this.stopping.abort(new Fault("register.stopped"));
    this.feed({ type: "stop" });
    this.timer?.cancel();
    this.comparing?.cancel();
    await this.tasks.stop(new Fault("register.stopped"));
    await this.context.driver.close();
  }

  get settings(): RegisterSnapshot["settings"] {
    return this.context.settings;
  }

  get identity(): RegisterSnapshot["identity"] {
    return this.known.introduced?.identity ?? null;
  }

  snapshot(): RegisterSnapshot {
    const { known, machine, jobInHand, connected } = this;
    const rowsConfirmed = known.areRowsConfirmed(this.context.clock.monotonic());
    return known.snapshot(this.context.settings, machine, {
      jobInHand,
      isConnected: connected !== null,
      rowsConfirmed,
    });
  }

  /** Never rejects. `mayPass`: another register of the group may have a feature that this register lacks. */
  async print(job: number, { mayPass }: { readonly mayPass: boolean } = { mayPass: false }): Promise<PrintOutcome> {
    if (this.machine.phase !== "ready") return { kind: "again", afterMs: 0 };
    this.jobInHand = job;
    this.feed({ type: "job-began" });
    try {
      return await this.tasks.add((signal) => this.printInHand(job, mayPass, signal));
    } catch {
      // The actor was stopped before the job's turn, so the job stays queued.
      return { kind: "again", afterMs: 0 };
    }
  }

  /** Runs an operator's action between two jobs. Rejects with `register.offline` when there is no connection. */
  perform<T>(task: (tools: RegisterTools) => Promise<T>): Promise<T> {
    return this.tasks.add(async (signal) => {
      const { connected } = this;
      if (connected === null) throw this.machine.fault ?? new Fault("register.offline");
      try {
        return await task(this.toolsFor(connected, signal));
      } catch (error) {
        const fault = toFault(error, "internal");
        if (fault.area === "link") this.feed({ type: "lost", fault });
        throw fault;
      }
    });
  }

  private toolsFor(connected: ConnectedRegister, signal: AbortSignal): RegisterTools {
    const { context, recorder, machine } = this;
    return { context, recorder, connected, isFirst: !machine.isSwept, signal };
  }

  acceptIdentity(reason: string): void {
    forgetIdentity(this.context, reason);
    this.known.introduced = null;
    this.feed({ type: "lost", fault: new Fault("link.lost", { message: "reconnects" }) });
  }

  /** Null: the dispatcher gives the register orders again. Closings and recovery go on during a pause. */
  pause(since: number | null): void {
    this.known.pausedSince = since;
    this.context.log.info(since === null ? "resumed by the operator" : "paused by the operator");
    this.options.onChange();
  }

  /** Called when a person says that what blocks the register is over, or that its drive works in spite of its state. */
  tryAgain(): void {
    this.known.isDriveTried = true;
    this.known.unseen = null;
    if (this.machine.phase === "blocked") this.feed({ type: "timer" });
  }

  /** Does nothing unless the register rests. */
  readNow(): void {
    if (this.machine.phase === "ready") this.act({ type: "read-state" });
  }

  private async printInHand(job: number, mayPass: boolean, signal: AbortSignal): Promise<PrintOutcome> {
    const { connected } = this;
    // The connection was lost while the job waited for its turn. The machine is not in `busy` any more.
    if (this.machine.phase !== "busy" || connected === null) {
      this.jobInHand = null;
      return { kind: "again", afterMs: 0 };
    }
    const end = await this.printGuarded(job, connected, mayPass, signal);
    this.jobInHand = null;
    if (end.kind === "doubt") this.options.onDoubt(job);
    this.known.noteEnd(end);
    this.feed({ type: "job-ended", end });
    this.compareWhenIdle();
    return end;
  }

  /** Compares one document after a while without a job. A job waits for one comparison at most. */
  private compareWhenIdle(): void {
    const { clock, timings, log } = this.context;
    this.comparing?.cancel();
    this.comparing = clock.setTimer(timings.compareIdleMs, () => {
      if (this.connected === null) return;
      if (this.machine.phase !== "ready") {
        this.compareWhenIdle();
        return;
      }
      this.perform(compareNext).then(
        (isMore) => {
          if (isMore) this.compareWhenIdle();
        },
        (error: unknown) => log.debug("a document was not compared", { fault: toFault(error, "internal") }),
      );
    });
  }

  private async printGuarded(
    job: number,
    connected: ConnectedRegister,
    mayPass: boolean,
    signal: AbortSignal,
  ): Promise<PrintOutcome> {
    const { context, known } = this;
    try {
      const onState = (state: DeviceState) => this.keepState(state);
      return await printJob({ ...this.toolsFor(connected, signal), mayPass, known, onState }, job);
    } catch (error) {
      // The outcome of the job is not recorded, so the job becomes unsure and the register is read.
      const fault = toFault(error, "internal");
      context.log.error("a job was broken off", { job, fault });
      const { stores, clock, settings } = context;
      this.enqueue(async () => {
        await commitWithRetry(context, () => markInterrupted(stores, clock, settings.id));
      });
      return { kind: "doubt", fault };
    }
  }

  private feed(input: RegisterInput): void {
    const { clock, timings, random, log } = this.context;
    const before = this.machine;
    const { state, effects } = stepRegister(before, input, { timings, at: clock.monotonic(), random });
    this.machine = state;
    this.known.notePhase(state);
    if (state.phase !== before.phase) {
      const fields = { from: before.phase, to: state.phase, ...(state.fault === null ? {} : { fault: state.fault }) };
      if (state.phase === "blocked") log.warn("register blocked", fields);
      else if (state.phase === "offline" && before.phase !== "connecting") log.info("connection lost", fields);
      else log.debug("register changed", fields);
    }
    for (const effect of effects) this.act(effect);
    this.shift.look(state.phase === "finishing" ? new Fault("device.printing") : this.known.trouble);
    if (state === before) return;
    if (before.phase === "ready" && state.phase === "ready") this.options.onRead();
    else this.options.onChange();
  }

  private act(effect: RegisterEffect): void {
    switch (effect.type) {
      case "connect":
        this.connected = null;
        this.enqueue((signal) => this.connect(signal));
        return;
      case "disconnect":
        this.connected = null;
        this.enqueue(() => this.context.driver.close());
        return;
      case "recover":
        this.enqueue((signal) => this.recover(signal));
        return;
      case "read-state":
        this.enqueue((signal) => this.readState(signal));
        return;
      case "set-timer":
        this.timer?.cancel();
        this.timer = this.context.clock.setTimer(effect.ms, () => this.feed({ type: "timer" }));
        return;
      case "record-connection":
        this.enqueue(() => recordConnection(this.context, effect.goneBy, this.snapshot().identity));
        return;
    }
  }

  /** Queues an item before all others: nothing else may happen on a connection with an unknown outcome. */
  private enqueue(task: (signal: AbortSignal) => Promise<void>): void {
    this.tasks.add(task, { urgent: true }).catch((error: unknown) => {
      if (this.stopping.signal.aborted) return;
      this.context.log.error("a mailbox item failed", { fault: toFault(error, "internal") });
    });
  }

  private async connect(signal: AbortSignal): Promise<void> {
    const { context } = this;
    try {
      const register = await connectRegister(context, signal);
      // The register was stopped or lost meanwhile.
      if (this.machine.phase !== "connecting") return;
      const { identity } = register;
      // No other work may run from here to `introduce`, so that the second of two registers that are one device
      // notices.
      const foreign = findForeignIdentity(context, identity);
      if (foreign !== null) {
        this.feed({ type: "foreign", fault: foreign });
        return;
      }
      learnIdentity(context, identity);
      context.onIdentified?.();
      this.introduce(register);
      this.known.shiftOfTables = null;
      this.known.rowsConfirmedAt = null;
      context.log.info("connected", { kkm: identity.kkm, device: identity.model, fn: identity.fn });
      this.feed({ type: "connected" });
    } catch (error) {
      const fault = toFault(error, "internal");
      context.log.debug("cannot connect", { fault });
      this.feed({ type: "connect-failed", fault });
    }
  }

  private introduce(register: ConnectedRegister): void {
    const { context } = this;
    this.connected = register;
    this.known.introduced = register;
    const checked = checkedRegisterOf({ context, connected: register });
    this.enqueue(() => commitWithRetry(context, () => context.stores.checks.renew(checked)));
  }

  private async recover(signal: AbortSignal): Promise<void> {
    const { connected } = this;
    if (connected === null) return;
    try {
      const state = await sweep(this.toolsFor(connected, signal));
      this.keepState(state);
      this.noteClosing();
      this.feed({ type: "recovered", ...this.readingOf(state, connected) });
      this.compareWhenIdle();
    } catch (error) {
      const fault = toFault(error, "internal");
      if (fault.area === "link") this.feed({ type: "lost", fault });
      else this.feed({ type: "recovery-blocked", fault });
    }
  }

  /** A closing that was in doubt and proved not done keeps the register from all other work. */
  private noteClosing(): void {
    const { stores, settings } = this.context;
    const refused = findClosing(stores.jobs, settings.id)?.fault ?? null;
    if (refused === null || faultArea(refused.code) !== "device") return;
    this.known.unseen = new Fault(refused.code, { message: saidBy(refused) });
  }

  private async readState(signal: AbortSignal): Promise<void> {
    const { context, connected } = this;
    if (connected === null) return;
    try {
      const state = await readRestingState(context, connected, signal);
      this.stateReads += 1;
      if (this.stateReads % READS_PER_IDENTITY === 0) {
        const read = await requireAsConnected(context, connected, signal);
        if (read !== connected && this.connected === connected) this.introduce(read);
      }
      this.keepState(state);
      this.feed({ type: "state-read", ...this.readingOf(state, connected) });
    } catch (error) {
      const fault = toFault(error, "internal");
      const isPrinting = fault.code === "device.printing";
      const unread = { type: "state-read", blockedBy: isPrinting ? null : fault, open: null, isPrinting } as const;
      this.feed(fault.area === "device" || fault.area === "store" ? unread : { type: "lost", fault });
    }
  }

  private readingOf(state: DeviceState, connected: ConnectedRegister) {
    const { stores, settings } = this.context;
    return {
      blockedBy: blockOf(this.context, state, connected, this.known),
      isPrinting: state.print === "printing",
      open: openPrograms(stores, settings.id, state),
    };
  }

  private keepState(state: DeviceState): void {
    this.known.state = state;
    this.known.stateAt = this.context.clock.now();
    this.shift.read(state);
  }

  private onLost(fault: Fault): void {
    // A running item notices the lost connection by itself and handles it.
    if (["ready", "finishing", "blocked"].includes(this.machine.phase)) this.feed({ type: "lost", fault });
  }
}
