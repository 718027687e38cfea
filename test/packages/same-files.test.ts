/** The packages are made once more: nothing in them depends on when or where that is done. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../support/read-imports.js";
import { madePackage, version } from "./made-packages.js";

const again = mkdtempSync(join(tmpdir(), "fiscald-again-"));
afterAll(() => rmSync(again, { recursive: true, force: true }));

test("two builds of one commit have the same files with the same contents", () => {
  // Staged, it is more than the tests' memory disk may have.
  const { TMPDIR: _, ...env } = process.env;
  execFileSync(process.execPath, [join(root, "scripts/package/main.js"), "list"], {
    ...{ env: { ...env, FISCALD_PACKAGE_OUT: again }, stdio: "pipe" },
  });
  for (const platform of ["linux-x64", "linux-arm64", "windows-x64"]) {
    const name = `fiscald-${version}-${platform}.files`;
    expect(readFileSync(join(again, name), "utf8")).toBe(readFileSync(madePackage(name), "utf8"));
  }
});
