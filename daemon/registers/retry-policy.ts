/** What becomes of a job that was surely not registered, by the fault that stopped it. Pure. */
import { backoffDelayMs } from "@fiscald/shared/backoff.js";
import type { Fault } from "@fiscald/shared/fault.js";
import { type FaultCode, faultArea } from "@fiscald/shared/fault-codes.js";
import type { Job } from "../store/job.js";
import type { StoredJournalEntry } from "../store/journal.js";
import { QUEUED_AGAIN } from "./job-recorder.js";

export type NextStep =
  /** Queued again. `countTry`: the register refused the job, which may happen three times. */
  | { readonly kind: "again"; readonly afterMs: number; readonly countTry: boolean }
  /** Queued again, and nothing is printed until a person has helped. */
  | { readonly kind: "blocked" }
  /** Queued again behind a shift closing. */
  | { readonly kind: "close-shift" }
  | { readonly kind: "fail" };

export const MAX_TRIES = 3;
/** Returns to the queue without progress: the tenth try is the last one. */
const MAX_RETURNS = 9;
const deviceBackoff = { firstMs: 2_000, maxMs: 30_000 };
const linkBackoff = { firstMs: 500, maxMs: 30_000 };
/** domain 4.1: a closing that failed is tried again each minute, for ever. */
const CLOSING_RETRY_MS = 60_000;

/** The register works: these faults count against the job, although their code asks for a person. */
const blameTheJob: readonly FaultCode[] = ["device.unknown-error", "device.not-enough-cash"];
/** Faults that one return to the queue should cure. They use up no tries, but `MAX_RETURNS` limits them. */
const returnsThatCount: readonly FaultCode[] = [
  // The shift is closed before the next try.
  "device.shift-expired",
  // The next try prints without the order mark.
  "device.order-mark-refused",
  // Our sums were checked before, so a byte was damaged on the wire.
  "device.cashless-above-total",
  "device.payments-below-total",
  "device.subtotal-mismatch",
];
/** Faults that the job did not cause: it is repeated without limit. */
const passingFaults: readonly FaultCode[] = [
  "device.printing",
  "device.print-unfinished",
  "device.marking-unavailable",
];

/** Journal entries that count as progress: a part printed, a move, a failure that was retried later. */
const progresses: readonly string[] = ["printed", "found printed", "moved", "failed"];

/** Counts the returns to the queue since the last progress, for faults that one return should have cured. */
export function countReturns(story: readonly StoredJournalEntry[]): number {
  const progress = story.findLastIndex(({ actor, what }) => actor === "operator" || progresses.includes(what));
  const returns = story.slice(progress + 1).filter(({ what }) => what === QUEUED_AGAIN);
  return returns.filter(({ details }) => isCountedReturn(details.code)).length;
}

function isCountedReturn(code: unknown): boolean {
  return returnsThatCount.some((counted) => counted === code);
}

export function decideAfterFault(
  fault: Pick<Fault, "code" | "retry">,
  job: Pick<Job, "source" | "tries">,
  random: () => number,
  returns: number,
): NextStep {
  const { code } = fault;
  if (isCountedReturn(code) && returns >= MAX_RETURNS) return { kind: "fail" };
  if (code === "device.shift-expired") return { kind: "close-shift" };
  if (fault.retry === "after-help" && !blameTheJob.includes(code)) return { kind: "blocked" };
  if (job.source === "schedule") return { kind: "again", afterMs: CLOSING_RETRY_MS, countTry: false };
  const isNotTheJobs = isLink(code) || passingFaults.includes(code) || isCountedReturn(code);
  if (fault.retry === "repeat" && isNotTheJobs) {
    return { kind: "again", afterMs: backoffDelayMs(1, linkBackoff, random), countTry: false };
  }
  if (fault.retry === "never" || job.tries + 1 >= MAX_TRIES) return { kind: "fail" };
  return { kind: "again", afterMs: backoffDelayMs(job.tries + 1, deviceBackoff, random), countTry: true };
}

function isLink(code: FaultCode): boolean {
  return ["link", "register", "store"].includes(faultArea(code));
}
