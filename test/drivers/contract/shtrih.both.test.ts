import { isFast } from "../../support/tier.js";
import { describeDriver } from "../driver-contract.js";
import { skips } from "../skips.js";
import { describeCorrections } from "./describe-corrections.js";
import { describeReceipts } from "./describe-receipts.js";
import { shtrihSubject } from "./shtrih-subject.js";

describeDriver("shtrih v1", shtrihSubject({ model: "desktop", link: "v1", ffd: 2 }));

describeDriver("shtrih v2", shtrihSubject({ model: "smartpos", link: "v2", ffd: 2 }), { onlyAdded: true });
describeDriver("shtrih v1 1.2", shtrihSubject({ model: "desktop", link: "v1", ffd: 4 }), { onlyAdded: true });

// After FF35h (begin correction) the drive alone may show that a document is open.
describe("the driver contract on shtrih v1 with a hidden correction", () => {
  describeCorrections(shtrihSubject({ unconfirmed: { "correction-mode": "unchanged" } }));
});

// 5, 7 and 22 % go by a command of an inferred layout, which a setting turns on.
describe("the driver contract on shtrih v1 with correctionV4", () => {
  describeCorrections(shtrihSubject({ options: { correctionV4: true } }));
});

if (isFast) {
  // Where the format version stands differs by model: that it is found shows in what the register can do.
  describe("the driver contract on shtrih v2 1.2", () => {
    describeReceipts(shtrihSubject({ model: "smartpos", link: "v2", ffd: 4 }), skips["shtrih v2 1.2"] ?? []);
    describeCorrections(shtrihSubject({ model: "smartpos", link: "v2", ffd: 4 }));
  });
}
