import { copyFileSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "@fiscald/daemon/store/database/open-database.js";
import { openSqliteFile } from "@fiscald/daemon/store/database/sqlite-file.js";
import { createIdleCheckpoint, preallocateWal, walPages } from "@fiscald/daemon/store/database/write-ahead-log.js";
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

const WAL_BYTES = walPages * 4_096;
/** Temporary folders may lie in memory, where the log is not preallocated. */
const freeBytes = () => WAL_BYTES * 20;

function openLog() {
  const path = join(folder(), "d.sqlite");
  const { db, close } = openDatabase({ path, clock: createFakeClock(), log: silentLogger, pid: 1 });
  return { path, db, close, logBytes: () => statSync(`${path}-wal`).size };
}

const insertValue = "INSERT INTO meta VALUES ('key', ?)";

test("a preallocated write-ahead log has its full size at once, and commits are written into it", () => {
  const { db, path, close, logBytes } = openLog();
  const tables = db.prepare("SELECT name FROM sqlite_master").all();
  preallocateWal({ db, log: silentLogger, freeBytes });
  const reserved = logBytes();
  expect(reserved).toBeGreaterThan(WAL_BYTES);
  db.prepare(insertValue).run("x".repeat(100_000));
  expect(logBytes()).toBe(reserved);
  expect(db.prepare("SELECT name FROM sqlite_master").all()).toEqual(tables);
  close();
  // The filler does not reach the database file.
  expect(statSync(path).size).toBeLessThan(WAL_BYTES / 10);
});

test("after a crash the commits in a preallocated log are there, and its filler is not", () => {
  const { db, path, close } = openLog();
  preallocateWal({ db, log: silentLogger, freeBytes });
  const tables = db.prepare("SELECT name FROM sqlite_master").all();
  db.prepare(insertValue).run("kept");
  const copy = join(folder(), "crashed.sqlite");
  for (const end of ["", "-wal"]) copyFileSync(path + end, copy + end);
  const found = openSqliteFile(copy);
  expect(found.prepare("SELECT value FROM meta WHERE key = 'key'").pluck().get()).toBe("kept");
  expect(found.prepare("SELECT name FROM sqlite_master").all()).toEqual(tables);
  expect(found.pragma("integrity_check", { simple: true })).toBe("ok");
  found.close();
  close();
});

test("a write-ahead log that was left by a crash is not grown again", () => {
  const { db, close, logBytes } = openLog();
  preallocateWal({ db, log: silentLogger, freeBytes });
  db.prepare(insertValue).run("kept");
  const reserved = logBytes();
  preallocateWal({ db, log: silentLogger, freeBytes });
  expect(logBytes()).toBe(reserved);
  close();
});

test("the write-ahead log is not preallocated on a nearly full disk", () => {
  const { db, close, logBytes } = openLog();
  const before = logBytes();
  preallocateWal({ db, log: silentLogger, freeBytes: () => WAL_BYTES * 10 });
  expect(logBytes()).toBe(before);
  close();
});

test("a database that cannot grow works without a preallocated log", () => {
  const { db, close } = openLog();
  const cache = db.pragma("cache_size", { simple: true });
  db.pragma("max_page_count = 200");
  preallocateWal({ db, log: silentLogger, freeBytes });
  expect(db.inTransaction).toBe(false);
  expect(db.pragma("cache_size", { simple: true })).toBe(cache);
  db.prepare(insertValue).run("kept");
  expect(db.prepare("SELECT value FROM meta WHERE key = 'key'").pluck().get()).toBe("kept");
  close();
});
