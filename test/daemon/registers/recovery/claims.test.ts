import { couldHavePrinted } from "@fiscald/daemon/registers/recovery/claims.js";
import { toRegisterId, toSiteId } from "@fiscald/shared/ids.js";
import { makeJob } from "../../../support/make-job.js";

const [shop, cafe] = [toSiteId("shop"), toSiteId("cafe")];
const places = [
  { id: toRegisterId("own"), sites: [shop], group: "hall" },
  { id: toRegisterId("of-site"), sites: [shop, cafe], group: null },
  { id: toRegisterId("of-group"), sites: [cafe], group: "hall" },
  { id: toRegisterId("of-another-site"), sites: [cafe], group: null },
];

test.each([
  ["own", true],
  ["of-site", true],
  ["of-group", true],
  ["of-another-site", false],
  ["no-longer-in-the-config", true],
])("the register %s could have printed an order before the database was lost: %s", (id, expected) => {
  const job = makeJob({ register: toRegisterId("own"), site: shop });
  expect(couldHavePrinted(job, toRegisterId(id), places)).toBe(expected);
});
