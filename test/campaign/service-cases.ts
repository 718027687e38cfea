/**
 * What can go wrong with a receipt that a maker's print service carries out (ATOL): at each request of the dialogue, and
 * while the job is in each of its states. Pure.
 */
import type { FaultInput } from "@fiscald/drivers/emulator/fault-spec.js";
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
const LATE_MS = 250;

/** `before`: it never arrived. `lost`: it took effect and its answer did not come. */
const troubles: readonly Trouble[] = [
  { name: "before", at: (when) => ({ effect: "silent", when }) },
  { name: "lost", at: (when) => ({ effect: "drop-answer", when }) },
  { name: "stale", at: (when) => ({ effect: "stale-answer", when }) },
  { name: "late", at: (when) => ({ effect: "late-execution", ms: LATE_MS, when }) },
  { name: "unplugged", at: (when) => ({ effect: "unplug", ms: AWAY_MS, when }) },
  { name: "service-killed", at: (when) => ({ effect: "power-cut", ms: AWAY_MS, when }) },
  { name: "daemon-killed", kills: true, at: (when) => ({ effect: "pause", when }) },
];

const task = (effect: "silent" | "drop-answer"): FaultInput => ({ effect, when: { command: "close-receipt", nth: 1 } });
const noRecovery: FaultInput = { effect: "silent", when: { command: "recover", nth: 1 } };

/** What brings the job into a state in which it stays a while. */
const states: readonly { readonly name: string; readonly faults: readonly FaultInput[] }[] = [
  {
    name: "in-progress",
    faults: [{ effect: "late-execution", ms: LATE_MS, when: { command: "close-receipt", nth: 1 } }],
  },
  { name: "blocked-not-done", faults: [task("silent")] },
  { name: "blocked-done", faults: [task("drop-answer")] },
  { name: "blocked-long", faults: [task("drop-answer"), noRecovery] },
  // "The previous operation is not finished" (55): a final error that stops no queue, tried again under the next name.
  { name: "error", faults: [{ effect: "error", code: 55, when: { command: "close-receipt", nth: 1 } }] },
  { name: "cut-when-done", faults: [{ effect: "power-cut", ms: AWAY_MS, when: { command: "close-receipt", nth: 1 } }] },
];

const duringState = ["lost", "unplugged", "service-killed", "daemon-killed"];
/** Polls after the POST at which the state is disturbed further. */
const POLLS = 2;

export function* serviceCases(prefix: string, steps: ServiceSteps): Generator<WorldCase> {
  for (const operation of ["sale", "return"] as const) {
    const named = (name: string) => `${prefix} ${operation} ${name}`;
    for (const step of steps[operation]) {
      for (const { name, kills = false, at } of troubles) {
        const where = `${name} ${step.command}#${step.nth}`;
        yield { name: named(where), operation, faults: [at(step)], kills };
      }
    }
    const polls = pollsOfReceipt(steps[operation]);
    for (const { name: state, faults } of states) {
      yield { name: named(state), operation, faults, kills: false };
      for (const { name, kills = false, at } of troubles.filter(({ name }) => duringState.includes(name))) {
        for (const [index, poll] of polls.entries()) {
          yield { name: named(`${name} ${state} poll ${index + 1}`), operation, faults: [...faults, at(poll)], kills };
        }
      }
    }
  }
}

/** The questions for the job that is the receipt: more of them come while it takes its time. */
function pollsOfReceipt(steps: readonly ServiceStep[]): readonly ServiceStep[] {
  const posted = steps.findIndex(({ command }) => command.startsWith("post sell"));
  const first = steps.slice(posted).find(({ command }) => command === READ_JOB);
  if (posted < 0 || first === undefined) throw new Error("no receipt in the dialogue");
  return Array.from({ length: POLLS }, (_, later) => ({ command: READ_JOB, nth: first.nth + later }));
}

const READ_JOB = "GET requests";

/** The requests of one receipt, from what went to the service. Names as the emulator's faults know them. */
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
