/** What the operator's answers do while the database does not know everything: it was put back from a copy. */
import { copyFileSync, rmSync } from "node:fs";
import { toFnSerial } from "@fiscald/shared/ids.js";
import { noMarks, operatorAt, orderNamed, useBenches } from "../../../support/benches.js";
import { type Bench, newBenchPath } from "../../../support/register-bench.js";
import {
  addForeignReceipt,
  createScriptedDevice,
  receiptsOn,
  type ScriptedDevice,
} from "../../../support/scripted-driver.js";

const { open } = useBenches();
const withCode = (code: string) => expect.objectContaining({ code });

/** `since` happens after the copy, which is then put back. */
async function putBack(
  devices: readonly ScriptedDevice[],
  { copied, since }: Readonly<Record<"copied" | "since", (bench: Bench) => Promise<void>>>,
): Promise<Bench> {
  const path = newBenchPath();
  const openAt = (forgetful: boolean) => open({ path, registers: devices.map((device) => ({ device })), forgetful });
  const before = openAt(false);
  await copied(before);
  await before.close();
  copyFileSync(path, `${path}.copy`);
  const later = openAt(false);
  await since(later);
  await later.close();
  for (const suffix of ["-wal", "-shm"]) rmSync(`${path}${suffix}`, { force: true });
  copyFileSync(`${path}.copy`, path);
  return openAt(true);
}

/** Job 2 is unsure: another program's receipt of the same goods came with it. */
async function leaveUnsure(bench: Bench, device: ScriptedDevice): Promise<void> {
  bench.addJob(orderNamed("A-1"));
  await bench.runQueue();
  device.faults = [{ kind: "after" }];
  device.onCall = (name) => {
    if (name !== "fence") return;
    addForeignReceipt(device, orderNamed("A-2"));
    device.onCall = () => {};
  };
  bench.addJob(orderNamed("A-2"));
  bench.wake.notify();
  await bench.runQueue();
  expect(bench.stores.jobs.get(2).state).toBe("unsure");
}

test("a register whose drive was changed in a loss stays blocked, whatever the operator says of an earlier job", async () => {
  const device = createScriptedDevice({ capabilities: noMarks });
  const after = await putBack([device], {
    copied: async (bench) => {
      await leaveUnsure(bench, device);
      bench.addJob(orderNamed("B-1"));
    },
    since: async (bench) => {
      device.identity = { ...device.identity, fn: toFnSerial("9999078900000002") };
      device.documents = [];
      await bench.runQueue();
    },
  });
  expect(receiptsOn(device)).toHaveLength(1);
  after.startQueue();
  await after.settled();
  const tried = operatorAt(after).resolveNotPrinted(2, "no paper came out", [3, 4]);
  await expect(tried).rejects.toEqual(withCode("register.foreign-identity"));
  await after.clock.advance(120_000);
  expect(after.fleet.snapshots()).toMatchObject([{ phase: "blocked", fault: { code: "register.foreign-identity" } }]);
  expect(receiptsOn(device)).toHaveLength(1);
});
