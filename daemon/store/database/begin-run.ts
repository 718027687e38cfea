/**
 * Each start of a daemon is a run with a random id, which is committed in the database and then written to the identity
 * file. The next start compares both ids. So a database that lacks prints (deleted, an older copy, another shop's, used
 * on another PC) is told from a database whose side files were put back by a power cut. The database is flushed at each
 * commit, the identity file once a start, the number of the last attempt never: after a power cut this number may be
 * too low, empty or missing.
 */
import type { Clock } from "@fiscald/shared/clock.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { Logger } from "@fiscald/shared/logger.js";
import { timeForPeople } from "../../logging/line-format.js";
import { storeReasons } from "../../messages/reasons/store-reasons.js";
import { createMetaStore, markForgetful } from "./meta-store.js";
import type { OwnedDatabase } from "./open-database.js";
import { type Identity, identityFileOf, lastAttempt, rollbackDetectorOf } from "./sidecar-files.js";
import { guardStore } from "./store-fault.js";

/** What the database and its side files say at a start, before this start has changed any of them. */
export interface RunFacts {
  readonly afterCrash: boolean;
  /** `runBefore`: the run in the identity file when `run` began. All null: no such daemon used the database. */
  readonly database: { readonly id: string | null; readonly run: string | null; readonly runBefore: string | null };
  readonly lastAttempt: number;
  readonly file: Pick<Identity, "daemon" | "database" | "run">;
  /** The number in the file of the last attempt; null = the file is missing or empty. */
  readonly highWater: number | null;
}

export function lacksPrints({ afterCrash, database, lastAttempt: last, file, highWater }: RunFacts): boolean {
  if (highWater !== null && highWater > last) return true;
  if (file.run !== null) {
    if (file.database !== database.id) return true;
    // A kill between the commit of the run and the write of the file leaves the earlier run in the file.
    if (file.run !== database.run) return !afterCrash || file.run !== database.runBefore;
    return highWater === null && !afterCrash;
  }
  const isMissing = file.daemon === null;
  if (isMissing && database.id !== null) return !afterCrash;
  // The files are of an earlier version. A kill between an attempt and its number leaves the database one ahead.
  return highWater === null ? last > 0 : last > highWater + 1;
}

export interface BeginRunOptions {
  readonly newId: () => string;
  readonly clock: Pick<Clock, "now">;
  readonly log: Logger;
}

/** Returns the id of the run. Throws `store.*`; `store.moved` when this copy was exported to another computer. */
export function beginRun(
  { db, afterCrash, wasDeleted }: Pick<OwnedDatabase, "db" | "afterCrash" | "wasDeleted">,
  { newId, clock, log }: BeginRunOptions,
): string {
  const meta = createMetaStore(db);
  const identity = identityFileOf(db.name);
  const detector = rollbackDetectorOf(db.name);
  const file = identity.read();
  if (file.moved !== null) {
    throw new Fault("store.moved", {
      message: storeReasons.movedTo({ path: file.moved.to, at: timeForPeople(Date.parse(file.moved.at)) }),
      place: db.name,
    });
  }
  const highWater = detector.read();
  const last = guardStore(() => lastAttempt(db));
  const known = { id: meta.get("database-id"), run: meta.get("run"), runBefore: meta.get("run-before") };
  const id = known.id ?? newId();
  const run = newId();
  const isLoss = wasDeleted || lacksPrints({ afterCrash, database: known, lastAttempt: last, file, highWater });
  // The commit comes before any file is changed, because a kill in between must not hide the data loss.
  const commit = db.transaction(() => {
    if (isLoss) markForgetful(db, new Date(clock.now()).toISOString());
    meta.set("database-id", id);
    meta.set("run", run);
    if (file.run === null) meta.remove("run-before");
    else meta.set("run-before", file.run);
  });
  const putBack = db.transaction(() => {
    for (const [key, value] of [
      ["run", known.run],
      ["run-before", known.runBefore],
      ["database-id", known.id],
    ] as const) {
      if (value === null) meta.remove(key);
      else meta.set(key, value);
    }
  });
  guardStore(() => commit.immediate());
  if (isLoss) {
    log.error("the database lacks earlier prints: it was deleted or replaced by an older copy", { path: db.name });
  }
  try {
    identity.update({ database: id, run });
  } catch (error) {
    // The file still names the earlier run. Without this the next start would see a data loss.
    guardStore(() => putBack.immediate());
    throw error;
  }
  if (highWater !== last) detector.write(last);
  return run;
}
