/** A sample of the campaign's cuts; `fault-campaign -- --part cuts` runs all of them. */

import { makerRows } from "../processes/makers.js";
import { expectClean, quiet, useCampaign } from "../worlds/campaign-bench.js";
import { runCutPart } from "./cut-part.js";

const bench = useCampaign();

test.each(makerRows)(
  "a receipt on $name whose wire is cut anywhere is printed once and reported with its numbers",
  async (row) => {
    const selection = { seed: 1, cases: 4, shard: { number: 1, of: 1 } };
    expectClean(await runCutPart({ ...bench(), ...quiet, row, selection, parallel: 2 }));
  },
);
