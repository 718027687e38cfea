/** `npm run build` of a clone in which nothing is built yet, beside the same build without the check of types. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../support/read-imports.js";
import { type Figure, percentile, toFigure } from "./measuring/figure.js";
import { scaled } from "./measuring/scaled.js";
import { benchFolder } from "./measuring/till.js";

const BUILDS = scaled(5);
const rooms = ["shared", "drivers", "daemon", "handlers"];

export async function run(): Promise<readonly Figure[]> {
  const checked: number[] = [];
  const unchecked: number[] = [];
  for (let build = 0; build < BUILDS; build += 1) {
    unchecked.push(buildSeconds([]));
    checked.push(buildSeconds(["--check"]));
  }
  return [
    toFigure({
      name: "clean build p50",
      figure: percentile(checked, 0.5),
      unit: "s",
      beside: { "without types": percentile(unchecked, 0.5) },
      atMost: 12,
    }),
  ];
}

function buildSeconds(options: readonly string[]): number {
  const folder = benchFolder();
  const clone = join(folder, "clone");
  try {
    execFileSync("git", ["clone", "--quiet", "--local", root, clone]);
    linkPackages(clone);
    const startedAt = performance.now();
    execFileSync(process.execPath, ["scripts/build.js", ...options], { cwd: clone });
    return (performance.now() - startedAt) / 1000;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Gives the clone the installed packages of this tree, but its own packages as they are there. */
function linkPackages(clone: string): void {
  const own = "node_modules/@fiscald";
  mkdirSync(join(clone, own), { recursive: true });
  for (const name of readdirSync(join(root, own)))
    symlinkSync(readlinkSync(join(root, own, name)), join(clone, own, name));
  for (const place of ["node_modules", ...rooms.map((room) => `${room}/node_modules`)]) {
    if (!existsSync(join(root, place))) continue;
    mkdirSync(join(clone, place), { recursive: true });
    for (const name of readdirSync(join(root, place)))
      if (!existsSync(join(clone, place, name))) symlinkSync(join(root, place, name), join(clone, place, name));
  }
}
