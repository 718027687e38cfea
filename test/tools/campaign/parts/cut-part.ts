import { join } from "node:path";
import {
  allCuts,
  type CutCase,
  type CutSelection,
  caseName,
  type DialogueLength,
  type DialogueLengths,
  type Story,
  selectCuts,
  toWorldCase,
} from "../cases/cut-cases.js";
import { measureDialogue, warmUp } from "../cases/run-world-case.js";
import { failedBeforeCases, namesIn, runWorldCases, type WorldCasesOptions } from "../cases/world-case.js";
import { type FailedCase, makeReport, type PartReport } from "../judging/part-report.js";
import { type CutTill, openCutWorld } from "../worlds/cut-world.js";

/** The exhaustive part for byte protocols: every byte of the dialogue, in both directions, with every effect. */
export interface CutPartOptions extends WorldCasesOptions {
  readonly selection: CutSelection;
  /** The cuts to choose from. Default: all. */
  readonly wanted?: ((cut: CutCase, lengths: DialogueLengths) => boolean) | undefined;
}

export async function runCutPart(options: CutPartOptions): Promise<PartReport> {
  const { row, selection, say, resumeFile } = options;
  const startedAt = performance.now();
  const about = { part: `cuts ${row.name}`, seed: selection.seed, undecidable: 0, startedAt };
  const lengths = await measure(options);
  if ("log" in lengths) {
    options.onFailure(lengths);
    return makeReport({ ...about, cases: 1, documents: lengths.verdict.documents, failures: [lengths] });
  }
  const done = namesIn(resumeFile);
  const all = [...allCuts(row.name, lengths)];
  const wanted = all.filter((cut) => options.wanted?.(cut, lengths) !== false);
  const todo = selectCuts(wanted, selection).filter((cut) => !done.has(caseName(cut)));
  say(`${row.name}: dialogue ${JSON.stringify(lengths)} bytes, ${todo.length} of ${all.length} cuts`);
  return makeReport({ ...about, ...(await runWorldCases(options, todo.map(toWorldCase))) });
}

/** The lengths of the dialogues, or the failure if nothing can be printed even without a fault. */
async function measure(options: CutPartOptions): Promise<DialogueLengths | FailedCase> {
  const world = await openCutWorld({ ...options, folder: join(options.folder, `${options.row.name}-0`) });
  try {
    await warmUp(world);
    return {
      sale: await measureUndisturbed(world, "sale"),
      return: await measureUndisturbed(world, "return"),
      correction: await measureUndisturbed(world, "correction"),
    };
  } catch (error) {
    return failedBeforeCases(world, `${options.row.name} without a cut`, error);
  } finally {
    await world.close();
  }
}

/** Later document numbers have more digits. */
const ROOM_BYTES = 8;

const MEASUREMENTS = 3;

/** Measures again when a reading of the state, or an answer that a busy machine requested twice, came in between. */
async function measureUndisturbed(till: CutTill, operation: Story): Promise<DialogueLength> {
  const lengths: DialogueLength[] = [];
  for (let number = 0; number < MEASUREMENTS; number += 1) {
    lengths.push(await measureDialogue(till, operation, number));
  }
  return {
    in: Math.min(...lengths.map((length) => length.in)) + ROOM_BYTES,
    out: Math.min(...lengths.map((length) => length.out)) + ROOM_BYTES,
  };
}
