/**
 * The states of one register, as a pure function. The actor feeds it with events and carries out its effects.
 *
 *   offline     there is no connection; the next try comes after a pause
 *   connecting  a connection is being made, and the device is asked for its identity
 *   recovering  connected; the sweep reads documents and settles open jobs. This phase always lies between `connecting`
 *               and `ready`, and comes again from `ready` and `finishing` while a sweep may settle more (see `unread`,
 *               which is also due after a job, and `isInProgress`)
 *   ready       takes jobs; the state is read every few seconds
 *   finishing   the paper of an earlier document is still coming out; no job is taken, and the state is read until then
 *   busy        a job is in hand
 *   blocked     connected (or with a foreign device), but a person has to help: paper, cover, drive, identity. The
 *               block has one of three ends (`endsBy`):
 *                 state     a state without trouble; the state is read again after seconds, or after a minute when it
 *                           shows none
 *                 recovery  a sweep that goes through; it runs again in this phase, without `recovering`
 *                 identity  another device; the connection is closed, and made again each minute
 *   stopped     for good
 *
 *                 start        connected            recovered
 *      offline ─────────► connecting ───────► recovering ───────► ready ◄──────────► busy
 *         ▲  ◄──────────────  │ ▲  foreign        │ ▲  timer       │ ▲   job-began,
 *         │   connect-failed  │ │                 │ └──────────────┘ │   job-ended
 *    lost │                   ▼ │ timer           ▼                  │
 *     from any               blocked ◄────────────┴──────────────────┘  recovery-blocked, or the register says so
 *
 *   Each arrow to `ready` leads to `finishing` instead while the register says that it is printing.
 *
 *   start            any but stopped -> connecting
 *   connected        connecting -> recovering
 *   connect-failed   connecting -> offline, later again
 *   foreign          connecting -> blocked, its connection closed; later again, and reported as gone if it stays so
 *   recovered        recovering, blocked -> ready or finishing, or blocked (state) while the register says so itself
 *   recovery-blocked recovering, blocked -> blocked (recovery), from where the sweep runs again later
 *   lost             any -> offline, soon again
 *   job-began        ready -> busy
 *   job-ended        busy -> ready, finishing, recovering (a reading is due), blocked (state), connecting (the outcome
 *                    is unknown, and a fresh connection comes first) or offline (link lost)
 *   state-read       ready, finishing, blocked (state) -> ready, finishing or blocked (state)
 *   timer            offline -> connecting; ready and finishing read the state, or are recovering again; blocked reads
 *                    the state, recovers or connects again; connecting, recovering and busy end without a timer
 *   stop             any -> stopped
 *
 * The closing of a shift is a job of the queue like any other. shift-guard.ts reports a closing that is a minute late.
 */
import { backoffDelayMs } from "@fiscald/shared/clock.js";
import type { Fault } from "@fiscald/shared/fault.js";
import type { RegisterTimings } from "./register-settings.js";

export type RegisterPhase =
  | ("offline" | "connecting" | "recovering" | "ready")
  | ("finishing" | "busy" | "blocked" | "stopped");

export function isWorking(phase: RegisterPhase): boolean {
  return phase === "ready" || phase === "finishing" || phase === "busy";
}

export interface RegisterState {
  readonly phase: RegisterPhase;
  readonly fault: Fault | null;
  /** What ends the block: a state without trouble, a successful sweep, or another device. Null = not blocked. */
  readonly endsBy: EndOfBlock | null;
  /** How many connects, sweeps and reads failed in a row (0 after a success) and since when (monotonic ms). */
  readonly failures: number;
  readonly failingSince: number | null;
  /** What the sites were told last in this run: connected or not; null = nothing yet. */
  readonly reportedConnected: boolean | null;
  /** A sweep of this run has read everything that was open or waiting. */
  readonly isSwept: boolean;
  /** An unreadable document may settle an unsure job and is read again at `at` (monotonic ms), after growing pauses. */
  readonly unread: { readonly sweeps: number; readonly at: number } | null;
  /** The maker's print service may still carry a program out. It is asked at each timer while the register rests. */
  readonly isInProgress: boolean;
}

export interface OpenPrograms {
  /** The maker's print service may still print one of the unsure jobs. */
  readonly isInProgress: boolean;
  /** A document that may settle an unsure job could not be read. */
  readonly hasUnread: boolean;
}

interface Reading {
  readonly blockedBy: Fault | null;
  readonly isPrinting: boolean;
}

type EndOfBlock = "state" | "recovery" | "identity";

export type RegisterInput =
  | { readonly type: "start" }
  | { readonly type: "connected" }
  | { readonly type: "connect-failed"; readonly fault: Fault }
  | { readonly type: "foreign"; readonly fault: Fault }
  | ({ readonly type: "recovered"; readonly open: OpenPrograms } & Reading)
  | { readonly type: "recovery-blocked"; readonly fault: Fault }
  | { readonly type: "lost"; readonly fault: Fault }
  | { readonly type: "job-began" }
  | { readonly type: "job-ended"; readonly end: PrintOutcome }
  /** `open` is null when the state could not be read. */
  | ({ readonly type: "state-read"; readonly open: OpenPrograms | null } & Reading)
  | { readonly type: "timer" }
  | { readonly type: "stop" };

/** The result of one attempt to print a job, for the queue and for the register. */
export type PrintOutcome =
  /** Printed, failed, or no longer queued. `failed` means that the cause may be the order or the register. */
  | { readonly kind: "done"; readonly failed?: true }
  /** Still queued. The job must wait for `afterMs` first. */
  | {
      readonly kind: "again";
      /** 0 when the register is not to blame. */
      readonly afterMs: number;
      /** A feature that the receipt needs and this register lacks. Another register of the group may have it. */
      readonly lacks?: string;
      /** A person may mend the lack at the register, so the register is asked again after a while. */
      readonly mayBeMended?: boolean;
    }
  /** Still queued. The paper of an earlier document is coming out. No job is taken until then, which is no fault. */
  | { readonly kind: "finishing" }
  /** Still queued. The register needs a person. `visible`: its state shows the trouble, and when it is over. */
  | { readonly kind: "blocked"; readonly fault: Fault; readonly visible: boolean }
  /** Unsure. Recovery comes next, on a fresh connection. */
  | { readonly kind: "doubt"; readonly fault: Fault }
  /** Still queued. The connection is gone. */
  | { readonly kind: "lost"; readonly fault: Fault };

export type RegisterEffect =
  | { readonly type: "connect" }
  | { readonly type: "disconnect" }
  | { readonly type: "recover" }
  | { readonly type: "read-state" }
  /** Feeds `timer` after this time, and replaces an earlier timer. */
  | { readonly type: "set-timer"; readonly ms: number }
  /** Tells the sites that the register answers (null) or why it does not. */
  | { readonly type: "record-connection"; readonly goneBy: Fault | null };

export interface StepContext {
  readonly timings: RegisterTimings;
  /** Monotonic ms. */
  readonly at: number;
  random(): number;
}

export interface StepResult {
  readonly state: RegisterState;
  readonly effects: readonly RegisterEffect[];
}

export const initialState: RegisterState = {
  phase: "offline",
  fault: null,
  endsBy: null,
  failures: 0,
  failingSince: null,
  reportedConnected: null,
  isSwept: false,
  unread: null,
  isInProgress: false,
};

/** The phases in which an input counts. What ran on a lost connection ends too late to count. */
const phasesOf: Partial<Readonly<Record<RegisterInput["type"], readonly RegisterPhase[]>>> = {
  connected: ["connecting"],
  "connect-failed": ["connecting"],
  foreign: ["connecting"],
  recovered: ["recovering", "blocked"],
  "recovery-blocked": ["recovering", "blocked"],
  "job-began": ["ready"],
  "job-ended": ["busy"],
  "state-read": ["ready", "finishing", "blocked"],
};

export function stepRegister(state: RegisterState, input: RegisterInput, context: StepContext): StepResult {
  const isInPlace = phasesOf[input.type]?.includes(state.phase) ?? true;
  if (state.phase === "stopped" || !isInPlace) return { state, effects: [] };
  const { timings } = context;
  switch (input.type) {
    case "start":
      return to(state, "connecting", [{ type: "connect" }]);
    case "connected":
      return toSweep(state);
    case "connect-failed":
    case "lost":
      return fail(state, input.fault, context);
    case "foreign": {
      const failed = fail(state, input.fault, context);
      return block(failed, input.fault, "identity", timings.blockRetryMs);
    }
    case "recovered": {
      const swept = { ...state, isSwept: true, isInProgress: input.open.isInProgress };
      return seen(settle({ ...swept, unread: afterSweep(state.unread, input.open, context) }, input, context));
    }
    case "recovery-blocked":
      return seen(block({ state, effects: [] }, input.fault, "recovery", timings.blockedReadMs));
    case "job-began":
      return to(state, "busy", []);
    case "job-ended":
      return afterJob(state, input.end, context);
    case "state-read": {
      // A state read that was under way when the register was blocked for another reason does not count.
      if (state.endsBy === "recovery" || state.endsBy === "identity") return { state, effects: [] };
      const { open } = input;
      const unread = open?.hasUnread === true ? (state.unread ?? afterSweep(null, open, context)) : null;
      const read = open === null ? state : { ...state, isInProgress: open.isInProgress, unread };
      return settle({ ...read, failures: 0, failingSince: null }, input, context);
    }
    case "timer":
      return onTimer(state, context);
    case "stop":
      return to(state, "stopped", [{ type: "disconnect" }]);
  }
}

function onTimer(state: RegisterState, { at }: StepContext): StepResult {
  switch (state.phase) {
    case "offline":
      return to(state, "connecting", [{ type: "connect" }]);
    case "ready":
    case "finishing":
      if (state.isInProgress || isReadingDue(state, at)) return toSweep(state);
      return { state, effects: [{ type: "read-state" }] };
    case "blocked":
      if (state.endsBy === "identity") return to(state, "connecting", [{ type: "connect" }]);
      if (state.endsBy === "recovery") return { state, effects: [{ type: "recover" }] };
      return { state, effects: [{ type: "read-state" }] };
    default:
      return { state, effects: [] };
  }
}

function afterJob(state: RegisterState, end: PrintOutcome, context: StepContext): StepResult {
  switch (end.kind) {
    case "done":
    case "again":
      // A busy register has a job before each timer, so a due reading is begun here.
      return isReadingDue(state, context.at) ? toSweep(state) : well(state, "ready", context.timings.stateReadMs);
    case "finishing":
      return well(state, "finishing", context.timings.printingReadMs);
    case "blocked": {
      const { blockedReadMs, blockRetryMs } = context.timings;
      return block({ state, effects: [] }, end.fault, "state", end.visible ? blockedReadMs : blockRetryMs);
    }
    case "doubt":
      return to({ ...state, unread: null }, "connecting", [{ type: "connect" }]);
    case "lost":
      return fail(state, end.fault, context);
  }
}

function isReadingDue({ unread }: RegisterState, at: number): boolean {
  return unread !== null && unread.at <= at;
}

function toSweep(state: RegisterState): StepResult {
  return to(state, "recovering", [{ type: "recover" }]);
}

function settle(state: RegisterState, { blockedBy, isPrinting }: Reading, { timings }: StepContext): StepResult {
  if (blockedBy !== null) return block({ state, effects: [] }, blockedBy, "state", timings.blockedReadMs);
  if (isPrinting) return well(state, "finishing", timings.printingReadMs);
  return well(state, "ready", timings.stateReadMs);
}

function well(state: RegisterState, phase: "ready" | "finishing", timerMs: number): StepResult {
  const sound: RegisterState = { ...state, phase, fault: null, endsBy: null, failures: 0, failingSince: null };
  return { state: sound, effects: [{ type: "set-timer", ms: timerMs }] };
}

function block(before: StepResult, fault: Fault, endsBy: EndOfBlock, timerMs: number): StepResult {
  return {
    state: { ...before.state, phase: "blocked", fault, endsBy },
    effects: [...before.effects, { type: "set-timer", ms: timerMs }],
  };
}

function fail(state: RegisterState, fault: Fault, { timings, at, random }: StepContext): StepResult {
  const failures = state.failures + 1;
  const failingSince = state.failingSince ?? at;
  const gone = failures >= timings.disconnectAfterFailures && at - failingSince >= timings.disconnectAfterMs;
  const reportsNow = gone && state.reportedConnected !== false;
  return {
    state: {
      ...{ ...state, phase: "offline", fault, endsBy: null, failures, failingSince },
      reportedConnected: reportsNow ? false : state.reportedConnected,
    },
    effects: [
      { type: "disconnect" },
      { type: "set-timer", ms: backoffDelayMs(failures, timings.reconnect, random) },
      ...(reportsNow ? [{ type: "record-connection", goneBy: fault } as const] : []),
    ],
  };
}

type Unread = RegisterState["unread"];

/** Schedules the next sweep for unreadable documents, each time later, because nothing is printed during a sweep. */
function afterSweep(before: Unread, { hasUnread }: OpenPrograms, { timings, at, random }: StepContext): Unread {
  if (!hasUnread) return null;
  const sweeps = (before?.sweeps ?? 0) + 1;
  return { sweeps, at: at + backoffDelayMs(sweeps, timings.unreadable, random) };
}

/** The register has answered, whatever the answer means, so the failures are no longer in a row. */
function seen({ state, effects }: StepResult): StepResult {
  return {
    state: { ...state, failures: 0, failingSince: null, reportedConnected: true },
    effects: state.reportedConnected === true ? effects : [...effects, { type: "record-connection", goneBy: null }],
  };
}

function to(state: RegisterState, phase: RegisterPhase, effects: readonly RegisterEffect[]): StepResult {
  return { state: { ...state, phase, fault: null, endsBy: null }, effects };
}
