// Part of the build: the operator's page. Skipped while nothing of it has changed.
import { existsSync, readdirSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const built = at("daemon/dist/console/page/index.html");
const sources = ["daemon/console/page", "daemon/messages", "daemon/docs"].flatMap((folder) =>
  readdirSync(at(folder), { recursive: true }).map((name) => join(at(folder), name)),
);
const newest = Math.max(...sources.map((path) => statSync(path).mtimeMs));

if (!existsSync(built) || statSync(built).mtimeMs < newest) {
  const require = createRequire(at("daemon/package.json"));
  const { build } = await import(pathToFileURL(require.resolve("vite")));
  // The daemon serves it all: one script, one style sheet, nothing from other hosts.
  const files = {
    outDir: at("daemon/dist/console/page"),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: false,
    rollupOptions: { input: ["index.html", "setup.html"].map((name) => at(`daemon/console/page/${name}`)) },
  };
  await build({ configFile: false, root: at("daemon/console/page"), base: "./", logLevel: "warn", build: files });
}
