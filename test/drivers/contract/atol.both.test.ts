import { isFast } from "../../support/tier.js";
import { describeDriver } from "../driver-contract.js";
import { skips } from "../skips.js";
import { describeCorrections } from "./describe-corrections.js";
import { describeMarks } from "./describe-marks.js";
import { describePaper } from "./describe-paper.js";
import { describeReceipts } from "./describe-receipts.js";
import { missingFeatures } from "./features.js";
import { atol } from "./maker-subjects.js";
import { inWorld } from "./world.js";

describeDriver("atol v2", atol());

// These subjects have the older generation of the service.
describeDriver("atol v1", atol({ protocol: "v1" }), { onlyAdded: true });

if (isFast) {
  // Marking adds two steps before the same POST: only the receipt's content and the paper can differ.
  describe("the driver contract on atol v2 1.2", () => {
    const lacks = skips["atol v2 1.2"] ?? [];
    describeReceipts(atol({ ffd: 4 }), lacks);
    describeMarks(atol({ ffd: 4 }), lacks);
    describeCorrections(atol({ ffd: 4 }));
  });
} else {
  describe("the driver contract on atol v2 with pictures", () => {
    const lacks = skips["atol v2 with pictures"] ?? [];
    test("the driver for an ATOL that prints pictures lacks exactly the features that the reviewed file of skips names", () =>
      inWorld(atol({ options: { pictures: true } }), async ({ driver }) => {
        expect(new Set(missingFeatures(driver.capabilities))).toEqual(new Set(lacks.map(({ feature }) => feature)));
      }));
    describePaper(atol({ options: { pictures: true } }), lacks);
  });
}
