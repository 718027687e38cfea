/**
 * The daemon dies before and after each question to its register. After the restart every document and cash movement is
 * there once, and the site has the true numbers.
 */

import { kopecks } from "@fiscald/shared/amounts.js";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";
import { never, newBenchPath } from "../../../support/benches.js";
import { makeReceipt, makeService, zReport } from "../../../support/make-job.js";
import { type Bench, openBench, removeBenchFolders } from "../../../support/register-bench.js";
import { createScriptedDevice, receiptsOn, type ScriptedDevice } from "../../../support/scripted-driver.js";

afterEach(removeBenchFolders);

/** `before` is printed before the daemon can die. */
interface Story {
  readonly before?: Receipt;
  readonly job: Receipt;
}

/** Runs the job until the `count`-th call of the device, which hangs; null = the job ended before. */
async function hangAtCall(device: ScriptedDevice, { before, job }: Story, count: number): Promise<Bench | null> {
  const bench = openBench({ path: newBenchPath(), registers: [{ device }] });
  if (before !== undefined) {
    await bench.sell(before);
  }
  const { id } = bench.addJob(job);
  let calls = 0;
  device.onCall = () => {
    calls += 1;
    return calls === count ? never : undefined;
  };
  bench.startQueue();
  bench.wake.notify();
  await bench.until(
    "the call comes or the job is printed",
    () => calls >= count || (bench.job(id).state === "printed" && isIdle(bench)),
    0,
  );
  if (calls >= count) return bench;
  await bench.close();
  return null;
}

function isIdle(bench: Bench): boolean {
  return bench.fleet.snapshots().every(({ phase }) => phase === "ready");
}

async function crashAtEveryCall(story: Story, check: (device: ScriptedDevice, bench: Bench) => void) {
  let moments = 0;
  for (let count = 1; ; count += 1) {
    const device = createScriptedDevice();
    const hanging = await hangAtCall(device, story, count);
    if (hanging === null) break;
    moments += 1;
    device.onCall = () => {};
    const bench = hanging.crash();
    await bench.runQueue();
    check(device, bench);
    await bench.close();
  }
  return moments;
}

test("a receipt is registered once, whenever the daemon dies", async () => {
  const moments = await crashAtEveryCall({ job: makeReceipt() }, (device, bench) => {
    const [receipt, ...others] = receiptsOn(device);
    expect(others).toEqual([]);
    expect(bench.job(1)).toMatchObject({ state: "printed", document: { fd: receipt?.fd } });
    expect(bench.told.results.at(-1)).toEqual({ job: 1, outcome: "printed", fd: receipt?.fd });
  });
  // connect, tables, states, two programs with before and after, read-back: fewer calls mean that the test misses some.
  expect(moments).toBeGreaterThanOrEqual(10);
});

test("each part of a service job takes effect once, whenever the daemon dies", async () => {
  const job = makeService(
    [
      { type: "cash", direction: "in", sum: kopecks(5000) },
      { type: "cash", direction: "in", sum: kopecks(5000) },
      { type: "cash", direction: "out", sum: kopecks(3000) },
    ],
    { orderId: makeReceipt().orderId },
  );
  const moments = await crashAtEveryCall({ job }, (device, bench) => {
    expect(device.drawer).toEqual({ cash: 107_000, cashIn: 10_000, cashOut: 3000 });
    expect(bench.job(1)).toMatchObject({ state: "printed", doneParts: 3 });
  });
  expect(moments).toBeGreaterThanOrEqual(10);
});

test("a shift is closed once and its Z report reported once, whenever the daemon dies", async () => {
  const moments = await crashAtEveryCall({ before: makeReceipt(), job: zReport }, (device, bench) => {
    expect(device.documents.filter(({ type }) => type === "shift-close")).toHaveLength(1);
    expect(bench.told.shifts).toEqual([expect.objectContaining({ shift: 1, sales: 10_000, returns: 0 })]);
  });
  expect(moments).toBeGreaterThanOrEqual(4);
});
