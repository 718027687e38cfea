import type { RegisterId, SiteId } from "@fiscald/shared/ids.js";
import { type OrderKey, orderKey } from "@fiscald/shared/receipt/order-key.js";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";
import { isSameOrder } from "@fiscald/shared/receipt/repeats/decide-repeat.js";
import type { Job } from "../store/job.js";
import type { JobStore } from "../store/job-store.js";

/**
 * Earlier jobs with the order's number, or with its `receiptId` under any number. A task table without a number is
 * known by its key alone. `register` is null when the config lacks the register that the order names.
 */
export function findDuplicates(
  { site, jobs }: { readonly site: SiteId; readonly jobs: Pick<JobStore, "findByKey" | "findByOrder"> },
  order: { readonly receipt: Receipt; readonly register: RegisterId | null; readonly key: OrderKey },
): readonly Job[] {
  const { receipt, register, key } = order;
  const { orderId, receiptId } = receipt;
  const ofOrder = orderId === null ? [] : jobs.findByOrder(site, orderId);
  // Without a `receiptId` the order's number is a part of the key.
  const ofKey = orderId !== null && receiptId === null ? [] : jobs.findByKey(site, key.key, key.version);
  const found = new Map([...ofOrder, ...ofKey].map((job) => [job.id, job]));
  return [...found.values()].filter((job) => !isOfAnotherRegister(job, receipt, register));
}

/**
 * Finds the same receipt as a job of another site. The kit's `receiptId` is the same at every address, and the kit
 * offers a receipt again to the daemon that holds its lease. Two sites with one store would print it twice.
 */
export function findFromOtherSite(
  receipt: Receipt,
  jobs: Pick<JobStore, "findByKey">,
  otherSites: readonly SiteId[],
): Job | null {
  if (receipt.receiptId === null) return null;
  const known = otherSites.flatMap((site) => {
    const { key, version } = orderKey({ site, receipt });
    return jobs.findByKey(site, key, version);
  });
  return known.find((job) => job.state !== "refused" && isSameOrder(receipt, job.receipt)) ?? null;
}

/** Whether an equal order without a `receiptId` names another register, which has its own drawer and shift. */
function isOfAnotherRegister(job: Job, { kind, kkm, receiptId }: Receipt, register: RegisterId | null): boolean {
  if (kind !== "service" || receiptId !== null || kkm === null || job.receipt.kkm === null) return false;
  return job.receipt.kkm !== kkm && job.register !== register;
}
