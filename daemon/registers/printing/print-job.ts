/** Prints one job in one turn of its register. Each program runs between a commit before and a commit after it. */
import type { DeviceState, RunOutcome, ShiftTotals } from "@fiscald/drivers/fiscal-driver.js";
import type { Program } from "@fiscald/drivers/program.js";
import { asGivenUp, Fault, isFault, toFault } from "@fiscald/shared/fault.js";
import type { RegisterId } from "@fiscald/shared/ids.js";
import { orderReasons } from "../../messages/reasons/order-reasons.js";
import type { Attempt } from "../../store/attempt-store.js";
import type { Job } from "../../store/job.js";
import { commitWithRetry } from "../commit-with-retry.js";
import { provenModelOf } from "../connected-register.js";
import { driveStop, isOfDrive } from "../drive-stop.js";
import { serviceOf } from "../job-label.js";
import type { BegunPart, NewPart } from "../job-recorder.js";
import { recordNotPrinted } from "../recovery/record-not-printed.js";
import type { PrintOutcome } from "../register-machine.js";
import { waitsForMending } from "../retry-policy.js";
import { proveOnce } from "./check-documents.js";
import { lacksForReceipt } from "./move-obstacle.js";
import { isRefusal, troubleOf } from "./preflight.js";
import { type Prepared, type PrintJobOptions, prepareJob, readForJob } from "./prepare-job.js";

/** Throws only faults that decide no outcome: a store that refuses before the first byte, or a programming mistake. */
export async function printJob(options: PrintJobOptions, id: number): Promise<PrintOutcome> {
  const job = options.context.stores.jobs.find(id);
  if (job === null || job.state !== "queued") return { kind: "done" };
  let ready: Prepared | PrintOutcome;
  try {
    ready = await prepareJob(options, job);
  } catch (error) {
    return notBegun(options, job, toFault(error, "internal"));
  }
  return "programs" in ready ? runPrograms(options, ready) : ready;
}

/** Handles a fault that came before any command of the next part, so that no outcome is in doubt. */
async function notBegun(options: PrintJobOptions, job: Job, fault: Fault): Promise<PrintOutcome> {
  if (fault.area !== "link" && fault.area !== "store") return afterFault(options, job, null, fault);
  const { context, recorder } = options;
  if (job.state === "printing") {
    await commitWithRetry(context, () => recorder.requeued(job, null, fault, { countTry: false }));
  }
  if (fault.area === "link") return { kind: "lost", fault };
  // The register is not to blame.
  return { kind: "again", afterMs: 0 };
}

async function runPrograms(options: PrintJobOptions, { job, programs, state }: Prepared): Promise<PrintOutcome> {
  const parts = programs.filter(({ kind }) => kind.type !== "shift-open").length;
  let current = job;
  let before: DeviceState | null = state;
  let part = 0;
  for (const program of programs) {
    const preparing = program.kind.type === "shift-open";
    const isDone = part < job.doneParts;
    const next = { part, parts, witness: program.witness, sent: program.sent };
    if (!preparing) part += 1;
    if (isDone) continue;
    let begun: BegunPart | null;
    try {
      before ??= await readForJob(options, job);
      if (before.openReceipt !== null) throw new Fault("device.receipt-open");
      if (preparing && before.shift.state !== "closed") continue;
      begun = await beginPart(options, current, before, next);
    } catch (error) {
      return notBegun(options, current, toFault(error, "internal"));
    }
    if (begun === null) return { kind: "done" };
    const end = await runPart(options, begun, program);
    if (end.kind !== "printed") return end;
    current = end.job;
    before = null;
  }
  if (parts === 0) {
    await commitWithRetry(options.context, () => options.recorder.nothingToPrint(job));
    options.context.log.info("nothing to print", { job: job.id, order: job.orderId });
  }
  return { kind: "done" };
}

/** Returns null when the job is no longer queued. */
async function beginPart(
  options: PrintJobOptions,
  job: Job,
  { fn, lastFd, shift, drawer: counters }: DeviceState,
  next: Pick<NewPart, "part" | "parts" | "witness" | "sent">,
): Promise<BegunPart | null> {
  const { context, recorder, connected } = options;
  const areDead = context.stores.registers.hasDeadDrawerCounters(provenModelOf(connected));
  const drawer = areDead ? null : counters;
  const shiftTotals = next.witness.kind === "shift-close" ? await readShiftTotals(options) : null;
  const requestId = requestIdOf(job, context.settings.id, next, context.stores.attempts.ofJob(job.id));
  return recorder.begin({ ...next, job, baseline: { fn, lastFd, shift, drawer, requestId }, shiftTotals });
}

/** Null: the register reports no totals, and the closing has the sums of our receipts. */
async function readShiftTotals({ context: { driver, log }, signal }: PrintJobOptions): Promise<ShiftTotals | null> {
  try {
    return await driver.readShiftTotals(signal);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    log.warn("the register refuses the totals of its shift", { fault: error });
    return null;
  }
}

async function runPart(
  options: PrintJobOptions,
  part: BegunPart,
  program: Program,
): Promise<PrintOutcome | { readonly kind: "printed"; readonly job: Job }> {
  const { context, recorder } = options;
  const outcome = await run(options, program, part);
  switch (outcome.kind) {
    case "printed":
      try {
        const printed = await commitWithRetry(context, () => recorder.partPrinted(part, outcome.document));
        if (outcome.document !== null) options.known.noteDocument(outcome.document, part.witness.kind);
        logPrinted(options, printed, outcome);
        // This is the sender's turn to take the result: no read of the document or the queue may delay its first byte.
        await context.clock.turn();
        await proveOnce(options, printed.id);
        return { kind: "printed", job: printed };
      } catch (error) {
        // The document belongs to another job, so the register must be read.
        if (!isFault(error) || error.code !== "job.document-mismatch") throw error;
        return doubted(options, part, error);
      }
    case "not-printed":
      if (outcome.fault.code === "device.order-mark-refused") await noteMarksRefused(options, outcome.fault);
      return afterFault(options, part.job, part.attempt, outcome.fault);
    case "unsure":
      return doubted(options, part, outcome.fault);
  }
}

/** A good answer is not trusted when it does not fit the state before the program. */
async function run({ context, signal }: PrintJobOptions, program: Program, part: BegunPart): Promise<RunOutcome> {
  const { baseline, witness } = part;
  try {
    const outcome = await context.driver.run(program, baseline, signal);
    if (outcome.kind !== "printed" || witness.kind === "none") return outcome;
    if (witness.kind === "drawer") {
      const isProven = baseline.drawer !== null;
      return isProven ? outcome : { ...outcome, warnings: [...outcome.warnings, new Fault("device.cash-unproven")] };
    }
    const { document } = outcome;
    const isNext = document !== null && document.fn === baseline.fn && document.fd === baseline.lastFd + 1;
    if (isNext) return outcome;
    // The answer is an old one, or about another program's document. Recovery compares order mark and lines.
    const message = orderReasons.otherDocument({
      fd: document?.fd ?? "",
      fn: document?.fn ?? "",
      expected: baseline.lastFd + 1,
    });
    return { kind: "unsure", fault: new Fault("link.corrupt", { message }) };
  } catch (error) {
    return { kind: "unsure", fault: toFault(error, "internal") };
  }
}

async function doubted(
  { context, recorder }: PrintJobOptions,
  { job, attempt }: BegunPart,
  fault: Fault,
): Promise<PrintOutcome> {
  await commitWithRetry(context, () => recorder.doubted(job, attempt, fault));
  context.log.warn("the outcome is unknown: the register is read", { job: job.id, order: job.orderId, fault });
  return { kind: "doubt", fault };
}

/** From now on receipts on devices of this model and firmware are printed without the order mark. */
async function noteMarksRefused({ context, connected }: PrintJobOptions, fault: Fault): Promise<void> {
  const model = provenModelOf(connected);
  await commitWithRetry(context, () => context.stores.registers.saveMarksRefused(model));
  const message = "this model refuses the order mark (tag 1084): its receipts go without it, as with orderMark: false";
  context.log.warn(message, { device: model.model, firmware: model.firmware, fault });
}

/** The job must be proven not registered. */
async function afterFault(
  options: PrintJobOptions,
  job: Job,
  attempt: number | null,
  fault: Fault,
): Promise<PrintOutcome> {
  const { context, recorder } = options;
  const { log } = context;
  const fields = { job: job.id, order: job.orderId, fault };
  // The job waits for a person and is tried now and then. Only the first refusal is recorded.
  if (waitsForMending.includes(fault.code) && job.fault?.message === fault.message && attempt === null) {
    return { kind: "again", afterMs: 0, ...(options.mayPass ? lackOf(fault) : {}) };
  }
  if (options.mayPass && attempt === null && lacksForReceipt.includes(fault.code)) {
    await commitWithRetry(context, () => recorder.requeued(job, null, fault, { countTry: false }));
    log.info("this register lacks something for the receipt: another of its group is asked", fields);
    return { kind: "again", afterMs: 0, ...lackOf(fault) };
  }
  const state = isOfDrive(fault) ? await stateAfter(options) : null;
  const stop = state === null ? null : driveStop(state);
  const refusal = { job, attempt, fault: stop ?? fault, state };
  const next = await commitWithRetry(context, () => recordNotPrinted(options, refusal));
  if (next.kind !== "fail") log.warn("not printed, queued again", fields);
  switch (next.kind) {
    case "fail":
      log.error("not printed, given up", { ...fields, fault: asGivenUp(fault) });
      return { kind: "done", failed: true };
    case "again":
      return next;
    case "close-shift":
      return { kind: "again", afterMs: 0 };
    case "blocked": {
      const after = state ?? (await stateAfter(options));
      // If the connection broke at this moment, what is visible is read again soon, and that read notices the break.
      const visible = after === null || troubleOf(after, { isDriveTried: false }) !== null;
      return { kind: "blocked", fault: stop ?? next.fault, visible };
    }
  }
}

function lackOf({ code, message }: Fault) {
  return { lacks: message, mayBeMended: waitsForMending.includes(code) };
}

/** The state tells whether a later read will show that the trouble is over. Null: the state cannot be read. */
async function stateAfter({ context, signal, onState }: PrintJobOptions): Promise<DeviceState | null> {
  try {
    const state = await context.driver.readState(signal);
    onState(state);
    return state;
  } catch {
    return null;
  }
}

function logPrinted({ context }: PrintJobOptions, job: Job, outcome: Extract<RunOutcome, { kind: "printed" }>): void {
  const { log } = context;
  const { id, orderId: order, total: sum } = job;
  const fields = { job: id, order, what: serviceOf(job), fd: outcome.document?.fd, sum };
  for (const fault of outcome.warnings) log.warn("printed, but not quite as wanted", { ...fields, fault });
  if (job.state === "printed") log.info("printed", fields);
}

/**
 * The request id of a run for the maker's print service (`Baseline.requestId`). The same job, register, part and number
 * of earlier attempts always give the same id, whether or not the shift had to be opened: from a restored database, and
 * for a receipt even from a new one. No other run has the id: two daemons whose sites have one id and equal orders
 * differ in the issuer.
 */
function requestIdOf(
  { site, key, mark, forced, id, createdAt, receipt }: Job,
  register: RegisterId,
  { part, witness: { kind } }: Pick<BegunPart, "part" | "witness">,
  attempts: readonly Attempt[],
): string {
  const preparing = kind === "shift-open";
  const runs = attempts.filter(({ part: of, witness }) => {
    return preparing ? witness.kind === "shift-open" : witness.kind !== "shift-open" && of === part;
  });
  // An order without a receipt may come each day, a forced order once more: each of their jobs is its own request.
  const isOfItsRow = key === null || forced || receipt.kind === "service";
  const subject = isOfItsRow ? `${key?.key ?? ""}#${id}@${createdAt}` : key.key;
  return `${mark?.issuer ?? ""}|${site ?? ""}|${subject}|${register}|${preparing ? "open shift" : part}|${runs.length}`;
}
