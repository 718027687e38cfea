import { Fault } from "@fiscald/shared/fault.js";
import { useBenches } from "../../../support/benches.js";
import { makeReceipt } from "../../../support/make-job.js";
import type { Bench } from "../../../support/register-bench.js";
import {
  createScriptedDevice,
  createScriptedDriver,
  receiptsOn,
  type ScriptedDevice,
} from "../../../support/scripted-driver.js";

const { open, keep } = useBenches();
const MINUTE = 60_000;

test("a register that stays away is told as disconnected once, and as connected when it is back", async () => {
  const device = createScriptedDevice();
  const opened = open({ registers: [{ device }] });
  await opened.start();
  await opened.settled();
  expect(opened.told.connections).toEqual(["till-1 connected"]);
  device.unplugged = true;
  await opened.clock.advance(10 * MINUTE);
  expect(opened.told.connections).toEqual(["till-1 connected", "till-1 disconnected"]);
  device.unplugged = false;
  await opened.clock.advance(MINUTE);
  expect(opened.told.connections).toEqual(["till-1 connected", "till-1 disconnected", "till-1 connected"]);
});

test("one that cannot be read after each connect is told as disconnected once, under its number", async () => {
  const device = createScriptedDevice();
  const opened = open({ registers: [{ device }] });
  device.onCall = (name) => {
    if (name === "read-state") throw new Fault("link.lost");
  };
  opened.startQueue();
  await opened.clock.advance(10 * MINUTE);
  expect(opened.stores.registers.all()).toEqual([]);
  expect(opened.told.connections).toEqual(["till-1 disconnected"]);
  expect(opened.told.kkms).toEqual([device.identity.kkm]);
});

test("one that answers and cannot be swept is told as connected, under its number", async () => {
  const device = createScriptedDevice();
  const opened = open({ registers: [{ device }] });
  device.onCall = (name) => {
    if (name === "read-state") throw new Fault("device.fn-failure");
  };
  opened.startQueue();
  await opened.clock.advance(10 * MINUTE);
  expect(opened.told.connections).toEqual(["till-1 connected"]);
  expect(opened.told.kkms).toEqual([device.identity.kkm]);
});

test("one that is away for a moment only is told nothing of", async () => {
  const device = createScriptedDevice();
  const opened = open({ registers: [{ device }] });
  await opened.start();
  await opened.clock.advance(0);
  device.unplugged = true;
  await opened.clock.advance(12_000);
  device.unplugged = false;
  await opened.clock.advance(MINUTE);
  expect(opened.told.connections).toEqual(["till-1 connected"]);
});

test("one that is just being connected again says why that is needed, until it is ready", async () => {
  const device = createScriptedDevice();
  const opened = open({ registers: [{ device }] });
  await opened.start();
  const seen: unknown[] = [];
  let failed = 0;
  device.onCall = (name) => {
    const { phase, fault } = opened.fleet.snapshots()[0] ?? {};
    if (name === "connect") seen.push([phase, fault?.code]);
    if (name !== "read-state" || failed === 1) return;
    failed += 1;
    throw new Fault("link.lost");
  };
  await opened.clock.advance(MINUTE);
  expect(seen).toEqual([["connecting", "link.lost"]]);
  expect(opened.fleet.snapshots()[0]).toMatchObject({ phase: "ready", fault: null });
});

test("one whose cable comes off while nothing is asked is known to be away at once", async () => {
  const driver = createScriptedDriver(createScriptedDevice());
  const opened = open({ registers: [{ device: driver }] });
  await opened.start();
  driver.lose();
  expect(opened.fleet.snapshots()).toMatchObject([{ phase: "offline", fault: { code: "link.lost" } }]);
});

test("one that is away at the start is told as disconnected", async () => {
  const device = createScriptedDevice({ unplugged: true });
  const opened = open({ registers: [{ device }] });
  opened.startQueue();
  await opened.clock.advance(MINUTE);
  expect(opened.told.connections).toEqual(["till-1 disconnected"]);
});

/** The answer for its receipt is lost, and the cable comes off. */
function cutOff(device: ScriptedDevice): Bench {
  const bench = open({ registers: [{ device }] });
  device.faults = [null, { kind: "after" }];
  device.onCall = (name) => {
    if (name === "ran" && receiptsOn(device).length === 1) device.unplugged = true;
  };
  bench.addJob(makeReceipt());
  bench.startQueue();
  return bench;
}

test("a doubt is told as unknown after 15 minutes without an answer, once, and set right when it is known", async () => {
  const device = createScriptedDevice();
  const opened = cutOff(device);
  await opened.clock.advance(14 * MINUTE);
  expect(opened.stores.jobs.get(1).state).toBe("unsure");
  expect(opened.told.results).toEqual([]);
  await opened.clock.advance(2 * MINUTE);
  expect(opened.told.results).toEqual([{ job: 1, outcome: "unknown", fd: null }]);
  await opened.clock.advance(60 * MINUTE);
  expect(opened.told.results).toHaveLength(1);

  device.unplugged = false;
  await opened.runQueue();
  await opened.clock.advance(MINUTE);
  expect(opened.told.results.at(-1)).toEqual({ job: 1, outcome: "printed", fd: 2 });
  expect(receiptsOn(device)).toHaveLength(1);
});

test("a job that was broken off by an unexpected error is told as unknown too", async () => {
  const device = createScriptedDevice();
  const opened = open({ registers: [{ device }] });
  device.onCall = (name) => {
    if (name !== "ran" || receiptsOn(device).length === 0) return;
    device.unplugged = true;
    opened.beforeCommits((number) => {
      if (number === 1) throw new TypeError("unexpected");
    });
  };
  opened.addJob(makeReceipt());
  opened.startQueue();
  await opened.clock.advance(14 * MINUTE);
  expect(opened.log).toContainEqual(expect.stringContaining("a job was broken off"));
  expect(opened.told.results).toEqual([]);
  await opened.clock.advance(2 * MINUTE);
  expect(opened.told.results).toEqual([{ job: 1, outcome: "unknown", fd: null }]);
  expect(opened.stores.jobs.get(1).state).toBe("unsure");
});

test("after a restart the 15 minutes begin anew", async () => {
  const device = createScriptedDevice();
  const opened = cutOff(device);
  await opened.clock.advance(10 * MINUTE);
  const again = opened.crash();
  keep(again);
  again.startQueue();
  await again.clock.advance(10 * MINUTE);
  expect(again.told.results).toEqual([]);
  await again.clock.advance(6 * MINUTE);
  expect(again.told.results).toEqual([{ job: 1, outcome: "unknown", fd: null }]);
});

test("a jump of the wall clock changes nothing", async () => {
  const device = createScriptedDevice();
  const opened = cutOff(device);
  await opened.clock.advance(MINUTE);
  opened.clock.setWallClock(Date.UTC(2031, 0, 1));
  await opened.clock.advance(5 * MINUTE);
  expect(opened.told.results).toEqual([]);
  opened.clock.setWallClock(Date.UTC(2001, 0, 1));
  device.unplugged = false;
  await opened.runQueue();
  expect(opened.stores.jobs.get(1).state).toBe("printed");
  expect(receiptsOn(device)).toHaveLength(1);
});

test("stopping ends the receipt in hand properly", async () => {
  const device = createScriptedDevice();
  const opened = open({ registers: [{ device }] });
  let letGo: () => void = () => {};
  device.onCall = (name) => (name === "ran" ? new Promise<void>((resolve) => (letGo = resolve)) : undefined);
  opened.addJob(makeReceipt());
  opened.startQueue();
  await opened.clock.advance(0);
  expect(opened.stores.jobs.get(1).state).toBe("printing");
  const stopped = opened.fleet.stop();
  letGo();
  device.onCall = () => {};
  await stopped;
  expect(opened.stores.jobs.get(1).state).toBe("printed");
  expect(receiptsOn(device)).toHaveLength(1);
});
