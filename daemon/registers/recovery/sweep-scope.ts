/** What a sweep (the comparison of documents with open jobs) may settle now, and how far back it reads the drive. */
import type { DeviceState, FencedState, RequestDocument } from "@fiscald/drivers/fiscal-driver.js";
import type { Kkm, RegisterId } from "@fiscald/shared/ids.js";
import type { Attempt } from "../../store/attempt-store.js";
import type { RegisterRecord } from "../../store/register-store.js";
import type { Stores } from "../register-context.js";
import type { OpenPrograms } from "../register-machine.js";

/** How many documents of a new register are read, and how far back a document that could not be read is tried again. */
const RECENT_DOCUMENTS = 100;
/** How many documents are read after a data loss, and of another drive in a known register. */
const SWEEP_DOCUMENTS = 500;

export interface SweepScope {
  /** Programs that may be settled now. */
  readonly due: readonly Attempt[];
  /** Numbers of documents that are read once more. */
  readonly readAgain: readonly number[];
}

/** Whether an attempt is compared now, for the first time or again because its document may be readable now. */
export function isDue({ fenceFd, doubt, baseline }: Attempt, state: Pick<DeviceState, "fn" | "lastFd">): boolean {
  if (doubt === null) return true;
  if (baseline.fn !== state.fn) return false;
  if (fenceFd === null) return true;
  // The register shows fewer documents than at the fence, so the missing one may be the attempt's own.
  if (state.lastFd < fenceFd) return false;
  return doubt.reason === "unreadable" && state.lastFd - baseline.lastFd <= RECENT_DOCUMENTS;
}

/** What the maker's print service says of the program; null = the service was not asked. */
export function requestEndOf({ baseline }: Attempt, { requests }: FencedState) {
  return requests?.get(baseline.requestId ?? "") ?? null;
}

/** Documents that the print service names: it may have run a program before this database knew of the program. */
export function namedDocuments(due: readonly Attempt[], state: FencedState): number[] {
  return due.flatMap((attempt) => {
    const end = requestEndOf(attempt, state);
    const made: RequestDocument | null = end?.kind === "done" ? end.document : null;
    return made?.fn === state.fn && state.lastFd - made.fd < SWEEP_DOCUMENTS ? made.fd : [];
  });
}

/** Numbers of recent documents from a data loss that could not be read yet. */
export function recentUnreadable(
  { documents }: Pick<Stores, "documents">,
  { fn, lastFd }: Pick<DeviceState, "fn" | "lastFd">,
): number[] {
  return documents.unreadableOf(fn).filter((fd) => fd > lastFd - RECENT_DOCUMENTS);
}

export interface KnownHistory {
  /** Documents up to this number are not read: they were compared before, or are too old. */
  readonly lastKnownFd: number;
  /** Documents above `lastKnownFd` may be older than the record of this register. */
  readonly isUnknown: boolean;
}

/** A new drive in a known register holds only documents that are newer than the record. */
export function knownHistoryOf(
  record: RegisterRecord | null,
  { kkm, state: { fn, lastFd }, isLoss }: { kkm: Kkm; state: Pick<DeviceState, "fn" | "lastFd">; isLoss: boolean },
): KnownHistory {
  if (record?.fn === fn) return { lastKnownFd: record.lastFd, isUnknown: false };
  const isNewRegister = record?.identity.kkm !== kkm;
  const lastKnownFd = Math.max(0, lastFd - (isNewRegister && !isLoss ? RECENT_DOCUMENTS : SWEEP_DOCUMENTS));
  return { lastKnownFd, isUnknown: isNewRegister || lastKnownFd > 0 };
}

/** Old unreadable documents are left out, because nothing is printed while one is read. */
export function openPrograms(
  stores: Stores,
  register: RegisterId,
  state: Pick<DeviceState, "fn" | "lastFd">,
): OpenPrograms {
  const doubts = stores.attempts.doubtsOf(register);
  const isWaitedFor = () => stores.jobs.unfinished([register]).some((job) => job.state === "unsure");
  return {
    isInProgress: doubts.some(({ doubt }) => doubt?.reason === "in-progress"),
    hasUnread:
      doubts.some((attempt) => attempt.doubt?.reason === "unreadable" && isDue(attempt, state)) ||
      (recentUnreadable(stores, state).length > 0 && isWaitedFor()),
  };
}
