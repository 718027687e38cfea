import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Clock, Timer } from "@fiscald/shared/clock.js";
import type { Logger } from "@fiscald/shared/logger.js";
import { checkInBackground } from "./check-integrity.js";
import type { Database } from "./sqlite-file.js";
import { toStoreFault } from "./store-fault.js";

interface Purged {
  purge(until: number, limit: number): number;
}

export interface NightlyMaintenanceOptions {
  readonly db: Database;
  readonly rawOrders: Purged;
  readonly checks: Purged;
  readonly clock: Clock;
  readonly log: Logger;
}

export type NightlyMaintenance = ReturnType<typeof createNightlyMaintenance>;

/** For nightly copies and for copies made by hand. With years of history a copy is larger than a gigabyte. */
const copiesKept = 3;
const hourOfCopy = 3;
const oneDayMs = 86_400_000;
const rawTextDays = 90;
const textsPerStep = 100;
const nightName = /^fiscald-\d{4}-\d\d-\d\d\.sqlite$/;
/** A copy made by hand has the time in its name, because a person in trouble also needs the earlier copy. */
const handName = /^fiscald-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.sqlite$/;
/** Suffixes of the files that SQLite writes beside a copy while it is made or checked. */
const besidePart = ["-journal", "-wal", "-shm"];

/**
 * Each night the database is copied into the folder `backup`, and the copy is checked. Old texts are removed: settled
 * orders, and what was sent for documents that were never compared. After a night off, the next start does this.
 */
export function createNightlyMaintenance({ db, rawOrders, checks, clock, log }: NightlyMaintenanceOptions) {
  const folder = backupFolder(db.name);
  let timer: Timer | null = null;
  let purging: Timer | null = null;
  /** The last copy, done or under way. This promise never rejects. */
  let copying: Promise<unknown> = Promise.resolve();

  function copyNext(kind: "night" | "hand"): Promise<string> {
    const copied = copying.then(() => copy(kind));
    copying = copied.catch(() => {});
    return copied;
  }

  async function copy(kind: "night" | "hand"): Promise<string> {
    const startedAt = clock.monotonic();
    const now = new Date(clock.now()).toISOString();
    const name = kind === "night" ? now.slice(0, 10) : `${now.slice(0, 19).replaceAll(":", "-")}Z`;
    const path = join(folder, `fiscald-${name}.sqlite`);
    try {
      mkdirSync(folder, { recursive: true });
      // An unfinished copy always has this name, so that the next copy replaces it: it may be as large as the database.
      const part = join(folder, "fiscald.part");
      for (const end of ["", ...besidePart]) rmSync(`${part}${end}`, { force: true });
      await db.backup(part);
      await checkCopy(part);
      for (const end of besidePart) rmSync(`${part}${end}`, { force: true });
      renameSync(part, path);
      // The new copy is never removed, because a wrong clock may make it seem the oldest.
      const others = filesNamed(kind === "night" ? nightName : handName, folder).filter((other) => other !== path);
      for (const old of others.slice(copiesKept - 1)) rmSync(old);
      log.info("database copied", { path, ms: Math.round(clock.monotonic() - startedAt) });
      return path;
    } catch (error) {
      const fault = toStoreFault(error, path);
      log.error("database could not be copied", { path, fault });
      throw fault;
    }
  }

  /** Removes few texts in each step, so that receipts are printed between the steps. */
  function purge(removed = 0): void {
    try {
      const until = clock.now() - rawTextDays * oneDayMs;
      const count = rawOrders.purge(until, textsPerStep) + checks.purge(until, textsPerStep);
      if (count > 0) purging = clock.setTimer(0, () => purge(removed + count));
      else if (removed > 0) log.info("old order texts removed", { count: removed });
    } catch (error) {
      log.error("old order texts could not be removed", { fault: toStoreFault(error) });
    }
  }

  function schedule(ms: number): void {
    timer = clock.setTimer(ms, () => {
      // A failed copy is in the log already.
      copyNext("night").catch(() => {});
      purge();
      schedule(msUntilNextNight(clock.now()));
    });
  }

  return {
    start(): void {
      const now = clock.now();
      const madeAt = listCopies(folder).map((copy) => statSync(copy).mtimeMs);
      const hasMissedNight = !madeAt.some((at) => at >= lastDueAt(now) && at <= now);
      schedule(hasMissedNight ? 0 : msUntilNextNight(now));
    },
    /** Returns the path of the copy. No nightly copy is replaced. */
    copyNow: () => copyNext("hand"),
    async stop(): Promise<void> {
      timer?.cancel();
      purging?.cancel();
      await copying;
    },
  };
}

export function backupFolder(databasePath: string): string {
  return join(dirname(databasePath), "backup");
}

export function listCopies(folder: string): readonly string[] {
  return filesNamed(nightName, folder);
}

/** The copy of a damaged database must not displace a good copy. */
async function checkCopy(part: string): Promise<void> {
  const check = checkInBackground(part);
  const result = await check.whole;
  await check.stop();
  if (result !== "intact") throw result;
}

function filesNamed(pattern: RegExp, folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => pattern.test(name))
      .sort()
      .reverse()
      .map((name) => join(folder, name));
  } catch {
    // The folder does not exist before the first copy.
    return [];
  }
}

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
