// Takes out of installed packages what a till never reads: sources, types, maps, tests, other platforms' binaries.
import { readdirSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** Folders of packages that hold no code which runs. */
const deadFolders = new Set(["test", "tests", "__tests__", "example", "examples", ".github", "coverage", "benchmark"]);
/** Of named packages: sources of native code and of bundles, and builds for browsers. */
const deadPaths = [
  /^(better-sqlite3-12|prebuild-install)\//,
  /^better-sqlite3\/(deps|src|binding\.gyp)/,
  /^@serialport\/bindings-cpp\/(src|binding\.gyp)/,
  /^node-addon-api\//,
  /^bwip-js\/(dist\/(bwip-js\.|bwip-js-(min|rn|gen)\.|bwip-js-node\.mjs|bwipp\.mjs)|src|lib|fonts|examples|bin|barcode\.ps|demo\.html)/,
  /^@fiscald\/daemon\/docs\/.*\.png$/,
];
const deadFiles =
  /^\.[a-z]|\/\.[a-z][^/]*$|\.(map|tsbuildinfo|d\.ts|d\.mts|d\.cts|ts|mts|cts|markdown|pdb|yml|gypi?|cc|h|musl\.node)$|(?<!LICEN[CS]E|NOTICE|COPYING)\.md$/i;

export function prune(app, platform) {
  const modules = join(app, "node_modules");
  for (const path of readdirSync(modules, { recursive: true, encoding: "utf8" }).sort()) {
    if (isDead(path, platform)) rmSync(join(modules, path), { recursive: true, force: true });
  }
  removeEmptyFolders(modules);
}

function isDead(path, platform) {
  const own = path.replace(/^.*node_modules\//, "");
  // The product's own guides stay.
  if (/^@fiscald\/daemon\/.*\.md$/.test(own)) return false;
  if (path === ".package-lock.json" || path === ".bin") return true;
  if (deadPaths.some((dead) => dead.test(`${own}/`.replace(/(\.\w+)\/$/, "$1")))) return true;
  const parts = own.split("/");
  if (deadFolders.has(parts.at(-1)) && parts.length <= 3) return true;
  if (deadFiles.test(own)) return true;
  const prebuild = /(?:^|\/)prebuilds\/([\w+-]+?)(?:\.node)?(?:\/|$)/.exec(own);
  return prebuild !== null && prebuild[1] !== platform;
}

function removeEmptyFolders(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeEmptyFolders(join(folder, entry.name));
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}

export function packagesOf(modules) {
  return readdirSync(modules, { recursive: true, encoding: "utf8" })
    .filter((path) => /^((@[^/]+\/)?[^/@]+|.*\/node_modules\/(@[^/]+\/)?[^/]+)\/package\.json$/.test(path))
    .map((path) => ({
      folder: join(modules, path, ".."),
      ...JSON.parse(readFileSync(join(modules, path), "utf8")),
    }))
    .filter(({ name, version }) => name !== undefined && version !== undefined)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
