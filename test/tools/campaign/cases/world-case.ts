/** One disturbance of one receipt in a world of its own: the common form of all exhaustive parts. */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { FaultInput } from "@fiscald/emulators/faults/fault-spec.js";
import type { FailedCase } from "../judging/part-report.js";
import { isProof } from "../judging/verdict.js";
import { type CutTill, type CutWorld, type CutWorldOptions, openCutWorld } from "../worlds/cut-world.js";
import type { Story } from "./cut-cases.js";
import { judgeAgain, type PlacedCase, runKillRound, runPlainCase, warmUp } from "./run-world-case.js";

export interface WorldCase {
  readonly name: string;
  readonly operation: Story;
  readonly faults: readonly FaultInput[];
  /** True: the daemon is killed when a fault of the effect `pause` has stopped the wire, and is started again. */
  readonly kills: boolean;
  /**
   * True: the maker's service may never report an outcome, so the receipt stays unsure where the drive has no document
   * of it. Default false.
   */
  readonly mayStayUnsure?: boolean;
}

export interface WorldCasesOptions extends Omit<CutWorldOptions, "folder"> {
  readonly folder: string;
  /** Number of worlds in parallel. */
  readonly parallel: number;
  /** Names of the finished cases, one a line. Passed cases are skipped, and new ones are added. */
  readonly resumeFile?: string | undefined;
  /** True: stops at the first failure. */
  readonly stopAtFirst?: boolean;
  say(line: string): void;
  onFailure(failure: FailedCase): void;
}

export interface WorldCounts {
  readonly cases: number;
  readonly documents: number;
  /** Unsure orders whose outcome nobody can know. */
  readonly undecidable: number;
  readonly failures: readonly FailedCase[];
}

/** One daemon has several registers: while one waits another works. */
const TILLS_PER_WORLD = 32;
/** After so many cases a new register is used, because each case leaves documents behind. */
const CASES_PER_TILL = 50;
/** A register with fewer cases would cost more than it saves. */
const LEAST_CASES_PER_TILL = 4;

/** The remaining cases, and the receiver of their results. */
interface Course {
  take(kills: boolean): WorldCase | null;
  readonly isOver: boolean;
  note(one: WorldCase, failure: FailedCase | null): void;
  report(failure: FailedCase): void;
}

export async function runWorldCases(options: WorldCasesOptions, cases: readonly WorldCase[]): Promise<WorldCounts> {
  const { resumeFile } = options;
  const waiting = {
    plain: cases.filter(({ kills }) => !kills).reverse(),
    killing: cases.filter(({ kills }) => kills).reverse(),
  };
  const failures: FailedCase[] = [];
  const course: Course = {
    take(kills) {
      return (kills ? waiting.killing : waiting.plain).pop() ?? null;
    },
    get isOver() {
      return waiting.plain.length + waiting.killing.length === 0;
    },
    note({ name }, failure) {
      if (resumeFile !== undefined) appendFileSync(resumeFile, `${name}${failure === null ? "" : FAILED}\n`);
      if (failure === null) return;
      course.report(failure);
      if (options.stopAtFirst === true && isProof(failure.verdict, options.off)) {
        waiting.plain.length = 0;
        waiting.killing.length = 0;
      }
    },
    report(failure) {
      failures.push(failure);
      options.onFailure(failure);
    },
  };
  const lanes = Math.min(options.parallel, cases.length);
  const tills = Math.ceil(cases.length / lanes / LEAST_CASES_PER_TILL);
  const inLane = { ...options, tills: Math.max(1, Math.min(TILLS_PER_WORLD, tills)) };
  const counts = await Promise.all(Array.from({ length: lanes }, (_, lane) => runLane(inLane, lane, course)));
  return {
    cases: counts.reduce((sum, lane) => sum + lane.cases, 0),
    documents: counts.reduce((sum, lane) => sum + lane.documents, 0),
    undecidable: counts.reduce((sum, lane) => sum + lane.undecidable, 0),
    failures,
  };
}

type LaneCounts = Omit<WorldCounts, "failures">;

/** One world after another. */
async function runLane(options: WorldCasesOptions, lane: number, course: Course): Promise<LaneCounts> {
  let cases = 0;
  let documents = 0;
  let undecidable = 0;
  for (let part = 1; !course.isOver; part += 1) {
    const world = await openCutWorld({
      ...options,
      folder: join(options.folder, `${options.row.name}-${lane}-${part}`),
    });
    try {
      try {
        await warmUp(world);
      } catch (error) {
        course.report(await failedBeforeCases(world, `${options.row.name} without a fault`, error));
        return { cases, documents, undecidable };
      }
      const inWorld = await runInWorld(world, course);
      cases += inWorld.cases;
      undecidable += inWorld.undecidable;
      const receipts = await Promise.all(world.tills.map((till) => till.receipts()));
      documents += receipts.reduce((sum, { length }) => sum + length, 0);
    } finally {
      await world.close();
    }
  }
  return { cases, documents, undecidable };
}

/**
 * First come the cases without a kill, each till at its own pace; then the kills, one for all tills. A till is not used
 * any more after a case that broke off, because its remains could spoil the next case.
 */
async function runInWorld(world: CutWorld, course: Course): Promise<Omit<LaneCounts, "documents">> {
  const whole = new Set(world.tills);
  const well: PlacedCase[] = [];
  let cases = 0;
  const take = (till: CutTill, kills: boolean): PlacedCase | null => {
    const one = cases < CASES_PER_TILL * world.tills.length ? course.take(kills) : null;
    if (one === null) return null;
    cases += 1;
    return { till, one, number: cases };
  };
  const note = (placed: PlacedCase, failure: FailedCase | null) => {
    course.note(placed.one, failure);
    if (failure === null) well.push(placed);
    else whole.delete(placed.till);
  };

  async function runPlain(till: CutTill): Promise<void> {
    while (whole.has(till)) {
      const next = take(till, false);
      if (next === null) return;
      note(next, await runPlainCase(next));
    }
  }
  await Promise.all(world.tills.map(runPlain));
  for (;;) {
    const round = [...whole].flatMap((till) => take(till, true) ?? []);
    if (round.length === 0) break;
    const ends = await runKillRound(world, round);
    for (const [index, placed] of round.entries()) note(placed, ends[index] ?? null);
  }
  let undecidable = 0;
  for (const till of world.tills) {
    const receipts = await till.receipts();
    for (const placed of well.filter((one) => one.till === till)) {
      const { failure, staysUnsure } = await judgeAgain(placed, receipts);
      if (failure !== null) course.note(placed.one, failure);
      if (staysUnsure) undecidable += 1;
    }
  }
  return { cases, undecidable };
}

const FAILED = " FAILED";

/** Names of the passed cases; the last line about each case counts. */
export function namesIn(file: string | undefined): ReadonlySet<string> {
  const names = new Set<string>();
  if (file === undefined || !existsSync(file)) return names;
  for (const line of readFileSync(file, "utf8").split("\n")) {
    if (line.endsWith(FAILED)) names.delete(line.slice(0, -FAILED.length));
    else names.add(line);
  }
  return names;
}

/** Nothing can be printed even without a fault. */
export async function failedBeforeCases(till: CutTill, name: string, error: unknown): Promise<FailedCase> {
  const nothing = { lost: [], doubled: [], wronglyReported: [], unsure: [], differing: [], undecidable: [] };
  const documents = (await till.receipts()).length;
  const verdict = { ...nothing, documents, unreported: ["before the first fault"] };
  return { name, verdict, log: `${String(error)}\n${await till.log()}` };
}
