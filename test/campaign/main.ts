/**
 * npm run fault-campaign [-- --part cuts|service|random|all --maker NAMES --cases N --seed S --parallel N]
 *                        [--shard i/n --resume FILE --keep FOLDER --off NET --first --only CUT]
 *
 * `--only` names a case and may be given again, for cases that were killed together. Without `--cases` every cut is made
 * and the random part goes on for 200 cases. Exits 1 when anything was lost, doubled, wrongly reported, unreported, or
 * unsure where it need not be; the logs of what failed are kept.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type CutCase, caseName } from "./cut-cases.js";
import { runCutPart } from "./cut-part.js";
import { openDaemonPool } from "./daemon-pool.js";
import { startEmulatorHost } from "./emulator-host.js";
import { findMakers } from "./makers.js";
import { describeReport, type FailedCase, type PartReport } from "./part-report.js";
import { runRandomPart } from "./random-part.js";
import { hasService, runServicePart } from "./service-part.js";
import type { WorldCase } from "./world-case.js";

const { values } = parseArgs({
  options: {
    part: { type: "string", default: "all" },
    maker: { type: "string", default: "all" },
    cases: { type: "string" },
    seed: { type: "string", default: "1" },
    shard: { type: "string", default: "1/1" },
    parallel: { type: "string", default: "2" },
    resume: { type: "string" },
    keep: { type: "string" },
    off: { type: "string" },
    first: { type: "boolean", default: false },
    only: { type: "string", multiple: true },
  },
});

const RANDOM_CASES = 200;

if (values.keep !== undefined) mkdirSync(values.keep, { recursive: true });
const folder = mkdtempSync(join(values.keep ?? tmpdir(), "fiscald-campaign-"));
const [number = 1, of = 1] = values.shard.split("/").map(Number);
const seed = Number(values.seed);
const cases = values.cases === undefined ? null : Number(values.cases);
const pool = openDaemonPool();
const host = startEmulatorHost();
const say = (line: string) => void process.stdout.write(`${line}\n`);

function keepLog({ name, verdict, log }: FailedCase): void {
  const file = join(folder, `${name.replaceAll(/[^a-z0-9@-]+/gi, "_")}.log`);
  writeFileSync(file, log);
  say(`failed: ${name} ${JSON.stringify(verdict)}, log ${file}`);
}

const common = {
  folder,
  pool,
  host,
  off: values.off,
  parallel: Number(values.parallel),
  stopAtFirst: values.first,
  say,
  onFailure: keepLog,
};
const { only } = values;
const wanted = only === undefined ? undefined : (cut: CutCase) => only.includes(caseName(cut));
const rows = findMakers(values.maker);
const reports: PartReport[] = [];

const isWanted = (part: string) => values.part === "all" || values.part === part;

if (isWanted("cuts")) {
  for (const row of rows) {
    const selection = { seed, cases, shard: { number, of } };
    reports.push(await runCutPart({ ...common, row, selection, resumeFile: values.resume, wanted }));
  }
}
if (isWanted("service")) {
  for (const row of rows.filter(hasService)) {
    const selection = { seed, cases, shard: { number, of } };
    const wanted = only === undefined ? undefined : ({ name }: WorldCase) => only.includes(name);
    reports.push(await runServicePart({ ...common, row, selection, resumeFile: values.resume, wanted }));
  }
}
if (isWanted("random")) {
  const first = seed * 100_000 + number - 1;
  const seeds = Array.from({ length: Math.ceil((cases ?? RANDOM_CASES) / of) }, (_, index) => first + index * of);
  // A seed of a case, as a failure names it, repeats that case alone.
  reports.push(await runRandomPart({ ...common, rows, seed, seeds: seed >= 100_000 ? [seed] : seeds }));
}
await Promise.all([pool.close(), host.close()]);

for (const report of reports) say(describeReport(report));

const failed = reports.some((report) => report.failures.length > 0);
if (!failed && values.keep === undefined) rmSync(folder, { recursive: true, force: true });
process.exitCode = failed ? 1 : 0;
