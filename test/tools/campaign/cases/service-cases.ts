/**
 * Faults of a receipt that a maker's print service carries out (ATOL): at each request of the dialogue, and in each
 * state of the job. Pure.
 */
import type { FaultInput } from "@fiscald/emulators/faults/fault-spec.js";
import { LATE_MS } from "./cut-cases.js";
import type { WorldCase } from "./world-case.js";

/** The k-th request of a name within one receipt. */
export interface ServiceStep {
  readonly command: string;
  readonly nth: number;
}

export type ServiceSteps = Readonly<Record<"sale" | "return", readonly ServiceStep[]>>;

interface Trouble {
  readonly name: string;
  readonly kills?: boolean;
  at(when: ServiceStep): FaultInput;
}

const AWAY_MS = 60;
/** How long a job stays in a state: shorter than the daemon waits for it. */
const STAY_MS = 250;

/** `before`: the request never arrives. `lost`: it takes effect and its answer is lost. */
const troubles: readonly Trouble[] = [
  { name: "before", at: (when) => ({ effect: "silent", when }) },
  { name: "lost", at: (when) => ({ effect: "drop-answer", when }) },
  { name: "stale", at: (when) => ({ effect: "stale-answer", when }) },
  { name: "late", at: (when) => ({ effect: "late-execution", ms: LATE_MS, when }) },
  { name: "unplugged", at: (when) => ({ effect: "unplug", ms: AWAY_MS, when }) },
  { name: "service-killed", at: (when) => ({ effect: "power-cut", ms: AWAY_MS, when }) },
  { name: "daemon-killed", kills: true, at: (when) => ({ effect: "pause", when }) },
];

/** Places in the dialogue of one receipt. */
interface Places {
  readonly post: ServiceStep;
  /** The first question about the job. */
  readonly poll: ServiceStep;
}

interface State {
  readonly name: string;
  /** True: the state lasts long and is not disturbed any further. */
  readonly alone?: boolean;
  faults(places: Places): readonly FaultInput[];
}

const atRegister = { command: "close-receipt", nth: 1 } as const;
const task = (effect: "silent" | "drop-answer"): FaultInput => ({ effect, when: atRegister });
const noRecovery: FaultInput = { effect: "silent", when: { command: "recover", nth: 1 } };
// "The previous operation is not finished" (55), a final error: the driver tries again with the next name.
const refused: FaultInput = { effect: "error", code: 55, when: atRegister };
/** Another client's slip stands before the receipt, which waits meanwhile. */
const behindAnother = ({ post }: Places, ms: number): readonly FaultInput[] => [
  { effect: "other-client", does: "add-job", when: post },
  { effect: "late-execution", ms, when: { command: "print", nth: 1 } },
];
const meanwhile = (does: "cancel-jobs" | "purge-jobs" | "interrupt-job", { poll }: Places): FaultInput => ({
  effect: "other-client",
  does,
  when: poll,
});
/** Longer than the daemon waits for a document. */
const TOO_LONG_MS = 4_000;

/** What brings the job into a state in which it stays for a while, or makes it final. */
const states: readonly State[] = [
  { name: "wait", faults: (places) => behindAnother(places, STAY_MS) },
  { name: "wait-too-long", alone: true, faults: (places) => behindAnother(places, TOO_LONG_MS) },
  { name: "in-progress", faults: () => [{ effect: "late-execution", ms: STAY_MS, when: atRegister }] },
  {
    // Nothing reaches the drive: a service that never resumes the job leaves it unsure.
    name: "killed-at-work",
    alone: true,
    faults: ({ poll }) => [
      { effect: "late-execution", ms: TOO_LONG_MS, when: atRegister },
      { effect: "power-cut", ms: AWAY_MS, when: poll },
    ],
  },
  { name: "blocked-not-done", faults: () => [task("silent")] },
  { name: "blocked-done", faults: () => [task("drop-answer")] },
  { name: "blocked-long", faults: () => [task("drop-answer"), noRecovery] },
  { name: "error", faults: () => [refused] },
  { name: "canceled", faults: (places) => [...behindAnother(places, STAY_MS), meanwhile("cancel-jobs", places)] },
  {
    name: "interrupted-not-done",
    faults: (places) => [...behindAnother(places, STAY_MS), meanwhile("interrupt-job", places)],
  },
  { name: "interrupted-done", faults: (places) => [meanwhile("interrupt-job", places)] },
  { name: "purged-done", faults: (places) => [meanwhile("purge-jobs", places)] },
  { name: "purged-not-done", faults: (places) => [refused, meanwhile("purge-jobs", places)] },
  { name: "cut-when-done", faults: () => [{ effect: "power-cut", ms: AWAY_MS, when: atRegister }] },
];

export const stateNames: readonly string[] = states.map(({ name }) => name);

const duringState = ["lost", "unplugged", "service-killed", "daemon-killed"];
/** Polls after the POST at which the state is disturbed further. */
const POLLS = 2;

/** `forgets`: a killed service leaves the job in progress for ever. */
export function* serviceCases(prefix: string, steps: ServiceSteps, forgets: boolean): Generator<WorldCase> {
  for (const operation of ["sale", "return"] as const) {
    const toCase = (name: string, faults: readonly FaultInput[], kills = false): WorldCase => {
      const mayStayUnsure = forgets && faults.some(({ effect }) => effect === "power-cut");
      return { name: `${prefix} ${operation} ${name}`, operation, faults, kills, mayStayUnsure };
    };
    for (const step of steps[operation]) {
      for (const { name, kills, at } of troubles) {
        yield toCase(`${name} ${step.command}#${step.nth}`, [at(step)], kills);
      }
    }
    const { post, polls } = placesOfReceipt(steps[operation]);
    for (const { name: state, alone = false, faults: faultsAt } of states) {
      const faults = faultsAt({ post, poll: polls[0] });
      yield toCase(state, faults);
      if (alone) continue;
      for (const { name, kills, at } of troubles.filter(({ name }) => duringState.includes(name))) {
        for (const [index, poll] of polls.entries()) {
          yield toCase(`${name} ${state} poll ${index + 1}`, [...faults, at(poll)], kills);
        }
      }
    }
  }
}

/** The POST of the receipt and the questions about its job; there are more questions when the job takes long. */
function placesOfReceipt(steps: readonly ServiceStep[]): {
  readonly post: ServiceStep;
  readonly polls: readonly [ServiceStep, ...ServiceStep[]];
} {
  const posted = steps.findIndex(({ command }) => command.startsWith("post sell"));
  const post = steps[posted];
  const first = steps.slice(posted).find(({ command }) => command === READ_JOB);
  if (post === undefined || first === undefined) throw new Error("no receipt in the dialogue");
  const later = Array.from({ length: POLLS - 1 }, (_, more) => ({ command: READ_JOB, nth: first.nth + more + 1 }));
  return { post, polls: [first, ...later] };
}

const READ_JOB = "GET requests";

/** The requests of one receipt by what the service received, with the names that the emulator's faults use. */
export function stepsIn(text: string): readonly ServiceStep[] {
  const counts = new Map<string, number>();
  const requests = text.split(/(?=(?:GET|POST|DELETE) \/\S* HTTP\/1\.1\r\n)/);
  return requests.flatMap((request): readonly ServiceStep[] => {
    const [, method, target] = /^(GET|POST|DELETE) (\/\S*) HTTP/.exec(request) ?? [];
    if (method === undefined || target === undefined) return [];
    const [path = ""] = target.replace(/^\/api\/v2/, "").split("?");
    const type = method === "POST" ? /"type" *: *"(\w+)"/.exec(request)?.[1] : undefined;
    const isJob = path.startsWith("/requests");
    const command = type !== undefined ? `post ${type}` : isJob ? `${method} requests` : `${method} ${path.slice(1)}`;
    const nth = (counts.get(command) ?? 0) + 1;
    counts.set(command, nth);
    return [{ command, nth }];
  });
}
