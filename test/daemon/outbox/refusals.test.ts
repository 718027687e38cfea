/** How often a site is sent an event: a working site that refuses it ten times is not sent it again. */

import { Deliveries } from "@fiscald/daemon/sites/deliveries.js";
import { createSiteSender } from "@fiscald/daemon/sites/site-outbox.js";
import type { OutboxStore } from "@fiscald/daemon/store/outbox-store.js";
import { Fault } from "@fiscald/shared/fault.js";
import { toSiteId } from "@fiscald/shared/ids.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import type { Delivery } from "@fiscald/shared/outbox/classify-response.js";
import { siteAt } from "../../support/raw-config.js";
import { useStores } from "../../support/use-stores.js";

const { open } = useStores();
const hourMs = 3_600_000;
const nothing = { body: {}, latestOnly: false };
const event = {
  site: toSiteId("shop"),
  kind: "result",
  lane: "order A-1",
  job: null,
  register: null,
  ...nothing,
} as const;
let closeLast: () => void;
let tries: number;
let answer: Delivery;
let deliveries: Deliveries;

/** One run of the daemon's sender on the same database, until the site was sent the event `times` times. */
async function run(times: number, during: (outbox: OutboxStore) => void = () => {}): Promise<OutboxStore> {
  closeLast();
  const { clock, outbox, close } = open();
  closeLast = close;
  during(outbox);
  deliveries = new Deliveries();
  const deliver = async () => {
    tries += 1;
    return answer;
  };
  const parts = { outbox, deliveries, clock, random: () => 0, log: silentLogger, onChange: () => {} };
  const sender = createSiteSender({ site: siteAt("https://shop.example/fiscal"), ...parts, client: { deliver } });
  const until = tries + times;
  sender.start();
  for (let hours = 0; hours < 12 && tries < until; hours += 1) await clock.advance(hours === 0 ? 0 : hourMs);
  await sender.stop(0);
  return outbox;
}

beforeEach(() => {
  tries = 0;
  closeLast = () => {};
  answer = { kind: "refused", fault: new Fault("site.refused", { message: "answered resultCode 4" }) };
});

test("an event is set aside after the site's tenth refusal, counted across restarts, and is sent once at each later start", async () => {
  await run(1, (outbox) => void outbox.add(event, 0));
  for (let restart = 1; restart < 9; restart += 1) {
    const outbox = await run(1);
    expect(outbox.find(1)).toMatchObject({ state: "pending", refusals: restart + 1 });
    expect(deliveries.count).toBe(0);
  }
  expect((await run(1)).find(1)).toMatchObject({ state: "refused", tries: 10, refusals: 10 });
  expect(deliveries.count).toBe(1);
  // The event is sent once at each start and stays set aside.
  expect((await run(1)).find(1)).toMatchObject({ state: "refused", tries: 11 });
});

test("an event that a site has received counts among the deliveries of this run", async () => {
  answer = { kind: "delivered" };
  await run(1, (outbox) => void outbox.add(event, 0));
  expect(deliveries.isAfter(0, 1)).toBe(true);
});

test("an event that a person sends again after ten refusals has its refusals counted from the beginning", async () => {
  const first = await run(10, (outbox) => void outbox.add(event, 0));
  expect(first.find(1)).toMatchObject({ state: "refused", refusals: 10 });
  const again = await run(1, (outbox) => void outbox.rearm(1));
  expect(again.find(1)).toMatchObject({ state: "pending", tries: 1, refusals: 1 });
});

test("a site that cannot be reached is sent the event every five minutes, however long the site is away", async () => {
  answer = { kind: "outage", fault: new Fault("site.unreachable") };
  await run(1000, (outbox) => void outbox.add(event, 0));
  const hours = 11;
  expect(tries).toBeGreaterThan(hours * 12);
});
