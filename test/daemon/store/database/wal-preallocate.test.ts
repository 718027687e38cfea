import { copyFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "@fiscald/daemon/store/database/open-database.js";
import { openSqliteFile } from "@fiscald/daemon/store/database/sqlite-file.js";
import { walPages } from "@fiscald/daemon/store/database/wal-checkpoint.js";
import { reserveLog } from "@fiscald/daemon/store/database/wal-preallocate.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { createFakeClock } from "../../../support/fake-clock.js";
import { useTempFolder } from "../../../support/temp-folder.js";

const folder = useTempFolder();
const ROOM = walPages * 4_096;

function open() {
  const path = join(folder(), "d.sqlite");
  const { db, close } = openDatabase({ path, clock: createFakeClock(), log: silentLogger, pid: 1 });
  return { path, db, close, logBytes: () => statSync(`${path}-wal`).size };
}

const keep = "INSERT INTO meta VALUES ('key', ?)";

test("the log has all its room at once, and what is committed is written into it", () => {
  const { db, path, close, logBytes } = open();
  const tables = db.prepare("SELECT name FROM sqlite_master").all();
  reserveLog({ db, log: silentLogger });
  const reserved = logBytes();
  expect(reserved).toBeGreaterThan(ROOM);
  db.prepare(keep).run("x".repeat(100_000));
  expect(logBytes()).toBe(reserved);
  expect(db.prepare("SELECT name FROM sqlite_master").all()).toEqual(tables);
  close();
  // Nothing of the room gets into the database.
  expect(statSync(path).size).toBeLessThan(ROOM / 10);
});

test("a crash finds what was committed, and nothing of the room", () => {
  const { db, path, close } = open();
  reserveLog({ db, log: silentLogger });
  const tables = db.prepare("SELECT name FROM sqlite_master").all();
  db.prepare(keep).run("kept");
  const copy = join(folder(), "crashed.sqlite");
  for (const end of ["", "-wal"]) copyFileSync(path + end, copy + end);
  const found = openSqliteFile(copy);
  expect(found.prepare("SELECT value FROM meta WHERE key = 'key'").pluck().get()).toBe("kept");
  expect(found.prepare("SELECT name FROM sqlite_master").all()).toEqual(tables);
  expect(found.pragma("integrity_check", { simple: true })).toBe("ok");
  found.close();
  close();
});

test("a log that outlived a crash is as long already", () => {
  const { db, close, logBytes } = open();
  reserveLog({ db, log: silentLogger });
  db.prepare(keep).run("kept");
  const reserved = logBytes();
  reserveLog({ db, log: silentLogger });
  expect(logBytes()).toBe(reserved);
  close();
});

test("a disk that is nearly full keeps its room", () => {
  const { db, close, logBytes } = open();
  const before = logBytes();
  reserveLog({ db, log: silentLogger, freeBytes: () => ROOM * 10 });
  expect(logBytes()).toBe(before);
  close();
});

test("a database that has no room for it goes on as it is", () => {
  const { db, close } = open();
  const cache = db.pragma("cache_size", { simple: true });
  db.pragma("max_page_count = 200");
  reserveLog({ db, log: silentLogger });
  expect(db.inTransaction).toBe(false);
  expect(db.pragma("cache_size", { simple: true })).toBe(cache);
  db.prepare(keep).run("kept");
  expect(db.prepare("SELECT value FROM meta WHERE key = 'key'").pluck().get()).toBe("kept");
  close();
});
