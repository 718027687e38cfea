/** A person accepts a register after its database was lost: orders wait beside the documents of that time. */

import { waitingSinceLoss } from "@fiscald/daemon/registers/operator/accept-loss.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import { toOrderId, toRegisterId } from "@fiscald/shared/ids.js";
import type { SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { copyDatabase, newBenchPath, orderNamed, TILL, useBenches } from "../../../support/benches.js";
import { makeItem, makeReceipt } from "../../../support/make-job.js";
import type { Bench } from "../../../support/register-bench.js";
import { createTill, receiptsOn } from "../../../support/scripted-driver.js";
import { lossWorld, ours, type Since } from "../recovery/loss-world.js";

const benches = useBenches();
const { open } = benches;
const { lose } = lossWorld(benches);

const [till, other] = [TILL, toRegisterId("till-2")];
const ofSum = (order: string, sum: number) =>
  makeReceipt({ orderId: toOrderId(order), lines: [makeItem({ price: kopecks(sum), total: kopecks(sum) })] });

/** Each register has printed without order marks; then these orders come. */
async function openAfterLoss(since: readonly Since[], orders: readonly SaleReceipt[], count = 1) {
  const devices = () => Array.from({ length: count }, (_, index) => createTill(index + 1));
  const bench = await lose({ devices, since, before: "off" });
  bench.startQueue();
  await bench.clock.advance(1000);
  const jobs: number[] = [];
  for (const order of orders) jobs.push((await bench.sell(order)).id);
  return { bench, jobs, states: () => jobs.map((id) => bench.stores.jobs.stateOf(id)), actions: bench.operator };
}

function shown({ stores }: Bench, register = till) {
  const { orders, documents } = waitingSinceLoss(stores, register);
  return {
    orders: orders.map(({ orderId }) => orderId).toSorted(),
    documents: documents.map(({ document }) => document.fd),
  };
}

test("a person who accepts a register sees exactly the waiting orders and the documents that may be their receipts", async () => {
  const since: readonly Since[] = [
    ["off", ours],
    ["off", ofSum("B-1", 700)],
    ["off", ofSum("C-1", 55)],
  ];
  const { bench } = await openAfterLoss(since, [ours, ofSum("B-1", 700), ofSum("D-1", 9_000)]);
  expect(shown(bench)).toEqual({ orders: ["A-1", "B-1"], documents: [5, 6] });
});

test("a person who accepts a register also sees another register's documents that may be the receipts of the same orders", async () => {
  const since: readonly Since[] = [
    ["off", ours],
    ["off", { ...ours }, { register: "till-2" }],
    ["off", { ...ours }, { register: "till-2" }],
  ];
  const { bench } = await openAfterLoss(since, [ours], 2);
  for (const register of [till, other])
    expect(shown(bench, register)).toEqual({ orders: ["A-1"], documents: [5, 5, 6] });
});

test("an order whose order mark is on a document is not shown to a person who accepts the register", async () => {
  const bench = await lose({ since: [["on", ours]], read: (document) => ({ ...document, time: null }) });
  bench.startQueue();
  await bench.clock.advance(1000);
  const { id } = await bench.sell(ours);
  expect(bench.stores.jobs.stateOf(id)).toBe("unsure");
  expect(shown(bench)).toEqual({ orders: [], documents: [] });
  expect(() => bench.operator.acceptIdentity(till, "all printed", [id])).toThrow(/is unsure/);
});

test("a person who accepts a register sees no order that was already sent, and no cash order", async () => {
  const { bench } = await openAfterLoss([], [ours]);
  expect(shown(bench)).toEqual({ orders: [], documents: [] });
});

const twoOfASum: readonly Since[] = [["off", ours]];

test("waiting orders that a person names when accepting the register are printed once each, as are later orders", async () => {
  const { bench, jobs, states, actions } = await openAfterLoss(twoOfASum, [ours, orderNamed("B-1")]);
  expect(states()).toEqual(["unsure", "unsure"]);
  actions.acceptIdentity(till, "none is on the roll", jobs);
  await bench.settled();
  await bench.runQueue();
  expect(states()).toEqual(["printed", "printed"]);
  expect((await bench.sell("C-1")).state).toBe("printed");
  expect(bench.devices.flatMap((device) => receiptsOn(device))).toHaveLength(5);
  expect(bench.stores.journal.ofJob(jobs[0] ?? 0)).toContainEqual(
    expect.objectContaining({
      actor: "operator",
      what: "resolved as not printed",
      details: expect.objectContaining({ checked: [5] }),
    }),
  );
});

test("a waiting order that a person does not name when accepting the register stays unsure, and the named order is printed", async () => {
  const { bench, jobs, states, actions } = await openAfterLoss(twoOfASum, [ours, orderNamed("B-1")]);
  actions.acceptIdentity(till, "only this one", jobs.slice(1));
  await bench.settled();
  await bench.runQueue();
  expect(states()).toEqual(["unsure", "printed"]);
});

test("waiting orders stay unsure when a person accepts the register without naming them, and later orders are printed", async () => {
  const { bench, states, actions } = await openAfterLoss(twoOfASum, [ours]);
  actions.acceptIdentity(till, "the cable was changed");
  await bench.settled();
  const later = await bench.sell("B-1");
  expect([...states(), later.state]).toEqual(["unsure", "printed"]);
});

test("accepting a register together with an order that no longer waits for it is refused and changes nothing", async () => {
  const { bench, jobs, states, actions } = await openAfterLoss(twoOfASum, [ours, ofSum("B-1", 700)]);
  expect(states()).toEqual(["unsure", "printed"]);
  expect(() => actions.acceptIdentity(till, "both", jobs)).toThrow(
    expect.objectContaining({ code: "job.wrong-state" }),
  );
  expect([states()[0], shown(bench).orders]).toEqual(["unsure", ["A-1"]]);
});

test("documents of another register, which was not accepted, still make an order unsure", async () => {
  const since: readonly Since[] = [
    ["off", ours],
    ["off", { ...ours }, { register: "till-2" }],
  ];
  const { bench, states, actions } = await openAfterLoss(since, [], 2);
  actions.acceptIdentity(till, "compared");
  await bench.settled();
  const { id } = await bench.sell(ours);
  expect([states(), bench.job(id)]).toMatchObject([[], { state: "unsure", register: other }]);
});

test("an accepted register's documents delay no order after a restart, even while another register is away", async () => {
  const [one, two] = [createTill(1), createTill(2)];
  const bench = await lose({ devices: () => [one, two], since: twoOfASum, before: "off" });
  two.unplugged = true;
  bench.startQueue();
  await bench.clock.advance(1000);
  one.unplugged = true;
  bench.operator.acceptIdentity(till, "compared");
  await bench.settled();
  const next = await bench.restart();
  one.unplugged = false;
  const { id } = next.queue(ours);
  await next.clock.advance(1000);
  expect(next.stores.jobs.stateOf(id)).toBe("queued");
  two.unplugged = false;
  await next.clock.advance(60_000);
  expect(next.stores.jobs.stateOf(id)).toBe("printed");
});

test("documents made after the register was accepted count again when the database is lost once more", async () => {
  const device = createTill(1);
  const path = newBenchPath();
  const openAt = () => open({ path, registers: [{ device, settings: { orderMark: false } }] });
  const printOne = async (order: string) => {
    const bench = openAt();
    await bench.sell(orderNamed(order));
    await bench.close();
  };
  await printOne("warm");
  const putBack = copyDatabase(path);
  await printOne("A-1");
  putBack();
  const lost = openAt();
  await lost.runQueue();
  lost.operator.acceptIdentity(till, "compared");
  await lost.settled();
  await lost.close();
  const putBackAccepted = copyDatabase(path);
  await printOne("B-1");
  putBackAccepted();
  const lostAgain = openAt();
  await lostAgain.runQueue();
  const { id } = await lostAgain.sell(ours);
  expect(lostAgain.stores.jobs.stateOf(id)).toBe("unsure");
  expect(shown(lostAgain).documents).toEqual([4]);
});
