/** Jobs that an order may repeat although its key, of which the site's id is a part, does not find them. */
import type { RegisterId, SiteId } from "@fiscald/shared/ids.js";
import type { OrderKey, orderKey } from "@fiscald/shared/receipt/order-key.js";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";
import type { Job } from "../store/job.js";
import type { JobStore } from "../store/job-store.js";

interface Order {
  readonly receipt: Receipt;
  readonly jobs: Pick<JobStore, "findByKey">;
  readonly keyOf: typeof orderKey;
}

/**
 * Newest first. A job that was accepted under a former id of the site (`renamedFrom`) still has the key of that id:
 * it is found too, beside jobs with the new id.
 */
export function findSameKey(
  { site, jobs, keyOf }: Pick<Order, "jobs" | "keyOf"> & { readonly site: SiteId },
  { key, version }: OrderKey,
  sameOrder: readonly Job[],
): readonly Job[] {
  const found = jobs.findByKey(site, key, version);
  const known = new Set(found.map(({ id }) => id));
  const former = sameOrder.filter((job) => !known.has(job.id) && keyOf({ site, receipt: job.receipt }).key === key);
  return [...found, ...former].sort((one, other) => other.id - one.id);
}

/**
 * The same receipt, accepted from another site. The kit's `receiptId` is the same at every address of the kit, and
 * the kit offers a receipt again to the daemon that holds its lease. Without this check two sites of one store would
 * print it twice.
 */
export function findFromOtherSite({ receipt, jobs, keyOf }: Order, otherSites: readonly SiteId[]): Job | null {
  if (receipt.receiptId === null) return null;
  for (const site of otherSites) {
    const { key, version } = keyOf({ site, receipt });
    const twin = jobs.findByKey(site, key, version).find(isTaken);
    if (twin !== undefined) return twin;
  }
  return null;
}

/**
 * Without a receipt equal orders that name two registers are two: each has a drawer and a shift of its own. `register`: the
 * one that has the named number now.
 */
export function isOfAnotherRegister(job: Job, { kind, kkm, receiptId }: Receipt, register: RegisterId | null): boolean {
  if (kind !== "service" || receiptId !== null || kkm === null || job.receipt.kkm === null) return false;
  return job.receipt.kkm !== kkm && job.register !== register;
}

/** A refused job was never to be printed. */
export function isTaken({ state }: Job): boolean {
  return state !== "refused";
}
