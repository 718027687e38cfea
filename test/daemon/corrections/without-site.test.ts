/** A correction without a site, and the order that a site offers later under the same number: a person decides. */
import { quantity } from "@fiscald/shared/amounts.js";
import { toOrderId } from "@fiscald/shared/ids.js";
import { closeTills } from "../../support/emulated-till.js";
import { makeItem, makeReceipt } from "../../support/make-job.js";
import { asked, broughtBack, day, documentsOf, repairsOn, returnsOn, soldOn } from "./repair-bench.js";

afterEach(closeTills);

const missed = { register: "till-1", order: "M-1" };
const added = [{ name: "Мёд", price: "10.50", quantity: "2", vat: 2 }];
const withoutSite = asked({ case: "missed", missed, date: day, added, payments: [{ typeClose: 1 }] });
const orderOf = (number: string) =>
  makeReceipt({ orderId: toOrderId(number), lines: [makeItem({ name: "Мёд", tax: 2 })] });

/** A register on which a person has corrected the settlement M-1 without a site. */
async function corrected() {
  const till = await soldOn("1.2");
  const { id } = await repairsOn(till.bench).carryOut(withoutSite, "paid by phone, the till was down");
  await till.bench.runQueue();
  expect(till.bench.states(id)).toEqual(["printed"]);
  return { ...till, correction: id };
}

test("an order whose number already has a correction without a site waits for a person, while another order is printed", async () => {
  const till = await corrected();
  const { bench, correction } = till;
  const held = await bench.sell(orderOf("M-1"));
  expect(held).toMatchObject({
    state: "held",
    fault: { code: "job.held-sold", ru: `чек без сайта: задание ${correction}, касса till-1` },
  });
  expect((await bench.sell(orderOf("M-2"))).state).toBe("printed");
  expect(documentsOf(till)).toHaveLength(2);
  expect(bench.told.results.filter(({ job }) => job === held.id)).toEqual([]);
});

test("an order that a person approves despite a correction without a site is printed, and not held again after a crash", async () => {
  const { bench } = await corrected();
  const { id } = await bench.sell(orderOf("M-1"));
  bench.operator.approve(id, "another buyer");
  const next = bench.crash();
  await next.runQueue();
  expect(next.states(id)).toEqual(["printed"]);
});

test("an order that is held because of a correction without a site cannot be printed as a second correction", async () => {
  const { bench } = await corrected();
  const { id } = await bench.sell(orderOf("M-1"));
  expect(() => bench.operator.asCorrection(id, day, "missed")).toThrow(
    expect.objectContaining({ code: "job.wrong-state" }),
  );
});

test("an order is never printed after a person sets it aside because its correction without a site is printed", async () => {
  const till = await corrected();
  const { id } = await till.bench.sell(orderOf("M-1"));
  till.bench.operator.setAside(id, "the same order");
  await till.bench.runQueue();
  expect(till.bench.states(id)).toEqual(["cancelled"]);
  expect(till.bench.told.results).toContainEqual(expect.objectContaining({ job: id, outcome: "failed" }));
  expect(documentsOf(till)).toHaveLength(1);
});

test("a failed order tried again waits for a person when its number got a correction without a site meanwhile", async () => {
  const { bench } = await soldOn("1.2");
  const { jobs } = bench.stores;
  const { id } = bench.addJob(orderOf("M-1"));
  jobs.markFailed(id, { code: "device.printer-fault", message: "" }, bench.clock.now());
  await repairsOn(bench).carryOut(withoutSite, "the till was down");
  await bench.runQueue();
  jobs.requeueFailed(id, bench.clock.now());
  await bench.runQueue();
  expect(bench.states(id)).toEqual(["held"]);
});

test("a return without a site does not keep a site's return of the same number waiting", async () => {
  const { bench, correction } = await corrected();
  const { id } = returnsOn(bench).add(correction, broughtBack);
  await bench.runQueue();
  const { jobs } = bench.stores;
  expect(jobs.get(id)).toMatchObject({ state: "printed", site: null });
  const back = await bench.sell({ ...orderOf("M-1"), operation: "return" });
  expect(back.state).toBe("printed");
});

test.each([
  ["the whole", "printed", null],
  ["a part", "held", [{ position: 1, quantity: quantity(1_000_000) }]],
])(
  "after %s of a correction without a site is returned, the site's order of the same number is %s",
  async (_what, state, lines) => {
    const { bench, correction } = await corrected();
    returnsOn(bench).add(correction, { ...broughtBack, lines });
    await bench.runQueue();
    expect((await bench.sell(orderOf("M-1"))).state).toBe(state);
  },
);

test.each([
  [30, "held"],
  [32, "printed"],
])("an order that comes %s days after a receipt without a site of the same number is %s", async (days, state) => {
  const { bench, job } = await soldOn("1.2");
  const { jobs } = bench.stores;
  const sold = { ...jobs.get(job), receipt: orderOf("M-1"), site: null, key: null, mark: null, taxes: jobs.get(job) };
  jobs.insertJob({ ...sold, state: "held", now: bench.clock.now() - days * 86_400_000 });
  expect((await bench.sell(orderOf("M-1"))).state).toBe(state);
});
