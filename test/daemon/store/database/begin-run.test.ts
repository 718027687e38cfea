import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beginRun, lacksPrints, type RunFacts } from "@fiscald/daemon/store/database/begin-run.js";
import { createMetaStore, databaseMemory } from "@fiscald/daemon/store/database/meta-store.js";
import { openDatabase } from "@fiscald/daemon/store/database/open-database.js";
import { identityFileOf, rollbackDetectorOf } from "@fiscald/daemon/store/database/sidecar-files.js";
import { type Database, openSqliteFile } from "@fiscald/daemon/store/database/sqlite-file.js";
import { type Logger, silentLogger } from "@fiscald/shared/logger.js";
import { createFakeClock } from "../../../support/fake-clock.js";
import { leaveAsCrashed } from "../../../support/register-bench.js";
import { useTempFolder } from "../../../support/temp-folder.js";

const folder = useTempFolder();
let ids = 0;
const newId = () => `id-${++ids}`;
const path = () => join(folder(), "fiscald.sqlite");
const elsewhere = () => join(folder(), "other-pc", "fiscald.sqlite");
const highWater = () => rollbackDetectorOf(path());

interface Run {
  readonly attempts?: number;
  readonly ends?: "cleanly" | "by a power cut";
  readonly at?: string;
  readonly log?: Logger;
}

/** A daemon starts, makes attempts and ends. Returns whether its start found a data loss. */
function run({ attempts = 0, ends = "cleanly", at = path(), log = silentLogger }: Run = {}): boolean {
  const clock = createFakeClock();
  const database = openDatabase({ path: at, clock, log, pid: 1 });
  beginRun(database, { newId, clock, log });
  const memory = databaseMemory(createMetaStore(database.db), database);
  const isLoss = memory.isForgetful;
  memory.remembered();
  database.noteCrashHandled();
  for (let made = 0; made < attempts; made += 1) rollbackDetectorOf(at).write(addAttempt(database.db));
  database.close();
  if (ends === "by a power cut") leaveAsCrashed(at);
  return isLoss;
}

function addAttempt(db: Database): number {
  db.pragma("foreign_keys = OFF");
  const insert = db.prepare(
    "INSERT INTO attempts (job, part, parts, register, witness, baseline, fn, last_fd, shift, started_at) " +
      "VALUES (1, 0, 1, 'till-1', '{}', '{}', '9999078900000001', 1, 1, 1)",
  );
  return Number(insert.run().lastInsertRowid);
}

function copyFolder(from: string, to: string): void {
  mkdirSync(join(to, ".."), { recursive: true });
  for (const end of ["", ".lock", ".identity", ".last-attempt"]) copyFileSync(`${from}${end}`, `${to}${end}`);
}
/** Leaves files and database as a daemon without runs does. */
function asOfEarlierVersion(): void {
  const db = openSqliteFile(path());
  db.exec("DELETE FROM meta WHERE key IN ('database-id', 'run', 'run-before')");
  db.close();
  writeFileSync(`${path()}.identity`, '{"daemon":"d","issuers":{}}\n');
}

const powerCut = { attempts: 5, ends: "by a power cut" } as const;

type Step = () => unknown;
const ran = () => run({ attempts: 5 });
const wasCut = () => run(powerCut);
const numberIs = (last: number) => () => highWater().write(last);
const without =
  (...ends: readonly string[]) =>
  () => {
    for (const end of ends) rmSync(`${path()}${end}`);
  };
const copied = () => copyFileSync(path(), `${path()}.copy`);
const copyPutBack = () => copyFileSync(`${path()}.copy`, path());
const died = () => leaveAsCrashed(path());
const ranElsewhere = (attempts: number) => () => run({ attempts, at: elsewhere() });
const movedElsewhere = () => copyFolder(path(), elsewhere());
const databaseFromElsewhere = () => copyFileSync(elsewhere(), path());
function wasAttempted(): void {
  const db = openSqliteFile(path());
  highWater().write(addAttempt(db));
  db.close();
}
function wasCutTwiceBeforeTheIdentity(): void {
  const file = readFileSync(`${path()}.identity`);
  for (const _ of ["first", "second"]) {
    run({ ends: "by a power cut" });
    writeFileSync(`${path()}.identity`, file);
  }
}

test.each<readonly [string, boolean, readonly Step[]]>([
  ["a first installation", false, []],
  ["a clean stop", false, [ran]],
  ["a power cut that put the number of the last attempt back by four receipts", false, [wasCut, numberIs(1)]],
  ["a power cut that left the number's file empty", false, [wasCut, () => writeFileSync(`${path()}.last-attempt`, "")]],
  ["a power cut that left no file with the number", false, [wasCut, without(".last-attempt")]],
  [
    "a power cut in the first minutes of an installation, which left no file at all",
    false,
    [wasCut, without(".identity", ".last-attempt")],
  ],
  ["two power cuts, each before the identity file was written", false, [wasCut, wasCutTwiceBeforeTheIdentity]],
  ["a clean stop, after which the number's file was removed", true, [ran, without(".last-attempt")]],
  ["a clean stop, after which both files were removed", true, [ran, without(".identity", ".last-attempt")]],
  [
    "an older copy of the same run that was put back after a power cut",
    true,
    [ran, copied, wasAttempted, copyPutBack, died],
  ],
  [
    "a copy of an earlier run with more attempts than the file says",
    true,
    [ran, copied, () => run(), copyPutBack, numberIs(1), died],
  ],
  ["a deleted database", true, [ran, without("")]],
  [
    "a database that was deleted with both files, while its lock file is left",
    true,
    [ran, without("", ".identity", ".last-attempt")],
  ],
  ["a deleted database, its lock and its number", true, [ran, without("", ".lock", ".last-attempt")]],
  ["the replacement of the database by another shop's", true, [ranElsewhere(5), ran, databaseFromElsewhere]],
  [
    "a day on which a copy of the folder printed on another PC and only the copy's database came back",
    true,
    [ran, movedElsewhere, ranElsewhere(3), databaseFromElsewhere],
  ],
  [
    "a power cut of this PC, after which the database of a copy on another PC was put back",
    true,
    [ran, movedElsewhere, ranElsewhere(3), wasCut, databaseFromElsewhere],
  ],
  [
    "a folder that moved to another PC for a day and came back whole",
    false,
    [ran, movedElsewhere, ranElsewhere(3), () => copyFolder(elsewhere(), path())],
  ],
  ["the update from an earlier version", false, [ran, asOfEarlierVersion]],
  ["the update after a kill between an attempt and its number", false, [ran, asOfEarlierVersion, numberIs(4)]],
  ["the update of a database that was put in the place of an empty one", true, [ran, asOfEarlierVersion, numberIs(3)]],
  ["the update of a database without a number beside it", true, [ran, asOfEarlierVersion, without(".last-attempt")]],
])("a start of the daemon after %s assumes that the database lacks prints: %s", (_, isLoss, steps) => {
  for (const step of steps) step();
  expect(run({ ends: "by a power cut" })).toBe(isLoss);
  // The start has put the files right, also for a crash that follows.
  expect(run()).toBe(false);
});

test("a power cut after the update is judged by the daemon's run, and not only by the number of attempts", () => {
  run({ attempts: 5 });
  asOfEarlierVersion();
  run(powerCut);
  highWater().write(6);
  expect(run()).toBe(false);
});

test("a start that is killed after it committed a data loss keeps the loss in the database, whatever the files say", () => {
  run({ attempts: 5 });
  highWater().write(9);
  const clock = createFakeClock();
  const database = openDatabase({ path: path(), clock, log: silentLogger, pid: 1 });
  mkdirSync(`${path()}.identity.part`);
  expect(() => beginRun(database, { newId, clock, log: silentLogger })).toThrow(
    expect.objectContaining({ code: "store.failed" }),
  );
  expect(highWater().read()).toBe(9);
  database.close();
  rmSync(`${path()}.identity.part`, { recursive: true });
  leaveAsCrashed(path());
  expect(run()).toBe(true);
});

test("a start on a database with fewer attempts than the file beside it says logs an error", () => {
  const said: string[] = [];
  const log = { ...silentLogger, error: (message: string) => void said.push(message) };
  run({ attempts: 1, log });
  expect(said).toEqual([]);
  highWater().write(2);
  expect(run({ log })).toBe(true);
  expect(said).toEqual(["the database lacks earlier prints: it was deleted or replaced by an older copy"]);
});

test("a start writes the database's id and its own run to the identity file, and keeps what else is in the file", () => {
  run();
  identityFileOf(path()).update({ daemon: "d", issuers: { shop: ["aaaaaaaa"] } });
  const first = identityFileOf(path()).read();
  run();
  const second = identityFileOf(path()).read();
  expect(second).toEqual({ ...first, run: second.run });
  expect(second.run).not.toBe(first.run);
  expect(existsSync(`${path()}.identity.part`)).toBe(false);
});

test("an identity file that names the run before the last one means no data loss after a crash, and a loss after a clean stop", () => {
  const facts: RunFacts = {
    afterCrash: true,
    database: { id: "d", run: "2", runBefore: "1" },
    lastAttempt: 5,
    file: { daemon: "x", database: "d", run: "0" },
    highWater: 5,
  };
  expect(lacksPrints(facts)).toBe(true);
  expect(lacksPrints({ ...facts, file: { ...facts.file, run: "1" } })).toBe(false);
  expect(lacksPrints({ ...facts, file: { ...facts.file, run: "1" }, afterCrash: false })).toBe(true);
});

test("a start that cannot write the identity file does not make the next start find a data loss", () => {
  run({ attempts: 1 });
  mkdirSync(`${path()}.identity.part`);
  const database = openDatabase({ path: path(), clock: createFakeClock(), log: silentLogger, pid: 1 });
  expect(() => beginRun(database, { newId, clock: createFakeClock(), log: silentLogger })).toThrow(
    expect.objectContaining({ area: "store" }),
  );
  database.close();
  rmSync(`${path()}.identity.part`, { recursive: true });
  expect(run()).toBe(false);
});
