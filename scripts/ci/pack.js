// Packs the packages as they would be published, looks into them, installs them with `npm i -g` into a folder of their
// own, and runs what they install: the commands, and the daemon until it has started. A shop gets no second Express.
import { execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const workspaces = ["shared", "drivers", "emulators", "daemon", "handlers"];
const folderOf = (workspace) => (workspace === "emulators" ? "drivers/emulators" : workspace);
/** What may be in a package beside its built files. */
const others = {
  daemon: /^((ARCHITECTURE|CONFIG|FAULTS)\.md|docs\/[\w.-]+\.md)$/,
  handlers:
    /^(demo-shop\/page\/|delivery\/[\w-]+\.md$|(PROTOCOL|FROM-CLOUD|WITHOUT-NODE)[.\w]*\.md$|(OWN-(?:STORE|TRANSACTION)|REFERENCE|SERVERS)\.md$)/,
};
/** What another tool than the compiler builds. */
const pages = { daemon: ["dist/console/page/index.html"] };
const installLimitMs = 15 * 60_000;
const startLimitMs = 60_000;

const folder = mkdtempSync(join(tmpdir(), "fiscald-pack-"));
try {
  const tarballs = workspaces.map(pack);
  console.log(`${tarballs.length} packages are as they should be; installing them`);
  const prefix = install(tarballs);
  runCommands(join(prefix, "bin"));
  addToShop(tarballs);
  await runDaemon(join(prefix, "bin/fiscald"));
  console.log("pack: the published packages install and run");
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function pack(workspace) {
  const args = ["pack", "--workspace", folderOf(workspace), "--pack-destination", folder, "--json"];
  const told = JSON.parse(
    execFileSync("npm", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }),
  );
  // One list or one object by name: npm has had both.
  const [{ filename, files }] = Object.values(told);
  const paths = files.map(({ path }) => path);
  const problems = [...paths.flatMap((path) => problemOf(workspace, path)), ...missingFrom(workspace, paths)];
  if (problems.length > 0) throw new Error(`${workspace}:\n${problems.join("\n")}`);
  return join(folder, filename);
}

function problemOf(workspace, path) {
  if (["package.json", "README.md", "LICENSE"].includes(path) || others[workspace]?.test(path)) return [];
  if (/^bin\/[a-z-]+\.js$/.test(path)) return [];
  if (!path.startsWith("dist/")) return [`${path} does not belong into the package`];
  if (/\.map$|\.tsbuildinfo$|(?<!\.d)\.ts$/.test(path)) return [`${path} does not belong into the package`];
  const source = path.replace(/^dist\//, "").replace(/(\.d\.ts|\.js)$/, ".ts");
  const isBuilt = /(\.d\.ts|\.js)$/.test(path);
  // Pages are built by another tool: only what the compiler made can be traced back.
  if (isBuilt && !path.includes("/page/") && !existsSync(join(root, folderOf(workspace), source))) {
    return [`${path} was built from a source that is gone: node scripts/clean.js && npm run build`];
  }
  return [];
}

function missingFrom(workspace, paths) {
  const {
    bin = {},
    exports,
    engines,
    license,
    name,
    version,
    description,
  } = JSON.parse(readFileSync(join(root, folderOf(workspace), "package.json"), "utf8"));
  // "./package.json" is a path by itself.
  const modules = Object.values(exports).filter((entry) => typeof entry === "object");
  const has = (path) => paths.includes(path.replace(/^\.\//, ""));
  const single = modules.filter(({ default: file }) => !file.includes("*"));
  return [
    ...["README.md", "LICENSE", ...(pages[workspace] ?? [])]
      .filter((path) => !has(path))
      .map((path) => `${path} is missing`),
    ...[...Object.values(bin), ...single.flatMap(({ types, default: file }) => [types, file])]
      .filter((path) => !has(path))
      .map((path) => `${path} is named in package.json and missing`),
    ...Object.values(bin)
      .filter(
        (path) => !readFileSync(join(root, folderOf(workspace), path), "utf8").startsWith("#!/usr/bin/env node\n"),
      )
      .map((path) => `${path} does not say that Node runs it`),
    ...modules.filter(({ types }) => types === undefined).map(({ default: file }) => `${file} has no types`),
    ...paths
      .filter((path) => path.endsWith(".js") && path.startsWith("dist/") && !path.includes("/page/"))
      .filter((path) => !has(path.replace(/\.js$/, ".d.ts")))
      .map((path) => `${path} has no types`),
    ...(name === `@fiscald/${workspace}` && version && description && license && engines?.node === ">=20.19.0"
      ? []
      : ["name, version, description, license or engines are wrong in package.json"]),
  ];
}

function install(tarballs) {
  const prefix = join(folder, "prefix");
  const options = ["--global", "--prefix", prefix, "--no-audit", "--no-fund", "--prefer-offline", "--ignore-scripts"];
  const args = ["install", ...options, ...tarballs];
  execFileSync("npm", args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"], timeout: installLimitMs });
  // `npm ci` has compiled the database module of Node 20 here: a second compilation takes minutes and shows nothing new.
  const compiled = join(root, "node_modules/better-sqlite3-12/build/Release/better_sqlite3.node");
  const installed = readdirSync(prefix, { recursive: true, encoding: "utf8" });
  for (const path of installed.filter((path) => path.endsWith("node_modules/better-sqlite3-12"))) {
    cpSync(compiled, join(prefix, path, "build/Release/better_sqlite3.node"), { recursive: true });
  }
  return prefix;
}

function runCommands(bin) {
  const config = join(root, "config.example.json");
  const checks = [
    ["fiscald", ["--version"], /^\d+\.\d+\.\d+/],
    ["fiscald", ["check-config", "--config", config], /is right/],
    ["fiscald-site", ["--help"], /serve/],
  ];
  for (const [command, args, wanted] of checks) {
    const output = execFileSync(join(bin, command), args, { cwd: folder, encoding: "utf8" });
    if (!wanted.test(output)) throw new Error(`${command} ${args.join(" ")} said: ${output}`);
    console.log(`${command} ${args.join(" ")}: ${output.trim().split("\n")[0]}`);
  }
}

/** A second copy of Express would double what a shop installs and loads. */
function addToShop(tarballs) {
  const shop = join(folder, "shop");
  mkdirSync(shop);
  // Without it npm would install into a folder above that has one.
  writeFileSync(join(shop, "package.json"), "{}");
  const kit = tarballs.filter((path) => /-(shared|handlers)-[^/]*$/.test(path));
  const quiet = ["--no-audit", "--no-fund", "--prefer-offline"];
  const options = [...quiet, "--ignore-scripts", "--omit=optional", "--save-exact"];
  // Express is there first: npm does not change the exact version that the shop asked for.
  for (const added of [["express@5.0.0"], kit]) {
    execFileSync("npm", ["install", ...options, ...added], { cwd: shop, stdio: ["ignore", "ignore", "inherit"] });
  }
  const copies = readdirSync(shop, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(join("node_modules", "express", "package.json")))
    .map((path) => JSON.parse(readFileSync(join(shop, path), "utf8")).version);
  if (copies.join() !== "5.0.0") throw new Error(`a shop with Express 5.0.0 and the kit has Express ${copies}`);
  console.log("the kit takes a shop's own Express 5.0.0");
}

/** Native modules load only here: the database is opened, a register is connected. */
async function runDaemon(command) {
  const data = join(folder, "data");
  mkdirSync(data);
  const nowhere = "http://127.0.0.1:9/fiscal";
  const config = {
    version: 1,
    database: "fiscald.sqlite",
    sites: [{ id: "shop", urls: { orders: nowhere, result: nowhere } }],
    registers: [{ id: "till", driver: "reference", connection: { kind: "emulator" }, sites: ["shop"] }],
    console: { port: 0, tokenFile: "token" },
    log: { folder: "logs" },
  };
  const path = join(data, "config.json");
  writeFileSync(path, JSON.stringify(config));
  const daemon = spawn(command, ["run", "--config", path], { stdio: ["ignore", "pipe", "inherit"] });
  const timer = setTimeout(() => daemon.kill("SIGKILL"), startLimitMs);
  const ended = new Promise((resolve) => daemon.once("close", resolve));
  for await (const line of createInterface({ input: daemon.stdout })) {
    if (/ daemon started/.test(line)) daemon.kill("SIGTERM");
  }
  clearTimeout(timer);
  const code = await ended;
  if (code !== 0) throw new Error(`the installed daemon ended with ${code}`);
  console.log("the installed daemon starts and stops");
}
