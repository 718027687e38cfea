import { copyFileSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "@fiscald/daemon/store/database/open-database.js";
import { createIdleCheckpoint } from "@fiscald/daemon/store/database/write-ahead-log.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { createFakeClock } from "../../../support/fake-clock.js";
import { useTempFolder } from "../../../support/temp-folder.js";

const folder = useTempFolder();

function openWithCheckpoint() {
  const clock = createFakeClock();
  const path = join(folder(), "d.sqlite");
  const { db, close } = openDatabase({ path, clock, log: silentLogger, pid: 1 });
  const insert = db.prepare("INSERT INTO meta VALUES (?, ?)");
  const checkpoint = createIdleCheckpoint({ db, clock, log: silentLogger });
  checkpoint.start();
  return {
    clock,
    write: (key: string) => insert.run(key, `value of ${key}`),
    /** Whether the database file itself, without SQLite's log, has the text. */
    isInFile: (key: string) => readFileSync(path, "latin1").includes(`value of ${key}`),
    /** Writes at least this many pages to the log. */
    writePages: db.transaction((count: number) => {
      for (let page = 0; page < count; page += 1) insert.run(`page ${page}`, "x".repeat(4_000));
    }),
    end() {
      checkpoint.stop();
      expect(clock.pending).toBe(0);
      close();
    },
  };
}

test("the write-ahead log is moved into the database file when nothing has been written for a while", async () => {
  const { clock, write, isInFile, end } = openWithCheckpoint();
  write("tea");
  await clock.advance(5_000);
  write("cake");
  await clock.advance(5_000);
  expect([isInFile("tea"), isInFile("cake")]).toEqual([false, false]);
  await clock.advance(5_000);
  expect([isInFile("tea"), isInFile("cake")]).toEqual([true, true]);
  write("coffee");
  await clock.advance(10_000);
  expect(isInFile("coffee")).toBe(true);
  end();
});

test("commits in quick succession do not move the write-ahead log into the database file", () => {
  const { write, writePages, isInFile, end } = openWithCheckpoint();
  write("tea");
  // SQLite moves the log at 1000 pages by default.
  writePages(1_500);
  write("cake");
  expect(isInFile("tea")).toBe(false);
  end();
});

test("the log of a new database has its full length from the start, and SQLite reads it up to its last commit after a crash", () => {
  const { write, end } = openWithCheckpoint();
  write("tea");
  const [path, copy] = [join(folder(), "d.sqlite"), join(folder(), "copy.sqlite")];
  expect(statSync(`${path}-wal`).size).toBe(16 * 1024 * 1024);
  for (const suffix of ["", "-wal"]) copyFileSync(`${path}${suffix}`, `${copy}${suffix}`);
  const after = openDatabase({ path: copy, clock: createFakeClock(), log: silentLogger, pid: 2 });
  expect(after.db.prepare("SELECT value FROM meta WHERE key = 'tea'").pluck().get()).toBe("value of tea");
  expect(after.db.pragma("page_size", { simple: true })).toBe(1024);
  after.close();
  end();
});
