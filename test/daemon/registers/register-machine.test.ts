import {
  initialState,
  type RegisterEffect,
  type RegisterInput,
  type RegisterPhase,
  type RegisterState,
  stepRegister,
} from "@fiscald/daemon/registers/register-machine.js";
import { defaultTimings } from "@fiscald/daemon/registers/register-settings.js";
import { Fault } from "@fiscald/shared/fault.js";

const paper = new Fault("device.paper-out");
const link = new Fault("link.lost");
const well = { blockedBy: null, isPrinting: false } as const;
const nothing = { isInProgress: false, hasUnread: false };

function feed(state: RegisterState, input: RegisterInput, at = 0) {
  return stepRegister(state, input, { timings: defaultTimings, at, random: () => 0.5 });
}

function run(inputs: readonly RegisterInput[]): RegisterState {
  return inputs.reduce((state, input) => feed(state, input).state, initialState);
}

const recovered = { type: "recovered", ...well, open: nothing } as const;
const printed = { type: "state-read", ...well, open: nothing } as const;
const toReady: readonly RegisterInput[] = [{ type: "start" }, { type: "connected" }, recovered];
const lost = { type: "connect-failed", fault: link } as const;
const timer = { type: "timer" } as const;
const toRecovering = toReady.slice(0, 2);
const ended = (end: Extract<RegisterInput, { type: "job-ended" }>["end"]): RegisterInput => ({
  type: "job-ended",
  end,
});
const toBusy: readonly RegisterInput[] = [...toReady, { type: "job-began" }];
const toFinishing: readonly RegisterInput[] = [...toBusy, ended({ kind: "finishing" })];
const stillPrinting = { ...printed, isPrinting: true } as const;
const kinds = (effects: readonly RegisterEffect[]) => effects.map(({ type }) => type);

const cases: readonly (readonly [string, readonly RegisterInput[], RegisterPhase])[] = [
  ["starts by connecting", [{ type: "start" }], "connecting"],
  ["is swept between connecting and ready", [{ type: "start" }, { type: "connected" }], "recovering"],
  ["is ready after a successful sweep", toReady, "ready"],
  ["is blocked when its state shows a block", [...toRecovering, { ...recovered, blockedBy: paper }], "blocked"],
  ["is blocked while the sweep cannot go on", [...toRecovering, { type: "recovery-blocked", fault: paper }], "blocked"],
  ["waits before it is connected again", [{ type: "start" }, lost], "offline"],
  ["is connected again when the pause is over", [{ type: "start" }, lost, timer], "connecting"],
  ["is blocked with a foreign device", [{ type: "start" }, { type: "foreign", fault: paper }], "blocked"],
  [
    "is connected again to see whether the right device is back",
    [{ type: "start" }, { type: "foreign", fault: paper }, timer],
    "connecting",
  ],
  ["is busy with a job", toBusy, "busy"],
  ["is ready after a job", [...toBusy, ended({ kind: "done" })], "ready"],
  ["is connected again after an unknown outcome", [...toBusy, ended({ kind: "doubt", fault: link })], "connecting"],
  ["takes no job while its paper is coming out", [...toFinishing, { type: "job-began" }, stillPrinting], "finishing"],
  [
    "is finishing when a sweep finds that it is printing",
    [...toRecovering, { ...recovered, isPrinting: true }],
    "finishing",
  ],
  ["is ready when its paper is out", [...toFinishing, stillPrinting, printed], "ready"],
  [
    "is blocked when it stops before its paper is out",
    [...toFinishing, { ...stillPrinting, blockedBy: paper }],
    "blocked",
  ],
  ["is busy with a job when an earlier state read is done", [...toBusy, stillPrinting], "busy"],
  ["is offline after a lost connection", [...toBusy, ended({ kind: "lost", fault: link })], "offline"],
  ["is offline when the cable is pulled", [...toReady, { type: "lost", fault: link }], "offline"],
  ["is blocked when a state read shows a block", [...toReady, { ...printed, blockedBy: paper }], "blocked"],
  [
    "is ready again when its state shows no block any more",
    [...toReady, { ...printed, blockedBy: paper }, printed],
    "ready",
  ],
  ["stays stopped", [...toReady, { type: "stop" }, { type: "start" }, { type: "connected" }], "stopped"],
];

test.each(cases)("a register %s", (_, inputs, phase) => {
  expect(run(inputs).phase).toBe(phase);
});

test("a register that is blocked for a reason its state does not show is given jobs again after a pause", () => {
  const end = { kind: "blocked", fault: paper, visible: false } as const;
  const { state, effects } = feed(run(toBusy), { type: "job-ended", end });
  expect(state.phase).toBe("blocked");
  expect(effects).toContainEqual({ type: "set-timer", ms: defaultTimings.blockRetryMs });
  expect(feed(state, printed).state.phase).toBe("ready");
});

test("a register that is printing is read twice a second, and swept while its print service may still print a job", () => {
  for (const state of [run(toFinishing), run([...toReady, stillPrinting])]) {
    expect(feed(state, stillPrinting).effects).toEqual([{ type: "set-timer", ms: defaultTimings.printingReadMs }]);
    expect(feed(state, { type: "timer" }).effects).toEqual([{ type: "read-state" }]);
    expect(kinds(feed({ ...state, isInProgress: true }, { type: "timer" }).effects)).toEqual(["recover"]);
  }
});

test("a register that never rests has its unreadable documents read again after a job, when their pause is over", () => {
  const busy = run([...toRecovering, { ...recovered, open: { ...nothing, hasUnread: true } }, { type: "job-began" }]);
  const done = ended({ kind: "done" });
  expect(feed(busy, done, defaultTimings.unreadable.firstMs - 1).state.phase).toBe("ready");
  expect(feed(busy, done, defaultTimings.unreadable.firstMs + 1).state.phase).toBe("recovering");
});

test("a new connection is recorded once, and its loss once, after three failures that last ten seconds", () => {
  let state = initialState;
  const recorded: string[] = [];
  const give = (input: RegisterInput, at: number) => {
    const result = feed(state, input, at);
    state = result.state;
    for (const effect of result.effects) {
      if (effect.type === "record-connection") recorded.push(effect.goneBy === null ? "connected" : "disconnected");
    }
  };
  give({ type: "start" }, 0);
  give({ type: "connected" }, 0);
  give(recovered, 0);
  give({ type: "lost", fault: link }, 1000);
  give({ type: "timer" }, 1500);
  give({ type: "connected" }, 1500);
  give(recovered, 1500);
  expect(recorded).toEqual(["connected"]);
  give({ type: "lost", fault: link }, 20_000);
  const failAt = (at: number) => {
    give({ type: "timer" }, at);
    give(lost, at);
  };
  for (const at of [21_000, 23_000, 27_000]) failAt(at);
  expect(recorded).toEqual(["connected"]);
  for (const at of [31_000, 60_000]) failAt(at);
  give({ type: "timer" }, 70_000);
  give({ type: "connected" }, 70_000);
  // The register counts as connected only when its documents can be read: each sweep may lose the connection again.
  for (const at of [71_000, 75_000, 82_000]) {
    give({ type: "lost", fault: link }, at);
    give({ type: "timer" }, at);
    give({ type: "connected" }, at);
  }
  expect(recorded).toEqual(["connected", "disconnected"]);
  give(recovered, 90_000);
  expect(recorded).toEqual(["connected", "disconnected", "connected"]);
});

test("an unknown outcome does not count as a failed connect, and the register connects again", () => {
  const after = feed(run(toBusy), ended({ kind: "doubt", fault: link }));
  expect(after.state.failures).toBe(0);
  expect(kinds(after.effects)).toEqual(["connect"]);
});

test.each<[string, readonly RegisterInput[], RegisterInput]>([
  ["a job", toBusy, ended({ kind: "done" })],
  ["a recovery", toReady.slice(0, 2), recovered],
  ["a connect", toReady.slice(0, 1), { type: "connected" }],
])("a register does not become ready when %s ends only after the connection was lost", (_, before, late) => {
  const lost = run([...before, { type: "lost", fault: link }]);
  expect(lost.phase).toBe("offline");
  expect(feed(lost, late)).toEqual({ state: lost, effects: [] });
});

test("the pauses between tries to connect grow to their limit", () => {
  let state = run([{ type: "start" }]);
  const pauses: number[] = [];
  for (let index = 0; index < 8; index += 1) {
    const { state: next, effects } = feed(state, { type: "connect-failed", fault: link });
    state = feed(next, { type: "timer" }).state;
    for (const effect of effects) if (effect.type === "set-timer") pauses.push(effect.ms);
  }
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
});
