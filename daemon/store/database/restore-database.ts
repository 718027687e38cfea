import { copyFileSync, existsSync, renameSync } from "node:fs";
import { Fault, isFault } from "@fiscald/shared/fault.js";
import { takeDaemonLock } from "./daemon-lock.js";
import { markForgetful } from "./meta-store.js";
import { migrations } from "./migrations.js";
import { openSqliteFile } from "./sqlite-file.js";
import { guardStore, toStoreFault } from "./store-fault.js";

export interface RestoreOptions {
  /** The daemon's database; it may be damaged or gone. */
  readonly path: string;
  /** A nightly copy, or any whole database of this program. */
  readonly copy: string;
  readonly pid: number;
  readonly now: Date;
}

/**
 * Puts a copy in the database's place; the present file is kept beside it. Safe although the copy has forgotten what was
 * printed since: the gap check compares the registers' documents with every job before anything is printed again.
 * Returns where the present file went, null when there was none. Faults: `store.locked`, `store.damaged`, `store.newer`.
 */
export function restoreDatabase({ path, copy, pid, now }: RestoreOptions): string | null {
  const lock = takeDaemonLock(`${path}.lock`, { pid, since: now.toISOString() });
  try {
    checkCopy(copy);
    const kept = `${path}.before-restore-${now.toISOString().replaceAll(/[:.]/g, "-")}`;
    const fresh = `${path}.restoring`;
    copyFileSync(copy, fresh);
    noteRestored(fresh, now);
    const hadOne = existsSync(path);
    // The log files belong to the file that they lie beside: without it they would be taken for the copy's.
    for (const suffix of ["", "-wal", "-shm"]) {
      if (existsSync(`${path}${suffix}`)) renameSync(`${path}${suffix}`, `${kept}${suffix}`);
    }
    renameSync(fresh, path);
    return hadOne ? kept : null;
  } finally {
    lock.release(null);
  }
}

/** Inside the copy, before it is in place: whoever opens it first must know. */
function noteRestored(file: string, now: Date): void {
  guardStore(() => {
    const db = openSqliteFile(file);
    try {
      markForgetful(db, now.toISOString());
    } finally {
      db.close();
    }
  });
}

function checkCopy(copy: string): void {
  if (!existsSync(copy)) throw new Fault("usage.wrong", { message: `there is no file ${copy}`, place: copy });
  try {
    const db = openSqliteFile(copy, { readonly: true });
    try {
      const answer = db.pragma("integrity_check", { simple: true });
      if (answer !== "ok") throw new Fault("store.damaged", { message: `${copy}: ${String(answer)}`, place: copy });
      const version = Number(db.pragma("user_version", { simple: true }));
      const newest = Math.max(...migrations.map((migration) => migration.version));
      if (version > newest) throw new Fault("store.newer", { message: `${copy} has version ${version}`, place: copy });
      if (version === 0) throw new Fault("store.damaged", { message: `${copy} is no database of ours`, place: copy });
    } finally {
      db.close();
    }
  } catch (error) {
    if (isFault(error)) throw error;
    // SQLite's words name no file: they would be taken for those of the daemon's own database.
    const { code, message } = toStoreFault(error);
    throw new Fault(code, { message: `${copy}: ${message}`, place: copy, cause: error });
  }
}
