import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { createNightlyMaintenance } from "@fiscald/daemon/store/database/nightly-maintenance.js";
import { type Database, openSqliteFile } from "@fiscald/daemon/store/database/sqlite-file.js";
import { type CheckStore, createCheckStore } from "@fiscald/daemon/store/document-checks.js";
import { createRawOrders } from "@fiscald/daemon/store/raw-orders.js";
import type { Clock } from "@fiscald/shared/clock.js";
import { toRegisterId } from "@fiscald/shared/ids.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { newJob } from "../../../support/make-job.js";
import { useStores } from "../../../support/use-stores.js";
import { waitFor } from "../../../support/wait-for.js";

const { folder, path, open } = useStores();
const oneDayMs = 86_400_000;

function nightlyOf(db: Database, clock: Clock, checks: Pick<CheckStore, "purge"> = createCheckStore(db)) {
  return createNightlyMaintenance({ db, rawOrders: createRawOrders(db), checks, clock, log: silentLogger });
}

test("a database without a recent copy is copied at once and then each night, and three copies are kept", async () => {
  const { clock, db } = open();
  db.prepare("INSERT INTO meta VALUES ('a', 'b')").run();
  const copies = () => readdirSync(join(folder(), "backup")).filter((name) => name.endsWith(".sqlite"));
  const nightly = nightlyOf(db, clock);
  nightly.start();
  await clock.advance(0);
  await waitFor("the first copy is there", () => copies().length === 1);

  const copy = openSqliteFile(join(folder(), "backup", copies()[0] ?? ""), { readonly: true });
  expect(copy.prepare("SELECT value FROM meta").get()).toEqual({ value: "b" });
  copy.close();

  for (let night = 1; night <= 9; night += 1) {
    await clock.advance(oneDayMs);
    const count = Math.min(3, night + 1);
    const newest = new Date(clock.now()).toISOString().slice(0, 10);
    await waitFor(
      `copy ${night} is there`,
      () => copies().length === count && copies().some((name) => name.includes(newest)),
    );
  }
  await nightly.stop();
  expect(clock.pending).toBe(0);
});

test("the last three copies made by hand are kept beside the nightly copy", async () => {
  const { clock, db } = open();
  const maintenance = nightlyOf(db, clock);
  const night = join(folder(), "backup", "fiscald-2026-11-20.sqlite");
  mkdirSync(join(folder(), "backup"));
  writeFileSync(night, "of the night");
  writeFileSync(join(folder(), "backup", "fiscald.part"), "of a copy that was cut off".repeat(1000));
  const made: string[] = [];
  for (let copy = 0; copy < 4; copy += 1) {
    made.push(await maintenance.copyNow());
    await clock.advance(1000);
  }
  expect(readdirSync(join(folder(), "backup")).sort()).toEqual(
    [night, ...made.slice(1)].map((path) => basename(path)).sort(),
  );
  expect(readFileSync(night, "utf8")).toBe("of the night");
  await maintenance.stop();
});

test("a damaged database is not copied, and the earlier good copies stay", async () => {
  const good = open();
  const add = good.db.prepare("INSERT INTO journal (at, actor, what, details) VALUES (1, 'daemon', 'x', ?)");
  for (let row = 0; row < 100; row += 1) add.run("y".repeat(1000));
  good.close();
  const bytes = readFileSync(path());
  bytes.fill(0xab, bytes.lastIndexOf("y".repeat(500)) - 8192, bytes.lastIndexOf("y".repeat(500)) - 4096);
  writeFileSync(path(), bytes);

  const { clock, db } = open();
  const maintenance = nightlyOf(db, clock);
  await expect(maintenance.copyNow()).rejects.toMatchObject({ code: "store.damaged" });
  expect(readdirSync(join(folder(), "backup")).filter((name) => name.endsWith(".sqlite"))).toEqual([]);
  await maintenance.stop();
});

test("a new copy stays although the clock is years behind, and a copy of a future year is not last night's", async () => {
  const { clock, db } = open();
  const maintenance = nightlyOf(db, clock);
  mkdirSync(join(folder(), "backup"));
  const nextYear = new Date(clock.now() + 365 * oneDayMs);
  for (const day of [1, 2, 3]) {
    for (const end of ["", "T00-00-00Z"]) {
      const file = join(folder(), "backup", `fiscald-2099-01-0${day}${end}.sqlite`);
      writeFileSync(file, "");
      utimesSync(file, nextYear, nextYear);
    }
  }
  const made = basename(await maintenance.copyNow());
  expect(readdirSync(join(folder(), "backup"))).toContain(made);
  maintenance.start();
  expect(clock.nextDueMs).toBe(0);
  await maintenance.stop();
});

test("a start on a day that has a copy makes no copy before the next night", async () => {
  const { clock, db } = open();
  const first = nightlyOf(db, clock);
  first.start();
  await clock.advance(0);
  const file = join(folder(), "backup", "fiscald-2026-11-20.sqlite");
  await waitFor("the copy is there", () => readdirSync(join(folder(), "backup")).includes("fiscald-2026-11-20.sqlite"));
  await first.stop();
  utimesSync(file, new Date(clock.now()), new Date(clock.now()));

  const second = nightlyOf(db, clock);
  second.start();
  expect(clock.nextDueMs).toBeGreaterThan(0);
  await second.stop();
});

test("a computer that is off at night copies the database at its start, even soon after the last copy", async () => {
  const { clock, db } = open();
  const file = join(folder(), "backup", "fiscald-2026-11-19.sqlite");
  mkdirSync(join(folder(), "backup"));
  writeFileSync(file, "");
  const yesterdayLater = new Date(clock.now() - oneDayMs + 10 * 60_000);
  utimesSync(file, yesterdayLater, yesterdayLater);
  const nightly = nightlyOf(db, clock);
  nightly.start();
  expect(clock.nextDueMs).toBe(0);
  await nightly.stop();
});

test("an order's text is removed 90 days after its last delivery, and never while its job is unfinished or an event waits", () => {
  const { db, rawOrders } = open();
  const raw = db.prepare(
    "INSERT INTO orders_raw (site, polled_kkm, received_at, hash, body) VALUES ('s', '1', ?, 'h', 'text')",
  );
  const job = db.prepare(`INSERT INTO jobs (source, raw, kind, receipt, register, state, created_at, updated_at)
    VALUES ('site', ?, 'receipt', '{}', 't', ?, 0, 0)`);
  const event =
    db.prepare(`INSERT INTO outbox (site, kind, lane, job, body, webhook_id, state, created_at, delivered_at)
    VALUES ('s', 'result', 'l', ?, '{}', 'w', ?, 0, ?)`);
  const add = (receivedAt: number, state: string, event_: readonly [string, number | null] | null) => {
    const order = raw.run(receivedAt).lastInsertRowid;
    const { lastInsertRowid } = job.run(order, state);
    if (event_ !== null) event.run(lastInsertRowid, ...event_);
  };
  add(10, "printed", ["delivered", 20]);
  add(10, "printed", ["delivered", 200]);
  add(10, "printed", ["pending", null]);
  add(10, "printed", ["refused", null]);
  add(10, "unsure", ["delivered", 20]);
  add(200, "printed", ["delivered", 20]);
  add(10, "refused", null);
  expect([rawOrders.purge(100, 1), rawOrders.purge(100, 1), rawOrders.purge(100, 1)]).toEqual([1, 1, 0]);
  const left = [1, 2, 3, 4, 5, 6, 7].filter((id) => rawOrders.find(id)?.body === "text");
  expect(left).toEqual([2, 3, 4, 5, 6]);
});

test("what a job sent is removed 90 days after the job ended, and stays while the job has not ended", async () => {
  const { clock, db, jobs, checks } = open();
  const register = toRegisterId("till");
  const send = () => {
    const { id } = jobs.insertJob(newJob({ now: clock.now() }));
    checks.sends(id, register, { head: {}, items: [] });
    return id;
  };
  const [failed, waiting] = [send(), send()];
  jobs.markFailed(failed, { code: "device.printer-fault", message: "" }, clock.now());
  const keptAfter = async (days: number) => {
    clock.setWallClock(clock.now() + days * oneDayMs);
    const nightly = nightlyOf(db, clock, checks);
    nightly.start();
    await clock.advance(0);
    await nightly.stop();
    return db.prepare("SELECT job FROM sent_documents ORDER BY job").pluck().all();
  };
  expect(await keptAfter(89)).toEqual([failed, waiting]);
  expect(await keptAfter(2)).toEqual([waiting]);
});
