/** What becomes of a job that was surely not registered, by the fault that stopped it. Pure. */
import { backoffDelayMs } from "@fiscald/shared/backoff.js";
import type { Fault } from "@fiscald/shared/fault.js";
import { type FaultCode, faultArea } from "@fiscald/shared/fault-codes.js";
import type { Job } from "../store/job.js";
import type { StoredJournalEntry } from "../store/journal.js";
import { QUEUED_AGAIN } from "./job-recorder.js";

export type NextStep =
  /** Queued again. `countTry`: the register itself refused; that is done three times. */
  | { readonly kind: "again"; readonly afterMs: number; readonly countTry: boolean }
  /** Queued again, and nothing is printed until a person has helped. */
  | { readonly kind: "blocked" }
  /** Queued again behind a shift closing. */
  | { readonly kind: "close-shift" }
  | { readonly kind: "fail" };

export const MAX_TRIES = 3;
/** Returns without progress: the tenth try is the last one (design.md 7.9). */
const MAX_RETURNS = 9;
const deviceBackoff = { firstMs: 2_000, maxMs: 30_000 };
const linkBackoff = { firstMs: 500, maxMs: 30_000 };
/** domain 4.1: a closing that failed is tried again each minute, for ever. */
const CLOSING_RETRY_MS = 60_000;

/** The register is well; it is this job that it will not take, although its maker's code calls for help. */
const blameTheJob: readonly FaultCode[] = ["device.unknown-error", "device.not-enough-cash"];
/** What should be over after one return, and does not use up the tries of the job: a register is not believed for ever. */
const returnsThatCount: readonly FaultCode[] = [
  // Its shift is closed first.
  "device.shift-expired",
  // The next try goes without it.
  "device.order-mark-refused",
  // They contradict our own sums, which were checked: a byte went wrong on the wire.
  "device.cashless-above-total",
  "device.payments-below-total",
  "device.subtotal-mismatch",
];
/** Nothing of the job's doing: repeated for ever. */
const passingFaults: readonly FaultCode[] = [
  "device.printing",
  "device.print-unfinished",
  "device.marking-unavailable",
];

/** A part is done, the job moved to another register, or it failed and was retried. */
const progresses: readonly string[] = ["printed", "found printed", "moved", "failed"];

/** How often the job came back to the queue for what should be over after one return, since it last got any further. */
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
