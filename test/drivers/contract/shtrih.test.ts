import { createShtrihDriver } from "@fiscald/drivers/shtrih/driver.js";
import { prepareShtrih } from "@fiscald/drivers/shtrih/emulator/emulator.js";
import { shtrihOptionsSchema } from "@fiscald/drivers/shtrih/options.js";
import { isFast } from "../../support/tier.js";
import { describeDriver } from "../driver-contract.js";
import { skips } from "../skips.js";
import { describeReceipts } from "./describe-receipts.js";
import { makeRegister } from "./make-register.js";
import type { ContractSubject } from "./subject.js";

function shtrih(model: "desktop" | "smartpos", link: "v1" | "v2", ffd: 2 | 4): ContractSubject {
  return {
    openRegister: ({ clock }) =>
      makeRegister({ clock, ffd, model: prepareShtrih({ model, protocol: link, unconfirmed: {}, wire: "loopback" }) }),
    createDriver: (options) => createShtrihDriver({ ...options, options: shtrihOptionsSchema.parse({ link }) }),
  };
}

describeDriver("shtrih v1", shtrih("desktop", "v1", 2));

describeDriver("shtrih v2", shtrih("smartpos", "v2", 2), { onlyAdded: true });
describeDriver("shtrih v1 1.2", shtrih("desktop", "v1", 4), { onlyAdded: true });

if (isFast) {
  // Where the format version stands differs by model: that it is found shows in what the register can do.
  describe("the driver contract on shtrih v2 1.2", () => {
    describeReceipts(shtrih("smartpos", "v2", 4), skips["shtrih v2 1.2"] ?? []);
  });
}
