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
