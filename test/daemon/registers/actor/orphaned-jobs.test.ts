import { toFnSerial, toKkm, toRegisterId } from "@fiscald/shared/ids.js";
import { orderNamed, useBenches } from "../../../support/benches.js";
import { newBenchPath } from "../../../support/register-bench.js";
import { createScriptedDevice, receiptsOn, type ScriptedDevice } from "../../../support/scripted-driver.js";
import { waitFor } from "../../../support/wait-for.js";

const { open } = useBenches();
const QUARTER = 15 * 60_000;

/** The process died while A-1 was printed on `till-1`: the drive has it, and the database does not know. */
async function leavePrinting(path: string, device: ScriptedDevice): Promise<void> {
  const bench = open({ path, registers: [{ device }] });
  const job = bench.addJob(orderNamed("A-1"));
  device.onCall = (name) => (name === "ran" && receiptsOn(device).length > 0 ? new Promise<void>(() => {}) : undefined);
  bench.startQueue();
  await waitFor("its receipt is printed", async () => {
    await bench.clock.advance(100);
    return receiptsOn(device).length > 0;
  });
  expect(bench.stores.jobs.get(job.id).state).toBe("printing");
  device.onCall = () => {};
  await bench.crash().close();
}

test("an unsure job of a removed register is reported as unknown once, after 15 minutes", async () => {
  const path = newBenchPath();
  await leavePrinting(path, createScriptedDevice());
  const other = createScriptedDevice();
  const names = { kkm: toKkm("0000000000000002"), fn: toFnSerial("9999078900000002") };
  other.identity = { ...other.identity, ...names };
  const registers = [{ device: other, settings: { id: toRegisterId("till-2") } }];
  const bench = open({ path, registers });
  await bench.start();
  await bench.clock.advance(QUARTER - 1000);
  expect(bench.told.results).toEqual([]);
  const unlock = bench.lockDatabase();
  await bench.clock.advance(1000);
  unlock();
  await bench.clock.advance(QUARTER);
  expect(bench.told.results).toEqual([{ job: 1, outcome: "unknown", fd: null }]);
  expect(bench.stores.jobs.get(1).state).toBe("unsure");
  const again = await bench.restart();
  await again.start();
  await again.clock.advance(2 * QUARTER);
  expect(again.told.results).toHaveLength(1);
  await again.close();
});

test("an unsure job of a renamed register is not reported as unknown", async () => {
  const path = newBenchPath();
  const device = createScriptedDevice();
  await leavePrinting(path, device);
  const hall = { device, settings: { id: toRegisterId("hall") }, renamedFrom: toRegisterId("till-1") };
  const bench = open({ path, registers: [hall] });
  await bench.runQueue();
  await bench.clock.advance(2 * QUARTER);
  expect(bench.told.results).toEqual([{ job: 1, outcome: "printed", fd: 2 }]);
});
