import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

export function hasProgram(name: string): boolean {
  return (process.env["PATH"] ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Declares a test that needs other programs. Where one is missing, the title of the skipped test names it. */
export function needing(...programs: readonly string[]) {
  const missing = programs.filter((name) => !hasProgram(name));
  return missing.length === 0
    ? { test, describe, reason: "" }
    : { test: test.skip, describe: describe.skip, reason: ` (skipped: needs ${missing.join(", ")})` };
}
