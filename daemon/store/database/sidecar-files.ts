/** Small files beside the database. They keep the facts that must survive a deleted or restored database. */
import { chownSync, closeSync, constants, openSync, readFileSync, statSync, writeSync } from "node:fs";
import { replaceFlushed } from "@fiscald/shared/files/flushed-file.js";
import { z } from "zod";
import type { Database } from "./sqlite-file.js";
import { toStoreFault } from "./store-fault.js";

const identitySchema = z.object({
  /** Id of the daemon; by it sites know which daemon has their receipts. */
  daemon: z.string().nullable(),
  /** For each site id every issuer (8 hex digits) that the site ever had. By them old receipts are recognised. */
  issuers: z.record(z.string(), z.array(z.string())),
  /** Id of the database, and the last start of a daemon on it (begin-run.ts). Null: written by an earlier version. */
  database: z.string().nullable().default(null),
  run: z.string().nullable().default(null),
  /** The till was exported into this file: no daemon starts here before it is imported or the export is undone. */
  moved: z.object({ at: z.string(), to: z.string() }).nullable().default(null),
});

export type Identity = z.output<typeof identitySchema>;

export function parseIdentity(text: string): Identity {
  return identitySchema.parse(JSON.parse(text));
}

const UNKNOWN: Identity = { daemon: null, issuers: {}, database: null, run: null, moved: null };

export type IdentityFile = ReturnType<typeof identityFileOf>;

export function identityFileOf(database: string) {
  const path = `${database}.identity`;
  /** Empty if the file cannot be read: then the daemon still works, with fewer checks. */
  function read(): Identity {
    try {
      return parseIdentity(readFileSync(path, "utf8"));
    } catch {
      return UNKNOWN;
    }
  }
  return {
    read,
    /** Flushed with its folder: it is called at the start only. Throws a `store.*` fault; then the file stays as it was. */
    update(change: Partial<Identity>): void {
      try {
        replaceFlushed(path, `${JSON.stringify({ ...read(), ...change })}\n`, 0o600);
        // A command of root leaves the file to the daemon's user, who could not read it otherwise.
        const owner = process.getuid?.() === 0 ? statSync(database, { throwIfNoEntry: false }) : undefined;
        if (owner !== undefined) chownSync(path, owner.uid, owner.gid);
      } catch (error) {
        throw toStoreFault(error, path);
      }
    },
  };
}

/** All numbers have the same width, so that one write replaces the whole number. */
const DIGITS = 15;

/** Id of the last attempt in the database; 0 = none. */
export function lastAttempt(db: Database): number {
  return Number(db.prepare("SELECT coalesce(max(id), 0) FROM attempts").pluck().get());
}

export type RollbackDetector = ReturnType<typeof rollbackDetectorOf>;

/**
 * The number of the last print attempt (high-water mark). A database with a lower number was replaced by an older copy;
 * the database itself cannot show that. It is not flushed: a power cut may put the file back to an earlier number.
 */
export function rollbackDetectorOf(database: string) {
  const path = `${database}.last-attempt`;
  return {
    /** Null: the file is missing, or holds no number. */
    read(): number | null {
      try {
        const number = Number.parseInt(readFileSync(path, "utf8"), 10);
        return Number.isNaN(number) ? null : number;
      } catch {
        return null;
      }
    },
    /** Call it when the attempt is committed, before its first byte: after a kill in between nothing was sent. */
    write(attempt: number): void {
      try {
        // One write in place: after a kill the file has the old or the new number and is never empty.
        const file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o644);
        try {
          writeSync(file, `${String(attempt).padStart(DIGITS)}\n`, 0);
        } finally {
          closeSync(file);
        }
      } catch {
        // A full disk must not stop a receipt: the number only enables an additional check.
      }
    },
  };
}
