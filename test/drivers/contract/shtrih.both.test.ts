import { isFast } from "../../support/tier.js";
import { describeDriver } from "../driver-contract.js";
import { skips } from "../skips.js";
import { describeCorrections } from "./describe-corrections.js";
import { describeReceipts } from "./describe-receipts.js";
import { shtrihSubject } from "./shtrih-subject.js";

describeDriver("shtrih v1", shtrihSubject({ model: "desktop", link: "v1", ffd: 2 }));

describeDriver("shtrih v2", shtrihSubject({ model: "smartpos", link: "v2", ffd: 2 }), { onlyAdded: true });
describeDriver("shtrih v1 1.2", shtrihSubject({ model: "desktop", link: "v1", ffd: 4 }), { onlyAdded: true });

// After FF35h (begin correction) perhaps only the drive shows that a document is open.
describe("the driver contract on shtrih v1 with a hidden correction", () => {
  describeCorrections(shtrihSubject({ unconfirmed: { "correction-mode": "unchanged" } }));
});

// A command of an inferred layout sends 5, 7 and 22 %, which a setting switches on.
describe("the driver contract on shtrih v1 with correctionV4", () => {
  describeCorrections(shtrihSubject({ options: { correctionV4: true } }));
});

if (isFast) {
  // The place of the format version differs by model; only a driver that has found it can test the features of 1.2.
  describe("the driver contract on shtrih v2 1.2", () => {
    describeReceipts(shtrihSubject({ model: "smartpos", link: "v2", ffd: 4 }), skips["shtrih v2 1.2"] ?? []);
    describeCorrections(shtrihSubject({ model: "smartpos", link: "v2", ffd: 4 }));
  });
}
