/** Makes a correction from the receipt that an order asked for and did not get in time (54-fz 18). */
import { Fault } from "@fiscald/shared/fault.js";
import { withoutChange } from "@fiscald/shared/receipt/paid-kopecks.js";
import type { Receipt, SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { isSale } from "@fiscald/shared/receipt/repeats/order-money.js";
import { operatorReasons } from "../../messages/reasons/operator-reasons.js";
import type { Job } from "../../store/job.js";
import { paymentTime } from "../printing/order-age.js";
import { dayAt, type RegisterSnapshot, todayOf } from "../register-snapshot.js";
import { wrongJobState } from "./resolve-job.js";

/** The shop's own text in tag 1192, where a correction has the fiscal sign of a wrong receipt; null = none. */
export function freeText({ requisites }: Pick<SaleReceipt, "requisites">): string | null {
  const { additional = null } = requisites ?? {};
  return additional === null || /^\d{1,10}$/.test(additional) ? null : additional;
}

/**
 * The correction that takes the place of a sale without a document: the same positions, rates and payments, by the
 * shop's own decision. It counts as the order's sale. Change is left out, because it was given on the day of the
 * settlement. That day is the day on which the order was paid, or else `date`. Throws `order.missing-value` without a
 * day, and `order.wrong-value` for a future day.
 */
export function correctionOf(
  job: Job,
  date: string | null,
  { snapshots, now }: { readonly snapshots: readonly RegisterSnapshot[]; readonly now: number },
): SaleReceipt {
  const { receipt } = job;
  if (!lacksReceipt(job) || !isPlainSale(receipt)) throw wrongJobState(job);
  const day = paidDay(job, snapshots, now) ?? date;
  if (day === null) throw new Fault("order.missing-value", { message: operatorReasons.noPaidDay, place: "date" });
  if (day > todayOf(registerOf(job, snapshots), now))
    throw new Fault("order.wrong-value", { message: operatorReasons.dayAhead({ day }), place: "date" });
  const { additional: _, ...others } = receipt.requisites ?? {};
  return {
    ...receipt,
    ...(freeText(receipt) === null ? {} : { requisites: others }),
    payments: withoutChange(receipt),
    correction: { type: "self", date: day, ofOrder: true },
  };
}

/** Whether a person may have the order printed as a correction: a site's sale that is held or has no document. */
export function mayBeCorrected(job: Pick<Job, "source" | "state" | "receipt" | "fault">): boolean {
  const { state, receipt } = job;
  return lacksReceipt(job) && (state === "held" || state === "failed" || state === "refused") && isPlainSale(receipt);
}

/** An order is held as `job.held-sold` because a receipt without a site is most likely its correction already. */
function lacksReceipt({ source, fault }: Pick<Job, "source" | "fault">): boolean {
  return source === "site" && fault?.code !== "job.held-sold";
}

/** The day on which the order was paid, in its register's zone, as `2026-07-14`; null = the order does not tell. */
export function paidDay(job: Job, snapshots: readonly RegisterSnapshot[], now: number): string | null {
  const paidAt = job.receipt.kind === "receipt" ? paymentTime(job.receipt, now) : null;
  return paidAt === null ? null : dayAt(paidAt, registerOf(job, snapshots));
}

function registerOf({ register }: Job, snapshots: readonly RegisterSnapshot[]): RegisterSnapshot | undefined {
  return snapshots.find(({ settings }) => settings.id === register);
}

function isPlainSale(receipt: Receipt): receipt is SaleReceipt {
  return isSale(receipt) && receipt.correction === undefined;
}
