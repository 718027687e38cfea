/** Another program holds the database at the moment when a delivery is to be noted. */
import { join } from "node:path";
import { parseConfig } from "@fiscald/daemon/config/load-config.js";
import { Deliveries } from "@fiscald/daemon/sites/deliveries.js";
import { createSiteSender } from "@fiscald/daemon/sites/site-outbox.js";
import { openDatabase } from "@fiscald/daemon/store/database/open-database.js";
import { openSqliteFile } from "@fiscald/daemon/store/database/sqlite-file.js";
import { createJournal } from "@fiscald/daemon/store/journal.js";
import { createOutboxStore, type StoredEvent } from "@fiscald/daemon/store/outbox-store.js";
import { Fault } from "@fiscald/shared/fault.js";
import { toRegisterId, toSiteId } from "@fiscald/shared/ids.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import type { Sender } from "@fiscald/shared/outbox/sender.js";
import { createFakeClock } from "../../support/fake-clock.js";
import { useTempFolder } from "../../support/temp-folder.js";
import { createTestLogger } from "../../support/test-logger.js";

const folder = useTempFolder();
let undo: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const step of undo.reverse()) await step();
  undo = [];
});

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

test("a failed delivery is noted as soon as the database is free, without a word in the log", async () => {
  const path = join(folder(), "f.sqlite");
  const clock = createFakeClock();
  const database = openDatabase({ path, clock, log: silentLogger, pid: 1 });
  undo.push(() => database.close());
  const { db } = database;
  db.pragma("busy_timeout = 1");
  const outbox = createOutboxStore({ db, journal: createJournal(db), newId: () => "msg", onAdded: () => {} });
  const event = outbox.add(
    {
      ...{ site: toSiteId("shop"), kind: "result", lane: "order A-1", job: null, register: toRegisterId("till") },
      ...{ body: {}, latestOnly: false },
    },
    clock.now(),
  );
  const errors: string[] = [];
  const deliver = async () => ({ kind: "failed", fault: new Fault("site.bad-answer") }) as const;
  const sender = createSiteSender({
    ...{
      site: shopOf(),
      outbox,
      deliveries: new Deliveries(),
      client: { deliver },
      clock,
      random: () => 0.5,
      onChange: () => {},
    },
    log: createTestLogger((line) => errors.push(line)),
  });
  const other = openSqliteFile(path);
  undo.push(() => void other.close());
  other.exec("BEGIN EXCLUSIVE");
  sender.start();
  undo.push(() => sender.stop(0));
  await clock.advance(2_000);
  other.exec("ROLLBACK");
  await clock.advance(400);
  expect(outbox.find(event)?.tries).toBe(1);
  expect(errors.filter((line) => line.includes("could not be recorded"))).toEqual([]);
});

test("a delivery that cannot be noted for seconds is sent again under its id, and the next one waits", async () => {
  const path = join(folder(), "d.sqlite");
  const clock = createFakeClock();
  const database = openDatabase({ path, clock, log: silentLogger, pid: 1 });
  undo.push(() => database.close());
  const { db } = database;
  db.pragma("busy_timeout = 1");
  let ids = 0;
  let sender: Sender | null = null;
  const onAdded = () => sender?.wake();
  const outbox = createOutboxStore({ db, journal: createJournal(db), newId: () => `msg-${++ids}`, onAdded });
  const add = (n: number) =>
    outbox.add(
      {
        ...{ site: toSiteId("shop"), kind: "result", lane: "order A-1", job: null, register: toRegisterId("till") },
        body: { n },
        latestOnly: false,
      },
      clock.now(),
    );
  const delivered: [unknown, string][] = [];
  const lines: string[] = [];
  const deliver = async ({ body, webhookId }: StoredEvent) => {
    delivered.push([body.n, webhookId]);
    return { kind: "delivered" } as const;
  };
  sender = createSiteSender({
    ...{
      site: shopOf(),
      outbox,
      deliveries: new Deliveries(),
      client: { deliver },
      clock,
      random: () => 0.5,
      log: createTestLogger((line) => lines.push(line)),
    },
    onChange: () => {},
  });
  const [first, second] = [add(1), add(2)];
  const other = openSqliteFile(path);
  undo.push(() => void other.close());
  other.exec("BEGIN EXCLUSIVE");
  sender.start();
  undo.push(() => sender.stop(0));
  await clock.advance(2_000);
  expect([delivered, lines]).toEqual([[[1, "msg-1"]], []]);
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
