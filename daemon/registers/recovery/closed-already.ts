import type { DeviceState } from "@fiscald/drivers/fiscal-driver.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { Job } from "../../store/job.js";
import type { RegisterTools } from "../connected-register.js";
import { NOTHING_TO_CLOSE } from "../job-recorder.js";
import { shiftToRecord } from "../shift/shift-age.js";

type Tools = Pick<RegisterTools, "context" | "recorder">;

/** Ends a job that is to close a shift which is closed already. Returns false when there is a shift to close. */
export function settleClosed(tools: Tools, job: Job, state: DeviceState): boolean {
  const isDone = recordOwnClosing(tools, job, state);
  if (isDone || state.shift.state !== "closed") return isDone;
  withdraw(tools, job);
  return true;
}

/** The shift that an earlier try was to close is closed now, by that try or by a person, as no other job closed it. */
function recordOwnClosing({ context, recorder }: Tools, job: Job, state: DeviceState): boolean {
  const { settings, stores, clock } = context;
  const { attempts, jobs, registers } = stores;
  const { fn, shift } = state;
  const last = attempts.ofJob(job.id).findLast(({ baseline }) => baseline.fn === fn);
  if (last === undefined) return false;
  // A closing that was asked for again is meant for today's shift. A retried closing has lost its fault.
  const isAskedAgain = job.fault === null && (job.forced || last.fault !== null);
  const { number } = last.baseline.shift;
  const isClosed = shift.number > number || (shift.number === number && shift.state === "closed");
  if (isAskedAgain || !isClosed || attempts.isClosedByAnother(last)) return false;
  jobs.transaction(() => {
    const seen = shiftToRecord(registers.find(settings.id), state);
    recorder.settledAsPrinted(last, { fn, document: null }, last.fenceFd);
    // The next shift may be open already.
    registers.saveShift(settings.id, seen, clock.now());
  });
  return true;
}

function withdraw({ context, recorder }: Tools, job: Job): void {
  recorder.nothingToClose(job, null);
  if (job.source === "schedule") return;
  const fault = new Fault(NOTHING_TO_CLOSE.code, NOTHING_TO_CLOSE);
  context.log.warn("nothing to close", { job: job.id, order: job.orderId, fault });
}
