/**
 * Makes a correction from the receipt that an order asked for, when the register was down on the day of the settlement
 * or the order never got its receipt (54-fz 18).
 */
import { Fault } from "@fiscald/shared/fault.js";
import type { OrderId } from "@fiscald/shared/ids.js";
import { localTimeAt } from "@fiscald/shared/local-time.js";
import { withoutChange } from "@fiscald/shared/receipt/paid-kopecks.js";
import type { Receipt, SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { isSale } from "@fiscald/shared/receipt/repeats/order-money.js";
import { operatorReasons } from "../../messages/reasons/operator-reasons.js";
import type { Job } from "../../store/job.js";
import { paymentTime } from "../printing/order-age.js";
import type { RegisterSnapshot } from "../register-snapshot.js";
import { wrongJobState } from "./resolve-job.js";

export interface CorrectedSettlement {
  /** The day of the settlement as `2026-07-14`. */
  readonly date: string;
  /** The order whose settlement it is. */
  readonly orderId: OrderId;
}

/**
 * Keeps positions, rates and payments, and makes the receipt a correction by the shop's own decision, which counts as
 * the order's sale or return. Change is left out, because it was given on the day of the settlement.
 */
export function asCorrection(receipt: SaleReceipt, { date, orderId }: CorrectedSettlement): SaleReceipt {
  return {
    ...receipt,
    orderId,
    payments: withoutChange(receipt),
    correction: { type: "self", date, ofOrder: true },
  };
}

/**
 * The correction that takes the place of a sale without a document. Its day is the one on which the order was paid, or
 * else `date`. Throws `order.missing-value` without a day, and `order.wrong-value` for a day in the future.
 */
export function correctionOf(
  job: Job,
  date: string | null,
  { snapshots, now }: { readonly snapshots: readonly RegisterSnapshot[]; readonly now: number },
): SaleReceipt {
  const { receipt, source } = job;
  if (source !== "site" || !isPlainSale(receipt)) throw wrongJobState(job);
  const register = snapshots.find(({ settings }) => settings.id === job.register);
  const dayAt = (at: number) => localTimeAt(at, register?.settings.timeZone ?? "Europe/Moscow").slice(0, 10);
  const paidAt = paymentTime(receipt, now);
  const day = paidAt === null ? date : dayAt(paidAt);
  if (day === null) throw new Fault("order.missing-value", { message: operatorReasons.noPaidDay, place: "date" });
  if (day > dayAt(now))
    throw new Fault("order.wrong-value", { message: operatorReasons.dayAhead({ day }), place: "date" });
  return asCorrection(receipt, { date: day, orderId: receipt.orderId });
}

/** Whether a person may have the order printed as a correction: a site's sale that is held or has no document. */
export function mayBeCorrected({ source, state, receipt }: Pick<Job, "source" | "state" | "receipt">): boolean {
  if (source !== "site") return false;
  return (state === "held" || state === "failed" || state === "refused") && isPlainSale(receipt);
}

function isPlainSale(receipt: Receipt): receipt is SaleReceipt {
  return isSale(receipt) && receipt.correction === undefined;
}
