// Builds everything. Without `--check` no types are checked.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
// The compiler of TypeScript 7 is a native program. Tests and openapi-typescript need the functions of TypeScript 5.9.
const compiler = "node_modules/typescript-7/bin/tsc";
const isChecked = process.argv.includes("--check");
// Each further checker reads the shared types once more, which takes longer on two processors.
const types = isChecked ? ["--checkers", "1"] : ["--noCheck"];
const build = [compiler, "-b", ...types];

try {
  // The types of the page read what `shared` and `drivers` have built.
  await run([...build, "handlers", "drivers"]);
  await Promise.all([
    // The tests' types of the delivery API are written by the built handlers.
    run(["scripts/write-api-types.js"], build),
    run(
      ["scripts/copy-redoc.js"],
      ["scripts/build-page.js"],
      ...(isChecked ? [[compiler, "-p", "daemon/console/page", ...types]] : []),
    ),
  ]);
} catch (code) {
  if (typeof code !== "number") throw code;
  // The step has said what is wrong.
  process.exitCode = code;
}

async function run(...steps) {
  for (const step of steps) {
    const [code] = await once(spawn(process.execPath, step, { cwd: root, stdio: "inherit" }), "exit");
    // A step that a signal has ended has no code.
    if (code !== 0) throw code ?? 1;
  }
}
