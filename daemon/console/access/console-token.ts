import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { Fault, isFault, toFault } from "@fiscald/shared/fault.js";

const minLength = 16;

/**
 * Reads the console's token. The first start creates it, in a file that only the daemon's user can read. A file of
 * this user that others can read loses their permissions. Fault: `daemon.console-closed`.
 */
export function openConsoleToken(path: string): string {
  try {
    if (!existsSync(path)) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600, flag: "wx" });
    }
    refuseReadableByOthers(path);
    const token = readFileSync(path, "utf8").trim();
    if (token.length < minLength) throw closed(path, `has a token of fewer than ${minLength} characters`);
    return token;
  } catch (error) {
    throw isFault(error) ? error : closed(path, `cannot be used: ${messageOf(error)}`);
  }
}

/** Windows has no such permissions: there the permissions of the folder protect the file. */
function refuseReadableByOthers(path: string): void {
  const user = process.getuid?.();
  const { mode, uid } = statSync(path);
  if (user === undefined || (mode & 0o077) === 0) return;
  if (uid !== user) throw closed(path, "can be read by others and belongs to another user");
  chmodSync(path, 0o600);
}

function closed(path: string, why: string): Fault {
  return new Fault("daemon.console-closed", { message: `the token file ${path} ${why}`, place: "console.tokenFile" });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function readConsoleToken(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    throw toFault(error, "daemon.unreachable", { message: `the token file ${path} cannot be read`, place: path });
  }
}

/** Compares in constant time, also for different lengths. */
export function isSameToken(received: string, expected: string): boolean {
  return expected !== "" && timingSafeEqual(digest(received), digest(expected));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
