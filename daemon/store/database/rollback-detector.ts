/**
 * The number of the last print attempt, in a small file beside the database. A database that knows of fewer was put back
 * from an older copy by hand: nothing in itself could tell.
 */
import { closeSync, constants, openSync, readFileSync, writeSync } from "node:fs";

/** Numbers of one width take one another's place. */
const DIGITS = 15;

export interface HighWater {
  /** 0 = nothing is known. */
  read(): number;
  /** Before the attempt is committed: one that is never committed costs nothing but a look at the registers. */
  raise(attempt: number): void;
}

export function highWaterOf(database: string): HighWater {
  const path = `${database}.last-attempt`;
  return {
    read() {
      try {
        return Number.parseInt(readFileSync(path, "utf8"), 10) || 0;
      } catch {
        return 0;
      }
    },
    raise(attempt) {
      try {
        // One write over the number before it: a process that is killed in between leaves one of the two, never an empty file.
        const file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o644);
        try {
          writeSync(file, `${String(attempt).padStart(DIGITS)}\n`, 0);
        } finally {
          closeSync(file);
        }
      } catch {
        // A full disk must not keep a receipt from being printed: the mark only ever adds caution.
      }
    },
  };
}
