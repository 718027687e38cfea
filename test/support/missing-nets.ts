/** Takes away one safeguard of "exactly once" at a time. The campaign and the random tests must notice it. */

import type { Stores } from "@fiscald/daemon/registers/register-context.js";
import type { FiscalDriver } from "@fiscald/drivers/fiscal-driver.js";

/** The baseline is not committed before the first byte, and documents are compared with no order. */
export function withoutJournal(stores: Stores): Stores {
  const { jobs, attempts } = stores;
  const claim: typeof jobs.claim = (id) => {
    const job = jobs.get(id);
    return job.state === "queued" ? { ...job, state: "printing" } : null;
  };
  return {
    ...withoutGapCheck(stores),
    jobs: { ...withoutGapCheck(stores).jobs, claim, markUnsure: (id) => jobs.get(id) },
    attempts: { ...attempts, begin: () => 0 },
  };
}

/** Documents that appeared while the daemon was away are compared with no order. */
export function withoutGapCheck(stores: Stores): Stores {
  const { jobs, documents } = stores;
  const unfinished: typeof jobs.unfinished = (registers) =>
    jobs.unfinished(registers).filter(({ source }) => source === "schedule");
  return {
    ...stores,
    jobs: { ...jobs, unfinished },
    documents: { ...documents, findMarked: () => [], matchableAfterLoss: () => [], above: () => [] },
  };
}

/** No document is read back and compared with what was sent. */
export function withoutComparison(stores: Stores): Stores {
  return { ...stores, checks: { ...stores.checks, due: () => [] } };
}

/** After a doubt nothing is cancelled and nothing is waited for. */
export function withoutFence(driver: FiscalDriver): FiscalDriver {
  driver.fence = (_, signal) => driver.readState(signal);
  return driver;
}
