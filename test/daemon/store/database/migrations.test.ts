import { migrations } from "@fiscald/daemon/store/database/migrations.js";
import { type OpenedDatabase, openDatabase } from "@fiscald/daemon/store/database/open-database.js";
import { openSqliteFile } from "@fiscald/daemon/store/database/sqlite-file.js";
import { createJobStore } from "@fiscald/daemon/store/job-store.js";
import { createJournal } from "@fiscald/daemon/store/journal.js";
import { createOutboxStore } from "@fiscald/daemon/store/outbox-store.js";
import { toRegisterId, toSiteId } from "@fiscald/shared/ids.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { createFakeClock } from "../../../support/fake-clock.js";
import { newBenchPath, removeBenchFolders } from "../../../support/register-bench.js";

let opened: OpenedDatabase | null = null;
afterEach(() => {
  opened?.close();
  opened = null;
  removeBenchFolders();
});

/** A database as an earlier version left it: a queued job, a printed one, an event that waits. */
function writeOldDatabase(version: number): string {
  const path = newBenchPath();
  const db = openSqliteFile(path);
  for (const migration of migrations) if (migration.version <= version) db.exec(migration.sql);
  db.pragma(`user_version = ${version}`);
  const job =
    db.prepare(`INSERT INTO jobs (source, kind, receipt, register, tax_register, state, created_at, updated_at)
    VALUES ('site', 'receipt', '{}', 'till', 'till', ?, 0, 0)`);
  for (const state of ["printed", "queued"]) job.run(state);
  db.exec(`INSERT INTO outbox (site, kind, lane, job, body, webhook_id, state, created_at)
    VALUES ('shop', 'result', 'order 1', 1, '{"n":1}', 'id', 'pending', 0)`);
  db.close();
  return path;
}

test.each(migrations.map(({ version }) => version))(
  "a database of version %i is taken over with what it holds",
  (version) => {
    const path = writeOldDatabase(version);
    opened = openDatabase({ path, clock: createFakeClock(), log: silentLogger, pid: 1 });
    const { db } = opened;
    const jobs = createJobStore(db);
    expect(jobs.queue().map(({ id }) => id)).toEqual([2]);
    expect(jobs.waitingCount(toRegisterId("till"))).toBe(1);
    expect(Object.fromEntries(jobs.countByState())).toEqual({ printed: 1, queued: 1 });
    const outbox = createOutboxStore({ db, journal: createJournal(db), newId: () => "id", onAdded: () => undefined });
    expect(outbox.heads(toSiteId("shop"), 5)).toMatchObject([{ lane: "order 1", body: { n: 1 } }]);
    expect(db.pragma("foreign_key_check")).toEqual([]);
  },
);
