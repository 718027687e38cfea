import { useCampaign } from "./campaign-bench.js";
import { planFeaturedCase } from "./case-features.js";
import { planCase } from "./case-plan.js";
import { runCutPart } from "./cut-part.js";
import { findMakers, makerRows } from "./makers.js";
import { describeReport, type FailedCase, type PartReport } from "./part-report.js";
import { runRandomPart } from "./random-part.js";
import { regressions } from "./regressions.js";
import { stateNames } from "./service-cases.js";
import { hasService, runServicePart, variantsOf } from "./service-part.js";
import type { WorldCase } from "./world-case.js";

const bench = useCampaign();
const quiet = { say: () => {}, onFailure: () => {} };

/** The logs of what failed are the test's message. */
function expectClean({ failures, ...report }: PartReport): void {
  const logs = failures.map(({ name, log }: FailedCase) => `${name}\n${log}`);
  expect({ report: describeReport({ ...report, failures }), logs }).toEqual({ report: expect.any(String), logs: [] });
}

test.each(makerRows)(
  "a receipt on $name that is cut anywhere is printed once and reported with its numbers",
  async (row) => {
    const selection = { seed: 1, cases: 4, shard: { number: 1, of: 1 } };
    expectClean(await runCutPart({ ...bench(), ...quiet, row, selection, parallel: 2 }));
  },
);

test.each(makerRows.filter(hasService))(
  "a receipt on $name is printed once and reported, whatever befalls its print service at any step",
  async (row) => {
    const selection = { seed: 1, cases: 3, shard: { number: 1, of: 1 } };
    expectClean(await runServicePart({ ...bench(), ...quiet, row, selection, parallel: 2 }));
  },
);

/** A sample of all cases may miss a state of the job. */
test.each(makerRows.filter(hasService))(
  "a sale on $name is printed once and reported, whatever state its job comes into, with each unconfirmed fact",
  async (row) => {
    const undisturbed = stateNames.map((state) => `sale ${state}`);
    const wanted = ({ name }: WorldCase) => undisturbed.some((end) => name.endsWith(` ${end}`));
    const selection = { seed: 1, cases: null, shard: { number: 1, of: 1 } };
    const report = await runServicePart({ ...bench(), ...quiet, row, selection, parallel: 2, wanted });
    expectClean(report);
    expect(report.cases).toBe(stateNames.length * variantsOf(row).length);
    // Killed at work by a service that never takes the job up again.
    expect(report.undecidable).toBe(1);
  },
);

test("whatever happens at once to registers, sites and daemons, each order is printed once and reported", async () => {
  const plans = [planFeaturedCase(100_003, makerRows)];
  expectClean(await runRandomPart({ ...bench(), ...quiet, seed: 1, plans, parallel: 2 }));
});

test.each(regressions)("$name", async ({ makers, seed, features = false }) => {
  const plan = features ? planFeaturedCase : planCase;
  const plans = [plan(seed, findMakers(makers))];
  expectClean(await runRandomPart({ ...bench(), ...quiet, seed, plans, parallel: 1 }));
});
