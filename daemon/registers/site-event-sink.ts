import type { Identity } from "@fiscald/drivers/fiscal-driver.js";
import type { Kopecks } from "@fiscald/shared/amounts.js";
import type { FnSerial, RegisterId } from "@fiscald/shared/ids.js";
import type { Job } from "../store/job.js";
import type { JobFault, ReportedOutcome } from "../store/job-store.js";

type KnownIdentity = Pick<Identity, "kkm" | "model">;

/**
 * Events for sites. Each method adds to the outbox (or queues the existing event again) inside the caller's
 * transaction, for every site concerned.
 */
export interface SiteEventSink {
  /** `job` as it is after the change; `unknown` may be followed by `printed` or `failed`. */
  result(job: Job, outcome: ReportedOutcome): void;
  /** `identity`: as it introduced itself, where that is not on record yet. */
  connected(register: RegisterId, identity: KnownIdentity | null): void;
  disconnected(register: RegisterId, identity: KnownIdentity | null): void;
  /** Once per closing job. */
  shiftClosed(closed: ClosedShift): void;
  /** A closing failed and is tried again; once per cause. Only for sites with `reportFailedClose`. */
  shiftNotClosed(failed: FailedClose): void;
  /** Identity, tax rows or payment types are other than those on record before. */
  tablesChanged(register: RegisterId): void;
}

export interface ClosedShift {
  readonly register: RegisterId;
  readonly job: Job;
  readonly fn: FnSerial;
  readonly shift: number;
  readonly sales: Kopecks;
  readonly returns: Kopecks;
}

export interface FailedClose {
  readonly register: RegisterId;
  readonly job: Job;
  readonly shift: number;
  readonly fault: JobFault;
}
