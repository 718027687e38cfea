/** How often a site is asked: a live one that refuses an event ten times no more, also after restarts of the daemon. */
import { join } from "node:path";
import { parseConfig } from "@fiscald/daemon/config/load-config.js";
import { Deliveries } from "@fiscald/daemon/sites/deliveries.js";
import { createSiteSender } from "@fiscald/daemon/sites/site-outbox.js";
import { openDatabase } from "@fiscald/daemon/store/database/open-database.js";
import { createJournal } from "@fiscald/daemon/store/journal.js";
import { createOutboxStore, type OutboxStore } from "@fiscald/daemon/store/outbox-store.js";
import { Fault } from "@fiscald/shared/fault.js";
import { toSiteId } from "@fiscald/shared/ids.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import type { Delivery } from "@fiscald/shared/outbox/classify-response.js";
import { createFakeClock } from "../../support/fake-clock.js";
import { useTempFolder } from "../../support/temp-folder.js";

const folder = useTempFolder();
const hourMs = 3_600_000;
const event = { site: toSiteId("shop"), kind: "result", lane: "order A-1", job: null, register: null } as const;
let tries: number;
let answer: Delivery;
let deliveries: Deliveries;

function shopOf() {
  const urls = { orders: "https://shop.example/fiscal", result: "https://shop.example/fiscal" };
  const raw = {
    version: 1,
    sites: [{ id: "shop", urls }],
    registers: [{ id: "till", driver: "reference", connection: { kind: "tcp", host: "x" }, sites: ["shop"] }],
  };
  const [site] = parseConfig(JSON.stringify(raw), "c", { folder: "/", env: {}, readFile: () => "" }).sites;
  if (site === undefined) throw new Error("a config without a site");
  return site;
}

/** One run of the daemon's sender on the database of the one before, until the site was asked `times` times. */
async function run(times: number, during: (outbox: OutboxStore) => void = () => {}): Promise<OutboxStore> {
  const clock = createFakeClock();
  const database = openDatabase({ path: join(folder(), "f.sqlite"), clock, log: silentLogger, pid: 1 });
  const journal = createJournal(database.db);
  const outbox = createOutboxStore({ db: database.db, journal, newId: () => "msg", onAdded: () => {} });
  during(outbox);
  deliveries = new Deliveries();
  const sender = createSiteSender({
    site: shopOf(),
    outbox,
    deliveries,
    client: {
      deliver: async () => {
        tries += 1;
        return answer;
      },
    },
    clock,
    random: () => 0,
    log: silentLogger,
    onChange: () => {},
  });
  const until = tries + times;
  sender.start();
  for (let hours = 0; hours < 12 && tries < until; hours += 1) await clock.advance(hours === 0 ? 0 : hourMs);
  await sender.stop(0);
  undo.push(() => database.close());
  return outbox;
}

const undo: (() => void)[] = [];
const closeAll = () => {
  for (const step of undo.splice(0)) step();
};
beforeEach(() => {
  tries = 0;
  answer = { kind: "refused", fault: new Fault("site.refused", { message: "answered resultCode 4" }) };
});
afterEach(closeAll);

test("an event steps aside after the site's tenth refusal, counted over restarts", async () => {
  await run(1, (outbox) => void outbox.add({ ...event, body: {}, latestOnly: false }, 0));
  for (let restart = 1; restart < 9; restart += 1) {
    closeAll();
    const outbox = await run(1);
    expect(outbox.find(1)).toMatchObject({ state: "pending", refusals: restart + 1 });
    expect(deliveries.count).toBe(0);
  }
  closeAll();
  expect((await run(1)).find(1)).toMatchObject({ state: "refused", tries: 10, refusals: 10 });
  expect(deliveries.count).toBe(1);
  closeAll();
  // The event is sent once at each start and stays aside.
  expect((await run(1)).find(1)).toMatchObject({ state: "refused", tries: 11 });
});

test("an event that a site has received is numbered as delivered", async () => {
  answer = { kind: "delivered" };
  await run(1, (outbox) => void outbox.add({ ...event, body: {}, latestOnly: false }, 0));
  expect(deliveries.isAfter(0, 1)).toBe(true);
});

test("an event that is sent again by hand after ten refusals is counted from the beginning", async () => {
  const first = await run(10, (outbox) => void outbox.add({ ...event, body: {}, latestOnly: false }, 0));
  expect(first.find(1)).toMatchObject({ state: "refused", refusals: 10 });
  closeAll();
  const again = await run(1, (outbox) => void outbox.rearm(1));
  expect(again.find(1)).toMatchObject({ state: "pending", tries: 1, refusals: 1 });
});

test("a site that cannot be reached is asked each five minutes, however long it is away", async () => {
  answer = { kind: "outage", fault: new Fault("site.unreachable") };
  await run(1000, (outbox) => void outbox.add({ ...event, body: {}, latestOnly: false }, 0));
  const hours = 11;
  expect(tries).toBeGreaterThan(hours * 12);
});
