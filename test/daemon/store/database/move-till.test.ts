import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beginRun } from "@fiscald/daemon/store/database/begin-run.js";
import { createMetaStore, databaseMemory } from "@fiscald/daemon/store/database/meta-store.js";
import { filesOfPack, fileText, packTill, unpackTill } from "@fiscald/daemon/store/database/move-till.js";
import { openDatabase } from "@fiscald/daemon/store/database/open-database.js";
import { identityFileOf, rollbackDetectorOf } from "@fiscald/daemon/store/database/sidecar-files.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { createFakeClock } from "../../../support/fake-clock.js";
import { useTempFolder } from "../../../support/temp-folder.js";

const folder = useTempFolder();
const clock = createFakeClock();
const at = (...names: readonly string[]) => join(folder(), ...names);
const now = new Date("2026-11-20T12:00:00Z");

/** One start and clean end of a daemon there. Returns whether the start found a data loss. */
function start(place: string): boolean {
  const database = openDatabase({ path: at(place, "db.sqlite"), clock, log: silentLogger, pid: 1 });
  try {
    beginRun(database, { newId: randomUUID, clock, log: silentLogger });
    return databaseMemory(createMetaStore(database.db), database).isForgetful;
  } finally {
    database.close();
  }
}

function pack(place: string, target = at("till.sqlite")): void {
  const { db, close } = openDatabase({ path: at(place, "db.sqlite"), clock, log: silentLogger, pid: 1 });
  packTill(db, target, new Map([["config", Buffer.from("{}")]]));
  close();
}

function unpack(place: string, over: { readonly isLost?: boolean; readonly place?: () => void } = {}): string | null {
  const path = at(place, "db.sqlite");
  return unpackTill({ pack: at("till.sqlite"), path, now, host: "pc", isLost: false, place: () => {}, ...over });
}

test("a daemon that starts on an imported till is the next run of the exported daemon, and finds no data loss", () => {
  expect(start("old")).toBe(false);
  const { daemon, database } = identityFileOf(at("old/db.sqlite")).read();
  pack("old");
  expect(statSync(at("till.sqlite")).mode & 0o777).toBe(0o600);
  expect(fileText(filesOfPack(at("till.sqlite")), "config")).toBe("{}");
  expect(unpack("new")).toBeNull();
  expect(identityFileOf(at("new/db.sqlite")).read()).toMatchObject({ daemon, database, moved: null });
  expect(start("new")).toBe(false);
  expect(start("new")).toBe(false);
});

test("a second import of one exported file is refused unless it has isLost, which makes the next start one after a data loss", () => {
  start("old");
  pack("old");
  unpack("new");
  expect(() => unpack("third")).toThrow(/was imported at 2026-11-20 .* on pc already/);
  expect(existsSync(at("third/db.sqlite"))).toBe(false);
  unpack("third", { isLost: true });
  expect(start("third")).toBe(true);
});

test("an import that could not write its other files leaves the export unused and may be repeated", () => {
  start("old");
  pack("old");
  const fail = () => {
    throw new Error("the config cannot be written");
  };
  expect(() => unpack("new", { place: fail })).toThrow("cannot be written");
  expect(() => start("new")).toThrow(expect.objectContaining({ code: "store.moved" }));
  expect(unpack("new")).toMatch(/before-import-/);
  expect(start("new")).toBe(false);
});

test("an import over a till that has started since its export is refused, and an import over an exported till replaces it", () => {
  start("old");
  pack("old");
  start("other");
  expect(() => unpack("other")).toThrow(/another till has its database here/);
  identityFileOf(at("old/db.sqlite")).update({ moved: { at: now.toISOString(), to: "till.sqlite" } });
  expect(unpack("old")).toBe(at("old/db.sqlite.before-import-2026-11-20T12-00-00-000Z"));
  expect(start("old")).toBe(false);
});

test("an import of an earlier export over a till that has printed since makes the next start one after a data loss", () => {
  start("old");
  pack("old");
  const path = at("old/db.sqlite");
  rollbackDetectorOf(path).write(7);
  identityFileOf(path).update({ moved: { at: now.toISOString(), to: "till.sqlite" } });
  unpack("old");
  expect(start("old")).toBe(true);
});

test("a till whose database lacks prints still lacks them after an export and import", () => {
  start("old");
  rollbackDetectorOf(at("old/db.sqlite")).write(7);
  pack("old");
  unpack("new");
  expect(start("new")).toBe(true);
});

test("a daemon on an exported till does not start, and its database and identity stay as they were", () => {
  start("old");
  const identity = identityFileOf(at("old/db.sqlite"));
  identity.update({ moved: { at: now.toISOString(), to: "/media/till.sqlite" } });
  const before = identity.read();
  expect(() => start("old")).toThrow(expect.objectContaining({ code: "store.moved" }));
  expect(identity.read()).toEqual(before);
});

test("an export overwrites no file, and a SQLite file that is no export is refused at the import", () => {
  start("old");
  writeFileSync(at("till.sqlite"), "mine");
  expect(() => pack("old")).toThrow(/EEXIST/);
  mkdirSync(at("new"));
  expect(() => filesOfPack(at("old/db.sqlite"))).toThrow(/was not written by `fiscald export`/);
});
