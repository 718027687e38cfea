/** Jobs that an order may repeat although its key, of which the site's id is a part, does not find them. */
import type { SiteId } from "@fiscald/shared/ids.js";
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
 * Newest first. A job that was taken in under a former id of the site (`renamedFrom`) still has the key of then: it is one of
 * them, also beside those that came under the id of now.
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
 * The same receipt, taken in from another site. The kit's `receiptId` is the same whatever address it is offered at, and the kit
 * offers a receipt again to the daemon that has it: two sites that lead to one store would have it printed twice.
 */
export function findTwin({ receipt, jobs, keyOf }: Order, otherSites: readonly SiteId[]): Job | null {
  if (receipt.receiptId === null) return null;
  for (const site of otherSites) {
    const { key, version } = keyOf({ site, receipt });
    const twin = jobs.findByKey(site, key, version).find(isTaken);
    if (twin !== undefined) return twin;
  }
  return null;
}

/** What was refused was never anybody's to print. */
export function isTaken({ state }: Job): boolean {
  return state !== "refused";
}
