import { join } from "node:path";
import { runCase } from "../cases/run-case.js";
import { type FailedCase, makeReport, type PartReport } from "../judging/part-report.js";
import { isClean, isProof } from "../judging/verdict.js";
import type { CasePlan } from "../plan/case-plan.js";
import type { CaseWorldOptions } from "../worlds/case-world.js";

export interface RandomPartOptions extends Omit<CaseWorldOptions, "plan"> {
  readonly seed: number;
  readonly plans: readonly CasePlan[];
  readonly parallel: number;
  readonly stopAtFirst?: boolean;
  onFailure(failure: FailedCase): void;
}

export async function runRandomPart(options: RandomPartOptions): Promise<PartReport> {
  const { seed, plans, parallel } = options;
  const startedAt = performance.now();
  const queue = [...plans];
  const failures: FailedCase[] = [];
  let cases = 0;
  let documents = 0;
  let undecidable = 0;

  async function runLane(): Promise<void> {
    for (let plan = queue.shift(); plan !== undefined; plan = queue.shift()) {
      const { name, verdict, log } = await runCase({
        ...options,
        plan,
        folder: join(options.folder, `random-${plan.seed}`),
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
