/** One case of the random part, and the cases that once showed a defect. */
import { planAlteringCase } from "../plan/alterations.js";
import { planFeaturedCase } from "../plan/case-features.js";
import { planCase } from "../plan/case-plan.js";
import { planRepeatingCase } from "../plan/plan-repeats.js";
import { regressions } from "../plan/regressions.js";
import { findMakers, makerRows } from "../processes/makers.js";
import { expectClean, quiet, useCampaign } from "../worlds/campaign-bench.js";
import { runRandomPart } from "./random-part.js";

const bench = useCampaign();

test("each order is printed once and reported, whatever trouble registers, sites and daemons have at the same time", async () => {
  const plans = [planAlteringCase(100_003, makerRows)];
  expectClean(await runRandomPart({ ...bench(), ...quiet, seed: 1, plans, parallel: 2 }));
});

const planners = { features: planFeaturedCase, repeats: planRepeatingCase } as const;

test.each(regressions)("a case that once showed a defect passes: $name", async ({ makers, seed, with: what }) => {
  const plan = what === undefined ? planCase : planners[what];
  const plans = [plan(seed, findMakers(makers))];
  expectClean(await runRandomPart({ ...bench(), ...quiet, seed, plans, parallel: 1 }));
});
