import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Clock, Timer } from "@fiscald/shared/clock.js";
import type { Logger } from "@fiscald/shared/logger.js";
import type { RawOrders } from "../raw-orders.js";
import type { Database } from "./sqlite-file.js";
import { toStoreFault } from "./store-fault.js";

export interface NightlyMaintenanceOptions {
  readonly db: Database;
  readonly rawOrders: Pick<RawOrders, "purge">;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface NightlyMaintenance {
  start(): void;
  /** Copies the database now; answers the path of the copy, which replaces that of the same day. */
  copyNow(): Promise<string>;
  /** Waits for a copy that is being written. */
  stop(): Promise<void>;
}

/** Enough for a weekend. With years of history each copy is larger than a gigabyte. */
const copiesKept = 3;
/** Hour of the day, local time. */
const hourOfCopy = 3;
const oneDayMs = 86_400_000;
const rawTextDays = 90;
const textsPerStep = 100;
const copyName = /^fiscald-\d{4}-\d\d-\d\d\.sqlite$/;

/**
 * Each night the database is copied with SQLite's backup into the folder `backup` beside it, and the texts of old
 * settled orders are removed. The last three copies are kept. If the machine was off at night, this is done at the next
 * start.
 */
export function createNightlyMaintenance({ db, rawOrders, clock, log }: NightlyMaintenanceOptions): NightlyMaintenance {
  const folder = backupFolder(db.name);
  let timer: Timer | null = null;
  let purging: Timer | null = null;
  /** Settled, or that of the copy in hand. It never rejects. */
  let copying: Promise<unknown> = Promise.resolve();

  function copyNow(): Promise<string> {
    const copied = copying.then(copy);
    copying = copied.catch(() => {});
    return copied;
  }

  async function copy(): Promise<string> {
    const startedAt = clock.monotonic();
    const path = join(folder, `fiscald-${new Date(clock.now()).toISOString().slice(0, 10)}.sqlite`);
    try {
      mkdirSync(folder, { recursive: true });
      await db.backup(`${path}.part`);
      renameSync(`${path}.part`, path);
      for (const old of listCopies(folder).slice(copiesKept)) rmSync(old);
      log.info("database copied", { path, ms: Math.round(clock.monotonic() - startedAt) });
      return path;
    } catch (error) {
      const fault = toStoreFault(error, path);
      log.error("database could not be copied", { path, fault });
      throw fault;
    }
  }

  /** Removes a limited number of texts in each step, so that receipts are printed between the steps. */
  function purge(removed = 0): void {
    try {
      const count = rawOrders.purge(clock.now() - rawTextDays * oneDayMs, textsPerStep);
      if (count > 0) purging = clock.setTimer(0, () => purge(removed + count));
      else if (removed > 0) log.info("old order texts removed", { count: removed });
    } catch (error) {
      log.error("old order texts could not be removed", { fault: toStoreFault(error) });
    }
  }

  function schedule(ms: number): void {
    timer = clock.setTimer(ms, () => {
      // A copy that failed is in the log.
      copyNow().catch(() => {});
      purge();
      schedule(msUntilNextNight(clock.now()));
    });
  }

  return {
    start() {
      const newest = listCopies(folder)[0];
      const hasMissedNight = newest === undefined || lastDueAt(clock.now()) > statSync(newest).mtimeMs;
      schedule(hasMissedNight ? 0 : msUntilNextNight(clock.now()));
    },
    copyNow,
    async stop() {
      timer?.cancel();
      purging?.cancel();
      await copying;
    },
  };
}

export function backupFolder(databasePath: string): string {
  return join(dirname(databasePath), "backup");
}

/** Newest first. */
export function listCopies(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => copyName.test(name))
      .sort()
      .reverse()
      .map((name) => join(folder, name));
  } catch {
    // The folder does not exist before the first copy.
    return [];
  }
}

/** The time at which the last copy was due. */
function lastDueAt(now: number): number {
  const last = new Date(now);
  last.setHours(hourOfCopy, 0, 0, 0);
  if (last.getTime() > now) last.setDate(last.getDate() - 1);
  return last.getTime();
}

function msUntilNextNight(now: number): number {
  const next = new Date(now);
  next.setHours(hourOfCopy, 0, 0, 0);
  if (next.getTime() <= now) next.setDate(next.getDate() + 1);
  return next.getTime() - now;
}
