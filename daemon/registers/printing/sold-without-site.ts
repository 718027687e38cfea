/**
 * A correction that a person made for an order number without a site may be the receipt of the order that a site offers
 * under that number. Only a person can tell, so such an order is held.
 */
import { Fault } from "@fiscald/shared/fault.js";
import { isReturn, isReturnedWhole, isSale } from "@fiscald/shared/receipt/repeats/order-money.js";
import { orderReasons } from "../../messages/reasons/order-reasons.js";
import { isLive, type Job } from "../../store/job.js";
import type { RegisterTools } from "../connected-register.js";

/** Some sites use their order numbers again. An older receipt is of another order. */
const MONTH_MS = 31 * 24 * 3_600_000;

/** The sale is held only once. Returns true when it is held. */
export function holdIfSold({ context, recorder }: Pick<RegisterTools, "context" | "recorder">, job: Job): boolean {
  const { id, site, orderId, receipt, forced } = job;
  const { jobs, journal } = context.stores;
  if (site === null || orderId === null || forced || !isSale(receipt)) return false;
  const others = jobs.findByOrder(null, orderId);
  const sales = others.filter((other) => isSale(other.receipt) && isLive(other));
  const returns = others.filter((other) => isReturn(other.receipt) && other.state === "printed");
  const sold = sales.find((other) => job.createdAt - other.createdAt < MONTH_MS);
  if (sold === undefined || isReturnedWhole([...sales, ...returns].map(({ receipt }) => receipt))) return false;
  if (journal.ofJob(id).some(({ details }) => details["code"] === "job.held-sold")) return false;
  const message = orderReasons.withoutSite({ job: sold.id, register: sold.register });
  const fault = new Fault("job.held-sold", { message });
  recorder.held(job, fault);
  context.log.warn("an order waits until a person approves it", { job: id, order: orderId, fault });
  return true;
}
