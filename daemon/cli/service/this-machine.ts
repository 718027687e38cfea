import { fileURLToPath } from "node:url";
import { runProgram } from "./run-program.js";
import type { ServiceMachine } from "./service.js";

/** Windows has no user 0: there the system itself refuses what needs an administrator. */
export function thisMachine(): ServiceMachine {
  return {
    platform: process.platform,
    node: process.execPath,
    main: fileURLToPath(new URL("../../main.js", import.meta.url)),
    isAdministrator: process.platform === "win32" || process.getuid?.() === 0,
    run: runProgram,
  };
}
