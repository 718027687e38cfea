// Builds everything without checking types: seconds where little has changed. `npm run build` checks them as well.
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const compiler = createRequire(import.meta.url).resolve("typescript/bin/tsc");
const steps = [
  // The tests' types of the delivery API are written by the built handlers.
  [compiler, "-b", "handlers", "--noCheck"],
  ["scripts/copy-redoc.js"],
  ["scripts/write-api-types.js"],
  [compiler, "-b", "--noCheck"],
  ["scripts/build-page.js"],
];

try {
  for (const step of steps) execFileSync(process.execPath, step, { cwd: root, stdio: "inherit" });
} catch (error) {
  // The step has said what is wrong.
  process.exitCode = error.status ?? 1;
}
