import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { toFault } from "@fiscald/shared/fault.js";

/** The console's token: made at the first start, in a file that only the daemon's user can read. */
export function openConsoleToken(path: string): string {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    const exists = error instanceof Error && "code" in error && error.code === "EEXIST";
    if (!exists) throw toFault(error, "config.invalid", { place: "console.tokenFile" });
  }
  return readConsoleToken(path);
}

export function readConsoleToken(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    throw toFault(error, "daemon.unreachable", { message: `the token file ${path} cannot be read`, place: path });
  }
}

/** In constant time, whatever the lengths are. */
export function isSameToken(given: string, wanted: string): boolean {
  return wanted !== "" && timingSafeEqual(digest(given), digest(wanted));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
