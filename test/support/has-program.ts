import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** Whether the machine has it; a test that needs it says so as skipped where it is not. */
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

/** How a test that needs programs besides Node is declared: skipped, with its reason behind its name, where one is missing. */
export function needing(...programs: readonly string[]) {
  const missing = programs.filter((name) => !hasProgram(name));
  return missing.length === 0
    ? { test, describe, reason: "" }
    : { test: test.skip, describe: describe.skip, reason: ` (skipped: needs ${missing.join(", ")})` };
}
