import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, copyFileSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkWholeDatabase } from "@fiscald/daemon/store/database/check-integrity.js";
import { createMetaStore, forgetfulDatabase } from "@fiscald/daemon/store/database/meta-store.js";
import {
  type OpenedDatabase,
  type OwnedDatabase,
  openDatabase,
  openDatabaseForReading,
} from "@fiscald/daemon/store/database/open-database.js";
import { highWaterOf } from "@fiscald/daemon/store/database/rollback-detector.js";
import { openSqliteFile } from "@fiscald/daemon/store/database/sqlite-file.js";
import { openStateFile } from "@fiscald/drivers/emulator/state-file.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { createFakeClock } from "../../../support/fake-clock.js";
import { useTempFolder } from "../../../support/temp-folder.js";

const folder = useTempFolder();
const opened: OpenedDatabase[] = [];
let holder: ChildProcess | null = null;
const path = () => join(folder(), "data", "fiscald.sqlite");

function open(rest: Partial<Parameters<typeof openDatabase>[0]> = {}): OwnedDatabase {
  const database = openDatabase({ path: path(), clock: createFakeClock(), log: silentLogger, pid: 4711, ...rest });
  opened.push(database);
  return database;
}

afterEach(() => {
  for (const database of opened.splice(0)) database.close();
  holder?.kill("SIGKILL");
});

test("a new database has its folder, its tables, and commits that survive a power cut", () => {
  const { db } = open();
  expect(db.pragma("synchronous", { simple: true })).toBe(2);
  expect(db.pragma("journal_mode", { simple: true })).toBe("wal");
  expect(db.pragma("foreign_keys", { simple: true })).toBe(1);
  expect(db.prepare("SELECT count(*) AS n FROM jobs").get()).toEqual({ n: 0 });
});

test("a reopened database is still at synchronous = FULL and keeps what it had", () => {
  open().db.prepare("INSERT INTO meta VALUES ('a', 'b')").run();
  opened.pop()?.close();
  const { db } = open();
  expect(db.pragma("synchronous", { simple: true })).toBe(2);
  expect(db.prepare("SELECT value FROM meta").get()).toEqual({ value: "b" });
});

test("a second daemon is refused and told who holds the database and since when", () => {
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

describe("a lock file that is deleted while its daemon runs", () => {
  const removeLock = () => {
    for (const suffix of [".lock", ".lock-wal", ".lock-shm"]) rmSync(`${path()}${suffix}`, { force: true });
  };

  test("keeps every second daemon out, with the reason, until the first one ends", () => {
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

  test("keeps a second process out", async () => {
    open();
    opened.pop()?.close();
    const child = holdDatabase(path());
    holder = child;
    await once(child.stdout ?? child, "data");
    removeLock();
    expect(() => open()).toThrow(expect.objectContaining({ code: "store.locked" }));
    child.kill("SIGKILL");
    await once(child, "exit");
    open();
  }, 20_000);

  test("is no trouble once no daemon runs", () => {
    open();
    opened.pop()?.close();
    removeLock();
    expect(open().hasLock()).toBe(true);
  });
});

test("a lock is free again when its process was killed, and the database is to be checked whole then", async () => {
  const child = holdLock(path());
  holder = child;
  const [line] = await once(child.stdout ?? child, "data");
  expect(String(line)).toContain("held");
  expect(() => open()).toThrow(
    expect.objectContaining({ code: "store.locked", details: { pid: child.pid, since: "then" } }),
  );
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(open().afterCrash).toBe(true);
});

test("after a clean end nothing is checked", () => {
  open();
  opened.pop()?.close();
  expect(open().afterCrash).toBe(false);
});

test("a database of a newer version is refused and left alone", () => {
  open().db.pragma("user_version = 99");
  opened.pop()?.close();
  expect(() => open()).toThrow(expect.objectContaining({ code: "store.newer" }));
  expect(() => openDatabaseForReading(path())).toThrow(expect.objectContaining({ code: "store.newer" }));
});

test("a file that is no database is store.damaged, and the lock is free again", () => {
  open();
  opened.pop()?.close();
  const whole = readFileSync(path());
  writeFileSync(path(), Buffer.alloc(8192, 0x55));
  expect(() => open()).toThrow(expect.objectContaining({ code: "store.damaged" }));
  writeFileSync(path(), whole);
  open();
});

/** Writes over pages at the end of the file, and makes it look like a file whose daemon was killed. */
function damage(): void {
  const bytes = readFileSync(path());
  bytes.fill(0x55, bytes.length - 40_000, bytes.length - 20_000);
  writeFileSync(path(), bytes);
  const lock = openSqliteFile(`${path()}.lock`);
  lock.prepare("UPDATE holder SET released = 0").run();
  lock.close();
}

test("damage to a table that recovery starts from is found at the start after an unclean end", () => {
  const { db } = open();
  const insert = db.prepare("INSERT INTO meta VALUES (?, ?)");
  for (let index = 0; index < 2000; index += 1) insert.run(`key ${index}`, "x".repeat(100));
  opened.pop()?.close();
  damage();
  expect(() => open()).toThrow(expect.objectContaining({ code: "store.damaged" }));
});

test("damage elsewhere is found by the check that runs beside the daemon", async () => {
  const { db } = open();
  const insert = db.prepare(
    "INSERT INTO orders_raw (site, polled_kkm, received_at, hash, body) VALUES ('s', '1', 0, 'h', ?)",
  );
  const text = "x".repeat(100);
  for (let index = 0; index < 2000; index += 1) insert.run(text);
  opened.pop()?.close();
  const whole = checkWholeDatabase(path());
  expect(await whole.fault).toBeNull();
  damage();
  open();
  const check = checkWholeDatabase(path());
  expect(await check.fault).toMatchObject({ code: "store.damaged", place: path() });
  await check.stop();
});

test.each([
  ["NFS", 0x6969],
  ["CIFS, as a negative number", 0xff534d42 | 0],
  ["9P", 0x01021997],
])("a folder on %s is refused", (_name, type) => {
  expect(() => open({ fileSystemType: () => type })).toThrow(
    expect.objectContaining({ code: "store.network-file-system" }),
  );
});

test("a reader works beside the daemon and cannot write", () => {
  open().db.prepare("INSERT INTO meta VALUES ('a', 'b')").run();
  const reader = openDatabaseForReading(path());
  expect(reader.db.prepare("SELECT value FROM meta").get()).toEqual({ value: "b" });
  expect(() => reader.db.prepare("DELETE FROM meta").run()).toThrow("readonly");
  reader.close();
});

test("a reader says so when the daemon has never run", () => {
  expect(() => openDatabaseForReading(path())).toThrow("has not run yet");
});

function holdDatabase(database: string): ChildProcess {
  return runScript(
    database,
    `
    const { openDatabase } = await import("@fiscald/daemon/store/database/open-database.js");
    const { systemClock } = await import("@fiscald/shared/clock.js");
    const { silentLogger } = await import("@fiscald/shared/logger.js");
    globalThis.held = openDatabase({ path: process.argv[1], clock: systemClock, log: silentLogger, pid: process.pid });
    console.log("held");
    setInterval(() => {}, 1000);`,
  );
}

function holdLock(database: string): ChildProcess {
  const script = `
    const { mkdirSync } = await import("node:fs");
    const { dirname } = await import("node:path");
    const { takeDaemonLock } = await import("@fiscald/daemon/store/database/daemon-lock.js");
    mkdirSync(dirname(process.argv[1]), { recursive: true });
    // Kept, or the garbage collector closes its file.
    globalThis.lock = takeDaemonLock(process.argv[1] + ".lock", { pid: process.pid, since: "then" });
    console.log("held");
    setInterval(() => {}, 1000);`;
  return runScript(database, script);
}

function runScript(database: string, script: string): ChildProcess {
  return spawn(process.execPath, ["--input-type=module", "-e", script, database], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}

describe("a database remembers all", () => {
  const reopened = (prepare: (path: string) => void = () => {}) => {
    const first = open();
    first.noteAllAsked();
    first.close();
    prepare(path());
    const { remembersAll, close } = open();
    close();
    return remembersAll;
  };

  test("when it is the very file that was closed after its registers were asked", () => {
    expect(reopened()).toBe(true);
  });
  test("over any number of clean ends", () => {
    reopened();
    const { remembersAll, close } = open();
    close();
    expect(remembersAll).toBe(true);
  });
  test("not when it is new", () => {
    const { remembersAll, close } = open();
    close();
    expect(remembersAll).toBe(false);
  });
  test("not when another file was put in its place, and not at the start after that either", () => {
    const replace = (file: string) => {
      copyFileSync(file, `${file}.copy`);
      renameSync(`${file}.copy`, file);
    };
    expect(reopened(replace)).toBe(false);
    const { remembersAll, close } = open();
    close();
    expect(remembersAll).toBe(false);
  });
  test("not when it was written over with an older self", () => {
    expect(reopened((file) => writeFileSync(file, readFileSync(file)))).toBe(false);
  });
});

test("a database that was put back by hand knows that it is forgetful: an attempt is on record beside it", () => {
  const said: string[] = [];
  const log = { ...silentLogger, error: (message: string) => void said.push(message) };
  const isForgetful = () => forgetfulDatabase(createMetaStore(open({ log }).db)).isForgetful;
  expect(isForgetful()).toBe(false);
  opened.pop()?.close();
  highWaterOf(path()).raise(1);
  expect(isForgetful()).toBe(true);
  expect(said).toEqual(["the database has forgotten what was printed: it was deleted, or put back from a copy"]);
});

test("the number of the last attempt is written over, never emptied first: a kill in between leaves one of the two", () => {
  open();
  const mark = highWaterOf(path());
  mark.raise(123_456);
  const before = statSync(`${path()}.last-attempt`);
  mark.raise(7);
  expect(mark.read()).toBe(7);
  const after = statSync(`${path()}.last-attempt`);
  expect([after.ino, after.size]).toEqual([before.ino, before.size]);
});

// Root may write everywhere: the test steps down for a moment.
const asRoot = process.getuid?.() === 0 ? test : test.skip;
asRoot("a folder that this user cannot write is named with its rights, its owner and the user", () => {
  const place = folder();
  chmodSync(place, 0o755);
  process.seteuid?.(65_534);
  try {
    const rights = `folder ${place}: rights 0755, owner 0:0; this process is user 65534:`;
    const forbidden = expect.objectContaining({ code: "store.forbidden", message: expect.stringContaining(rights) });
    expect(() => open()).toThrow(forbidden);
    expect(() => open({ path: join(place, "fiscald.sqlite") })).toThrow(forbidden);
    expect(() => openStateFile(join(place, "state.json"))).toThrow(forbidden);
  } finally {
    process.seteuid?.(0);
  }
});
