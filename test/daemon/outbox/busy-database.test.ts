/** Another program holds the database at the moment when a delivery is to be recorded. */

import { Deliveries } from "@fiscald/daemon/sites/deliveries.js";
import { createSiteSender } from "@fiscald/daemon/sites/site-outbox.js";
import { openSqliteFile } from "@fiscald/daemon/store/database/sqlite-file.js";
import { createOutboxStore, type NewEvent, type StoredEvent } from "@fiscald/daemon/store/outbox-store.js";
import { Fault } from "@fiscald/shared/fault.js";
import { toRegisterId, toSiteId } from "@fiscald/shared/ids.js";
import type { Delivery } from "@fiscald/shared/outbox/classify-response.js";
import type { Sender } from "@fiscald/shared/outbox/sender.js";
import { siteAt } from "../../support/raw-config.js";
import { createTestLogger } from "../../support/test-logger.js";
import { useStores } from "../../support/use-stores.js";

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});
const { path, open } = useStores();
const result: NewEvent = {
  ...{ site: toSiteId("shop"), kind: "result", lane: "order A-1", job: null, register: toRegisterId("till") },
  ...{ body: {}, latestOnly: false },
};

type Answer = (event: StoredEvent) => Delivery;

/** The sender of a site, on a database that waits for nobody. `begin` lets another program hold the database. */
function openShop(newId: () => string, answer: Answer) {
  const { clock, db, journal } = open();
  db.pragma("busy_timeout = 1");
  const log: string[] = [];
  let sender: Sender | null = null;
  const outbox = createOutboxStore({ db, journal, newId, onAdded: () => sender?.wake() });
  const parts = { outbox, deliveries: new Deliveries(), clock, random: () => 0.5, onChange: () => {} };
  const client = { deliver: async (event: StoredEvent) => answer(event) };
  const logger = createTestLogger((line) => log.push(line));
  const started = createSiteSender({ site: siteAt("https://shop.example/fiscal"), ...parts, client, log: logger });
  sender = started;
  undo.push(() => started.stop(0));
  const begin = () => {
    const other = openSqliteFile(path());
    undo.push(() => other.close());
    other.exec("BEGIN EXCLUSIVE");
    started.start();
    return other;
  };
  return { clock, outbox, log, begin, add: (n: number) => outbox.add({ ...result, body: { n } }, clock.now()) };
}

test("a failed delivery is recorded as soon as the database is free, without a log line", async () => {
  const failed = { kind: "failed", fault: new Fault("site.bad-answer") } as const;
  const { clock, outbox, log, begin, add } = openShop(
    () => "msg",
    () => failed,
  );
  const event = add(1);
  const other = begin();
  await clock.advance(2_000);
  other.exec("ROLLBACK");
  await clock.advance(400);
  expect(outbox.find(event)?.tries).toBe(1);
  expect(log.filter((line) => line.includes("could not be recorded"))).toEqual([]);
});

test("a delivery that cannot be recorded for seconds is sent again under the same id before the next delivery", async () => {
  const delivered: [unknown, string][] = [];
  let ids = 0;
  const { clock, outbox, log, begin, add } = openShop(
    () => `msg-${++ids}`,
    ({ body, webhookId }) => {
      delivered.push([body["n"], webhookId]);
      return { kind: "delivered" };
    },
  );
  const [first, second] = [add(1), add(2)];
  const other = begin();
  await clock.advance(2_000);
  expect([delivered, log]).toEqual([[[1, "msg-1"]], []]);
  await clock.advance(18_000);
  const tries = delivered.length;
  expect(tries).toBeGreaterThan(1);
  expect(new Set(delivered.map((it) => it.join()))).toEqual(new Set(["1,msg-1"]));
  expect(outbox.find(first)?.state).toBe("pending");
  other.exec("ROLLBACK");
  await clock.advance(60_000);
  expect([first, second].map((id) => outbox.find(id)?.state)).toEqual(["delivered", "delivered"]);
  expect(delivered.slice(tries)).toEqual([[2, "msg-2"]]);
});
