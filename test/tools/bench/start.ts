/**
 * From the start of the program that tills have to its first poll, beside a Node process that does nothing;
 * `npm ci && npm start` in a clone; and `npm run build` of a clone in which nothing is built yet, beside the same build
 * without the check of types.
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startChild } from "../../support/child-process.js";
import { startDaemon, writeConfig } from "../../support/daemon-process.js";
import { freePort } from "../../support/free-port.js";
import { root } from "../../support/read-imports.js";
import { waitFor } from "../../support/wait-for.js";
import { type Figure, percentile, spreadOf, toFigure } from "./measuring/figure.js";
import { isShort, scaled } from "./measuring/scaled.js";
import { benchFolder, joinTillProgram, startTill, tillAt } from "./measuring/till.js";
import { startWireSite } from "./servers/wire-site.js";

const STARTS = scaled(15);
const BUILDS = scaled(5);
const rooms = ["", "shared", "drivers", "daemon", "handlers"];

export async function run(): Promise<readonly Figure[]> {
  return [await firstPoll(), ...(await inClone())];
}

async function firstPoll(): Promise<Figure> {
  const program = joinTillProgram();
  const untilPoll: number[] = [];
  const bare: number[] = [];
  for (let start = 0; start < STARTS; start += 1) {
    bare.push(await bareNodeMs());
    untilPoll.push(await firstPollMs(program));
  }
  return toFigure({
    name: "start to the first poll p50",
    figure: percentile(untilPoll, 0.5),
    unit: "ms",
    beside: { "bare Node": percentile(bare, 0.5) },
    atMost: 800,
    note: `with a new database, ${spreadOf(untilPoll)}`,
  });
}

async function firstPollMs(program: string): Promise<number> {
  const folder = benchFolder();
  const emulator = await startTill({ folder });
  const site = await startWireSite();
  const config = writeConfig({ folder, siteUrl: site.url, registers: [tillAt(emulator.port)] });
  try {
    const startedAt = performance.now();
    const starting = startDaemon(config, {}, program);
    await waitFor("the daemon polls", () => site.isHeld());
    const ms = performance.now() - startedAt;
    const stopped = (await starting).stop();
    site.stopHolding();
    await stopped;
    return ms;
  } finally {
    await site.close();
    await emulator.stop();
    rmSync(folder, { recursive: true });
  }
}

async function bareNodeMs(): Promise<number> {
  const startedAt = performance.now();
  await startChild(["--eval", "0"]).ended;
  return performance.now() - startedAt;
}

async function inClone(): Promise<readonly Figure[]> {
  const folder = benchFolder();
  const clone = join(folder, "clone");
  try {
    execFileSync("git", ["clone", "--quiet", root, clone]);
    const startedAt = performance.now();
    installPackages(clone);
    const installed = (performance.now() - startedAt) / 1000;
    const started = await secondsToShop(clone);
    const shop = toFigure({
      name: "npm ci && npm start to the shop's page",
      figure: installed + started,
      unit: "s",
      beside: { "npm start": started },
      atMost: 120,
    });
    return [shop, cleanBuild(clone)];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The short form copies the packages, because it needs no network. */
function installPackages(clone: string): void {
  if (!isShort) {
    // An empty cache, as at a first installation.
    execFileSync("npm", ["ci", "--cache", join(clone, "..", "npm-cache")], { cwd: clone, stdio: "pipe" });
    return;
  }
  for (const packages of rooms.map((room) => join(room, "node_modules")).filter((one) => existsSync(join(root, one))))
    cpSync(join(root, packages), join(clone, packages), { recursive: true, verbatimSymlinks: true });
}

/** What `npm start` does, until the page of the demo shop answers. */
async function secondsToShop(clone: string): Promise<number> {
  const shop = `127.0.0.1:${await freePort()}`;
  const config = join(clone, "config.example.json");
  // The example's own ports may be in use.
  const text = readFileSync(config, "utf8")
    .replaceAll("127.0.0.1:8080", shop)
    .replace(/127\.0\.0\.1:778\d/g, "127.0.0.1:0");
  writeFileSync(config, text);
  const seconds = buildSeconds(clone, []);
  const startedAt = performance.now();
  const started = startChild(["scripts/start.js"], { cwd: clone, env: { FISCALD__console__port: "0" } });
  const isThere = () =>
    fetch(`http://${shop}/`).then(
      ({ ok }) => ok,
      () => false,
    );
  try {
    await waitFor("the shop's page answers", isThere, { everyMs: 50 });
    return seconds + (performance.now() - startedAt) / 1000;
  } finally {
    started.signal("SIGTERM");
    await started.ended;
  }
}

function cleanBuild(clone: string): Figure {
  const checked: number[] = [];
  const unchecked: number[] = [];
  for (let build = 0; build < BUILDS; build += 1) {
    unchecked.push(buildSeconds(clone, []));
    checked.push(buildSeconds(clone, ["--check"]));
  }
  return toFigure({
    name: "clean build p50",
    figure: percentile(checked, 0.5),
    unit: "s",
    beside: { "without types": percentile(unchecked, 0.5) },
    atMost: 12,
    note: spreadOf(checked),
  });
}

function buildSeconds(clone: string, options: readonly string[]): number {
  execFileSync("git", ["clean", "-xdfq", "--exclude", "node_modules"], { cwd: clone });
  const startedAt = performance.now();
  execFileSync(process.execPath, ["scripts/build.js", ...options], { cwd: clone, stdio: "pipe" });
  return (performance.now() - startedAt) / 1000;
}
