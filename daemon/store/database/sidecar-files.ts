/** Small files beside the database, for facts that must survive a deleted or restored database. */
import { chownSync, closeSync, constants, openSync, readFileSync, statSync, writeSync } from "node:fs";
import { replaceFlushed } from "@fiscald/shared/files/flushed-file.js";
import { z } from "zod";
import type { Database } from "./sqlite-file.js";
import { toStoreFault } from "./store-fault.js";

const identitySchema = z.object({
  /** Sites know by this id which daemon has their receipts. */
  daemon: z.string().nullable(),
  /** Every issuer (8 hex digits) that a site ever had, by site id. Old receipts are recognised by their issuers. */
  issuers: z.record(z.string(), z.array(z.string())),
  /** The id of the database, and the last start of a daemon on it (begin-run.ts); null = of an earlier version. */
  database: z.string().nullable().default(null),
  run: z.string().nullable().default(null),
  /** The till was exported to the file `to`. No daemon starts here until it is imported or the export is undone. */
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
  /** Returns an empty identity when the file cannot be read. The daemon then works with fewer checks. */
  function read(): Identity {
    try {
      return parseIdentity(readFileSync(path, "utf8"));
    } catch {
      return UNKNOWN;
    }
  }
  return {
    read,
    /** Flushes the file, so it is called only at the start. Throws a `store.*` fault and then changes nothing. */
    update(change: Partial<Identity>): void {
      try {
        replaceFlushed(path, `${JSON.stringify({ ...read(), ...change })}\n`, 0o600);
        // A command run by root leaves the file to the daemon's user, who otherwise could not read the file.
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

export function lastAttempt(db: Database): number {
  return Number(db.prepare("SELECT coalesce(max(id), 0) FROM attempts").pluck().get());
}

export type RollbackDetector = ReturnType<typeof rollbackDetectorOf>;

/**
 * The number of the last print attempt. A database with a lower number is an older copy, which the database cannot
 * show. The file is not flushed, so a power cut may put back an earlier number.
 */
export function rollbackDetectorOf(database: string) {
  const path = `${database}.last-attempt`;
  return {
    read(): number | null {
      try {
        const number = Number.parseInt(readFileSync(path, "utf8"), 10);
        return Number.isNaN(number) ? null : number;
      } catch {
        return null;
      }
    },
    /** Call this between the attempt's commit and its first byte. A kill in between means that nothing was sent. */
    write(attempt: number): void {
      try {
        // One write in place leaves the old or the new number after a kill, and never an empty file.
        const file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o644);
        try {
          writeSync(file, `${String(attempt).padStart(DIGITS)}\n`, 0);
        } finally {
          closeSync(file);
        }
      } catch {
        // A full disk must not stop a receipt, because the number only enables an additional check.
      }
    },
  };
}
