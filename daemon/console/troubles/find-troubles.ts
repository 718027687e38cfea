import { filled } from "../../messages/fault-words.js";
import type { Job } from "../../store/job.js";
import type { JobStore } from "../../store/job-store.js";
import type { ConsoleParts } from "../console-parts.js";
import { jobsNamed } from "../find-orders.js";
import { type StoryStores, unreadFault } from "../job-story.js";
import { type Found, found, isAboutOrders, joinSame, toTrouble, withoutCommands, worstFirst } from "./found.js";
import { knownJob, unprintedJobs } from "./gather-facts.js";
import { jobTroubles, notOfferedTroubles, programTroubles } from "./order-troubles.js";
import { ownTroubles } from "./program-troubles.js";
import { differenceTrouble, notComparedTrouble, registerTroubles } from "./register-troubles.js";
import { riskTroubles } from "./risk-troubles.js";
import { deliveryTroubles, pollTrouble, unreadOrder, unreadTrouble } from "./site-troubles.js";
import type { Trouble } from "./trouble.js";
import type { DoubleReceipt, PresentFacts, ProgramFacts, StoredFacts } from "./trouble-facts.js";

export interface AllFacts {
  readonly present: PresentFacts;
  readonly stored: StoredFacts;
  /** Null: no daemon runs. */
  readonly program: ProgramFacts | null;
  readonly jobs: Pick<JobStore, "queue" | "brief" | "get">;
}

/** Equal troubles are joined. The worst trouble comes first. */
export function findTroubles({ present, stored, program, jobs }: AllFacts): readonly Found[] {
  const { registers, sites, isRunning } = present;
  return worstFirst(
    joinSame([
      ...programTroubles(present),
      ...(program === null ? [] : ownTroubles(program)),
      ...(isRunning ? registers.flatMap((register) => registerTroubles(register, present, program)) : []),
      ...deliveryTroubles(stored, present),
      // The first of equal troubles says whether a person decides about them, and a poll needs no decision.
      ...stored.unread.map(unreadTrouble),
      ...(isRunning ? sites.flatMap(({ site }) => pollTrouble(site, present) ?? []) : []),
      ...stored.doubles.map(doubleTrouble),
      ...stored.differences.map(differenceTrouble),
      ...stored.notCompared.map(notComparedTrouble),
      ...riskTroubles({ ...stored.risks, now: present.now }),
      // Only the first cause of an order counts, because the other causes are in the list already.
      ...unprintedJobs(jobs, present.now).flatMap((job) => jobTroubles(job, present).slice(0, 1)),
    ]),
  );
}

function doubleTrouble({ kind, at, job, name, register }: DoubleReceipt): Found {
  return found({
    ...{ kind, needs: "person", register, since: at, orders: [{ name, job }], isDecision: true },
    say: (counted, { troubles }) =>
      filled(kind === "printed-twice" ? troubles.printedTwice : troubles.printedAfterAll, counted),
  });
}

/** Empty: the job is printed. */
export function whyJob(job: Job, facts: PresentFacts, since?: Beginnings): readonly Trouble[] {
  const known = knownJob(job, () => job);
  return shown(jobTroubles(known, facts), facts, since);
}

/**
 * `order` is the order's id as a person has typed it. The order's newest job decides. Without a job, no site offered
 * the order, or the order could not be read.
 */
export function whyOrder(
  order: string,
  stores: Pick<StoryStores, "journal" | "outbox" | "rawOrders"> & { readonly jobs: JobStore },
  facts: PresentFacts,
  since?: Beginnings,
): readonly Trouble[] {
  const [newest] = jobsNamed(order, stores.jobs, 1);
  if (newest !== undefined) return whyJob(newest, facts, since);
  const fault = unreadFault(order, stores);
  return shown(fault === null ? notOfferedTroubles(facts) : [unreadOrder(fault, order)], facts, since);
}

/** When the trouble with this key began, as the running daemon has seen; milliseconds since 1970. */
export type Beginnings = (key: string) => number | null;

export function beginningsIn({ troubles }: Pick<ConsoleParts, "troubles">): Beginnings {
  const seen = new Map(troubles().map(({ key, since }) => [key, since]));
  return (key) => seen.get(key) ?? null;
}

function shown(troubles: readonly Found[], facts: PresentFacts, since: Beginnings = () => null): readonly Trouble[] {
  return troubles.map((trouble) => {
    // The reader asks about one order and knows that it waits.
    const orders = isAboutOrders(trouble) ? trouble.orders : [];
    return toTrouble({ ...trouble, orders, since: trouble.since ?? since(trouble.key) }, facts.titles, facts.now);
  });
}

/** A trouble as the page of an order shows it. Buttons replace the commands, which the page's reader does not know. */
export type PageCause = Pick<Trouble, "kind" | "about" | "text" | "next">;

export function pageCause({ kind, about, text, next }: Trouble): PageCause {
  return { kind, about, text, next: withoutCommands(next) };
}
