/**
 * How long ago an order was paid. A sale of long ago waits for a person when a register takes it, because the law may
 * want a correction of that day in its place (54-fz 18).
 */
import { Fault } from "@fiscald/shared/fault.js";
import { type LocalTime, localTimeAt } from "@fiscald/shared/local-time.js";
import { prepaidPart, type Receipt, type SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { isSale, paysOffCredit } from "@fiscald/shared/receipt/repeats/order-money.js";
import { orderReasons } from "../../messages/reasons/order-reasons.js";
import type { Job } from "../../store/job.js";
import { APPROVED, MENDED, ODD_ORDER, RETRIED } from "../../store/journal.js";
import type { RegisterTools } from "../connected-register.js";

const HOUR_MS = 3_600_000;
/** Registers have had to send their documents to the tax office since then, so an earlier time is a mistake. */
const FIRST = Date.UTC(2017, 0, 1);

/** Holds the job for a person, or warns of its age. Returns true when the job is held. */
export function holdIfOld({ context, recorder }: Pick<RegisterTools, "context" | "recorder">, job: Job): boolean {
  const { clock, settings, stores, log } = context;
  const limits = context.orderAge(job.site);
  const paidAt = limits === null || job.forced ? null : paidLongAgo(job.receipt, clock.now(), limits.warnAfterHours);
  if (limits === null || paidAt === null) return false;
  const history = stores.journal.ofJob(job.id);
  // What was decided or said before the order was mended does not count for its present content.
  const ofContent = history.slice(history.findLastIndex(({ what }) => what === MENDED) + 1);
  const oldSince = paidAt + limits.holdAfterHours * HOUR_MS;
  // Only a decision after the order became old counts, because a person who decided earlier has not seen its age.
  if (ofContent.some(({ what, at }) => (what === APPROVED || what === RETRIED) && at > oldSince)) return false;
  const time = localTimeAt(paidAt, settings.timeZone);
  const text = orderReasons.paidOn({ day: dayInWords(time), hours: Math.floor((clock.now() - paidAt) / HOUR_MS) });
  const fields = { job: job.id, order: job.orderId };
  if (paidLongAgo(job.receipt, clock.now(), limits.holdAfterHours) !== null) {
    const fault = new Fault("job.held-old", { message: text });
    recorder.held(job, fault);
    log.warn("an order waits until a person approves it", { ...fields, fault });
    return true;
  }
  if (ofContent.some(({ what, details }) => what === ODD_ORDER && details["paidAt"] === paidAt)) return false;
  recorder.note(ODD_ORDER, job.id, { paidAt, warnings: [{ path: "paidAt", text }] });
  log.warn("an order is odd", { ...fields, path: "paidAt", problem: text.en });
  return false;
}

/** When the sale was paid, if that is more than `hours` ago. A settlement is of today, whenever its money came. */
function paidLongAgo(receipt: Receipt, now: number, hours: number): number | null {
  if (!isSale(receipt) || receipt.correction !== undefined) return null;
  const paidAt = prepaidPart(receipt) > 0 || paysOffCredit(receipt) ? null : paymentTime(receipt, now);
  return paidAt !== null && now - paidAt > hours * HOUR_MS ? paidAt : null;
}

/** Null when the order names no time or an impossible time. */
export function paymentTime({ paidAt }: Pick<SaleReceipt, "paidAt">, now: number): number | null {
  return paidAt !== undefined && paidAt >= FIRST && paidAt <= now ? paidAt : null;
}

function dayInWords(time: LocalTime): string {
  return time.slice(0, 10).split("-").reverse().join(".");
}
