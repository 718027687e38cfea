/**
 * Between connect and ready: what is in doubt is settled, what appeared meanwhile is compared, and only then is the last
 * document put on record. Everything that is decided here is one transaction.
 *
 *   1. a doubt that was not fenced yet: fence, cancelling only what can be our own receipt
 *   2. documents since the earliest of: the record, the doubts' own "before"
 *   3. each doubt settled with the documents of its own time, the others compared with the jobs that wait, those too that
 *      could not be read before
 */
import type { DeviceState, FencedState, FiscalDocument, RequestEnd } from "@fiscald/drivers/fiscal-driver.js";
import { Fault, isFault } from "@fiscald/shared/fault.js";
import type { Attempt } from "../../store/attempt-store.js";
import type { Loss } from "../../store/data-loss-store.js";
import { retryWhileBusy } from "../../store/database/retry-while-busy.js";
import type { Job } from "../../store/job.js";
import type { RegisterRecord } from "../../store/register-store.js";
import { type ConnectedRegister, provenModelOf } from "../connected-register.js";
import type { JobRecorder } from "../job-recorder.js";
import type { RegisterContext } from "../register-context.js";
import { decideAfterFault } from "../retry-policy.js";
import { shiftToRecord } from "../shift/shift-age.js";
import { countsBackwards, readDocuments, recordGap } from "./close-gap.js";
import { countsAsReceipt } from "./document-fit.js";
import { interruptJobs } from "./interrupt-jobs.js";
import { logVerdict } from "./log-verdict.js";
import { FIRST_SIGHT_DOCUMENTS, LOOK_BACK_DOCUMENTS, recentUnreadable, settleableNow } from "./look-back.js";
import { lossOfRegister } from "./loss-of-register.js";
import { ALWAYS_MARKED, markedFrom } from "./marked-from.js";
import { couldBeOurs } from "./open-receipt.js";
import { isOurMark } from "./order-mark.js";
import { settleDoubt, type Verdict } from "./recover-job.js";
import { totalsAtClosing } from "./unwitnessed-closing.js";

export type RecoveryEnd =
  | { readonly kind: "recovered"; readonly state: DeviceState }
  | { readonly kind: "blocked"; readonly fault: Fault };

export interface RecoverOptions {
  readonly context: RegisterContext;
  readonly recorder: JobRecorder;
  readonly connected: ConnectedRegister;
  readonly signal: AbortSignal;
  /** Of this run: the database may be another one than the register was left with. */
  readonly isFirst: boolean;
}

/** Throws the driver's link faults (the connection is to be made anew) and `store.*` (nothing was recorded). */
export async function recoverRegister(options: RecoverOptions): Promise<RecoveryEnd> {
  const { context, connected, signal } = options;
  const { stores, settings, safety } = context;
  const { fn } = connected.identity;
  await retryWhileBusy(context.clock, context.stopping, () => interruptJobs(stores, context.clock, settings.id));
  const doubts = stores.attempts.doubtsOf(settings.id);
  // Also of a drive that was taken out meanwhile: its document is gone with it, its open receipt may still stand there.
  const unfenced = doubts.filter(
    ({ fenceFd, doubt, baseline }) => fenceFd === null && (baseline.fn === fn || doubt === null),
  );
  const state = await fence(options, unfenced);
  if (isFault(state)) return { kind: "blocked", fault: state };
  if (state.fn !== fn) throw new Fault("link.lost", { message: `the fiscal drive is ${state.fn}, it was ${fn}` });

  const record = stores.registers.find(settings.id);
  const known = record !== null && record.fn === fn && safety.journal ? record : null;
  if (known !== null && state.lastFd < known.lastFd) {
    return { kind: "blocked", fault: countsBackwards(known.lastFd, state) };
  }
  const past = pastOf(options, record, state);
  const gapFrom = safety.gapCheck && safety.journal ? past.until : state.lastFd;
  const open = await settleableNow(context.driver, doubts, state, signal);
  const again = new Set(recentUnreadable(stores, state));
  const belowOthers = [...again, ...namedDocuments(open, state)].map((fd) => fd - 1);
  const from = Math.min(gapFrom, ...open.map(({ baseline }) => baseline.lastFd), ...belowOthers);
  const documents = await readDocuments(context, from, state.lastFd, signal);
  const account = () => {
    // What is found on a register that is new here is told with its numbers.
    if (record === null) saveSeen(options, record, state);
    // The operator may have settled one by its paper while the register was asked.
    const stillOpen = new Set(stores.attempts.doubtsOf(settings.id).map(({ id }) => id));
    const ends = open.filter(({ id }) => stillOpen.has(id)).map((doubt) => settle(options, doubt, state, documents));
    const claimed = new Set(ends.flatMap((end) => end.claimed));
    const gap = documents.filter(({ fd }) => fd > gapFrom);
    const running = !options.isFirst;
    const lost = options.isFirst && context.isForgetful();
    const loss = lost ? lossOfRegister({ record, lastAttempt: stores.attempts.lastOf(settings.id), state }) : null;
    if (loss !== null) keepLoss(options, loss);
    const marksAbove = (above: number, forgotten: boolean) =>
      markedFrom(stores.attempts, {
        ...{ register: settings.id, fn, from: above, documents, lost: forgotten },
        isOurs: (mark) => isOurMark(mark, context.issuers),
      });
    recordGap(context, options.recorder, connected, {
      ...{ fn, claimed, running, lost },
      documents: gap,
      firstSight: past.isUnknown,
      // The setting of a run is one.
      marked: running ? ALWAYS_MARKED : marksAbove(gapFrom, lost),
    });
    const readable = documents.filter(({ fd, body }) => again.has(fd) && body === "full");
    if (readable.length > 0) {
      recordGap(context, options.recorder, connected, {
        ...{ fn, claimed, running: false, lost: true },
        documents: readable,
        firstSight: true,
        marked: marksAbove(Math.min(...again) - 1, true),
      });
    }
    recordRegister(options, record, state);
    return ends;
  };
  const settled = await retryWhileBusy(context.clock, context.stopping, () => stores.jobs.transaction(account));
  for (const { doubt, verdict } of settled) logVerdict(context.log, doubt, stores.jobs.get(doubt.job), verdict);
  return { kind: "recovered", state };
}

interface Past {
  /** Its documents up to here are accounted for, or not looked at. */
  readonly until: number;
  /** What is above may still be from before the register was known here. */
  readonly isUnknown: boolean;
}

/** A drive that is new in its register was made for it: all that it holds came after what is on record. */
function pastOf({ context, connected }: RecoverOptions, record: RegisterRecord | null, state: DeviceState): Past {
  const { fn, lastFd } = state;
  if (record?.fn === fn) return { until: record.lastFd, isUnknown: false };
  if (record?.identity.kkm !== connected.identity.kkm) {
    return { until: Math.max(0, lastFd - FIRST_SIGHT_DOCUMENTS), isUnknown: true };
  }
  // It was here before, and is back.
  const left = context.stores.registers.formerDrive(fn)?.lastFd ?? null;
  if (left !== null) return { until: Math.min(left, lastFd), isUnknown: false };
  const until = Math.max(0, lastFd - LOOK_BACK_DOCUMENTS);
  return { until, isUnknown: until > 0 };
}

/**
 * The state behind the fence, or why there is none yet: a receipt that is not ours stands open, or the register itself
 * cannot go on.
 */
async function fence({ context, signal }: RecoverOptions, unfenced: readonly Attempt[]): Promise<FencedState | Fault> {
  const { driver, safety } = context;
  const before = await driver.readState(signal);
  if (unfenced.length === 0 || !safety.fence) return before;
  if (before.openReceipt !== null && !couldBeOurs(before.openReceipt, unfenced))
    return new Fault("device.receipt-open");
  try {
    const cancelOpen = unfenced.some(({ witness }) => witness.kind === "receipt" || witness.kind === "drawer");
    const requests = unfenced.flatMap(({ baseline }) => baseline.requestId ?? []);
    const confirmDate = unfenced.some(({ job }) => setsClock(context.stores.jobs.get(job)));
    return await driver.fence({ cancelOpen, requests, confirmDate }, signal);
  } catch (error) {
    if (isFault(error) && error.area === "device") return error;
    throw error;
  }
}

function setsClock({ receipt: { lines } }: Job): boolean {
  return lines.some(({ type }) => type === "sync-time");
}

/** What the maker's service says of this run; null = nobody was asked. */
function requestOf({ baseline }: Attempt, { requests }: FencedState): RequestEnd | null {
  return requests?.get(baseline.requestId ?? "") ?? null;
}

/** Numbers of documents that the service names: it may have carried the run out before this database knew of it. */
function namedDocuments(doubts: readonly Attempt[], state: FencedState): number[] {
  return doubts.flatMap((doubt) => {
    const request = requestOf(doubt, state);
    const made = request?.kind === "done" ? request.document : null;
    return made?.fn === state.fn && state.lastFd - made.fd < LOOK_BACK_DOCUMENTS ? made.fd : [];
  });
}

interface Settled {
  readonly doubt: Attempt;
  readonly verdict: Verdict;
  /** Numbers of the documents that this doubt keeps for itself. */
  readonly claimed: readonly number[];
}

function settle(
  { context, recorder, connected }: RecoverOptions,
  doubt: Attempt,
  state: FencedState,
  documents: readonly FiscalDocument[],
): Settled {
  const { stores } = context;
  const job = stores.jobs.get(doubt.job);
  const sameDrive = doubt.baseline.fn === state.fn;
  const fenceFd = doubt.fenceFd ?? state.lastFd;
  // A shift is closed once: whenever that came, it is the closing.
  const until = doubt.witness.kind === "shift-close" ? state.lastFd : fenceFd;
  const ofItsTime = sameDrive ? documents.filter(({ fd }) => fd > doubt.baseline.lastFd && fd <= until) : [];
  const ownerOf = (fd: number) => stores.jobs.findByDocument(state.fn, fd);
  const isOwned = ({ fd }: FiscalDocument) => ownerOf(fd) !== null;
  const request = requestOf(doubt, state);
  const made = request?.kind === "done" ? request.document : null;
  const verdict = settleDoubt({
    request,
    requestIsOwned: made !== null && stores.jobs.findByDocument(made.fn, made.fd) !== null,
    named: documents.find(({ fd }) => made?.fn === state.fn && made.fd === fd) ?? null,
    witness: doubt.witness,
    baseline: doubt.baseline,
    receipt: job.receipt,
    after: { fn: state.fn, lastFd: state.lastFd, shift: state.shift, drawer: state.drawer },
    documents: ofItsTime.filter((document) => !isOwned(document)),
    owned: ofItsTime.filter(isOwned),
    closedByAnother: doubt.witness.kind === "shift-close" && stores.attempts.isClosedByAnother(doubt),
    answeredWithOwned: doubt.fault?.code === "job.document-mismatch",
    proven: stores.registers.hasProof(provenModelOf(connected)),
    standsOpen: connected.capabilities.exchange !== "whole",
  });
  const isFenced = sameDrive && request?.kind !== "open";
  const shiftTotals =
    verdict.kind === "printed"
      ? totalsAtClosing(doubt, ofItsTime, { closing: verdict.document, ownerOf })
      : doubt.shiftTotals;
  applyVerdict(context, recorder, { ...doubt, shiftTotals }, verdict, isFenced ? fenceFd : null);
  // The only receipt of its time can hardly be another job's; of several, one may be.
  const mayBeReceipt = verdict.kind === "unsure" && doubt.witness.kind !== "shift-close";
  const receipts = mayBeReceipt ? ofItsTime.filter(countsAsReceipt) : [];
  return { doubt, verdict, claimed: receipts.length === 1 ? receipts.map(({ fd }) => fd) : [] };
}

function applyVerdict(
  context: RegisterContext,
  recorder: JobRecorder,
  attempt: Attempt,
  verdict: Verdict,
  fenceFd: number | null,
): void {
  const { attempts, jobs } = context.stores;
  switch (verdict.kind) {
    case "printed":
      recorder.settledAsPrinted(attempt, verdict.document, fenceFd);
      return;
    case "unsure":
      recorder.settledAsUnsure(attempt, verdict.doubt, fenceFd);
      return;
    case "not-printed": {
      const job = jobs.get(attempt.job);
      attempts.setFence(attempt.id, fenceFd, null);
      // Cut off by the end of the daemon: nothing to hold against the job or the register.
      const fault = attempt.fault === null ? null : new Fault(attempt.fault.code, { message: attempt.fault.message });
      const next = fault === null ? null : decideAfterFault(fault, job, context.random);
      if (fault !== null && next?.kind === "fail") recorder.failed(job, attempt.id, fault);
      else {
        const countTry = next?.kind === "again" && next.countTry;
        recorder.requeued(job, attempt.id, fault, { countTry });
      }
    }
  }
}

/** Every start until all registers were read judges it anew, by what is on record then: what an earlier one found stays. */
function keepLoss({ context, recorder }: RecoverOptions, found: Loss): void {
  const { losses } = context.stores;
  const known = losses.find(context.settings.id);
  const loss = { drive: found.drive ?? known?.drive ?? null, drawer: found.drawer || known?.drawer === true };
  losses.keep(context.settings.id, loss);
  recorder.note("unknown since the database was lost", null, { ...loss });
  const what = loss.drive === null ? "cash that was moved" : `receipts on drive ${loss.drive}, and cash that was moved`;
  context.log.error(
    `the lost database leaves unknown: ${what}; such orders become unsure until the register is accepted`,
  );
}

function recordRegister(options: RecoverOptions, record: RegisterRecord | null, state: DeviceState): void {
  const { context, connected } = options;
  const { identity, tables } = connected;
  saveSeen(options, record, state);
  const asBefore =
    record !== null && JSON.stringify([record.identity, record.tables]) === JSON.stringify([identity, tables]);
  if (!asBefore) context.facts.tablesChanged(context.settings.id);
}

function saveSeen({ context, connected }: RecoverOptions, record: RegisterRecord | null, state: DeviceState): void {
  const { stores, settings, clock } = context;
  const { identity, tables } = connected;
  const shift = shiftToRecord(record, state);
  stores.registers.save({ id: settings.id, identity, tables, lastFd: state.lastFd, shift }, clock.now());
}
