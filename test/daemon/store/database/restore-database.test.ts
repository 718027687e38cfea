import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beginRun } from "@fiscald/daemon/store/database/begin-run.js";
import { createMetaStore, databaseMemory } from "@fiscald/daemon/store/database/meta-store.js";
import { openDatabase } from "@fiscald/daemon/store/database/open-database.js";
import { restoreDatabase } from "@fiscald/daemon/store/database/restore-database.js";
import { openSqliteFile } from "@fiscald/daemon/store/database/sqlite-file.js";
import { toStoreFault } from "@fiscald/daemon/store/database/store-fault.js";
import { createJobStore } from "@fiscald/daemon/store/job-store.js";
import { toKkm, toSiteId } from "@fiscald/shared/ids.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { createFakeClock } from "../../../support/fake-clock.js";
import { useTempFolder } from "../../../support/temp-folder.js";

const folder = useTempFolder();
const clock = createFakeClock();
const now = new Date("2026-11-20T12:00:00Z");
const at = (name: string) => join(folder(), name);

function open() {
  return openDatabase({ path: at("db.sqlite"), clock, log: silentLogger, pid: process.pid });
}

async function makeCopy(): Promise<void> {
  const { db, close } = open();
  createJobStore(db).insertRaw({
    site: toSiteId("s"),
    polledKkm: toKkm("1"),
    receivedAt: 0,
    hash: "h",
    body: "copied",
  });
  await db.backup(at("copy.sqlite"));
  createJobStore(db).insertRaw({ site: toSiteId("s"), polledKkm: toKkm("1"), receivedAt: 0, hash: "h", body: "later" });
  close();
}

const restore = (copy = "copy.sqlite") => restoreDatabase({ path: at("db.sqlite"), copy: at(copy), pid: 1, now });

function bodies(): unknown[] {
  const { db, close } = open();
  const rows = db.prepare("SELECT body FROM orders_raw ORDER BY id").pluck().all();
  close();
  return rows;
}

test("a restore replaces the database by the copy and renames the replaced file", async () => {
  await makeCopy();
  const replaced = restore();
  expect(replaced).toBe(at("db.sqlite.before-restore-2026-11-20T12-00-00-000Z"));
  expect(bodies()).toEqual(["copied"]);
  const old = openSqliteFile(String(replaced), { readonly: true });
  expect(old.prepare("SELECT count(*) FROM orders_raw").pluck().get()).toBe(2);
  old.close();
});

test("a restored database counts as incomplete, and so does a new database in place of a deleted one", async () => {
  const isForgetful = () => {
    const database = open();
    beginRun(database, { newId: randomUUID, clock, log: silentLogger });
    const { db, close } = database;
    const { isForgetful: is } = databaseMemory(createMetaStore(db), { remembersAll: false });
    close();
    return is;
  };
  expect(isForgetful()).toBe(false);
  await makeCopy();
  expect(isForgetful()).toBe(false);
  restore();
  expect(isForgetful()).toBe(true);
  for (const suffix of ["", "-wal", "-shm"]) rmSync(at(`db.sqlite${suffix}`), { force: true });
  expect(isForgetful()).toBe(true);
});

test("a restore replaces a damaged database", async () => {
  await makeCopy();
  writeFileSync(at("db.sqlite"), "this is no database at all".repeat(100));
  restore();
  expect(bodies()).toEqual(["copied"]);
});

test("a restore works on a new machine without a folder for the database", async () => {
  await makeCopy();
  const path = at("data/db.sqlite");
  expect(restoreDatabase({ path, copy: at("copy.sqlite"), pid: 1, now })).toBeNull();
  expect(existsSync(path)).toBe(true);
});

test("a restore whose copy cannot be written changes nothing and leaves no part of the copy", async () => {
  await makeCopy();
  symlinkSync("/dev/full", at("db.sqlite.restoring"));
  expect(() => restore()).toThrow(expect.objectContaining({ code: "store.failed" }));
  expect(existsSync(at("db.sqlite.restoring"))).toBe(false);
  expect(bodies()).toEqual(["copied", "later"]);
});

test.each(["SQLITE_FULL", "SQLITE_IOERR_SHMSIZE", "ENOSPC"])("the error %s is reported as a full disk", (code) => {
  expect(toStoreFault(Object.assign(new Error("no space"), { code })).code).toBe("store.full");
});

test("a restore that fails changes nothing, not even the note that the last owner left in the lock", async () => {
  await makeCopy();
  const complete = open();
  complete.noteAllAsked();
  complete.close();
  expect(() => restore("missing.sqlite")).toThrow("there is no file");
  const next = open();
  expect(next.remembersAll).toBe(true);
  next.close();
});

test("a restore is refused while a daemon runs, and changes nothing", async () => {
  await makeCopy();
  const running = open();
  expect(() => restore()).toThrow(expect.objectContaining({ code: "store.locked" }));
  running.close();
  expect(bodies()).toEqual(["copied", "later"]);
});

test("a restore changes nothing when a file cannot be renamed, as Windows renames no open file", async () => {
  await makeCopy();
  writeFileSync(at("db.sqlite-wal"), "");
  mkdirSync(at("db.sqlite.before-restore-2026-11-20T12-00-00-000Z-wal"));
  expect(() => restore()).toThrow(expect.objectContaining({ code: "store.locked" }));
  expect(existsSync(at("db.sqlite.restoring"))).toBe(false);
  expect(bodies()).toEqual(["copied", "later"]);
});

test.each([
  ["is missing", () => {}, "usage.wrong"],
  ["is not a database", () => writeFileSync(at("bad"), "x".repeat(5000)), "store.damaged"],
  [
    "is a database of another program",
    () => openSqliteFile(at("bad")).exec("CREATE TABLE t (a)").close(),
    "store.damaged",
  ],
  ["is of a newer version", () => openSqliteFile(at("bad")).exec("PRAGMA user_version = 999").close(), "store.newer"],
])("a restore of a copy that %s is refused and changes nothing", async (_what, prepare, code) => {
  await makeCopy();
  prepare();
  expect(() => restore("bad")).toThrow(expect.objectContaining({ code, message: expect.stringContaining(at("bad")) }));
  expect(bodies()).toEqual(["copied", "later"]);
  expect(existsSync(at("db.sqlite.restoring"))).toBe(false);
});
