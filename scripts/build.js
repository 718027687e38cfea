// Builds everything. Without `--check` no types are checked.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
// The compiler of TypeScript 7 is a native program. Tests and openapi-typescript need the functions of TypeScript 5.9.
const compiler = "node_modules/typescript-7/bin/tsc";
const isChecked = process.argv.includes("--check");
// Each further checker reads the shared types once more, which takes longer on two processors.
const build = [compiler, "-b", ...(isChecked ? ["--checkers", "1"] : ["--noCheck"])];
const steps = [
  // The tests' types of the delivery API are written by the built handlers.
  [...build, "handlers"],
  ["scripts/copy-redoc.js"],
  ["scripts/write-api-types.js"],
  build,
  ...(isChecked ? [[compiler, "-p", "daemon/console/page"]] : []),
  ["scripts/build-page.js"],
];

try {
  for (const step of steps) execFileSync(process.execPath, step, { cwd: root, stdio: "inherit" });
} catch (error) {
  // The step has said what is wrong.
  process.exitCode = error.status ?? 1;
}
