import { chmodSync, chownSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openConsoleToken } from "@fiscald/daemon/console/access/console-token.js";
import { useTempFolder } from "../../../support/temp-folder.js";

const folder = useTempFolder();
const token = "a-token-that-is-long-enough";

function tokenFile(text: string, mode: number): string {
  const path = join(folder(), "token");
  writeFileSync(path, `${text}\n`);
  chmodSync(path, mode);
  return path;
}

test("a token file of this user that others can read becomes private", () => {
  const path = tokenFile(token, 0o644);
  expect(openConsoleToken(path)).toBe(token);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("a new console token is long, and only this user can read it", () => {
  const path = join(folder(), "token");
  expect(openConsoleToken(path).length).toBeGreaterThanOrEqual(40);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("the operator's token is readable by all local users, whatever the daemon's umask is", () => {
  const path = join(folder(), "operator-token");
  const before = process.umask(0o077);
  try {
    openConsoleToken(path, "operator");
  } finally {
    process.umask(before);
  }
  expect(statSync(path).mode & 0o777).toBe(0o644);
});

test("a console token of fewer than 16 characters is refused", () => {
  const closed = expect.objectContaining({ code: "daemon.console-closed", message: expect.stringContaining("16") });
  expect(() => openConsoleToken(tokenFile("fifteen-letters", 0o600))).toThrow(closed);
});

// Only root can give a file to another user.
const asRoot = process.getuid?.() === 0 ? test : test.skip;
asRoot("a token file of another user that others can read opens no console", () => {
  const path = tokenFile(token, 0o644);
  chownSync(path, 4711, 4711);
  const closed = expect.objectContaining({ code: "daemon.console-closed" });
  expect(() => openConsoleToken(path)).toThrow(closed);
  expect(statSync(path).mode & 0o777).toBe(0o644);
});
