import type { RegisterId } from "@fiscald/shared/ids.js";
import { localTimeAt } from "@fiscald/shared/local-time.js";
import type { ReportKind, ServiceJob, ServiceLine } from "@fiscald/shared/receipt/receipt.js";
import type { Job } from "../../store/job.js";
import type { JobStore } from "../../store/job-store.js";
import type { RegisterContext } from "../register-context.js";
import { missedClosing, mustCloseShift, type ShiftClock } from "./shift-age.js";

export const EXPIRED = "the register says that the shift has expired";

export function reportJob(report: ReportKind): ServiceJob {
  return serviceJob([{ type: "report", report }]);
}

/** A service job leaves no receipt. No site ordered this one. */
export function serviceJob(lines: readonly ServiceLine[]): ServiceJob {
  return {
    kind: "service",
    orderId: null,
    receiptId: null,
    kkm: null,
    format: "task-table",
    cancelFirst: false,
    lines,
  };
}

export function queueOwnJob(
  jobs: Pick<JobStore, "insertJob">,
  job: { readonly source: "operator" | "schedule"; readonly register: RegisterId; readonly receipt: ServiceJob },
  now: number,
): Job {
  const nobody = { site: null, raw: null, polledKkm: null, key: null, forced: false } as const;
  return jobs.insertJob({ ...nobody, ...job, state: "queued", fault: null, now });
}

export function findClosing(jobs: Pick<JobStore, "unfinished">, register: RegisterId): Job | undefined {
  return jobs
    .unfinished([register])
    .find(({ source, state }) => source === "schedule" && (state === "queued" || state === "printing"));
}

/** A lost answer must yield exactly one Z report. Returns null when a closing is queued already. */
export function queueShiftClose(
  context: Pick<RegisterContext, "settings" | "stores" | "clock">,
  reason: string,
): Job | null {
  const { settings, stores, clock } = context;
  const { jobs, journal } = stores;
  const register = settings.id;
  return jobs.transaction(() => {
    if (findClosing(jobs, register) !== undefined) return null;
    const now = clock.now();
    const job = queueOwnJob(jobs, { source: "schedule", register, receipt: reportJob("z") }, now);
    journal.add({ at: now, actor: "daemon", what: "shift closing queued", job: job.id, register, details: { reason } });
    return job;
  });
}

/** Null: no closing is due before the next receipt. This computer's clock counts only for want of the register's. */
export function reasonToClose(
  context: Pick<RegisterContext, "settings" | "stores" | "clock">,
  state: ShiftClock,
): string | null {
  const reason = reasonByClock(context, state);
  if (reason === null) return null;
  const { stores, settings } = context;
  const fn = stores.registers.find(settings.id)?.fn;
  // A register that goes on calling a closed shift open is not closed again, and refuses the next receipt instead.
  return fn !== undefined && stores.attempts.isClosed(fn, state.shift.number) ? null : reason;
}

function reasonByClock(
  { settings, stores, clock }: Pick<RegisterContext, "settings" | "stores" | "clock">,
  state: ShiftClock,
): string | null {
  const findShift = () => stores.registers.find(settings.id)?.shift ?? null;
  if (mustCloseShift(state, findShift)) return "the shift is about to be 24 hours old";
  const { closeShiftAt, timeZone } = settings;
  const timed = { ...state, clock: state.clock ?? localTimeAt(clock.now(), timeZone) };
  const isDue = closeShiftAt !== null && missedClosing(timed, findShift, closeShiftAt);
  return isDue ? "the configured time has passed" : null;
}

export function isShiftClose(job: Job): boolean {
  const [line, ...others] = job.receipt.lines;
  return job.receipt.kind === "service" && others.length === 0 && line?.type === "report" && line.report === "z";
}
