import { join } from "node:path";
import { planCase } from "./case-plan.js";
import type { CaseWorldOptions } from "./case-world.js";
import type { MakerRow } from "./makers.js";
import { type FailedCase, makeReport, type PartReport } from "./part-report.js";
import { runCase } from "./run-case.js";
import { isClean, isProof } from "./verdict.js";

export interface RandomPartOptions extends Omit<CaseWorldOptions, "plan"> {
  readonly rows: readonly MakerRow[];
  /** For the report. */
  readonly seed: number;
  /** One for each case. */
  readonly seeds: readonly number[];
  readonly parallel: number;
  readonly stopAtFirst?: boolean;
  onFailure(failure: FailedCase): void;
}

export async function runRandomPart(options: RandomPartOptions): Promise<PartReport> {
  const { rows, seed, seeds, parallel } = options;
  const startedAt = performance.now();
  const queue = [...seeds];
  const failures: FailedCase[] = [];
  let cases = 0;
  let documents = 0;
  let undecidable = 0;

  async function runLane(): Promise<void> {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const plan = planCase(next, rows);
      const { name, verdict, log } = await runCase({
        ...options,
        plan,
        folder: join(options.folder, `random-${next}`),
      });
      cases += 1;
      documents += verdict.documents;
      undecidable += verdict.undecidable.length;
      if (log === null) continue;
      const open = isClean(verdict) ? { ...verdict, unreported: ["something is not settled"] } : verdict;
      const failure = { name, verdict: open, log };
      failures.push(failure);
      options.onFailure(failure);
      if (options.stopAtFirst === true && isProof(verdict, options.off)) queue.length = 0;
    }
  }

  await Promise.all(Array.from({ length: parallel }, runLane));
  return makeReport({ part: "random", seed, cases, documents, undecidable, startedAt, failures });
}
