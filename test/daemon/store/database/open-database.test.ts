import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, copyFileSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkInBackground } from "@fiscald/daemon/store/database/check-integrity.js";
import { migrations } from "@fiscald/daemon/store/database/migrations.js";
import {
  type OpenedDatabase,
  type OwnedDatabase,
  openDatabase,
  openDatabaseForReading,
} from "@fiscald/daemon/store/database/open-database.js";
import { rollbackDetectorOf } from "@fiscald/daemon/store/database/sidecar-files.js";
import { type Database, openSqliteFile } from "@fiscald/daemon/store/database/sqlite-file.js";
import { createDocumentStore } from "@fiscald/daemon/store/unowned-documents.js";
import { unknownDocument } from "@fiscald/drivers/codec/document-tags.js";
import { openStateFile } from "@fiscald/emulators/memory/state-file.js";
import { toFnSerial } from "@fiscald/shared/ids.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { createFakeClock } from "../../../support/fake-clock.js";
import { useTempFolder } from "../../../support/temp-folder.js";

const folder = useTempFolder();
const opened: OpenedDatabase[] = [];
let holder: ChildProcess | null = null;
const path = () => join(folder(), "data", "fiscald.sqlite");
const oldFile = () => join(folder(), "old.sqlite");
const refused = (code: string) => expect.objectContaining({ code: `store.${code}` });
const openAndClose = () => open().close();

function open(rest: Partial<Parameters<typeof openDatabase>[0]> = {}): OwnedDatabase {
  const database = openDatabase({ path: path(), clock: createFakeClock(), log: silentLogger, pid: 4711, ...rest });
  opened.push(database);
  return database;
}

afterEach(() => {
  for (const database of opened.splice(0)) database.close();
  holder?.kill("SIGKILL");
});

test("a new database gets its folder and tables, and its commits survive a power cut", () => {
  const { db } = open();
  expect(db.pragma("synchronous", { simple: true })).toBe(2);
  expect(db.pragma("journal_mode", { simple: true })).toBe("wal");
  expect(db.pragma("foreign_keys", { simple: true })).toBe(1);
  expect(db.prepare("SELECT count(*) AS n FROM jobs").get()).toEqual({ n: 0 });
});

test("a reopened database still has synchronous = FULL and its data", () => {
  open().db.prepare("INSERT INTO meta VALUES ('a', 'b')").run();
  opened.pop()?.close();
  const { db } = open();
  expect(db.pragma("synchronous", { simple: true })).toBe(2);
  expect(db.prepare("SELECT value FROM meta").get()).toEqual({ value: "b" });
});

test("a second daemon is refused with the process id and start time of the first", () => {
  open();
  expect(() => open({ pid: 4712 })).toThrow(
    expect.objectContaining({
      code: "store.locked",
      message: expect.stringContaining("process 4711, running since 2026-11-20T12:00:00.000Z"),
    }),
  );
  opened[0]?.close();
  open({ pid: 4712 });
});

describe("a lock file that was deleted", () => {
  const removeLock = () => {
    for (const suffix of [".lock", ".lock-wal", ".lock-shm"]) rmSync(`${path()}${suffix}`, { force: true });
  };

  test("a second daemon is refused after the first daemon's lock file was deleted, until the first has stopped", () => {
    const first = open();
    removeLock();
    expect(first.hasLock()).toBe(false);
    for (const pid of [4712, 4713]) {
      expect(() => open({ pid })).toThrow(
        expect.objectContaining({ code: "store.locked", message: expect.stringContaining("lock file was deleted") }),
      );
    }
    expect(first.db.prepare("SELECT count(*) AS n FROM jobs").get()).toEqual({ n: 0 });
    opened.pop()?.close();
    expect(open({ pid: 4714 }).hasLock()).toBe(true);
  }, 20_000);

  test("a start after the lock file was deleted is refused while another process has the database open", async () => {
    openAndClose();
    const child = holdDatabase(path());
    holder = child;
    await once(child.stdout ?? child, "data");
    removeLock();
    expect(() => open()).toThrow(refused("locked"));
    child.kill("SIGKILL");
    await once(child, "exit");
    open();
  }, 20_000);

  test("a start after the lock file was deleted while no daemon runs succeeds with a new lock file", () => {
    openAndClose();
    removeLock();
    expect(open().hasLock()).toBe(true);
  });
});

test("the lock of a killed process is free, and each later owner learns of the crash until a daemon has started well", async () => {
  const child = holdLock(path());
  holder = child;
  const [line] = await once(child.stdout ?? child, "data");
  expect(String(line)).toContain("locked");
  expect(() => open()).toThrow(
    expect.objectContaining({ code: "store.locked", details: { pid: child.pid, since: "then" } }),
  );
  child.kill("SIGKILL");
  await once(child, "exit");
  const owners = [open, open, open].map((take, index) => {
    const database = take();
    if (index === 1) database.noteCrashHandled();
    database.close();
    return database.afterCrash;
  });
  expect(owners).toEqual([true, true, false]);
});

test("a database that its last owner closed needs no check", () => {
  openAndClose();
  expect(open().afterCrash).toBe(false);
});

test("order numbers in a database of an earlier version are converted to what a person sees of them", () => {
  const old = openSqliteFile(oldFile());
  old.exec(migrations[0]?.sql ?? "");
  old.pragma("user_version = 1");
  const insert =
    old.prepare(`INSERT INTO jobs (source, kind, receipt, register, state, created_at, updated_at, order_id)
    VALUES ('site', 'receipt', '{}', 'till', 'queued', 0, 0, ?)`);
  for (const order of ["A\u200B-1\u00AD", "\u0418\u0306 2", "A-3 \u200B", "Й 4", null]) insert.run(order);
  old.close();
  const { db } = open({ path: oldFile() });
  const numbers = ["A-1", "Й 2", "A-3", "Й 4", null];
  expect(db.prepare("SELECT order_id FROM jobs ORDER BY id").pluck().all()).toEqual(numbers);
});

test("jobs in a database from before jobs could be held keep their states, their attempts and their indexes", () => {
  const old = openSqliteFile(oldFile());
  old.exec(migrations[0]?.sql ?? "");
  old.pragma("user_version = 1");
  const states = ["queued", "printing", "unsure", "printed", "failed", "refused", "cancelled"];
  const insert = (db: Database, state: string) =>
    db
      .prepare(`INSERT INTO jobs (source, kind, receipt, register, state, created_at, updated_at)
        VALUES ('site', 'receipt', '{}', 'till', ?, 0, 0)`)
      .run(state);
  for (const state of states) insert(old, state);
  old.exec(`INSERT INTO attempts (job, part, parts, register, witness, baseline, fn, last_fd, shift, started_at)
    VALUES (2, 0, 1, 'till', '{}', '{}', '1', 1, 1, 0)`);
  const indexes = "SELECT name FROM sqlite_schema WHERE type = 'index' ORDER BY name";
  const before = old.prepare(indexes).pluck().all();
  old.close();
  const { db } = open({ path: oldFile() });
  db.exec("DROP TABLE document_differences");
  insert(db, "held");
  expect(() => insert(db, "lost")).toThrow(/CHECK/);
  expect(db.prepare("SELECT state FROM jobs ORDER BY id").pluck().all()).toEqual([...states, "held"]);
  expect(db.prepare(indexes).pluck().all()).toEqual(before);
  expect([db.pragma("foreign_key_check"), db.pragma("integrity_check", { simple: true })]).toEqual([[], "ok"]);
});

test("documents in a database of an earlier version keep when they were found, under the present names", () => {
  const old = openSqliteFile(oldFile());
  for (const { sql, version } of migrations.slice(0, 4)) if (version !== 2) old.exec(sql);
  old.pragma("user_version = 4");
  const insert = old.prepare(
    "INSERT INTO documents (fn, fd, register, document, read_at, found) VALUES (?, ?, ?, ?, 0, ?)",
  );
  const document = JSON.stringify(unknownDocument(1));
  for (const [fd, found] of ["loss", "first-sight", "gap"].entries()) insert.run("1", fd, "till", document, found);
  old.exec("INSERT INTO meta VALUES ('loss-answered:till', '{}'), ('database-id', 'kept')");
  old.close();
  const { db } = open({ path: oldFile() });
  const documents = createDocumentStore(db);
  expect([0, 1, 2].map((fd) => documents.find(toFnSerial("1"), fd)?.foundWhen)).toEqual([
    ...["afterLoss", "newRegister", "running"],
  ]);
  expect(db.prepare("SELECT key FROM meta").pluck().all()).toEqual(["database-id"]);
  expect(() => db.exec("UPDATE documents SET found_when = 'loss'")).toThrow(/CHECK/);
});

test("a database of a newer version is refused and not changed", () => {
  open().db.pragma("user_version = 99");
  opened.pop()?.close();
  expect(() => open()).toThrow(refused("newer"));
  expect(() => openDatabaseForReading(path())).toThrow(refused("newer"));
});

test("a file that is not a database is refused with store.damaged, and the lock is free afterwards", () => {
  openAndClose();
  const whole = readFileSync(path());
  writeFileSync(path(), Buffer.alloc(8192, 0x55));
  expect(() => open()).toThrow(refused("damaged"));
  writeFileSync(path(), whole);
  open();
});

/** Overwrites pages at the end of the file and marks the lock as left by a killed daemon. */
function damage(): void {
  const bytes = readFileSync(path());
  bytes.fill(0x55, bytes.length - 40_000, bytes.length - 20_000);
  writeFileSync(path(), bytes);
  const lock = openSqliteFile(`${path()}.lock`);
  lock.prepare("UPDATE holder SET released = 0").run();
  lock.close();
}

test("damage to a table that recovery reads stops each start after a crash", () => {
  const { db } = open();
  const insert = db.prepare("INSERT INTO meta VALUES (?, ?)");
  for (let index = 0; index < 2000; index += 1) insert.run(`key ${index}`, "x".repeat(100));
  opened.pop()?.close();
  damage();
  for (const take of [open, open]) expect(() => take()).toThrow(refused("damaged"));
});

test("damage to a table that recovery does not read is found by the background check", async () => {
  const { db } = open();
  const insert = db.prepare(
    "INSERT INTO orders_raw (site, polled_kkm, received_at, hash, body) VALUES ('s', '1', 0, 'h', ?)",
  );
  const text = "x".repeat(100);
  for (let index = 0; index < 2000; index += 1) insert.run(text);
  opened.pop()?.close();
  expect(await checkInBackground(path()).whole).toBe("intact");
  damage();
  open();
  const check = checkInBackground(path());
  expect(await check.attempts).toBe("intact");
  expect(await check.whole).toMatchObject({ code: "store.damaged", place: path() });
  await check.stop();
});

test.each([
  ["NFS", 0x6969],
  ["CIFS, as a negative number", 0xff534d42 | 0],
  ["9P", 0x01021997],
])("a database in a folder on %s is refused", (_name, type) => {
  expect(() => open({ fileSystemType: () => type })).toThrow(refused("network-file-system"));
});

test("a read-only connection to the database works while the daemon runs, and cannot write", () => {
  open().db.prepare("INSERT INTO meta VALUES ('a', 'b')").run();
  const reader = openDatabaseForReading(path());
  expect(reader.db.prepare("SELECT value FROM meta").get()).toEqual({ value: "b" });
  expect(() => reader.db.prepare("DELETE FROM meta").run()).toThrow("readonly");
  reader.close();
});

test("a command that opens a missing database says that the daemon has not run yet", () => {
  expect(() => openDatabaseForReading(path())).toThrow("has not run yet");
});

function holdDatabase(database: string): ChildProcess {
  return runScript(
    database,
    `
    const { openDatabase } = await import("@fiscald/daemon/store/database/open-database.js");
    const { systemClock } = await import("@fiscald/shared/clock.js");
    const { silentLogger } = await import("@fiscald/shared/logger.js");
    const options = { path: process.argv[1], clock: systemClock, log: silentLogger, pid: process.pid };
    globalThis.database = openDatabase(options);
    console.log("locked");
    setInterval(() => {}, 1000);`,
  );
}

function holdLock(database: string): ChildProcess {
  const script = `
    const { mkdirSync } = await import("node:fs");
    const { dirname } = await import("node:path");
    const { takeDaemonLock } = await import("@fiscald/daemon/store/database/daemon-lock.js");
    mkdirSync(dirname(process.argv[1]), { recursive: true });
    // The garbage collector would close the file without this reference.
    globalThis.lock = takeDaemonLock(process.argv[1] + ".lock", { pid: process.pid, since: "then" });
    console.log("locked");
    setInterval(() => {}, 1000);`;
  return runScript(database, script);
}

function runScript(database: string, script: string): ChildProcess {
  return spawn(process.execPath, ["--input-type=module", "-e", script, database], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}

const nothing = () => {};
const replace = () => {
  copyFileSync(path(), `${path()}.copy`);
  renameSync(`${path()}.copy`, path());
};
const overwrite = () => writeFileSync(path(), readFileSync(path()));
test.each([
  ["it is the file that was closed after every register was read", true, nothing, true],
  ["it is new", false, nothing, false],
  ["it was replaced", true, replace, false],
  ["it was overwritten in place", true, overwrite, false],
])("a database counts as complete at the next two starts or not: when %s", (_, isAsked, happen, isComplete) => {
  const first = open();
  if (isAsked) first.noteAllAsked();
  first.close();
  happen();
  for (const take of [open, open]) {
    const { remembersAll, close } = take();
    close();
    expect(remembersAll).toBe(isComplete);
  }
});

test("the number of the last attempt is overwritten in place, so that a kill leaves the old or the new number", () => {
  open();
  const highWater = rollbackDetectorOf(path());
  highWater.write(123_456);
  const before = statSync(`${path()}.last-attempt`);
  highWater.write(7);
  expect(highWater.read()).toBe(7);
  const after = statSync(`${path()}.last-attempt`);
  expect([after.ino, after.size]).toEqual([before.ino, before.size]);
});

// Root may write everywhere, so the test runs as another user for a moment.
const asRoot = process.getuid?.() === 0 ? test : test.skip;
asRoot("a folder without write permission is refused with its rights, its owner and the user", () => {
  const readOnlyFolder = folder();
  chmodSync(readOnlyFolder, 0o755);
  process.seteuid?.(65_534);
  try {
    const rights = `folder ${readOnlyFolder}: rights 0755, owner 0:0; this process is user 65534:`;
    const forbidden = expect.objectContaining({ code: "store.forbidden", message: expect.stringContaining(rights) });
    expect(() => open()).toThrow(forbidden);
    expect(() => open({ path: join(readOnlyFolder, "fiscald.sqlite") })).toThrow(forbidden);
    expect(() => openStateFile(join(readOnlyFolder, "state.json"))).toThrow(forbidden);
  } finally {
    process.seteuid?.(0);
  }
});
