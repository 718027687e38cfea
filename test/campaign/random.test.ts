/** One case of the random part, and those that the campaign has found once. */
import { expectClean, quiet, useCampaign } from "./campaign-bench.js";
import { planFeaturedCase } from "./case-features.js";
import { planCase } from "./case-plan.js";
import { findMakers, makerRows } from "./makers.js";
import { runRandomPart } from "./random-part.js";
import { regressions } from "./regressions.js";

const bench = useCampaign();

test("whatever happens at once to registers, sites and daemons, each order is printed once and reported", async () => {
  const plans = [planFeaturedCase(100_003, makerRows)];
  expectClean(await runRandomPart({ ...bench(), ...quiet, seed: 1, plans, parallel: 2 }));
});

test.each(regressions)("$name", async ({ makers, seed, features = false }) => {
  const plan = features ? planFeaturedCase : planCase;
  const plans = [plan(seed, findMakers(makers))];
  expectClean(await runRandomPart({ ...bench(), ...quiet, seed, plans, parallel: 1 }));
});
