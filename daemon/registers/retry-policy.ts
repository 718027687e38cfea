/** Decides by the fault what becomes of a job that was surely not registered. Pure. */
import type { Fault } from "@fiscald/shared/fault.js";
import { type FaultCode, faultArea } from "@fiscald/shared/fault-codes.js";
import type { Job } from "../store/job.js";

export type NextStep =
  /** Queued again. `countTry` means that the fault counts against the job. */
  | { readonly kind: "again"; readonly afterMs: number; readonly countTry: boolean }
  /** Queued again, but nothing is printed until a person has helped. */
  | { readonly kind: "blocked"; readonly countTry: false }
  /** Queued again behind the closing of the shift. */
  | { readonly kind: "close-shift"; readonly countTry: true }
  | { readonly kind: "fail" };

const MAX_TRIES = 3;
/** How often a job may return to the queue for faults that one return should cure. */
const MAX_RETURNS = 10;
/** The shortest pauses. The dispatcher adds a pause that grows with each return (exactly-once 9). */
const LINK_RETRY_MS = 500;
const DEVICE_RETRY_MS = 2_000;
/** A closing that failed is tried again each minute, for ever (54-fz 6). */
const CLOSING_RETRY_MS = 60_000;

/** These faults count against the job although their code asks for a person, because the register works. */
const blameTheJob: readonly FaultCode[] = ["device.unknown-error", "device.not-enough-cash"];
const curedByReturn: readonly FaultCode[] = [
  // The shift is closed before the next try.
  "device.shift-expired",
  // The next try prints without the order mark.
  "device.order-mark-refused",
  // Our sums were checked before the print, so a byte was damaged on the wire.
  "device.cashless-above-total",
  "device.payments-below-total",
  "device.subtotal-mismatch",
];
/** Registers have refused a closing as bad parameters once, and accepted the same data after a reconnect. */
const curedByReconnect: readonly FaultCode[] = ["device.closing-refused", "device.place-refused"];
/** Faults that last until a person changes the register's setting or accepts the difference. The receipt waits. */
export const waitsForMending: readonly FaultCode[] = ["register.alters-receipts", "register.setting-wrong"];
/** Faults that the job did not cause, so the job is repeated without limit. */
const passingFaults: readonly FaultCode[] = ["device.printing", "device.marking-unavailable"];

/** `isOfJob` says that the register's state shows nothing of the fault, so the job is to blame. */
export function decideAfterFault(
  fault: Pick<Fault, "code" | "retry">,
  job: Pick<Job, "source" | "tries">,
  { isOfJob = false }: { readonly isOfJob?: boolean } = {},
): NextStep {
  const { code } = fault;
  const isCured = curedByReturn.includes(code);
  const isLast = job.tries + 1 >= (isCured ? MAX_RETURNS : MAX_TRIES);
  const isOfRegister = fault.retry === "after-help" && !isOfJob && !blameTheJob.includes(code);
  // A shift that cannot be closed keeps the register from all other jobs.
  const isClosing = job.source === "schedule" && faultArea(code) === "device" && !passingFaults.includes(code);
  if (isOfRegister || isClosing) return { kind: "blocked", countTry: false };
  if (waitsForMending.includes(code)) return { kind: "again", afterMs: 0, countTry: false };
  if (job.source === "schedule") return { kind: "again", afterMs: CLOSING_RETRY_MS, countTry: false };
  if ((isCured && isLast) || (curedByReconnect.includes(code) && job.tries > 0)) return { kind: "fail" };
  if (curedByReconnect.includes(code)) return { kind: "again", afterMs: DEVICE_RETRY_MS, countTry: true };
  if (code === "device.shift-expired") return { kind: "close-shift", countTry: true };
  if (fault.retry === "repeat" && (isCured || isLink(code) || passingFaults.includes(code))) {
    return { kind: "again", afterMs: LINK_RETRY_MS, countTry: isCured };
  }
  if (fault.retry === "never" || isLast) return { kind: "fail" };
  return { kind: "again", afterMs: DEVICE_RETRY_MS * (job.tries + 1), countTry: true };
}

function isLink(code: FaultCode): boolean {
  return ["link", "register", "store"].includes(faultArea(code));
}
