import { dirname } from "node:path";
import { Fault, isFault, messageOf } from "@fiscald/shared/fault.js";
import type { FaultCode } from "@fiscald/shared/fault-codes.js";
import { codeOfError, describeRights, isForbidden } from "@fiscald/shared/files/folder-rights.js";

/** Converts errors of SQLite and unreadable rows to a `store.*` fault, and programming mistakes to `internal`. */
export function guardStore<T>(body: () => T): T {
  try {
    return body();
  } catch (error) {
    throw toStoreFault(error);
  }
}

/** Each method then throws `store.*` faults in place of SQLite's errors. */
export function guarded<T extends object>(store: T): T {
  return new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...args: readonly unknown[]) => guardStore(() => member.apply(target, args));
    },
  });
}

/** `place` is the path of the file, if it is not the daemon's own open database. */
export function toStoreFault(error: unknown, place?: string): Fault {
  if (isFault(error)) return error;
  const sqlite = sqliteCodeOf(error);
  const message = messageOf(error);
  const where = place === undefined ? {} : { place };
  const code = isForbidden(error) ? "store.forbidden" : codeOf(error, sqlite);
  const rights = code === "store.forbidden" && place !== undefined ? ` (${describeRights(dirname(place))})` : "";
  return new Fault(code, { message: `${message}${rights}`, ...where, details: { sqlite }, cause: error });
}

/** Such as "SQLITE_FULL"; null for an error that is not from SQLite. */
export function sqliteCodeOf(error: unknown): string | null {
  const code = codeOfError(error);
  return code.startsWith("SQLITE_") ? code : null;
}

/** The disk is full. SHMSIZE: no room for the index of the write-ahead log, the first file that a start creates. */
const diskFull = /^(ENOSPC$|SQLITE_(FULL|IOERR_WRITE|IOERR_SHMSIZE))/;
/** The errors are compared by name, because in some hosts `instanceof` fails for an error of the native module. */
const mistakes = ["TypeError", "RangeError", "ReferenceError"];

function codeOf(error: unknown, sqlite: string | null): FaultCode {
  if (diskFull.test(codeOfError(error))) return "store.full";
  if (error instanceof Error && mistakes.includes(error.name)) return "internal";
  if (sqlite === null) return "store.failed";
  if (sqlite.startsWith("SQLITE_BUSY") || sqlite.startsWith("SQLITE_LOCKED")) return "store.busy";
  if (/^SQLITE_(CANTOPEN|READONLY|PERM)/.test(sqlite)) return "store.forbidden";
  if (sqlite.startsWith("SQLITE_CORRUPT") || sqlite.startsWith("SQLITE_NOTADB")) return "store.damaged";
  return "store.failed";
}
