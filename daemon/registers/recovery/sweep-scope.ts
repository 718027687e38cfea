/** What a sweep reads: which programs it may settle now, and how far back the drive is read. Pure but for its lookups. */
import type { DeviceState, FencedState, RequestDocument } from "@fiscald/drivers/fiscal-driver.js";
import type { FnSerial, Kkm, RegisterId } from "@fiscald/shared/ids.js";
import type { Attempt } from "../../store/attempt-store.js";
import type { FormerDrive, RegisterRecord } from "../../store/register-store.js";
import type { Stores } from "../register-context.js";

/** How much is read of a register that is seen for the first time: orders of a lost database are in it. */
export const FIRST_SIGHT_DOCUMENTS = 100;
/** At most so many documents are read for what was open before. */
export const SWEEP_DOCUMENTS = 500;

/** Not compared yet, or the register could not tell before and may now. */
export function isDue({ fenceFd, doubt, baseline }: Attempt, state: Pick<DeviceState, "fn" | "lastFd">): boolean {
  if (doubt === null) return true;
  if (baseline.fn !== state.fn) return false;
  if (fenceFd === null) return true;
  // A document that was there and is not shown now may be its own.
  if (state.lastFd < fenceFd) return false;
  return doubt.reason === "unreadable" && state.lastFd - baseline.lastFd <= SWEEP_DOCUMENTS;
}

/** What the maker's service says of the program; null = it was not asked. */
export function requestEndOf({ baseline }: Attempt, { requests }: FencedState) {
  return requests?.get(baseline.requestId ?? "") ?? null;
}

/** Numbers of the documents that the service names: it may have carried a program out before this database knew of it. */
export function namedDocuments(due: readonly Attempt[], state: FencedState): number[] {
  return due.flatMap((attempt) => {
    const end = requestEndOf(attempt, state);
    const made: RequestDocument | null = end?.kind === "done" ? end.document : null;
    return made?.fn === state.fn && state.lastFd - made.fd < SWEEP_DOCUMENTS ? made.fd : [];
  });
}

/** Numbers of the documents of a loss near the end of the drive of which nothing could be read before. */
export function recentUnreadable(
  { documents }: Pick<Stores, "documents">,
  { fn, lastFd }: Pick<DeviceState, "fn" | "lastFd">,
): number[] {
  return documents.unreadableOf(fn).filter((fd) => fd > lastFd - FIRST_SIGHT_DOCUMENTS);
}

export interface Past {
  /** Its documents up to here are accounted for, or are not read. */
  readonly until: number;
  /** What is above may still be from before the register was known here. */
  readonly isUnknown: boolean;
}

export interface PastFacts {
  readonly record: RegisterRecord | null;
  readonly kkm: Kkm;
  readonly state: Pick<DeviceState, "fn" | "lastFd">;
  formerDrive(fn: FnSerial): FormerDrive | null;
}

/** A drive that is new in its register was made for it: all that it holds came after what is on record. */
export function pastOf({ record, kkm, state: { fn, lastFd }, formerDrive }: PastFacts): Past {
  if (record?.fn === fn) return { until: record.lastFd, isUnknown: false };
  if (record?.identity.kkm !== kkm) return { until: Math.max(0, lastFd - FIRST_SIGHT_DOCUMENTS), isUnknown: true };
  // It was here before, and is back.
  const left = formerDrive(fn)?.lastFd ?? null;
  if (left !== null) return { until: Math.min(left, lastFd), isUnknown: false };
  const until = Math.max(0, lastFd - SWEEP_DOCUMENTS);
  return { until, isUnknown: until > 0 };
}

/** What a further sweep of this register may settle. */
export interface OpenPrograms {
  /** The maker's service may still carry one out. */
  readonly isInProgress: boolean;
  /** The newest job that a document may settle once it can be read; null = none. */
  readonly unreadJob: number | null;
}

/** Not while many documents lie above those that could not be read: the register prints nothing while they are read. */
export function openPrograms(
  stores: Stores,
  register: RegisterId,
  state: Pick<DeviceState, "fn" | "lastFd">,
): OpenPrograms {
  const doubts = stores.attempts.doubtsOf(register);
  const isUnread = ({ doubt, baseline }: Attempt) =>
    doubt?.reason === "unreadable" &&
    baseline.fn === state.fn &&
    state.lastFd - baseline.lastFd <= FIRST_SIGHT_DOCUMENTS;
  return {
    isInProgress: doubts.some(({ doubt }) => doubt?.reason === "in-progress"),
    unreadJob:
      doubts.some(isUnread) || recentUnreadable(stores, state).length > 0 ? newestUnsure(stores, register) : null,
  };
}

function newestUnsure({ jobs }: Pick<Stores, "jobs">, register: RegisterId): number | null {
  const unsure = jobs.unfinished([register]).filter(({ state }) => state === "unsure");
  return unsure.length === 0 ? null : Math.max(...unsure.map(({ id }) => id));
}
