/**
 * The states of one register, as a pure function. The actor feeds it and does what it says.
 *
 *   offline     no connection; the next try waits for its time
 *   connecting  a connection is being made and the device asked who it is
 *   recovering  connected; unsure jobs are being resolved. Always between `connecting` and `ready`
 *   ready       takes jobs; its state is read every few seconds
 *   busy        a job is in hand
 *   blocked     connected (or with a foreign device), but a person has to help: paper, cover, drive, identity
 *   stopped     for good
 *
 *   start            offline -> connecting
 *   connected        connecting -> recovering
 *   connect-failed   connecting -> offline, later again
 *   foreign          connecting -> blocked, later again
 *   recovered        recovering -> ready, or blocked while the register says so itself
 *   recovery-blocked recovering -> blocked, later recovering again
 *   lost             any -> offline, soon again
 *   job-began        ready -> busy
 *   job-ended        busy -> ready, blocked, connecting (outcome unknown: a fresh connection first) or offline
 *   state-read       ready, blocked -> ready or blocked
 *   timer            offline -> connecting; ready reads its state; blocked reads it, recovers or connects again
 *   stop             any -> stopped
 */
import { backoffDelayMs } from "@fiscald/shared/backoff.js";
import type { Fault } from "@fiscald/shared/fault.js";
import type { RegisterTimings } from "./register-settings.js";

export type RegisterPhase = "offline" | "connecting" | "recovering" | "ready" | "busy" | "blocked" | "stopped";

export interface RegisterState {
  readonly phase: RegisterPhase;
  /** Why it is offline or blocked. */
  readonly fault: Fault | null;
  readonly block: Block | null;
  /** Failed connects and reads in a row, and since when (monotonic ms). */
  readonly failures: number;
  readonly failingSince: number | null;
  /** The last connect or disconnect recorded for the sites in this run; null = none yet. */
  readonly told: boolean | null;
}

interface Block {
  /** What ends it: the register's own state, time, a recovery that goes through, or another device. */
  readonly endsBy: "state" | "time" | "recovery" | "identity";
  readonly since: number;
}

export type RegisterInput =
  | { readonly type: "start" }
  | { readonly type: "connected" }
  | { readonly type: "connect-failed"; readonly fault: Fault }
  | { readonly type: "foreign"; readonly fault: Fault }
  | { readonly type: "recovered"; readonly blockedBy: Fault | null }
  | { readonly type: "recovery-blocked"; readonly fault: Fault }
  | { readonly type: "lost"; readonly fault: Fault }
  | { readonly type: "job-began" }
  | { readonly type: "job-ended"; readonly end: JobEnd }
  | { readonly type: "state-read"; readonly blockedBy: Fault | null }
  | { readonly type: "timer" }
  | { readonly type: "stop" };

export type JobEnd =
  | { readonly kind: "sound" }
  /** `visible`: the register's own state shows it, and shows when it is over. */
  | { readonly kind: "blocked"; readonly fault: Fault; readonly visible: boolean }
  | { readonly kind: "doubt"; readonly fault: Fault }
  | { readonly kind: "lost"; readonly fault: Fault };

export type RegisterEffect =
  | { readonly type: "connect" }
  | { readonly type: "disconnect" }
  | { readonly type: "recover" }
  | { readonly type: "read-state" }
  /** Feeds `timer` after this; replaces the timer before it. */
  | { readonly type: "set-timer"; readonly ms: number }
  | { readonly type: "record-connected" }
  | { readonly type: "record-disconnected"; readonly fault: Fault }
  /** The register became able or unable to take a job. */
  | { readonly type: "wake" };

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
  block: null,
  failures: 0,
  failingSince: null,
  told: null,
};

export function stepRegister(state: RegisterState, input: RegisterInput, context: StepContext): StepResult {
  if (state.phase === "stopped") return { state, effects: [] };
  const { timings, at } = context;
  switch (input.type) {
    case "start":
      return to(state, "connecting", [{ type: "connect" }]);
    case "connected":
      return seen(to(state, "recovering", [{ type: "recover" }]));
    case "connect-failed":
    case "lost":
      return fail(state, input.fault, context);
    case "foreign": {
      const failed = fail(state, input.fault, context);
      return block(failed, input.fault, { endsBy: "identity", since: at }, timings.blockRetryMs);
    }
    case "recovered":
      return settle(state, input.blockedBy, context);
    case "recovery-blocked":
      return block({ state, effects: [] }, input.fault, { endsBy: "recovery", since: at }, timings.blockedReadMs);
    case "job-began":
      return to(state, "busy", []);
    case "job-ended":
      return afterJob(state, input.end, context);
    case "state-read":
      return afterRead(state, input.blockedBy, context);
    case "timer":
      return onTimer(state);
    case "stop":
      return to(state, "stopped", [{ type: "disconnect" }]);
  }
}

function onTimer(state: RegisterState): StepResult {
  switch (state.phase) {
    case "offline":
      return to(state, "connecting", [{ type: "connect" }]);
    case "ready":
      return { state, effects: [{ type: "read-state" }] };
    case "blocked":
      if (state.block?.endsBy === "identity") return to(state, "connecting", [{ type: "connect" }]);
      if (state.block?.endsBy === "recovery") return { state, effects: [{ type: "recover" }] };
      return { state, effects: [{ type: "read-state" }] };
    default:
      return { state, effects: [] };
  }
}

function afterJob(state: RegisterState, end: JobEnd, context: StepContext): StepResult {
  switch (end.kind) {
    case "sound":
      return ready(state, context);
    case "blocked": {
      const endsBy = end.visible ? "state" : "time";
      const result: StepResult = { state, effects: [{ type: "wake" }] };
      return block(result, end.fault, { endsBy, since: context.at }, context.timings.blockedReadMs);
    }
    case "doubt":
      return to(state, "connecting", [{ type: "connect" }]);
    case "lost":
      return fail(state, end.fault, context);
  }
}

function afterRead(state: RegisterState, blockedBy: Fault | null, context: StepContext): StepResult {
  const { timings, at } = context;
  const sound = { ...state, failures: 0, failingSince: null };
  if (state.phase === "ready") return settle(sound, blockedBy, context);
  if (state.phase !== "blocked" || state.block === null) return { state: sound, effects: [] };
  const { endsBy, since } = state.block;
  const waiting = endsBy === "time" && at - since < timings.blockRetryMs;
  if (blockedBy === null && !waiting && (endsBy === "state" || endsBy === "time")) return ready(sound, context);
  const fault = blockedBy ?? state.fault;
  return { state: { ...sound, fault }, effects: [{ type: "set-timer", ms: timings.blockedReadMs }] };
}

function settle(state: RegisterState, blockedBy: Fault | null, context: StepContext): StepResult {
  if (blockedBy === null) return ready(state, context);
  const blocked: Block = { endsBy: "state", since: context.at };
  return block({ state, effects: [] }, blockedBy, blocked, context.timings.blockedReadMs);
}

function ready(state: RegisterState, { timings }: StepContext): StepResult {
  const sound: RegisterState = { ...state, phase: "ready", fault: null, block: null, failures: 0, failingSince: null };
  return { state: sound, effects: [{ type: "set-timer", ms: timings.stateReadMs }, { type: "wake" }] };
}

function block(before: StepResult, fault: Fault, blocked: Block, timerMs: number): StepResult {
  const effects = before.effects.filter(({ type }) => type !== "set-timer");
  return {
    state: { ...before.state, phase: "blocked", fault, block: blocked },
    effects: [...effects, { type: "set-timer", ms: timerMs }],
  };
}

function fail(state: RegisterState, fault: Fault, { timings, at, random }: StepContext): StepResult {
  const failures = state.failures + 1;
  const failingSince = state.failingSince ?? at;
  const gone = failures >= timings.disconnectAfterFailures && at - failingSince >= timings.disconnectAfterMs;
  const tellNow = gone && state.told !== false;
  return {
    state: {
      phase: "offline",
      fault,
      block: null,
      failures,
      failingSince,
      told: tellNow ? false : state.told,
    },
    effects: [
      { type: "disconnect" },
      { type: "set-timer", ms: backoffDelayMs(failures, timings.reconnect, random) },
      ...(tellNow ? [{ type: "record-disconnected", fault } as const] : []),
      { type: "wake" },
    ],
  };
}

/** The register has answered, whatever the answer means. */
function seen({ state, effects }: StepResult): StepResult {
  return {
    state: { ...state, failures: 0, failingSince: null, told: true },
    effects: state.told === true ? effects : [...effects, { type: "record-connected" }],
  };
}

function to(state: RegisterState, phase: RegisterPhase, effects: readonly RegisterEffect[]): StepResult {
  return { state: { ...state, phase, fault: null, block: null }, effects };
}
