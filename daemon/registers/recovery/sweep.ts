/**
 * A sweep reads a register's documents and settles the open jobs by them (exactly-once 5). It runs at each connect,
 * before a job when the last document number has moved, by the timer of the state machine (register-machine.ts) for
 * what could not be read, and by `resolve`, which also reads the one document that a person names. Only three other
 * places settle a job: `settleBeforePrint` (waiting-jobs.ts), closed-already.ts for a closing that counted as not done
 * and whose shift is found closed, and a person's answer in `resolve`.
 *
 *   1. If the outcome of a program is not known, the fence is passed. It cancels only what can be our own receipt.
 *   2. Documents are read from the earliest of these on: the last one on record, and the one before each program that
 *      may be settled now.
 *   3. In one transaction, receipts without a job are kept, claims are matched with them, each program is settled by
 *      its witness, waiting jobs are settled by their match, and the last document is recorded.
 */
import { unknownDocument } from "@fiscald/drivers/codec/document-tags.js";
import type { FiscalDocument } from "@fiscald/drivers/fiscal-document.js";
import type { DeviceState, FencedState, OpenReceipt } from "@fiscald/drivers/fiscal-driver.js";
import type { Clock } from "@fiscald/shared/clock.js";
import { asGivenUp, Fault, saidBy } from "@fiscald/shared/fault.js";
import type { RegisterId } from "@fiscald/shared/ids.js";
import type { Logger } from "@fiscald/shared/logger.js";
import type { Attempt } from "../../store/attempt-store.js";
import { retryWhileBusy } from "../../store/database/retry-while-busy.js";
import type { Job } from "../../store/job.js";
import type { RegisterRecord } from "../../store/register-store.js";
import { type RegisterTools, requireSameDrive } from "../connected-register.js";
import { serviceOf } from "../job-label.js";
import type { RegisterContext, Stores } from "../register-context.js";
import { SweepRecord } from "./sweep-record.js";
import { isDue, knownHistoryOf, namedDocuments, recentUnreadable, type SweepScope } from "./sweep-scope.js";
import type { Verdict } from "./witnesses.js";

/**
 * Returns the state that was read. Throws the fault that stopped the sweep, and then nothing was recorded: `link.*`
 * (the connection must be made again), `store.*`, or a fault that a person has to end.
 */
export async function sweep(tools: RegisterTools): Promise<DeviceState> {
  const { context, connected, signal } = tools;
  const { stores, settings, clock, stopping } = context;
  const { fn } = connected.identity;
  await retryWhileBusy(clock, stopping, () => markInterrupted(stores, clock, settings.id));
  const doubts = stores.attempts.doubtsOf(settings.id);
  // This includes attempts on a removed drive: the document is gone with the drive, but the receipt may still be open.
  const unfenced = doubts.filter(
    ({ fenceFd, doubt, baseline }) => fenceFd === null && (baseline.fn === fn || doubt === null),
  );
  const state = await passFence(context, unfenced, signal);
  const due = doubts.filter((doubt) => isDue(doubt, state));
  await sweepAt(tools, state, { due, readAgain: recentUnreadable(stores, state) });
  return state;
}

/** `state` was read after the fence. Returns the documents that were read. */
export async function sweepAt(
  tools: RegisterTools,
  state: FencedState,
  scope: SweepScope,
): Promise<readonly FiscalDocument[]> {
  const { context, connected, isFirst, signal } = tools;
  requireSameDrive(connected, state);
  const { stores, settings, clock, stopping } = context;
  const { due, readAgain } = scope;
  const record = stores.registers.find(settings.id);
  const isLoss = isFirst && context.memory.isForgetful;
  requireComparable(record, state, isLoss);
  const history = knownHistoryOf(record, { kkm: connected.identity.kkm, state, isLoss });
  const beforePrograms = due.flatMap(({ baseline }) => (baseline.fn === state.fn ? baseline.lastFd : []));
  const beforeOthers = [...readAgain, ...namedDocuments(due, state)].map((fd) => fd - 1);
  const from = Math.min(history.lastKnownFd, ...beforePrograms, ...beforeOthers);
  const documents = await readDocuments(context, from, state.lastFd, signal);
  const settled = await retryWhileBusy(clock, stopping, () =>
    stores.jobs.transaction(() =>
      new SweepRecord(tools, state, { ...scope, record, history, isLoss }).settle(documents),
    ),
  );
  for (const { doubt, verdict } of settled) logVerdict(context.log, doubt, stores.jobs.get(doubt.job), verdict);
  return documents;
}

/**
 * After the fence no earlier command can still take effect. Throws `device.receipt-open` for an open receipt that is
 * not ours. `unfenced` are our programs with an unknown outcome; if there is none, only the state is read.
 */
async function passFence(
  { driver, stores }: Pick<RegisterContext, "driver" | "stores">,
  unfenced: readonly Attempt[],
  signal: AbortSignal,
): Promise<FencedState> {
  const before = await driver.readState(signal);
  if (unfenced.length === 0) return before;
  if (before.openReceipt !== null && !couldBeOurs(before.openReceipt, unfenced)) throw new Fault("device.receipt-open");
  const cancelOpen = unfenced.some(({ witness }) => witness.kind === "receipt" || witness.kind === "drawer");
  const requests = unfenced.flatMap(({ baseline }) => baseline.requestId ?? []);
  const confirmDate = unfenced.some(({ job }) =>
    stores.jobs.get(job).receipt.lines.some(({ type }) => type === "sync-time"),
  );
  return driver.fence({ cancelOpen, requests, confirmDate }, signal);
}

/** An open receipt is ours if it has a program's direction and no larger sum, open cash if a program moves cash. */
function couldBeOurs(open: OpenReceipt, programs: readonly Pick<Attempt, "witness">[]): boolean {
  return programs.some(({ witness }) => {
    if (open.document === "cash") return witness.kind === "drawer";
    if (witness.kind !== "receipt") return false;
    const isSameDirection = open.operation === null || open.operation === witness.operation;
    return isSameDirection && (open.subtotal === null || open.subtotal <= witness.total);
  });
}

/** A number above `fromFd` that the register leaves out is listed as an unreadable document. */
export async function readDocuments(
  { driver }: Pick<RegisterContext, "driver">,
  fromFd: number,
  toFd: number,
  signal: AbortSignal,
): Promise<readonly FiscalDocument[]> {
  if (toFd <= fromFd) return [];
  const read = new Map<number, FiscalDocument>();
  for (const document of await driver.documentsSince(fromFd, signal, toFd)) read.set(document.fd, document);
  const numbers = Array.from({ length: toFd - fromFd }, (_, index) => fromFd + 1 + index);
  return numbers.map((fd) => read.get(fd) ?? unknownDocument(fd));
}

/** Throws when the drive counts backwards, or when drive and database were both replaced. */
function requireComparable(record: RegisterRecord | null, { fn, lastFd }: DeviceState, isLoss: boolean): void {
  if (record?.fn === fn && lastFd < record.lastFd) {
    const message = `drive ${fn} says that its last document is ${lastFd}; it was ${record.lastFd} before`;
    throw new Fault("device.fn-state", { message, details: { fn, lastFd, recorded: record.lastFd } });
  }
  if (record === null || record.fn === fn || !isLoss) return;
  const message =
    `the database was put back or deleted, and drive ${record.fn} is no longer in this register: compare the receipts ` +
    "on it with the site's orders (its paper, or the OFD's cabinet), then accept the register";
  throw new Fault("register.foreign-identity", { message, details: { fn, recorded: record.fn } });
}

/**
 * Finds jobs that say `printing` although no program of theirs runs, and makes them unsure. A job that was cut off
 * between two parts is queued again. `register` null means every register.
 */
export function markInterrupted(
  { jobs, attempts, journal }: Pick<Stores, "jobs" | "attempts" | "journal">,
  clock: Clock,
  register: RegisterId | null,
): readonly Job[] {
  const at = clock.now();
  return jobs.transaction(() =>
    jobs.interrupt(register, at).map((job) => {
      const inDoubt = attempts.interrupt(job.id, at);
      const what = inDoubt ? "cut off while printing" : "cut off between two parts, queued again";
      journal.add({ at, actor: "daemon", what, job: job.id, register: job.register });
      return inDoubt ? job : jobs.requeue(job.id, { fault: null, countTry: false }, at);
    }),
  );
}

/** Called after the commit. The level shows whether a person must act. `attempt` is from before the sweep. */
function logVerdict(log: Logger, attempt: Attempt, job: Job, verdict: Verdict): void {
  const fields = { job: job.id, order: job.orderId };
  log.info("compared an unsure job with documents", { ...fields, verdict: verdict.kind });
  if (verdict.kind === "unsure") {
    const { reason, candidates } = verdict.doubt;
    // The same reason was logged before, so a person has nothing new to do.
    if (attempt.doubt?.reason === reason) return;
    const documents = candidates.map(({ fd }) => fd);
    const fault = new Fault("job.outcome-unknown");
    log.error("it is unknown whether the job was printed", { ...fields, reason, documents, fault });
  } else if (job.state === "printed") {
    log.info("printed", { ...fields, what: serviceOf(job), fd: job.document?.fd, sum: job.total });
  } else if (verdict.kind !== "printed") {
    const fault = job.fault === null ? null : new Fault(job.fault.code, { message: saidBy(job.fault) });
    const why = fault === null ? {} : { fault };
    if (job.state === "queued") log.warn("not printed, queued again", { ...fields, ...why });
    if (job.state === "failed")
      log.error("not printed, given up", { ...fields, ...(fault && { fault: asGivenUp(fault) }) });
  }
}
