// Loads every module of the staged daemon on the Node beside it: what was pruned too much is missing here, not at a till.
import { readdirSync } from "node:fs";
import { createRequire, isBuiltin, registerHooks } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const app = resolve(process.argv[2] ?? "");
/** Node looks for a missing package up to the root of the drive, where any user of a till may put one. */
const outside = new Set();
registerHooks({
  resolve(name, context, next) {
    const isPackage = !isBuiltin(name) && !/^(\.|\/|[a-z]+:)/.test(name);
    try {
      const found = next(name, context);
      if (isPackage && !found.url.startsWith(pathToFileURL(app).href)) outside.add(name);
      return found;
    } catch (error) {
      if (isPackage && /MODULE_NOT_FOUND$/.test(error.code)) outside.add(name);
      throw error;
    }
  },
});
/** The program, what runs in a worker or in the browser. */
const notModules = /^main\.js$|-worker\.js$|^console\/page\//;
const dist = join(app, "node_modules/@fiscald/daemon/dist");
for (const path of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
  if (path.endsWith(".js") && !notModules.test(path)) await import(pathToFileURL(join(dist, path)).href);
}
// What is loaded when asked for.
createRequire(join(dist, "main.js"))("bwip-js");
await (await import(pathToFileURL(join(dist, "rasterizer.js")).href)).loadRasterizer();
if (outside.size > 0) console.error(`looked for outside of the program's folder: ${[...outside].join(", ")}`);
process.exit(outside.size > 0 ? 1 : 0);
