import { readFileSync, writeFileSync } from "node:fs";
import { openSqliteFile } from "@fiscald/daemon/store/database/sqlite-file.js";
import type { Fault } from "@fiscald/shared/fault.js";
import { createFakeClock } from "../support/fake-clock.js";
import { startFakeSite } from "../support/fake-site.js";
import { close, pay, sell, table, tea } from "../support/order-samples.js";
import { appOn, configIn, rawSite, stopOn } from "../support/raw-config.js";
import { useTempFolder } from "../support/temp-folder.js";
import { createTestLogger } from "../support/test-logger.js";
import { waitFor } from "../support/wait-for.js";

const folder = useTempFolder();

function createDaemon(site: string) {
  const config = configIn(folder(), { sites: [rawSite(site)], console: { port: 0 } });
  const clock = createFakeClock();
  const faults: Fault[] = [];
  const lines: string[] = [];
  const app = appOn(config, {
    clock,
    log: createTestLogger((line) => lines.push(line), "all"),
    onFatal: (fault) => faults.push(fault),
  });
  return { app, config, clock, faults, lines };
}

/** Overwrites a page of old attempts, which recovery does not read. */
function damageAttempts(path: string): void {
  const db = openSqliteFile(path);
  db.pragma("foreign_keys = OFF");
  const insert = db.prepare(
    `INSERT INTO attempts (job, part, parts, register, witness, baseline, fn, last_fd, shift, started_at, outcome)
     VALUES (1000, 0, 1, 'former', ?, '{}', '1', 1, 1, 1, 'printed')`,
  );
  for (let row = 0; row < 500; row += 1) insert.run(JSON.stringify({ kind: "receipt", text: "x".repeat(100) }));
  const page = Number(
    db
      .prepare("SELECT pageno FROM dbstat WHERE name = 'attempts' AND pagetype = 'leaf' LIMIT 1 OFFSET 5")
      .pluck()
      .get(),
  );
  const size = Number(db.pragma("page_size", { simple: true }));
  db.close();
  writeFileSync(path, readFileSync(path).fill(0x55, (page - 1) * size, page * size));
}

/** Leaves the lock as a killed daemon does. Returns whether it was left so before. */
function markKilled(path: string): boolean {
  const lock = openSqliteFile(`${path}.lock`);
  const before = lock.prepare("SELECT released FROM holder").pluck().get();
  lock.prepare("UPDATE holder SET released = 0").run();
  lock.close();
  return before === 0;
}

test("a crash needs no further check after a daemon has found the database undamaged", async () => {
  const site = await startFakeSite();
  const first = createDaemon(site.url);
  await first.app.start();
  await stopOn(first.app, first.clock);
  markKilled(first.config.database);
  const second = createDaemon(site.url);
  await second.app.start();
  try {
    await waitFor("it is checked", () => second.lines.some((line) => line.startsWith("the database was checked")));
  } finally {
    await stopOn(second.app, second.clock);
    await site.close();
  }
  expect(markKilled(first.config.database)).toBe(false);
});

test("a damaged table of attempts stops the daemon, and an order that comes before the stop is not printed", async () => {
  const site = await startFakeSite();
  const first = createDaemon(site.url);
  await first.app.start();
  await stopOn(first.app, first.clock);
  damageAttempts(first.config.database);
  expect(markKilled(first.config.database)).toBe(false);
  site.offer("A-1", table([sell, tea, pay(100), close]));
  const { app, config, clock, faults } = createDaemon(site.url);
  const base = await app.start();
  const headers = { authorization: `Bearer ${readFileSync(config.console.tokenFile, "utf8").trim()}` };
  const read = async (path: string) => (await fetch(`${base}${path}`, { headers })).text();
  try {
    await waitFor(
      "the order is accepted by a ready register, and the damage is found",
      async () => {
        await clock.advance(1000);
        const isReady = (await read("/api/registers")).includes('"ready"');
        return isReady && faults.length > 0 && (await read("/api/jobs")).includes("A-1");
      },
      { timeoutMs: 60_000 },
    );
    await clock.advance(5000);
    expect(faults).toMatchObject([{ code: "store.damaged" }]);
    expect(JSON.parse(await read("/api/jobs"))).toMatchObject({ jobs: [{ order: "A-1", state: "queued" }] });
  } finally {
    await stopOn(app, clock);
    await site.close();
  }
  // The next start checks again.
  expect(markKilled(config.database)).toBe(true);
});
