import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { Fault, isFault, messageOf, toFault } from "@fiscald/shared/fault.js";
import { writeNewFlushed } from "@fiscald/shared/files/flushed-file.js";
import { commandReasons } from "../../messages/reasons/command-reasons.js";
import type { Role } from "./roles.js";

const minLength = 16;

/** Only the daemon's user can read the administrator's token; all local users can read the operator's. */
export function openConsoleToken(path: string, role: Role = "administrator"): string {
  try {
    if (!existsSync(path)) {
      mkdirSync(dirname(path), { recursive: true });
      const mode = role === "administrator" ? 0o600 : 0o644;
      writeNewFlushed(path, `${randomBytes(32).toString("base64url")}\n`, 0o600);
      // The daemon's umask closes new files to other users.
      chmodSync(path, mode);
    }
    if (role === "administrator") refuseReadableByOthers(path);
    const token = readFileSync(path, "utf8").trim();
    if (token.length < minLength) throw closed(path, `has a token of fewer than ${minLength} characters`);
    return token;
  } catch (error) {
    throw isFault(error) ? error : closed(path, `cannot be used: ${messageOf(error)}`);
  }
}

/** On Windows the permissions of the folder protect the file instead. */
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

/** The administrator's token, or for other users of the machine the operator's. */
export function readConsoleToken(path: string, operatorPath: string | null): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    if (operatorPath !== null && existsSync(operatorPath)) return readFileSync(operatorPath, "utf8").trim();
    throw toFault(error, "daemon.console-closed", { message: commandReasons.tokenFile({ path }), place: path });
  }
}

/** Only a program that has the token and listens on `port` can give this answer to `nonce`. */
export function proofOfToken(token: string, nonce: string, port: number): string {
  return createHmac("sha256", token).update(`console of fiscald ${nonce} ${port}`).digest("base64url");
}

/** Compares in constant time, even texts of different lengths. */
export function isSameToken(received: string, expected: string): boolean {
  return expected !== "" && timingSafeEqual(digest(received), digest(expected));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
