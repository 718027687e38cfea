/**
 * A till moves to another computer in one file: a copy of its database with a table of the files beside the database.
 * The identity moves as well, so that the next start there is the next run of the same daemon (begin-run.ts): nothing
 * was lost, and sites know the daemon. The file cannot say whether another copy has printed since. Therefore the lock
 * of the new place is new, and a document that the database cannot explain counts as after an unclean end.
 */
import { chmodSync, closeSync, copyFileSync, existsSync, openSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { Fault } from "@fiscald/shared/fault.js";
import { flushFolder } from "@fiscald/shared/files/flushed-file.js";
import { z } from "zod";
import { timeForPeople } from "../../logging/line-format.js";
import { storeReasons } from "../../messages/reasons/store-reasons.js";
import { takeDaemonLock } from "./daemon-lock.js";
import { markForgetful } from "./meta-store.js";
import { createFolder } from "./open-database.js";
import { checkCopy, replaceFile } from "./restore-database.js";
import { identityFileOf, lastAttempt, parseIdentity, rollbackDetectorOf } from "./sidecar-files.js";
import { type Database, openSqliteFile } from "./sqlite-file.js";
import { guardStore } from "./store-fault.js";

export type TillFiles = ReadonlyMap<string, Uint8Array>;

const rowSchema = z.object({ name: z.string(), data: z.instanceof(Uint8Array) });
const IDENTITY = "identity";
const LAST_ATTEMPT = "last-attempt";
const IMPORTED = "imported";
const importedSchema = z.object({ at: z.string(), host: z.string() });

/** Creates a file that only this user may read. Throws `store.*`. */
export function packTill(db: Database, target: string, files: TillFiles): void {
  guardStore(() => {
    // The new file is closed to other users before the first byte of a secret is in it.
    closeSync(openSync(target, "wx", 0o600));
    db.prepare("VACUUM INTO ?").run(target);
    const pack = openSqliteFile(target);
    try {
      pack.pragma("journal_mode = DELETE");
      // A higher number beside the database says that the database lacks prints. The move must not hide this.
      const last = Math.max(lastAttempt(db), rollbackDetectorOf(db.name).read() ?? 0);
      const beside = new Map<string, Uint8Array>([
        [IDENTITY, Buffer.from(JSON.stringify({ ...identityFileOf(db.name).read(), moved: null }))],
        [LAST_ATTEMPT, Buffer.from(String(last))],
      ]);
      // One transaction writes everything, so that a file that was cut off does not count as a packed till.
      pack.transaction(() => {
        pack.exec("CREATE TABLE till_files (name TEXT PRIMARY KEY, data BLOB NOT NULL)");
        const add = pack.prepare("INSERT INTO till_files VALUES (?, ?)");
        for (const [name, data] of [...files, ...beside]) add.run(name, data);
      })();
    } finally {
      pack.close();
    }
    flushFolder(dirname(target));
  });
  // The new file is all that is left of the till when the old copy is removed.
  checkCopy(target);
}

/** Throws `usage.wrong` for another file, `store.damaged`, `store.newer`. */
export function filesOfPack(pack: string): TillFiles {
  checkCopy(pack);
  return guardStore(() => {
    const db = openSqliteFile(pack, { readonly: true });
    try {
      if (db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'till_files'").get() === undefined) {
        throw new Fault("usage.wrong", { message: storeReasons.noPack({ path: pack }), place: pack });
      }
      const rows = db.prepare("SELECT name, data FROM till_files").all();
      return new Map(rows.map((row) => rowSchema.parse(row)).map(({ name, data }) => [name, data]));
    } finally {
      db.close();
    }
  });
}

export interface UnpackOptions {
  readonly pack: string;
  readonly path: string;
  readonly now: Date;
  /** The name of this computer. A later import of the same file reports the name. */
  readonly host: string;
  /** Another copy may have printed since the file was written, so the next start is one after a data loss. */
  readonly isLost: boolean;
  /** Writes the files besides the database. The import counts only if this succeeds. */
  readonly place: () => void;
}

/**
 * Puts the till in the place of a database that was exported from here, or in an empty place. Returns the new path of
 * the replaced file. Throws `store.locked` while a daemon runs here, and `usage.wrong` for a file that was imported
 * before or a place where another till prints.
 */
export function unpackTill({ pack, path, now, host, isLost, place }: UnpackOptions): string | null {
  const files = filesOfPack(pack);
  const identity = parseIdentity(fileText(files, IDENTITY));
  createFolder(dirname(path));
  const lock = takeDaemonLock(`${path}.lock`, { pid: process.pid, since: now.toISOString() });
  const arriving = `${path}.arriving`;
  const identityFile = identityFileOf(path);
  const detector = rollbackDetectorOf(path);
  try {
    const here = identityFile.read();
    if (existsSync(path) && here.moved === null)
      throw new Fault("usage.wrong", { message: storeReasons.ownDatabase({ path }) });
    guardStore(() => layDatabase(pack, arriving, isLost ? now : null));
    const replaced = `${path}.before-import-${now.toISOString().replaceAll(/[:.]/g, "-")}`;
    const hadFile = existsSync(path);
    // This place may have printed since the file was written. The next start then counts as after a data loss.
    const highWater = here.database === identity.database ? (detector.read() ?? 0) : 0;
    guardStore(() =>
      markImported(pack, { at: now.toISOString(), host, isLost }, () => {
        // The mark comes first, or another computer could import the file too. A broken import may be repeated.
        identityFile.update({ moved: { at: now.toISOString(), to: pack } });
        replaceFile({ path, replaced, restoring: arriving });
        detector.write(Math.max(highWater, Number(fileText(files, LAST_ATTEMPT))));
        place();
      }),
    );
    identityFile.update({ ...identity, moved: null });
    lock.release(null);
    return hadFile ? replaced : null;
  } catch (error) {
    rmSync(arriving, { force: true });
    lock.undo();
    throw error;
  }
}

/** Writes the database without the files that the pack holds besides it. */
function layDatabase(pack: string, arriving: string, lostAt: Date | null): void {
  // SQLite would apply the journal of an import that was cut off.
  rmSync(`${arriving}-journal`, { force: true });
  copyFileSync(pack, arriving);
  chmodSync(arriving, 0o600);
  const db = openSqliteFile(arriving);
  try {
    db.exec("DROP TABLE till_files");
    if (lostAt !== null) markForgetful(db, lostAt.toISOString());
  } finally {
    db.close();
  }
}

/** The mark and the placed files are one transaction, because two imports of one file would make two tills. */
function markImported(
  pack: string,
  { isLost, ...imported }: { readonly at: string; readonly host: string; readonly isLost: boolean },
  place: () => void,
): void {
  const db = openSqliteFile(pack);
  try {
    const before = db.prepare("SELECT data FROM till_files WHERE name = ?").pluck();
    const mark = db.prepare("INSERT OR REPLACE INTO till_files VALUES (?, ?)");
    const act = db.transaction(() => {
      const known = before.get(IMPORTED);
      if (known instanceof Uint8Array && !isLost) {
        const { at, host } = importedSchema.parse(JSON.parse(Buffer.from(known).toString("utf8")));
        throw new Fault("usage.wrong", {
          message: storeReasons.importedBefore({ at: timeForPeople(Date.parse(at)), host }),
          place: pack,
        });
      }
      mark.run(IMPORTED, Buffer.from(JSON.stringify(imported)));
      place();
    });
    act.immediate();
  } finally {
    db.close();
  }
}

export function fileText(files: TillFiles, name: string): string {
  return Buffer.from(files.get(name) ?? "").toString("utf8");
}
