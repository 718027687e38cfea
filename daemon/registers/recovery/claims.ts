/** Jobs whose outcome is open, as claims of match-documents.ts. */
import type { FencedState } from "@fiscald/drivers/fiscal-driver.js";
import type { Witness } from "@fiscald/drivers/program.js";
import { type RegisterId, toFnSerial } from "@fiscald/shared/ids.js";
import type { SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { z } from "zod";
import type { Attempt } from "../../store/attempt-store.js";
import type { Job } from "../../store/job.js";
import type { StoredJournalEntry } from "../../store/journal.js";
import { type ConnectedRegister, provenModelOf } from "../connected-register.js";
import { EXCLUDES_DOCUMENTS } from "../job-recorder.js";
import type { RegisterContext } from "../register-context.js";
import type { RegisterSettings } from "../register-settings.js";
import { markTextOf } from "./compare-document.js";
import type { Place, QueuedClaim, SentClaim, TaskEnd } from "./match-documents.js";
import { requestEndOf } from "./sweep-scope.js";

/** A receipt that was sent to the register that was read. */
export interface SentReceipt {
  readonly attempt: Attempt;
  readonly witness: Extract<Witness, { kind: "receipt" }>;
  readonly job: Job;
  readonly receipt: SaleReceipt;
}

/** Null: another kind of program. */
export function sentReceiptOf(attempt: Attempt, job: Job): SentReceipt | null {
  const { witness } = attempt;
  return witness.kind === "receipt" && job.receipt.kind === "receipt"
    ? { attempt, witness, job, receipt: job.receipt }
    : null;
}

export function sentClaim(
  { stores, settings }: Pick<RegisterContext, "stores" | "settings">,
  connected: ConnectedRegister,
  { attempt, witness, job, receipt }: SentReceipt,
  state: FencedState,
): SentClaim {
  const { baseline, fenceFd, fault } = attempt;
  const task = taskOf(stores, attempt, state);
  const isHere = baseline.fn === state.fn;
  return {
    ...{ strength: "sent", job: job.id, receipt, register: settings.id, fn: baseline.fn, task },
    mark: witness.mark ?? markTextOf(job),
    above: baseline.lastFd,
    upTo: fenceFd ?? state.lastFd,
    isMarked: witness.mark !== null,
    canLackMark: connected.capabilities.exchange !== "whole",
    drive: !isHere ? "gone" : state.lastFd < baseline.lastFd ? "counts-back" : "here",
    isProven: stores.registers.hasProof(provenModelOf(connected)),
    wasContradicted: fault?.code === "job.document-mismatch",
  };
}

/** What the maker's service says of a program by its name; null = it was not asked. */
export function taskOf(
  { jobs }: Pick<RegisterContext["stores"], "jobs">,
  attempt: Attempt,
  state: FencedState,
): TaskEnd | null {
  const end = requestEndOf(attempt, state);
  if (end?.kind !== "done") return end;
  const { document } = end;
  const owner = document === null ? null : jobs.findByDocument(document.fn, document.fd);
  return { kind: "done", document, owner: owner?.id ?? null };
}

/**
 * `marksOnly`: match by the order mark alone, because the job has an unsure attempt that was not sent to the register that is
 * read. Null: not a site's receipt.
 */
export function queuedClaim(
  { stores, issuers, couldHavePrinted }: Pick<RegisterContext, "stores" | "issuers" | "couldHavePrinted">,
  job: Job,
  { marksOnly }: { readonly marksOnly: boolean } = { marksOnly: false },
): QueuedClaim | null {
  const { receipt } = job;
  const mark = markTextOf(job);
  if (receipt.kind !== "receipt" || mark === null) return null;
  return {
    ...{ strength: "queued", job: job.id, receipt, mark, isForced: job.forced, marksOnly },
    began: marksOnly ? [] : stores.attempts.ofJob(job.id).flatMap(placeBefore),
    excluded: stores.journal.ofJob(job.id).flatMap(placesExcluded),
    couldBeOn: (register) => couldHavePrinted(job, register),
    kindOfIssuer: (issuer) => issuers.kindOf(issuer, job.site),
  };
}

function placeBefore({ witness, baseline: { fn, lastFd } }: Attempt) {
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
 * Whether this register may have printed the job's order while another database was in use: an order that names no kkm goes
 * to whichever register of its site asks first, and any other moves within its group. Pure.
 */
export function couldHavePrinted(job: Job, register: RegisterId, places: readonly ServedPlace[]): boolean {
  const there = places.find(({ id }) => id === register);
  // The config no longer has this register, so the sites that it served are unknown.
  if (there === undefined || register === job.register) return true;
  const own = places.find(({ id }) => id === job.register);
  if (there.group !== null && own?.group === there.group) return true;
  return job.receipt.kkm === null && job.site !== null && there.sites.includes(job.site);
}
