import type { Clock } from "@fiscald/shared/clock.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { SiteId } from "@fiscald/shared/ids.js";
import type { JobStore } from "../store/job-store.js";
import type { Journal } from "../store/journal.js";
import type { OutboxStore, StoredEvent } from "../store/outbox-store.js";

export interface EventActionParts {
  readonly jobs: Pick<JobStore, "transaction">;
  readonly journal: Journal;
  readonly outbox: OutboxStore;
  readonly sync: (site: SiteId | null) => void;
  readonly clock: Clock;
}

export function resendEvent(
  { jobs, journal, outbox, clock }: EventActionParts,
  id: number,
  reason: string,
): StoredEvent {
  return jobs.transaction(() => {
    outbox.rearm(id);
    const event = outbox.find(id);
    if (event === null) throw unknownEvent(id);
    const { job, register, site } = event;
    const what = `${event.kind} sent again by the operator` as const;
    journal.add({ at: clock.now(), actor: "operator", what, event: id, job, register, site, details: { reason } });
    return event;
  });
}

/** After a trouble the pauses between polls are minutes long, so an operator may ask for a poll at once. */
export function pollByOperator(
  { jobs, journal, poll, clock }: EventActionParts & { readonly poll: (site: SiteId) => void },
  site: SiteId,
  reason: string,
): void {
  jobs.transaction(() => {
    journal.add({ at: clock.now(), actor: "operator", what: "poll asked for", site, details: { reason } });
  });
  poll(site);
}

export function syncByOperator(
  { jobs, journal, sync, clock }: EventActionParts,
  site: SiteId | null,
  reason: string,
): void {
  jobs.transaction(() => {
    sync(site);
    journal.add({ at: clock.now(), actor: "operator", what: "sync asked for", site, details: { reason } });
  });
}

function unknownEvent(id: number): Fault {
  const where = "`fiscald explain ORDER` shows the events of an order, `fiscald status` those that a site refused";
  return new Fault("usage.wrong", { message: `there is no event ${id}: ${where}` });
}
