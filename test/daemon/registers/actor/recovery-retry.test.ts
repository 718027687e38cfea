import {
  leaveUnsure,
  listen,
  newBenchPath,
  noMarks,
  once,
  orderNamed,
  type Till,
  useBenches,
} from "../../../support/benches.js";
import type { Bench } from "../../../support/register-bench.js";
import { addForeignReceipt, receiptsOn } from "../../../support/scripted-driver.js";

const { open, openTill } = useBenches();
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Job 2 was sent, and its answer was lost. Document 3 cannot be read; it is the job's receipt or another one. */
async function leaveUnreadable(was: "ours" | "another's"): Promise<Till> {
  const till = openTill();
  const { bench, device } = till;
  await bench.sell("A-1");
  device.faults = [{ kind: was === "ours" ? "after" : "before" }];
  device.unreadable = new Set([3]);
  if (was === "another's") {
    once(device, "run", () => {
      addForeignReceipt(device, orderNamed("B-1"), "B-1 0123abcd");
    });
  }
  await bench.sell("A-2");
  expect(bench.job(2).state).toBe("unsure");
  return till;
}

async function pass(bench: Bench, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 10_000) {
    await bench.clock.advance(10_000);
    await bench.settled();
  }
}

test("an unsure receipt is found as soon as its document can be read", async () => {
  const { device, bench } = await leaveUnreadable("ours");
  const asked = listen(device);
  device.unreadable.clear();
  await pass(bench, 2 * MINUTE);
  expect(bench.job(2)).toMatchObject({ state: "printed", document: { fd: 3 } });
  expect(bench.told.results.at(-1)).toEqual({ job: 2, outcome: "printed", fd: 3 });
  expect(asked).not.toContain("connect");
  expect(receiptsOn(device)).toHaveLength(2);
});

test("an unsure job is printed once when the unreadable document proves to be another order's", async () => {
  const { device, bench } = await leaveUnreadable("another's");
  device.unreadable.clear();
  await pass(bench, 2 * MINUTE);
  await bench.runQueue();
  expect(bench.job(2)).toMatchObject({ state: "printed", document: { fd: 4 } });
  expect(receiptsOn(device)).toHaveLength(3);
});

test("an order offered again after a data loss is found as soon as its document can be read", async () => {
  const { device, bench: before } = openTill();
  await before.sell("A-1");
  await before.close();
  device.unreadable = new Set([1, 2]);
  const bench = open({ path: newBenchPath(), registers: [{ device }], forgetful: true });
  const job = await bench.sell("A-1");
  expect(bench.job(job.id).state).toBe("unsure");
  device.unreadable.clear();
  await pass(bench, 2 * MINUTE);
  expect(bench.job(job.id)).toMatchObject({ state: "printed", document: { fd: 2 } });
  expect(receiptsOn(device)).toHaveLength(1);
});

test("an unreadable document is read again after growing pauses, until a person resolves the job", async () => {
  const { device, bench } = await leaveUnreadable("ours");
  const asked = listen(device);
  const looks = () => asked.filter((name) => name === "documents").length;
  await pass(bench, 10 * MINUTE);
  expect(looks()).toBeGreaterThanOrEqual(2);
  expect(looks()).toBeLessThanOrEqual(4);
  await pass(bench, 6 * HOUR);
  const all = looks();
  expect(all).toBeLessThanOrEqual(14);
  expect(bench.job(2).state).toBe("unsure");
  device.unreadable.clear();
  await bench.operator.resolvePrinted(2, 3, "seen on paper");
  device.unreadable.add(3);
  asked.length = 0;
  await pass(bench, 3 * HOUR);
  expect(looks()).toBe(0);
});

test("an unreadable document with many documents after it is read again only at the next connect", async () => {
  const { device, bench } = await leaveUnreadable("ours");
  for (let number = 0; number < 100; number += 1) addForeignReceipt(device, orderNamed(`B-${number}`));
  await bench.sell("A-3");
  expect(bench.job(3).state).toBe("printed");
  // The printed receipt is compared with what was sent.
  await pass(bench, 10_000);
  device.unreadable.clear();
  const asked = listen(device);
  await pass(bench, HOUR);
  expect(asked).not.toContain("documents");
  expect(bench.job(2).state).toBe("unsure");
});

test("no documents are read again for an unsure job that no document can settle", async () => {
  const { device, bench } = openTill({ capabilities: noMarks });
  await leaveUnsure(bench, device);
  const asked = listen(device);
  await pass(bench, HOUR);
  expect(asked).not.toContain("documents");
});
