/** What is done to one receipt in a world of its own: the common form of all exhaustive parts. */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { FaultInput } from "@fiscald/drivers/emulator/fault-spec.js";
import { type CutWorld, type CutWorldOptions, openCutWorld } from "./cut-world.js";
import type { FailedCase } from "./part-report.js";
import { runWorldCase, warmUp } from "./run-world-case.js";
import { isProof } from "./verdict.js";

export interface WorldCase {
  readonly name: string;
  readonly operation: "sale" | "return";
  readonly faults: readonly FaultInput[];
  /** The daemon is killed where a fault of the effect `pause` makes the wire stand still, and started again. */
  readonly kills: boolean;
}

export interface WorldCasesOptions extends Omit<CutWorldOptions, "folder"> {
  readonly folder: string;
  /** Worlds beside each other. */
  readonly parallel: number;
  /** Names of the cases that are done, one a line; they are left out, and new ones added. */
  readonly resumeFile?: string | undefined;
  /** Ends at the first finding. */
  readonly stopAtFirst?: boolean;
  say(line: string): void;
  onFailure(failure: FailedCase): void;
}

export interface WorldCounts {
  readonly cases: number;
  readonly documents: number;
  readonly failures: readonly FailedCase[];
}

/** After so many a fresh register: what a case leaves behind must not grow without end. */
const CASES_PER_WORLD = 50;

export async function runWorldCases(options: WorldCasesOptions, cases: readonly WorldCase[]): Promise<WorldCounts> {
  const { resumeFile } = options;
  const queue = [...cases.entries()];
  const failures: FailedCase[] = [];
  const onCase = (one: WorldCase, failure: FailedCase | null) => {
    if (resumeFile !== undefined) appendFileSync(resumeFile, `${one.name}${failure === null ? "" : " FAILED"}\n`);
    if (failure === null) return;
    failures.push(failure);
    options.onFailure(failure);
    if (options.stopAtFirst === true && isProof(failure.verdict, options.off)) queue.length = 0;
  };
  const lanes = Array.from({ length: Math.min(options.parallel, queue.length) }, (_, lane) =>
    runLane(options, lane, queue, onCase),
  );
  const counts = await Promise.all(lanes);
  return {
    cases: counts.reduce((sum, lane) => sum + lane.cases, 0),
    documents: counts.reduce((sum, lane) => sum + lane.documents, 0),
    failures,
  };
}

/** One world after another; what a broken case leaves behind must not spoil the next. */
async function runLane(
  options: WorldCasesOptions,
  lane: number,
  queue: [number, WorldCase][],
  onCase: (one: WorldCase, failure: FailedCase | null) => void,
): Promise<{ readonly cases: number; readonly documents: number }> {
  let cases = 0;
  let documents = 0;
  for (let part = 1; queue.length > 0; part += 1) {
    const world = await openWarm(options, `${lane}-${part}`);
    try {
      for (let inWorld = 0; inWorld < CASES_PER_WORLD; inWorld += 1) {
        const next = queue.shift();
        if (next === undefined) break;
        const [number, one] = next;
        cases += 1;
        const failure = await runWorldCase(world, one, number);
        onCase(one, failure);
        if (failure !== null) break;
      }
      documents += (await world.emulator.receipts()).length;
    } finally {
      await world.close();
    }
  }
  return { cases, documents };
}

export async function openWarm(options: WorldCasesOptions, name: string): Promise<CutWorld> {
  const world = await openCutWorld({ ...options, folder: join(options.folder, `${options.row.name}-${name}`) });
  await warmUp(world);
  return world;
}

export function namesIn(file: string | undefined): ReadonlySet<string> {
  if (file === undefined || !existsSync(file)) return new Set();
  return new Set(readFileSync(file, "utf8").split("\n"));
}

/** Nothing can be printed even without a fault. */
export async function failedBeforeCases(world: CutWorld, name: string, error: unknown): Promise<FailedCase> {
  const nothing = { lost: [], doubled: [], wronglyReported: [], unsure: [], undecidable: [] };
  const documents = (await world.emulator.receipts()).length;
  const verdict = { ...nothing, documents, unreported: ["before the first fault"] };
  return { name, verdict, log: `${String(error)}\n${await world.log()}` };
}
