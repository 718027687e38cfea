// Loads every module of the staged daemon on the Node beside it: what was pruned too much is missing here, not at a till.
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [app = ""] = process.argv.slice(2);
/** Programs, and what runs in a worker or in the browser. */
const notModules = /(^|\/)(main|.*-worker)\.js$|^console\/page\//;
for (const workspace of ["shared", "drivers", "daemon"]) {
  const folder = join(app, "node_modules/@fiscald", workspace, "dist");
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (path.endsWith(".js") && !notModules.test(path)) await import(pathToFileURL(join(folder, path)).href);
  }
}
// What is loaded when asked for.
const require = createRequire(join(app, "node_modules/@fiscald/shared/index.js"));
for (const name of ["sharp", "bwip-js"]) require(name);
await (
  await import(pathToFileURL(join(app, "node_modules/@fiscald/shared/dist/paper/rasterizer.js")).href)
).loadRasterizer();
process.exit(0);
