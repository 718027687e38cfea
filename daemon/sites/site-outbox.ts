import type { Clock } from "@fiscald/shared/clock.js";
import type { Logger } from "@fiscald/shared/logger.js";
import type { OutboxHead, OutboxPort } from "@fiscald/shared/outbox/outbox-port.js";
import { backoffSchedule, createSender, type Sender } from "@fiscald/shared/outbox/sender.js";
import type { SiteConfig } from "../config/site-schema.js";
import { retryWhileBusy } from "../store/database/retry-while-busy.js";
import { type EventKind, eventKinds, type OutboxStore, type StoredEvent } from "../store/outbox-store.js";
import type { Deliveries } from "./deliveries.js";
import { type SiteClient, siteAddressOf } from "./site-client.js";

export interface SiteSenderOptions {
  readonly site: SiteConfig;
  readonly outbox: OutboxStore;
  readonly deliveries: Deliveries;
  readonly client: Pick<SiteClient, "deliver">;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Logger;
  readonly onChange: () => void;
}

const concurrency = 4;
const oneDayMs = 86_400_000;
const nowhere = "nowhere";

/** Other sites neither wait for this site nor notice its trouble. */
export function createSiteSender(options: SiteSenderOptions): Sender {
  const { site, client, clock, random, log } = options;
  return createSender({
    outbox: outboxPort(options),
    deliver: (event, signal) => client.deliver(event, signal),
    schedule: backoffSchedule({
      event: { firstMs: 5000, maxMs: 3_600_000 },
      outage: { firstMs: 1000, maxMs: 300_000 },
      maxRefusals: 10,
      random,
    }),
    concurrency,
    asideEveryMs: oneDayMs,
    describe: ({ kind, job, register, body }) => ({ kind, job, register, kkm: body.kkm, order: body.orderId }),
    clock,
    logger: log.child({ site: site.id }, "sites"),
  });
}

function outboxPort({ site, outbox, deliveries, clock, onChange }: SiteSenderOptions): OutboxPort<StoredEvent> {
  const toHead = ({ id, lane, kind, revision, tries, refusals }: StoredEvent): OutboxHead => {
    return { id, lane, destination: destinationOf(site, kind), revision, tries, refusals, dueInMs: 0 };
  };
  return {
    heads: async (limit, without) => {
      const kinds = new Set(eventKinds.filter((kind) => without.has(destinationOf(site, kind))));
      return outbox.heads(site.id, limit, kinds).map(toHead);
    },
    // `refusals` is 0, so that the daily try of a refused event is not logged as a new error.
    aside: async () => outbox.refused(site.id).map((event) => ({ ...toHead(event), refusals: 0 })),
    take: async (head) => {
      const event = outbox.find(head.id);
      return event === null || event.revision !== head.revision || event.state === "delivered" ? null : event;
    },
    // A delivery that was not recorded would be repeated, so this waits some seconds for the database, even at a stop.
    delivered: async (event) => {
      deliveries.note(event.id);
      await retryWhileBusy(clock, undefined, () => outbox.markDelivered(event, clock.now()));
      onChange();
    },
    failed: async (event, { fault, refused, againInMs }) => {
      const aside = againInMs === null || event.state === "refused";
      if (aside) deliveries.note(event.id);
      await retryWhileBusy(clock, undefined, () => outbox.markFailed(event, { fault, refused, aside }, clock.now()));
      onChange();
    },
  };
}

function destinationOf(site: SiteConfig, kind: EventKind): string {
  const address = siteAddressOf(site, kind);
  return address === null ? nowhere : new URL(address).origin;
}
