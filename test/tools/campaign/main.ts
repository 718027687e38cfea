/** `npm run fault-campaign`: options.ts has its options. The logs of failures are kept. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CutCase, caseName } from "./cases/cut-cases.js";
import type { WorldCase } from "./cases/world-case.js";
import { describeReport, type FailedCase, type PartReport } from "./judging/part-report.js";
import { readOptions } from "./options.js";
import { runCutPart } from "./parts/cut-part.js";
import { runRandomPart } from "./parts/random-part.js";
import { hasService, runServicePart } from "./parts/service-part.js";
import { planAlteringCase } from "./plan/alterations.js";
import { openDaemonPool } from "./processes/daemon-pool.js";
import { startEmulatorHost } from "./processes/emulator-host.js";

const { part, rows, cases, seed, shard, parallel, resume, keep, off, first, only } = readOptions();
const RANDOM_CASES = 200;

if (keep !== undefined) mkdirSync(keep, { recursive: true });
const folder = mkdtempSync(join(keep ?? tmpdir(), "fiscald-campaign-"));
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
  off,
  parallel,
  stopAtFirst: first,
  say,
  onFailure: keepLog,
};
const wanted = only === undefined ? undefined : (cut: CutCase) => only.includes(caseName(cut));
const reports: PartReport[] = [];

const isWanted = (one: string) => part === "all" || part === one;

if (isWanted("cuts")) {
  for (const row of rows) {
    const selection = { seed, cases, shard };
    reports.push(await runCutPart({ ...common, row, selection, resumeFile: resume, wanted }));
  }
}
if (isWanted("service")) {
  for (const row of rows.filter(hasService)) {
    const selection = { seed, cases, shard };
    const wanted = only === undefined ? undefined : ({ name }: WorldCase) => only.includes(name);
    reports.push(await runServicePart({ ...common, row, selection, resumeFile: resume, wanted }));
  }
}
if (isWanted("random")) {
  const { number, of } = shard;
  const start = seed * 100_000 + number - 1;
  const seeds = Array.from({ length: Math.ceil((cases ?? RANDOM_CASES) / of) }, (_, index) => start + index * of);
  // The seed of a single case, as a failure names it, repeats this case alone.
  const plans = (seed >= 100_000 ? [seed] : seeds).map((one) => planAlteringCase(one, rows));
  reports.push(await runRandomPart({ ...common, seed, plans }));
}
await Promise.all([pool.close(), host.close()]);

for (const report of reports) say(describeReport(report));

const failed = reports.some((report) => report.failures.length > 0);
if (!failed && keep === undefined) rmSync(folder, { recursive: true, force: true });
process.exitCode = failed ? 1 : 0;
