/** What a drive held before it came to its register proves nothing of the orders that wait there. The model writes no marks. */
import { toFnSerial, toKkm, toRegisterId } from "@fiscald/shared/ids.js";
import { noMarks, orderNamed, useBenches } from "../../support/benches.js";
import { newBenchPath } from "../../support/register-bench.js";
import {
  addForeignReceipt,
  createScriptedDevice,
  receiptsOn,
  type ScriptedDevice,
} from "../../support/scripted-driver.js";

const { open } = useBenches();

const till = () => createScriptedDevice({ capabilities: noMarks });

/** Its drive is another one; the function puts the first one back. */
function swapDrive(device: ScriptedDevice): () => void {
  const { identity, documents, shift } = device;
  const another = { ...identity, fn: toFnSerial("9999078900000002") };
  Object.assign(device, { identity: another, documents: [], shift: { number: 0, state: "closed", openedAt: null } });
  return () => Object.assign(device, { identity, documents, shift });
}

/** Another program's receipt of the same goods, then A-1 of ours; then A-2 waits while another drive is in the register. */
async function leaveWaiting(device: ScriptedDevice) {
  const path = newBenchPath();
  addForeignReceipt(device, orderNamed("A-2"));
  const first = open({ path, registers: [{ device }] });
  first.addJob(orderNamed("A-1"));
  await first.runQueue();
  await first.close();
  const putBack = swapDrive(device);
  const second = open({ path, registers: [{ device }] });
  await second.start();
  second.addJob(orderNamed("A-2"));
  await second.close();
  putBack();
  return path;
}

test("not the receipts on a drive from before it was taken out and put back", async () => {
  const device = till();
  const path = await leaveWaiting(device);
  const bench = open({ path, registers: [{ device }] });
  await bench.runQueue();
  expect(bench.stores.jobs.get(2)).toMatchObject({ state: "printed", document: { fd: 4 } });
  expect(receiptsOn(device)).toHaveLength(3);
});

test("not even when a person accepted what comes in its place before that was there", async () => {
  const device = till();
  const path = newBenchPath();
  addForeignReceipt(device, orderNamed("A-2"));
  const first = open({ path, registers: [{ device }] });
  await first.start();
  device.unplugged = true;
  first.fleet.get(toRegisterId("till-1")).acceptIdentity("it gets another drive");
  await first.close();
  device.unplugged = false;
  const putBack = swapDrive(device);
  const second = open({ path, registers: [{ device }] });
  await second.start();
  second.addJob(orderNamed("A-2"));
  await second.close();
  putBack();
  const bench = open({ path, registers: [{ device }] });
  await bench.runQueue();
  expect(bench.stores.jobs.get(1)).toMatchObject({ state: "printed", document: { fd: 3 } });
  expect(receiptsOn(device)).toHaveLength(2);
});

test("but those that came on it meanwhile do", async () => {
  const device = till();
  const path = await leaveWaiting(device);
  addForeignReceipt(device, orderNamed("A-2"));
  const bench = open({ path, registers: [{ device }] });
  await bench.runQueue();
  expect(bench.stores.jobs.get(2)).toMatchObject({ state: "printed", document: { fd: 4 } });
  expect(receiptsOn(device)).toHaveLength(3);
});

test("those on a drive that is new in its register do", async () => {
  const device = till();
  const path = newBenchPath();
  const before = open({ path, registers: [{ device }] });
  await before.start();
  before.addJob(orderNamed("A-1"));
  await before.close();
  swapDrive(device);
  addForeignReceipt(device, orderNamed("A-1"));
  const bench = open({ path, registers: [{ device }] });
  await bench.runQueue();
  expect(bench.stores.jobs.get(1)).toMatchObject({ state: "printed", document: { fd: 2 } });
  expect(receiptsOn(device)).toHaveLength(1);
});

test("not the receipts of another device that the config expects now", async () => {
  const path = newBenchPath();
  const before = open({ path, registers: [{ device: till() }] });
  await before.start();
  before.addJob(orderNamed("A-1"));
  await before.close();
  const device = till();
  const kkm = toKkm("0000000000000002");
  device.identity = { ...device.identity, kkm, fn: toFnSerial("9999078900000002") };
  addForeignReceipt(device, orderNamed("A-1"));
  const bench = open({ path, registers: [{ device, settings: { expectKkm: kkm } }] });
  await bench.runQueue();
  expect(bench.stores.jobs.get(1)).toMatchObject({ state: "printed", document: { fd: 3 } });
  expect(receiptsOn(device)).toHaveLength(2);
});
