/**
 * Gathers the facts that why-not-printed.ts judges by, from the running daemon or, when none runs, from its database.
 */
import type { Config } from "../../config/config-schema.js";
import { closingRegisters } from "../../dispatch/pick-jobs.js";
import { doubtReasonOf } from "../../registers/recovery/candidates.js";
import type { Job } from "../../store/job.js";
import type { JobStore } from "../../store/job-store.js";
import type { RegisterStore } from "../../store/register-store.js";
import type { ConsoleParts } from "../console-parts.js";
import { jobsNamed } from "../find-orders.js";
import { type StoryStores, unreadFault } from "../job-story.js";
import { type CauseNames, type CauseView, describeCause } from "./describe-cause.js";
import { type NotPrintedCause, type PresentFacts, presentTroubles, whyNotPrinted } from "./why-not-printed.js";

const jobsShown = 20;
const shownMs = 7 * 24 * 3_600_000;

export type PresentParts = Pick<
  ConsoleParts,
  "snapshots" | "siteHealth" | "storeFault" | "awaited" | "jobs" | "attempts" | "journal"
>;

export function presentFacts({
  snapshots,
  siteHealth,
  storeFault,
  awaited,
  jobs,
  attempts,
  journal,
}: PresentParts): PresentFacts {
  const registers = snapshots();
  const queue = jobs.queue();
  const closing = new Set(closingRegisters(queue));
  for (const { settings, jobInHand } of registers) {
    const job = jobInHand === null ? null : jobs.find(jobInHand);
    if (job !== null && closesShift(job)) closing.add(settings.id);
  }
  const doubtReason = (job: number) => doubtReasonOf({ attempts, journal }, job);
  return {
    ...{ isRunning: true, storeFault: storeFault(), registers, sites: siteHealth(), closing, queue },
    ...{ doubtReason, awaited },
  };
}

/** The facts while no daemon runs; polls are those that it would send. */
export function recordedFacts(
  config: Config,
  stores: { jobs: JobStore; registers: RegisterStore } & Pick<ConsoleParts, "attempts" | "journal">,
): PresentFacts {
  const queue = stores.jobs.queue();
  return {
    isRunning: false,
    storeFault: null,
    registers: config.registers.map(({ id, sites, group, taxSystem, defaultTax }) => ({
      settings: { id, sites, group, taxSystem, defaultTax },
      phase: "stopped",
      fault: null,
      identity: stores.registers.find(id)?.identity ?? null,
      tables: null,
      state: null,
      jobInHand: null,
      pausedSince: stores.registers.pausedSince(id),
    })),
    sites: config.sites.map(({ id }) => ({ site: id, fault: null, since: null, polled: new Map() })),
    closing: closingRegisters(queue),
    queue,
    doubtReason: (job) => doubtReasonOf(stores, job),
    awaited: () => null,
  };
}

function closesShift({ source, receipt }: Job): boolean {
  if (source === "schedule") return true;
  return receipt.kind === "service" && receipt.lines.some((line) => line.type === "report" && line.report === "z");
}

/** Why this job is not printed yet; empty = it is printed. */
export function whyJob(job: Job, facts: PresentFacts, names?: CauseNames): readonly CauseView[] {
  return whyNotPrinted({ kind: "job", job }, facts).map((cause) => describeCause(cause, [job.id], names));
}

/**
 * Why an order is not printed, by its id as a person has typed it. Its newest job decides; without a job, no site
 * offered the order, or it could not be read.
 */
export function whyOrder(
  order: string,
  stores: Pick<StoryStores, "journal" | "outbox" | "rawOrders"> & { readonly jobs: JobStore },
  facts: PresentFacts,
): readonly CauseView[] {
  const [newest] = jobsNamed(order, stores.jobs, 1);
  if (newest !== undefined) return whyJob(newest, facts);
  const fault = unreadFault(order, stores);
  const found = fault === null ? ({ kind: "not-offered" } as const) : ({ kind: "unreadable", fault } as const);
  return whyNotPrinted(found, facts).map((cause) => describeCause(cause, []));
}

export interface UnprintedView extends CauseView {
  /** Jobs that wait because of this cause, or were not printed because of it. */
  readonly jobs: readonly { readonly job: number; readonly order: string | null }[];
}

/** Everything that keeps orders from being printed now, each cause once with its orders. */
export function whyAll(jobs: JobStore, facts: PresentFacts, now: number): readonly UnprintedView[] {
  const found = new Map<string, { readonly cause: NotPrintedCause; readonly jobs: Job[] }>();
  const note = (cause: NotPrintedCause) => {
    const key = keyOf(cause);
    const entry = found.get(key) ?? { cause, jobs: [] };
    found.set(key, entry);
    return entry;
  };
  for (const cause of presentTroubles(facts)) note(cause);
  for (const job of unprinted(jobs, now)) {
    // Only the first cause counts here: the further ones are in the list by themselves.
    const [cause] = whyNotPrinted({ kind: "job", job }, facts);
    if (cause !== undefined && cause.kind !== "printing") note(cause).jobs.push(job);
  }
  return [...found.values()].map((entry) => ({
    ...describeCause(
      entry.cause,
      entry.jobs.map(({ id }) => id),
    ),
    jobs: entry.jobs.map(({ id, orderId }) => ({ job: id, order: orderId })),
  }));
}

/** Unprinted jobs, a limited number of each state, because people read them. */
function unprinted(jobs: JobStore, now: number): readonly Job[] {
  const waiting = jobs.queue().slice(0, jobsShown);
  const missing = (["failed", "refused"] as const).flatMap((state) =>
    jobs.list({ state, missingSince: now - shownMs, limit: jobsShown }),
  );
  return [
    ...waiting.map(({ id }) => jobs.get(id)),
    ...(["held", "printing", "unsure"] as const).flatMap((state) => jobs.list({ state, limit: jobsShown })),
    ...missing.filter((job) => isNewest(job, jobs)),
  ];
}

/** Whether this is the newest job of its order: a newer one means that the order was sent or printed again. */
function isNewest({ id, orderId }: Job, jobs: JobStore): boolean {
  return orderId === null || jobs.list({ orderId, limit: 1 })[0]?.id === id;
}

/** Equal keys mean one cause. Fault messages are left out: they contain numbers of single jobs. */
function keyOf(cause: NotPrintedCause): string {
  const shared = { ...cause, ...("fault" in cause ? { fault: cause.fault?.code } : {}), ahead: null };
  return JSON.stringify(shared);
}
