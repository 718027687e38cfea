import { createAtolDriver } from "@fiscald/drivers/atol/driver.js";
import { atolOptionsSchema } from "@fiscald/drivers/atol/options.js";
import { prepareAtol } from "@fiscald/emulators/atol/emulator.js";
import { isFast } from "../../support/tier.js";
import { describeDriver } from "../driver-contract.js";
import { skips } from "../skips.js";
import { describeCorrections } from "./describe-corrections.js";
import { describeMarks } from "./describe-marks.js";
import { describePaper } from "./describe-paper.js";
import { describeReceipts } from "./describe-receipts.js";
import { missingFeatures } from "./features.js";
import { makeRegister } from "./make-register.js";
import type { ContractSubject } from "./subject.js";
import { inWorld } from "./world.js";

function atol(protocol: "v1" | "v2", options: { readonly pictures?: boolean } = {}, ffd: 2 | 4 = 2): ContractSubject {
  return {
    openRegister: ({ clock }) =>
      makeRegister({ clock, ffd, model: prepareAtol({ model: null, protocol, unconfirmed: {}, wire: "loopback" }) }),
    createDriver: (driver) =>
      createAtolDriver({ ...driver, random: () => 0.5, options: atolOptionsSchema.parse(options) }),
  };
}

describeDriver("atol v2", atol("v2"));

// These subjects are the older generation of the service.
describeDriver("atol v1", atol("v1"), { onlyAdded: true });

if (isFast) {
  // Marking is two steps more before the same one POST: what a receipt holds, and the paper, are all that differs.
  describe("the driver contract on atol v2 1.2", () => {
    const lacks = skips["atol v2 1.2"] ?? [];
    describeReceipts(atol("v2", {}, 4), lacks);
    describeMarks(atol("v2", {}, 4), lacks);
    describeCorrections(atol("v2", {}, 4));
  });
} else {
  describe("the driver contract on atol v2 with pictures", () => {
    const lacks = skips["atol v2 with pictures"] ?? [];
    test("the driver for an ATOL that prints pictures lacks exactly the features that the reviewed file of skips says", () =>
      inWorld(atol("v2", { pictures: true }), async ({ driver }) => {
        expect(new Set(missingFeatures(driver.capabilities))).toEqual(new Set(lacks.map(({ feature }) => feature)));
      }));
    describePaper(atol("v2", { pictures: true }), lacks);
  });
}
