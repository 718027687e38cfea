// Builds everything. Without `--check` no types are checked.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
// The compiler of TypeScript 7 is a native program. Tests and openapi-typescript need the functions of TypeScript 5.9.
const compiler = "node_modules/typescript-7/bin/tsc";
const isChecked = process.argv.includes("--check");
const steps = [
  // The tests' types of the delivery API are written by the built handlers.
  [compiler, "-b", "handlers", "--noCheck"],
  ["scripts/copy-redoc.js"],
  ["scripts/write-api-types.js"],
  [compiler, "-b", ...(isChecked ? [] : ["--noCheck"])],
  ...(isChecked ? [[compiler, "-p", "daemon/console/page"]] : []),
  ["scripts/build-page.js"],
];

try {
  for (const step of steps) execFileSync(process.execPath, step, { cwd: root, stdio: "inherit" });
} catch (error) {
  // The step has said what is wrong.
  process.exitCode = error.status ?? 1;
}
