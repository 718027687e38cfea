/** A register that does not answer: what its sites are told of it, and of a job whose outcome is unknown. */
import { Fault } from "@fiscald/shared/fault.js";
import { useBenches } from "../../../support/benches.js";
import { makeReceipt } from "../../../support/make-job.js";
import { createScriptedDevice, createScriptedDriver, receiptsOn } from "../../../support/scripted-driver.js";

const { openOn, openTill } = useBenches();
const MINUTE = 60_000;
const [here, away] = ["till-1 connected", "till-1 disconnected"];

test.each([
  ["stays away and comes back is reported once as away and connected", [1, 10 * MINUTE, MINUTE], [here, away, here]],
  ["is away for a moment is not reported as disconnected", [1, 18_000, MINUTE], [here]],
  ["is away at the start is reported as disconnected", [0, MINUTE], [away]],
])("a register that %s", async (_, spans, told) => {
  const { bench, device } = openTill();
  for (const [index, ms] of spans.entries()) {
    device.unplugged = index % 2 === 1;
    if (ms > 0) bench.startQueue();
    await bench.clock.advance(ms);
  }
  expect(bench.told.connections).toEqual(told);
});

test.each([
  ["loses the link at each reading is reported as disconnected once", new Fault("link.lost"), away],
  ["answers but whose documents cannot be compared is reported as connected", new Fault("device.fn-failure"), here],
])("a register that %s under the number that it gave", async (_, fault, told) => {
  const { bench, device } = openTill();
  device.onCall = (name) => {
    if (name === "read-state") throw fault;
  };
  bench.startQueue();
  await bench.clock.advance(10 * MINUTE);
  expect([bench.told.connections, bench.told.kkms]).toEqual([[told], [device.identity.kkm]]);
});

test("a register that is being connected again shows why its connection was lost, until it is ready", async () => {
  const { bench, device } = openTill();
  await bench.start();
  const seen: unknown[] = [];
  let failed = 0;
  device.onCall = (name) => {
    const { phase, fault } = bench.fleet.snapshots()[0] ?? {};
    if (name === "connect") seen.push([phase, fault?.code]);
    if (name !== "read-state" || failed === 1) return;
    failed += 1;
    throw new Fault("link.lost");
  };
  await bench.clock.advance(MINUTE);
  expect(seen).toEqual([["connecting", "link.lost"]]);
  expect(bench.fleet.snapshots()[0]).toMatchObject({ phase: "ready", fault: null });
});

test("a register whose cable is pulled while nothing is asked is known to be away at once", async () => {
  const driver = createScriptedDriver(createScriptedDevice());
  const bench = openOn(driver);
  await bench.start();
  driver.lose();
  expect(bench.fleet.snapshots()).toMatchObject([{ phase: "offline", fault: { code: "link.lost" } }]);
});

const unknown = [{ job: 1, outcome: "unknown", fd: null }];

/** The answer for the receipt is lost, and the cable comes off. */
function cutOff() {
  const till = openTill({ faults: [null, { kind: "after" }] });
  const { bench, device } = till;
  device.onCall = (name) => {
    if (name === "ran" && receiptsOn(device).length === 1) device.unplugged = true;
  };
  bench.queue(makeReceipt());
  return till;
}

test("an unsure job is reported as unknown once, after 15 minutes without an answer, and again when its outcome is known", async () => {
  const { bench, device } = cutOff();
  await bench.clock.advance(14 * MINUTE);
  expect([bench.job(1).state, bench.told.results]).toEqual(["unsure", []]);
  await bench.clock.advance(2 * MINUTE);
  expect(bench.told.results).toEqual(unknown);
  await bench.clock.advance(60 * MINUTE);
  expect(bench.told.results).toHaveLength(1);

  device.unplugged = false;
  await bench.runQueue();
  await bench.clock.advance(MINUTE);
  expect(bench.told.results.at(-1)).toEqual({ job: 1, outcome: "printed", fd: 2 });
  expect(receiptsOn(device)).toHaveLength(1);
});

test("a job that was broken off by an unexpected error is also reported as unknown after 15 minutes", async () => {
  const { bench, device } = openTill();
  device.onCall = (name) => {
    if (name !== "ran" || receiptsOn(device).length === 0) return;
    device.unplugged = true;
    bench.beforeCommits((number) => {
      if (number === 1) throw new TypeError("unexpected");
    });
  };
  bench.queue(makeReceipt());
  await bench.clock.advance(14 * MINUTE);
  expect(bench.log).toContainEqual(expect.stringContaining("a job was broken off"));
  expect(bench.told.results).toEqual([]);
  await bench.clock.advance(2 * MINUTE);
  expect([bench.job(1).state, bench.told.results]).toEqual(["unsure", unknown]);
});

test("after a restart an unsure job is reported as unknown only when another 15 minutes are over", async () => {
  const { bench } = cutOff();
  await bench.clock.advance(10 * MINUTE);
  const again = bench.crash();
  again.startQueue();
  await again.clock.advance(10 * MINUTE);
  expect(again.told.results).toEqual([]);
  await again.clock.advance(6 * MINUTE);
  expect(again.told.results).toEqual(unknown);
});

test("a jump of the wall clock does not report an unsure job early, and the receipt is found when the register is back", async () => {
  const { bench, device } = cutOff();
  await bench.clock.advance(MINUTE);
  bench.clock.setWallClock(Date.UTC(2031, 0, 1));
  await bench.clock.advance(5 * MINUTE);
  expect(bench.told.results).toEqual([]);
  bench.clock.setWallClock(Date.UTC(2001, 0, 1));
  device.unplugged = false;
  await bench.runQueue();
  expect(bench.job(1).state).toBe("printed");
  expect(receiptsOn(device)).toHaveLength(1);
});

test("a stop of the daemon waits until the receipt in print is recorded", async () => {
  const { bench, device } = openTill();
  let letGo: () => void = () => {};
  device.onCall = (name) => (name === "ran" ? new Promise<void>((resolve) => (letGo = resolve)) : undefined);
  bench.queue(makeReceipt());
  await bench.clock.advance(0);
  expect(bench.job(1).state).toBe("printing");
  const stopped = bench.fleet.stop();
  letGo();
  device.onCall = () => {};
  await stopped;
  expect(bench.job(1).state).toBe("printed");
  expect(receiptsOn(device)).toHaveLength(1);
});
