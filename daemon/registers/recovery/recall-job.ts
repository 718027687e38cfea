/** A database that was deleted or restored knows of documents whose orders it has forgotten: a waiting job may be one of them. */
import type { RegisterId } from "@fiscald/shared/ids.js";
import { totalOf } from "@fiscald/shared/receipt/receipt.js";
import type { Job } from "../../store/job.js";
import { type JobRecorder, RESOLVED_AS_NOT_PRINTED } from "../job-recorder.js";
import type { RegisterContext } from "../register-context.js";
import { judgeForgotten } from "./forgotten-order.js";

/** True when the job was settled by it, as printed or unsure: nothing is printed then. */
export function recallJob(context: RegisterContext, recorder: JobRecorder, job: Job): boolean {
  if (!context.safety.gapCheck) return false;
  const { stores, log, clock } = context;
  const { jobs } = stores;
  const verdict = judgeForgotten(factsOf(context, job));
  const fields = { job: job.id, order: job.orderId };
  /** What printed it knows its numbers, and is asked about it. */
  const moveTo = (register: RegisterId) =>
    register === job.register || !context.fleet.includes(register) ? job : jobs.move(job.id, register, clock.now());
  switch (verdict.kind) {
    case "nothing":
      return false;
    case "printed": {
      const { fn, document, register } = verdict.found;
      const how = "its mark is on a document from before";
      jobs.transaction(() => recorder.foundPrinted(moveTo(register), fn, document, how));
      log.warn("a waiting job was printed already", { ...fields, fd: document.fd });
      return true;
    }
    case "doubtful":
      // The operator has looked at it, and the register was asked once more.
      if (stores.journal.ofJob(job.id).some(({ what }) => what === RESOLVED_AS_NOT_PRINTED)) return false;
      jobs.transaction(() => recorder.foundDoubtful(moveTo(verdict.register), verdict.fn, verdict.doubt));
      log.error("a waiting job may be printed already", { ...fields, reason: verdict.doubt.reason });
      return true;
  }
}

function factsOf(context: RegisterContext, job: Job): Parameters<typeof judgeForgotten>[0] {
  const { stores, fleet, couldHavePrinted, issuers } = context;
  const { documents, losses } = stores;
  const { receipt, mark } = job;
  const lost = fleet.flatMap((register) => {
    const loss = losses.find(register);
    return loss === null || !couldHavePrinted(job, register) ? [] : [{ ...loss, register }];
  });
  if (receipt.kind !== "receipt" || mark === null) return { job, marked: [], unmarked: [], issuers, lost };
  return {
    ...{ job, issuers, lost },
    marked: documents.findMarked(receipt.orderId, mark),
    unmarked: documents.findUnmarked(totalOf(receipt)).filter(({ register }) => couldHavePrinted(job, register)),
  };
}
