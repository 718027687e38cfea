import type { DeviceState } from "@fiscald/drivers/fiscal-driver.js";
import { Fault, saidBy } from "@fiscald/shared/fault.js";
import type { FaultCode } from "@fiscald/shared/fault-codes.js";
import type { Job } from "../../store/job.js";
import { checkedRegisterOf, type RegisterTools } from "../connected-register.js";
import { alteredFault, NO_DOCUMENT } from "../describe-difference.js";
import { deniesStop } from "../drive-stop.js";
import { decideAfterFault, type NextStep } from "../retry-policy.js";
import { EXPIRED, queueShiftClose } from "../shift/queue-shift-close.js";

/** What stopped a job. `state` is the register's state afterwards, if it was read. */
interface Refusal {
  readonly job: Job;
  readonly attempt: number | null;
  readonly fault: Fault;
  readonly state: DeviceState | null;
}

/** Runs in one transaction. The job must be proven not registered. */
export function recordNotPrinted(
  tools: Pick<RegisterTools, "context" | "connected" | "recorder">,
  { job, attempt, fault: reported, state }: Refusal,
): NextStep & { readonly fault: Fault } {
  const { context, recorder } = tools;
  const { stores, settings } = context;
  return stores.jobs.transaction(() => {
    const given = attempt === null ? reported : refusalOf(tools, job.id, reported);
    // Each cause gets one Z report. A shift that is called expired right after that report needs a person.
    const isStuck = given.code === "device.shift-expired" && stores.attempts.endedWithClosing(settings.id);
    const fault = isStuck ? new Fault("device.shift-stuck", { message: saidBy(given), cause: given }) : given;
    const next = decideAfterFault(fault, job, { isOfJob: state !== null && deniesStop(fault, state) });
    if (next.kind === "fail") recorder.failed(job, attempt, fault);
    else recorder.requeued(job, attempt, fault, next);
    if (next.kind === "close-shift") queueShiftClose(context, EXPIRED);
    return { ...next, fault };
  });
}

/** What a register answers to a receipt that it does not accept. */
const refusals: readonly FaultCode[] = ["device.bad-value", "device.not-supported", "device.unknown-error"];

/**
 * An unconfirmed tag is one that no document of the maker confirms and no registered document has proven. When a
 * receipt with such a tag is refused, the register is taken not to know the tag, and receipts with it wait until a
 * person decides. After that, a refusal is an ordinary one. Call this inside a transaction.
 */
function refusalOf(
  { context, connected }: Pick<RegisterTools, "context" | "connected">,
  job: number,
  fault: Fault,
): Fault {
  const { stores, clock, log } = context;
  if (!refusals.includes(fault.code)) return fault;
  const register = checkedRegisterOf({ context, connected });
  const sent = stores.checks.sentBy(job);
  const proven = stores.checks.agreedTags(register.model);
  const tag = connected.capabilities.unconfirmedTags?.find((one) => !proven.has(one) && sent?.head[one] !== undefined);
  if (tag === undefined) return fault;
  const difference = { tag, sent: String(sent?.head[tag]), read: null, weight: "hold" } as const;
  const place = { job, fn: register.fn, fd: NO_DOCUMENT };
  if (!stores.checks.addDifference(register, difference, place, clock.now())) return fault;
  log.error("the register refused a receipt with an unconfirmed tag: receipts with it wait", { job, tag, fault });
  return alteredFault(difference, NO_DOCUMENT);
}
