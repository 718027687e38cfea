/** Signs of risk for the tax office are told before a register reaches them. */
import { riskTroubles, shareOfRisk } from "@fiscald/daemon/console/troubles/risk-troubles.js";
import type { RegisterMonth } from "@fiscald/daemon/store/day-facts.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import { toOrderId, toRegisterId } from "@fiscald/shared/ids.js";
import type { SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { makeDocument, makeItem, makeReceipt, newJob } from "../../../support/make-job.js";
import { useStores } from "../../../support/use-stores.js";

const { open } = useStores();
const register = toRegisterId("till-1");
const DAY_MS = 24 * 3_600_000;
const month: RegisterMonth = { register, receipts: 100, corrections: 0, sales: 100_000, returns: 0 };
const kindsOf = (over: Partial<RegisterMonth>) =>
  riskTroubles({ months: [{ ...month, ...over }], idle: [], now: 0 }).map(({ kind, needs }) => `${kind} ${needs}`);

test.each([
  [{ returns: 19_400 }, []],
  [{ returns: 20_000 }, ["returns-many look"]],
  [{ corrections: 19 }, []],
  [{ corrections: 20 }, ["corrections-many look"]],
  [{ corrections: 31, returns: 31_000 }, ["returns-many look", "corrections-many look"]],
  [{ receipts: 9, corrections: 9, returns: 100_000 }, []],
])("a month with %j gives these signs of risk for the tax office: %j", (over, kinds) =>
  expect(kindsOf(over)).toEqual(kinds),
);

test.each([
  [44, 0],
  [45, 1],
])("a register whose last document is %i days old gives %i sign of risk", (days, count) => {
  const idle = [{ register, lastAt: 0 }];
  expect(riskTroubles({ months: [], idle, now: days * DAY_MS })).toHaveLength(count);
});

test("the month's counts cover 30 days, count corrections apart, and are read again after ten minutes or on request", () => {
  const { clock, jobs, dayFacts } = open();
  let fd = 0;
  const print = (over: Partial<SaleReceipt>, at: number, isPrinted = true) => {
    fd += 1;
    const receipt = makeReceipt({ orderId: toOrderId(`A-${fd}`), ...over });
    const { id } = jobs.insertJob(newJob({ register, receipt, now: at }));
    if (isPrinted) jobs.markPrinted(id, makeDocument({ fd }), at);
  };
  const now = clock.now();
  print({}, now - 31 * DAY_MS);
  print({}, now - 29 * DAY_MS);
  print({ operation: "return", lines: [makeItem({ price: kopecks(2_500) })] }, now);
  print({}, now, false);
  expect(dayFacts.lastMonth(now)).toEqual([{ register, receipts: 2, corrections: 0, sales: 10_000, returns: 2_500 }]);
  print({ correction: { type: "self", date: "2026-11-01" } }, now);
  expect([false, true].map((isFresh) => dayFacts.lastMonth(now + 1, isFresh)[0]?.receipts)).toEqual([2, 3]);
  const later = dayFacts.lastMonth(now + 10 * 60_000);
  expect(later).toEqual([{ register, receipts: 3, corrections: 1, sales: 10_000, returns: 2_500 }]);
  expect(later.map(shareOfRisk)).toEqual([{ returns: 25, corrections: 33 }]);
  expect([dayFacts.lastDocumentAt(register), dayFacts.lastDocumentAt(toRegisterId("till-2"))]).toEqual([now, null]);
});
