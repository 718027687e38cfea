/** Makes the claims that match-documents.ts compares with documents. A claim is a job whose outcome is open. */
import type { FencedState } from "@fiscald/drivers/fiscal-driver.js";
import { type RegisterId, toFnSerial } from "@fiscald/shared/ids.js";
import { ownPropertyOf } from "@fiscald/shared/receipt/receipt.js";
import { z } from "zod";
import type { Attempt } from "../../store/attempt-store.js";
import type { Job } from "../../store/job.js";
import type { StoredJournalEntry } from "../../store/journal.js";
import { type ConnectedRegister, provenModelOf } from "../connected-register.js";
import { EXCLUDES_DOCUMENTS } from "../job-recorder.js";
import type { RegisterContext } from "../register-context.js";
import type { RegisterSettings } from "../register-settings.js";
import { markTextOf } from "./compare-document.js";
import type { EarlierProgram, Place, QueuedClaim, SentClaim } from "./match-documents.js";
import { requestEndOf } from "./sweep-scope.js";

/** The claim of a program that was sent to the register that was read; null when the program makes no receipt. */
export function sentClaim(
  { stores }: Pick<RegisterContext, "stores">,
  connected: ConnectedRegister,
  attempt: Attempt,
  state: FencedState,
): SentClaim | null {
  const { baseline, witness, fenceFd, fault } = attempt;
  const job = stores.jobs.get(attempt.job);
  const { receipt } = job;
  if (witness.kind !== "receipt" || receipt.kind !== "receipt") return null;
  const countsOn = baseline.fn === state.fn && state.lastFd >= baseline.lastFd;
  return {
    ...{ strength: "sent", job: job.id, receipt, fn: baseline.fn, task: requestEndOf(attempt, state) },
    mark: witness.mark ?? markTextOf(job),
    above: baseline.lastFd,
    upTo: fenceFd ?? state.lastFd,
    isMarked: witness.mark !== null,
    canLackMark: connected.capabilities.exchange !== "whole",
    canProveNone: countsOn && fault?.code !== "job.document-mismatch",
    isProven: stores.registers.hasProof(provenModelOf(connected)),
  };
}

/** The claim of a job that waits, or that was sent to another register; null when the job is not a site's receipt. */
export function queuedClaim(
  { stores, issuers, fleet }: Pick<RegisterContext, "stores" | "issuers" | "fleet">,
  job: Job,
): QueuedClaim | null {
  const { receipt } = job;
  const mark = markTextOf(job);
  if (receipt.kind !== "receipt" || (mark === null && ownPropertyOf(receipt) === null)) return null;
  const attempts = stores.attempts.ofJob(job.id);
  const marksOnly = attempts.some(({ outcome }) => outcome === "unsure");
  return {
    ...{ strength: "queued", job: job.id, receipt, mark, marksOnly },
    earlier: marksOnly ? [] : attempts.flatMap(earlierProgram),
    excluded: stores.journal.ofJob(job.id).flatMap(placesExcluded),
    couldBeOn: (register) => fleet.couldHavePrinted(job, register),
    kindOfIssuer: (issuer) => issuers.kindOf(issuer, job.site),
  };
}

function earlierProgram({ witness, baseline: { fn, lastFd } }: Attempt): EarlierProgram[] {
  return witness.kind === "receipt" ? [{ fn, fd: lastFd, isMarked: witness.mark !== null }] : [];
}

const excludedSchema = z.object({
  drives: z.array(z.object({ fn: z.string().transform(toFnSerial), lastFd: z.int() })),
});

function placesExcluded({ what, details }: StoredJournalEntry): Place[] {
  if (!EXCLUDES_DOCUMENTS.includes(what)) return [];
  const { data } = excludedSchema.safeParse(details);
  return data?.drives.map(({ fn, lastFd }) => ({ fn, fd: lastFd })) ?? [];
}

type ServedPlace = Pick<RegisterSettings, "id" | "sites" | "group">;

/**
 * Whether this register may have printed the job's order while another database was in use. An order without a kkm goes
 * to whichever register of its site asks first, and may move within that register's group. Pure.
 */
export function couldHavePrinted(job: Job, register: RegisterId, places: readonly ServedPlace[]): boolean {
  const there = places.find(({ id }) => id === register);
  // The config no longer has this register, so the sites that it served are unknown, and it may have printed any order.
  if (there === undefined || register === job.register) return true;
  const { site } = job;
  const mayBegin = ({ id, sites }: ServedPlace) =>
    id === job.register || (job.receipt.kkm === null && site !== null && sites.includes(site));
  return (
    mayBegin(there) || (there.group !== null && places.some((place) => mayBegin(place) && place.group === there.group))
  );
}
