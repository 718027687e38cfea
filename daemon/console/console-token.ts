import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { Fault, isFault, toFault } from "@fiscald/shared/fault.js";

const shortest = 16;

/**
 * The console's token: made at the first start, in a file that only the daemon's user can read. A file with wider
 * rights is set to 0600. Fault: `daemon.console-closed`.
 */
export function openConsoleToken(path: string): string {
  try {
    if (!existsSync(path)) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600, flag: "wx" });
    }
    refuseReadableByOthers(path);
    const token = readFileSync(path, "utf8").trim();
    if (token.length < shortest) throw closed(path, `has a token of fewer than ${shortest} characters`);
    return token;
  } catch (error) {
    throw isFault(error) ? error : closed(path, `cannot be used: ${messageOf(error)}`);
  }
}

/** Windows has no such rights: there the folder's own count. */
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

/** In constant time for texts of any length. */
export function isSameToken(given: string, wanted: string): boolean {
  return wanted !== "" && timingSafeEqual(digest(given), digest(wanted));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
