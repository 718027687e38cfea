/** The facts in which troubles are found. Nothing is wrong except what a test gives. */
import { type AllFacts, findTroubles } from "@fiscald/daemon/console/troubles/find-troubles.js";
import { joinAlike, titleOf, toTrouble } from "@fiscald/daemon/console/troubles/found.js";
import type { PresentFacts, ProgramFacts, StoredFacts } from "@fiscald/daemon/console/troubles/trouble-facts.js";
import type { Job } from "@fiscald/daemon/store/job.js";

export const limits = {
  orderWaitsMinutes: 10,
  unsentToOfdHours: 24,
  driveDaysLeft: 30,
  driveDocumentsLeft: 5000,
};

/** Noon in Moscow, which is also the time of the snapshots' clock. */
export const NOON = Date.UTC(2026, 10, 20, 9);

export function makePresent(over: Partial<PresentFacts> = {}): PresentFacts {
  const registers = over.registers ?? [];
  const titles = new Map(registers.map(({ settings }) => [String(settings.id), settings.title]));
  return {
    ...{ isRunning: true, now: NOON, limits, storeFault: null, registers, sites: [], closing: new Set() },
    ...{ queue: [], undecided: [] },
    ...{ titles, title: (register) => titleOf(register, titles), doubtReason: () => null },
    ...{ awaited: () => null, whatWaited: () => null },
    ...over,
  };
}

export const nothingStored: StoredFacts = {
  ...{ doubles: [], unread: [], outbox: [], removedSites: [], differences: [], notCompared: [] },
  risks: { months: [], idle: [] },
};

export const soundProgram: ProgramFacts = {
  ...{ hasLock: true, alertFault: null, howSet: () => [] },
};

export interface GivenFacts {
  readonly present?: Partial<PresentFacts>;
  readonly stored?: Partial<StoredFacts>;
  readonly program?: Partial<ProgramFacts>;
  readonly jobs?: readonly Job[];
}

/** All troubles, as the page, the commands, the alerts and the metrics read them. */
export function troublesIn(given: GivenFacts) {
  const facts = factsOf(given);
  return joinAlike(findTroubles(facts)).map((trouble) => toTrouble(trouble, facts.present.titles, facts.present.now));
}

export function factsOf({ present, stored, program, jobs = [] }: GivenFacts): AllFacts {
  const queue = jobs.filter(({ state }) => state === "queued");
  return {
    present: makePresent({
      queue,
      undecided: jobs.filter(({ state }) => state === "held" || state === "unsure"),
      ...present,
    }),
    stored: { ...nothingStored, ...stored },
    program: { ...soundProgram, ...program },
    jobs: {
      queue: () => queue.map((job) => ({ ...job, doneParts: 0 })),
      brief: ({ state }) => jobs.filter((job) => job.state === state).toReversed(),
      get: (id) => {
        const job = jobs.find((one) => one.id === id);
        if (job === undefined) throw new Error(`there is no job ${id}`);
        return job;
      },
    },
  };
}
