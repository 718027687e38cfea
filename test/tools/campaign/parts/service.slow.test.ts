/** A sample of the faults of a print service, and every state of its jobs. */

import { stateNames } from "../cases/service-cases.js";
import type { WorldCase } from "../cases/world-case.js";
import { makerRows } from "../processes/makers.js";
import { expectClean, quiet, useCampaign } from "../worlds/campaign-bench.js";
import { hasService, runServicePart, variantsOf } from "./service-part.js";

const bench = useCampaign();

test.each(makerRows.filter(hasService))(
  "a receipt on $name is printed once and reported, whatever trouble its print service has at any step",
  async (row) => {
    const selection = { seed: 1, cases: 3, shard: { number: 1, of: 1 } };
    expectClean(await runServicePart({ ...bench(), ...quiet, row, selection, parallel: 2 }));
  },
);

/** A sample of all cases may lack a state of the job. */
test.each(makerRows.filter(hasService))(
  "a sale on $name is printed once and reported in every state of its job, with each unconfirmed fact",
  async (row) => {
    const undisturbed = stateNames.map((state) => `sale ${state}`);
    const wanted = ({ name }: WorldCase) => undisturbed.some((end) => name.endsWith(` ${end}`));
    const selection = { seed: 1, cases: null, shard: { number: 1, of: 1 } };
    const report = await runServicePart({ ...bench(), ...quiet, row, selection, parallel: 2, wanted });
    expectClean(report);
    expect(report.cases).toBe(stateNames.length * variantsOf(row).length);
    // The register worked while its service was killed, and this service never resumes the job.
    expect(report.undecidable).toBe(1);
  },
);
