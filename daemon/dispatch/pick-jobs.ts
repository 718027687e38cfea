/** Which of the waiting jobs may be printed now, and in which order a register takes them. Pure. */
import type { RegisterId, SiteId } from "@fiscald/shared/ids.js";
import type { BriefJob } from "../store/job.js";

export interface PickOptions {
  /**
   * All queued, held and unsure jobs, oldest first. A later job of an order waits for a held or unsure job, or the
   * goods of an unprinted sale would be returned. A receipt that a person forced waits for no unsure job.
   */
  readonly waiting: readonly BriefJob[];
  readonly ordersInHand: ReadonlySet<string>;
  isDue(job: BriefJob): boolean;
}

/** Jobs of one order are printed one after the other, in the order in which they came. */
export function pickDueJobs({ waiting, ordersInHand, isDue }: PickOptions): BriefJob[] {
  const taken = new Set(ordersInHand);
  const unsure = new Set<string>();
  return waiting.filter((job) => {
    const order = orderOf(job);
    const isFirst = order === null || (!taken.has(order) && (job.forced || !unsure.has(order)));
    if (order !== null) (job.state === "unsure" ? unsure : taken).add(order);
    return isFirst && job.state === "queued" && isDue(job);
  });
}

/** Registers whose shift is to be closed, and which print nothing before the closing. */
export function closingRegisters(queue: readonly BriefJob[]): ReadonlySet<RegisterId> {
  return new Set(queue.filter(({ source }) => source === "schedule").map(({ register }) => register));
}

/** An order may come from no site. Null: the job has no order. */
export function orderOf({ site, orderId }: Pick<BriefJob, "site" | "orderId">): string | null {
  return orderId === null ? null : JSON.stringify([site, orderId]);
}

/** Closings come first, then the operator's jobs, then the sites in turn. `lastServed` was served last. */
export function inServingOrder(jobs: readonly BriefJob[], lastServed: SiteId | null): BriefJob[] {
  // The common case: one new receipt.
  if (jobs.length === 1) return [...jobs];
  const bySource = (source: BriefJob["source"]) => jobs.filter((job) => job.source === source);
  const ordered = bySource("site");
  const sites = [...new Set(ordered.flatMap(({ site }) => (site === null ? [] : [site])))].sort();
  const next = sites.findIndex((site) => lastServed !== null && site > lastServed);
  const turns = next <= 0 ? sites : [...sites.slice(next), ...sites.slice(0, next)];
  const queues = turns.map((turn) => ordered.filter(({ site }) => site === turn));
  const rounds = Math.max(0, ...queues.map(({ length }) => length));
  const inTurn = Array.from({ length: rounds }, (_, round) => queues.flatMap((queue) => queue.slice(round, round + 1)));
  return [...bySource("schedule"), ...bySource("operator"), ...inTurn.flat()];
}

export function groupByRegister(jobs: readonly BriefJob[]): ReadonlyMap<RegisterId, readonly BriefJob[]> {
  const groups = new Map<RegisterId, BriefJob[]>();
  for (const job of jobs) groups.set(job.register, [...(groups.get(job.register) ?? []), job]);
  return groups;
}
