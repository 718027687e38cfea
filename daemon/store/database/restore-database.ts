import { copyFileSync, existsSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { Fault, isFault } from "@fiscald/shared/fault.js";
import { storeReasons } from "../../messages/reasons/store-reasons.js";
import { takeDaemonLock } from "./daemon-lock.js";
import { markForgetful } from "./meta-store.js";
import { createFolder, newestVersion, versionOf } from "./open-database.js";
import { openSqliteFile } from "./sqlite-file.js";
import { guardStore, toStoreFault } from "./store-fault.js";

export interface RestoreOptions {
  /** The file may be damaged, or missing with its folder. */
  readonly path: string;
  readonly copy: string;
  readonly pid: number;
  readonly now: Date;
}

/**
 * Replaces the database by a copy and renames the replaced file. The copy lacks later prints, but the registers'
 * documents are compared with every job before the next print. Returns the new path of the replaced file; null = there
 * was none. Throws `store.locked`, `store.damaged`, `store.newer`.
 */
export function restoreDatabase({ path, copy, pid, now }: RestoreOptions): string | null {
  createFolder(dirname(path));
  const lock = takeDaemonLock(`${path}.lock`, { pid, since: now.toISOString() });
  const restoring = `${path}.restoring`;
  try {
    checkCopy(copy);
    const replaced = `${path}.before-restore-${now.toISOString().replaceAll(/[:.]/g, "-")}`;
    guardStore(() => copyFileSync(copy, restoring));
    noteRestored(restoring, now);
    const hadFile = existsSync(path);
    replaceFile({ path, replaced, restoring });
    lock.release(null);
    return hadFile ? replaced : null;
  } catch (error) {
    // A partial copy would keep a full disk full.
    rmSync(restoring, { force: true });
    lock.undo();
    throw error;
  }
}

/** Renames all files or none, because Windows renames no file that another program has open. */
export function replaceFile({ path, replaced, restoring }: Record<"path" | "replaced" | "restoring", string>): void {
  const renamed: string[] = [];
  try {
    // SQLite's log files are renamed with the replaced file, because SQLite would apply them to the copy.
    for (const suffix of ["", "-wal", "-shm"].filter((each) => existsSync(`${path}${each}`))) {
      renameSync(`${path}${suffix}`, `${replaced}${suffix}`);
      renamed.push(suffix);
    }
    renameSync(restoring, path);
  } catch (error) {
    for (const suffix of renamed) renameSync(`${replaced}${suffix}`, `${path}${suffix}`);
    const message = storeReasons.databaseOpen({ detail: toStoreFault(error).message });
    throw new Fault("store.locked", { message, place: path, cause: error });
  }
}

/** The note is written before the rename, because the first process that opens the copy must find the note. */
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

/** Throws `usage.wrong`, `store.damaged` or `store.newer`. */
export function checkCopy(copy: string): void {
  if (!existsSync(copy)) throw new Fault("usage.wrong", { message: storeReasons.noFile({ path: copy }), place: copy });
  try {
    const db = openSqliteFile(copy, { readonly: true });
    try {
      const answer = db.pragma("integrity_check", { simple: true });
      if (answer !== "ok") throw new Fault("store.damaged", { message: `${copy}: ${String(answer)}`, place: copy });
      const version = versionOf(db);
      if (version > newestVersion())
        throw new Fault("store.newer", { message: storeReasons.version({ path: copy, version }), place: copy });
      if (version === 0)
        throw new Fault("store.damaged", { message: storeReasons.noDatabase({ path: copy }), place: copy });
    } finally {
      db.close();
    }
  } catch (error) {
    if (isFault(error)) throw error;
    // SQLite's message has no file name. Without the path the reader would blame the daemon's own database.
    const { code, message } = toStoreFault(error);
    throw new Fault(code, { message: `${copy}: ${message}`, place: copy, cause: error });
  }
}
