/** The operator's answer about an unsure job is checked against a register, or else against what is on record. */

import { unknownDocument } from "@fiscald/drivers/codec/document-tags.js";
import type { FiscalDocument } from "@fiscald/drivers/fiscal-document.js";
import type { FencedState } from "@fiscald/drivers/fiscal-driver.js";
import type { Clock } from "@fiscald/shared/clock.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { FnSerial, RegisterId } from "@fiscald/shared/ids.js";
import type { Logger } from "@fiscald/shared/logger.js";
import { inState } from "../../messages/reasons/job-states.js";
import { operatorReasons } from "../../messages/reasons/operator-reasons.js";
import { storeReasons } from "../../messages/reasons/store-reasons.js";
import type { Attempt } from "../../store/attempt-store.js";
import type { Job } from "../../store/job.js";
import type { RegisterFleet } from "../actor/register-fleet.js";
import { provenModelOf, type RegisterTools, requireSameDrive } from "../connected-register.js";
import { type DocumentPlace, JobRecorder, RESOLVED_AS_NOT_PRINTED } from "../job-recorder.js";
import { type CandidateDocument, candidatesOf, doubtOf, drivesOf } from "../recovery/candidates.js";
import { readDocuments, sweep, sweepAt } from "../recovery/sweep.js";
import type { SiteEventSink, Stores } from "../register-context.js";
import type { RegisterSnapshot } from "../register-snapshot.js";
import {
  driveOfDocument,
  mismatch,
  type PaperNumbers,
  requireMatch,
  requireNotOlder,
  requireNotPrinted,
  withNumbers,
} from "./document-checks.js";

export interface PrintedAnswer {
  /** Null for a job that leaves no document. */
  readonly fd: number | null;
  /** What the document's paper says; null = the operator names only the number. */
  readonly paper: PaperNumbers | null;
  readonly reason: string;
}

export interface NotPrintedAnswer {
  /** Unreadable documents that the operator has checked. */
  readonly checked: readonly number[];
  readonly reason: string;
}

export interface ResolveOptions {
  readonly stores: Stores;
  readonly fleet: Pick<RegisterFleet, "get" | "snapshots" | "issuers">;
  readonly events: SiteEventSink;
  readonly clock: Clock;
  readonly log: Logger;
}

export async function resolveAsPrinted(options: ResolveOptions, id: number, answer: PrintedAnswer): Promise<void> {
  const { stores, fleet, clock } = options;
  const { fd, paper, reason } = answer;
  const job = requireUnsure(stores, id);
  const doubt = doubtOf(stores, job);
  const named = fd === null ? drivesOf(stores, job)[0] : driveOfDocument(stores, job, fd, paper);
  const own = fleet.snapshots().find(({ settings }) => settings.id === job.register);
  const drive = named ?? own?.identity?.fn;
  const holder = drive === undefined ? undefined : holderOfDrive(fleet, drive);
  if (fd !== null && drive === undefined) throw mismatch(operatorReasons.anyDrive({ fd }));
  const found = fd === null || drive === undefined ? null : { fn: drive, fd };
  if (found !== null) requireNotOlder(stores, job, found);
  const document = found === null ? null : withNumbers(await findDocument(options, holder, found, paper), paper);
  const canBeRead = holder !== undefined;
  requireMatch(job, { document, hasPaper: paper !== null, doubt, issuers: fleet.issuers, canBeRead });
  stores.jobs.transaction(() => {
    requireStillInDoubt(stores, job, doubt);
    const { register, site } = job;
    const what = paper === null ? "resolved as printed" : "resolved as printed by its paper";
    const details = { reason, fd, ...paper };
    stores.journal.add({ at: clock.now(), actor: "operator", what, job: id, register, site, details });
    const recorder = new JobRecorder({ ...options, register });
    if (doubt?.fault?.code === "device.cash-unproven") believeWithoutCounters(stores, own);
    // The operator names the receipt, but the attempt in doubt only opened its shift.
    const isOpening = doubt?.witness.kind === "shift-open";
    // In a job with several lines only the line in doubt is done.
    if (doubt !== undefined && !isOpening) {
      recorder.settledAsPrinted(doubt, { fn: doubt.baseline.fn, document }, doubt.fenceFd);
      return;
    }
    const place = found === null || document === null ? null : { fn: found.fn, document };
    recorder.foundPrinted(job, place, "the operator said so");
  });
  const others = matchOthers(fleet, holder?.settings.id ?? job.register);
  // The sweep is done before the next job. Without a connection it may be far off, so it is not awaited.
  if (holder?.isConnected === true) await others;
}

/** Cash was moved and no counter showed it, so from now on the answer "done" of this model is enough. */
function believeWithoutCounters({ registers }: Stores, own: RegisterSnapshot | undefined): void {
  const { identity = null, capabilities = null } = own ?? {};
  if (identity === null || capabilities === null) return;
  registers.saveDeadDrawerCounters(provenModelOf({ identity, capabilities }));
}

/** A connected register is preferred to one that has the drive only on record. */
function holderOfDrive(fleet: Pick<RegisterFleet, "snapshots">, drive: FnSerial): RegisterSnapshot | undefined {
  const holders = fleet.snapshots().filter(({ identity }) => identity?.fn === drive);
  return holders.find(({ isConnected }) => isConnected) ?? holders[0];
}

/** The document as its register shows it. Otherwise what the paper or the OFD's site says must fit our record. */
async function findDocument(
  { stores, fleet }: ResolveOptions,
  holder: RegisterSnapshot | undefined,
  { fn, fd }: DocumentPlace,
  paper: PaperNumbers | null,
): Promise<FiscalDocument> {
  if (holder === undefined && paper === null) throw mismatch(operatorReasons.noDrive({ fd, fn }));
  if (holder === undefined || (paper !== null && !holder.isConnected)) {
    return stores.documents.find(fn, fd)?.document ?? unknownDocument(fd);
  }
  return fleet.get(holder.settings.id).perform(async ({ context, signal }) => {
    const state = await context.driver.readState(signal);
    requireSameDrive({ identity: { fn } }, state);
    // A document that the drive does not have would look like an unreadable one.
    if (fd > state.lastFd) throw mismatch(operatorReasons.noDocument({ fd }));
    const [document] = await readDocuments(context, fd - 1, fd, signal);
    return document ?? unknownDocument(fd);
  });
}

/** Other jobs may have been unsure because of this document. */
async function matchOthers(fleet: Pick<RegisterFleet, "get">, register: RegisterId): Promise<void> {
  try {
    await fleet.get(register).perform((tools) => sweep(tools));
  } catch {
    // The answer is recorded, and what failed here is done by the next sweep.
  }
}

export async function resolveAsNotPrinted(
  options: ResolveOptions,
  id: number,
  { checked, reason }: NotPrintedAnswer,
): Promise<void> {
  const { stores } = options;
  const driveRead = await readDriveOnceMore(options, id);
  const job = stores.jobs.get(id);
  const doubt = doubtOf(stores, job);
  requireNotPrinted(candidatesNow(stores, job, doubt, driveRead), checked);
  stores.jobs.transaction(() => {
    noteNotPrinted(options, job, { checked, reason });
    // The documents may just have shown that the job was not printed.
    if (job.state === "queued") return;
    requireStillInDoubt(stores, job, doubt);
    const recorder = new JobRecorder({ ...options, register: job.register });
    recorder.requeued(job, doubt?.id ?? null, null, { countTry: false });
  });
}

/** Documents up to the numbers on record never count for this job again, unless they have its order mark. */
export function noteNotPrinted(
  { stores, clock }: Pick<ResolveOptions, "stores" | "clock">,
  job: Job,
  { checked, reason }: NotPrintedAnswer,
): void {
  const { id, register, site } = job;
  const candidates = candidatesOf(stores, job).map(({ fn, fd }) => ({ fn, fd }));
  const details = { reason, drives: drivesOnRecord(stores), candidates, checked };
  const what = RESOLVED_AS_NOT_PRINTED;
  stores.journal.add({ at: clock.now(), actor: "operator", what, job: id, register, site, details });
}

/** Reads on the job's own register, which may still be printing, or else on one that has its drive; null = none. */
async function readDriveOnceMore({ stores, fleet }: ResolveOptions, id: number): Promise<FnSerial | null> {
  const { register } = requireUnsure(stores, id);
  const own = fleet.snapshots().find(({ settings }) => settings.id === register);
  const asked = own ?? drivesOf(stores, { id }).flatMap((drive) => holderOfDrive(fleet, drive) ?? [])[0];
  if (asked !== undefined) {
    return fleet.get(asked.settings.id).perform((tools) => readBehindFence(tools, requireUnsure(stores, id)));
  }
  requireAllIdentified(fleet);
  return null;
}

/** A register that was never connected may be the job's register, which the config has under another id. */
function requireAllIdentified(fleet: Pick<RegisterFleet, "snapshots">): void {
  const register = fleet.snapshots().find(({ identity }) => identity === null)?.settings.id;
  if (register === undefined) return;
  throw new Fault("register.offline", { message: operatorReasons.neverConnected({ register }), place: register });
}

/** Passes the fence and reads once more the documents that could be the job's own. Returns the drive that was read. */
async function readBehindFence(tools: RegisterTools, job: Job): Promise<FnSerial> {
  const { context, signal } = tools;
  const request = doubtOf(context.stores, job)?.baseline.requestId ?? null;
  const requests = request === null ? [] : [request];
  const state = await context.driver.fence({ cancelOpen: false, requests }, signal);
  const end = request === null ? undefined : state.requests?.get(request);
  if (end?.kind === "done") throw mismatch(operatorReasons.carriedOut);
  if (end?.kind === "open") throw new Fault("job.being-printed", { message: operatorReasons.notEnded });
  if (state.openReceipt !== null) throw new Fault("device.receipt-open", { message: operatorReasons.receiptOpen });
  await readOnceMore(tools, job, state);
  return state.fn;
}

async function readOnceMore(tools: RegisterTools, job: Job, state: FencedState): Promise<void> {
  const { stores } = tools.context;
  const doubt = doubtOf(stores, job);
  const isHere = doubt === undefined || doubt.baseline.fn === state.fn;
  const last = doubt === undefined ? 0 : Math.max(doubt.baseline.lastFd, doubt.fenceFd ?? 0);
  if (doubt !== undefined && isHere && state.lastFd < last) {
    const message = operatorReasons.leftOut({ fd: last, last: state.lastFd });
    throw new Fault("job.document-left-out", { message, details: { fd: last, lastFd: state.lastFd } });
  }
  const readAgain = candidatesOf(stores, job).flatMap(({ fn, fd }) =>
    fn === state.fn && fd <= state.lastFd ? fd : [],
  );
  const due = doubt !== undefined && isHere ? [doubt] : [];
  await sweepAt(tools, state, { due, readAgain });
  const { state: now, document } = stores.jobs.get(job.id);
  if (now !== "printed") return;
  const message = operatorReasons.wasPrinted({ fd: document?.fd ?? 0 });
  throw new Fault("job.already-printed", { message, details: { job: job.id, fd: document?.fd } });
}

/**
 * `driveRead` is null when no register could be asked. A drive that is not connected cannot be read now. When no
 * document of such a drive is known, the operator must answer for the document that came next when the receipt was
 * sent.
 */
function candidatesNow(
  stores: Stores,
  job: Job,
  doubt: Attempt | undefined,
  driveRead: FnSerial | null,
): readonly CandidateDocument[] {
  const known = candidatesOf(stores, job);
  if (known.length > 0 || doubt?.witness.kind !== "receipt" || doubt.baseline.fn === driveRead) {
    return known.map((one) => ({ ...one, isReadable: one.isReadable && one.fn === driveRead }));
  }
  const { fn, lastFd } = doubt.baseline;
  return [{ fn, fd: lastFd + 1, isReadable: false, isMarked: false }];
}

export function drivesOnRecord({ registers }: Pick<Stores, "registers">): readonly object[] {
  return registers.all().map(({ fn, lastFd }) => ({ fn, lastFd }));
}

function requireUnsure({ jobs }: Pick<Stores, "jobs">, id: number): Job {
  const job = jobs.get(id);
  if (job.state !== "unsure") throw wrongJobState(job);
  return job;
}

/** Throws when another operator has resolved the job meanwhile, even if the job is unsure again. */
function requireStillInDoubt(stores: Stores, { id }: Job, doubt: Attempt | undefined): void {
  const { state } = stores.jobs.get(id);
  if (state === "unsure" && doubtOf(stores, { id })?.id === doubt?.id) return;
  throw new Fault("job.wrong-state", {
    message: operatorReasons.resolvedMeanwhile({ job: id, state: inState(state) }),
    details: { job: id, state },
  });
}

export function wrongJobState({ id, state }: Job): Fault {
  return new Fault("job.wrong-state", {
    message: storeReasons.jobState({ id, state: inState(state) }),
    details: { job: id, state },
  });
}
