import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { allCuts, type CutCase, type CutSelection, caseName, type DialogueLengths, selectCuts } from "./cut-cases.js";
import { type CutWorld, type CutWorldOptions, openCutWorld } from "./cut-world.js";
import { type FailedCase, makeReport, type PartReport } from "./part-report.js";
import { measureDialogue, runCut, warmUp } from "./run-cuts.js";

export interface CutPartOptions extends Omit<CutWorldOptions, "folder"> {
  readonly folder: string;
  readonly selection: CutSelection;
  /** Worlds beside each other. */
  readonly parallel: number;
  /** Names of the cases that are done, one a line; they are left out, and new ones added. */
  readonly resumeFile?: string | undefined;
  /** Which cuts to choose from; default all. */
  readonly wanted?: ((cut: CutCase, lengths: DialogueLengths) => boolean) | undefined;
  /** Ends at the first finding. */
  readonly stopAtFirst?: boolean;
  say(line: string): void;
  onFailure(failure: FailedCase): void;
}

/** After so many a fresh register: a driver may look through its whole shift at each start. */
const CASES_PER_WORLD = 50;

export async function runCutPart(options: CutPartOptions): Promise<PartReport> {
  const { row, selection, say, resumeFile } = options;
  const startedAt = performance.now();
  const lengths = await measure(options);
  if ("log" in lengths) {
    options.onFailure(lengths);
    const found = { cases: 1, documents: lengths.verdict.documents, undecidable: 0, failures: [lengths] };
    return makeReport({ part: `cuts ${row.name}`, seed: selection.seed, startedAt, ...found });
  }
  const done = namesIn(resumeFile);
  const all = [...allCuts(row.name, lengths)];
  const wanted = all.filter((cut) => options.wanted?.(cut, lengths) !== false);
  const todo = selectCuts(wanted, selection).filter((cut) => !done.has(caseName(cut)));
  say(`${row.name}: dialogue ${JSON.stringify(lengths)} bytes, ${todo.length} of ${all.length} cuts`);
  const queue = [...todo.entries()];
  const failures: FailedCase[] = [];
  const onCase = (cut: CutCase, failure: FailedCase | null) => {
    if (resumeFile !== undefined) appendFileSync(resumeFile, `${caseName(cut)}${failure === null ? "" : " FAILED"}\n`);
    if (failure === null) return;
    failures.push(failure);
    options.onFailure(failure);
    if (options.stopAtFirst === true) queue.length = 0;
  };
  const lanes = Array.from({ length: Math.min(options.parallel, queue.length) }, (_, lane) =>
    runLane(options, lane, queue, onCase),
  );
  const counts = await Promise.all(lanes);
  return makeReport({
    part: `cuts ${row.name}`,
    seed: selection.seed,
    cases: counts.reduce((sum, { cases }) => sum + cases, 0),
    documents: counts.reduce((sum, { documents }) => sum + documents, 0),
    undecidable: 0,
    startedAt,
    failures,
  });
}

/** What a cut can be made in; or the failure, where nothing can be printed even without one. */
async function measure(options: CutPartOptions): Promise<DialogueLengths | FailedCase> {
  const world = await openCutWorld({ ...options, folder: join(options.folder, `${options.row.name}-0`) });
  try {
    await warmUp(world);
    return { sale: await measureDialogue(world, "sale"), return: await measureDialogue(world, "return") };
  } catch (error) {
    const nothing = { lost: [], doubled: [], wronglyReported: [], unsure: [], undecidable: [] };
    const documents = (await world.emulator.receipts()).length;
    const verdict = { ...nothing, documents, unreported: ["before the first cut"] };
    return { name: `${options.row.name} without a cut`, verdict, log: `${String(error)}\n${await world.log()}` };
  } finally {
    await world.close();
  }
}

/** One world after another; what a broken case leaves behind must not spoil the next. */
async function runLane(
  options: CutPartOptions,
  lane: number,
  queue: [number, CutCase][],
  onCase: (cut: CutCase, failure: FailedCase | null) => void,
): Promise<{ readonly cases: number; readonly documents: number }> {
  let cases = 0;
  let documents = 0;
  for (let part = 1; queue.length > 0; part += 1) {
    const world = await openWarm(options, `${lane}-${part}`);
    try {
      for (let inWorld = 0; inWorld < CASES_PER_WORLD; inWorld += 1) {
        const next = queue.shift();
        if (next === undefined) break;
        const [number, cut] = next;
        cases += 1;
        const failure = await runCut(world, cut, number);
        onCase(cut, failure);
        if (failure !== null) break;
      }
      documents += (await world.emulator.receipts()).length;
    } finally {
      await world.close();
    }
  }
  return { cases, documents };
}

async function openWarm(options: CutPartOptions, name: string): Promise<CutWorld> {
  const world = await openCutWorld({ ...options, folder: join(options.folder, `${options.row.name}-${name}`) });
  await warmUp(world);
  return world;
}

function namesIn(file: string | undefined): ReadonlySet<string> {
  if (file === undefined || !existsSync(file)) return new Set();
  return new Set(readFileSync(file, "utf8").split("\n"));
}
