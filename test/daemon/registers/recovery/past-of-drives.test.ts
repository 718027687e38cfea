/** What a drive held before it came to its register proves nothing of the orders that wait there. The model writes no marks. */
import { toFnSerial, toKkm, toRegisterId } from "@fiscald/shared/ids.js";
import { noMarks, orderNamed, useBenches } from "../../../support/benches.js";
import { newBenchPath } from "../../../support/register-bench.js";
import {
  addForeignReceipt,
  createScriptedDevice,
  receiptsOn,
  type ScriptedDevice,
} from "../../../support/scripted-driver.js";

const { open } = useBenches();

const till = () => createScriptedDevice({ capabilities: noMarks });

/** Its drive is another one; the function puts the first one back. */
function swapDrive(device: ScriptedDevice): () => void {
  const { identity, documents, shift } = device;
  const another = { ...identity, fn: toFnSerial("9999078900000002") };
  Object.assign(device, { identity: another, documents: [], shift: { number: 0, state: "closed", openedAt: null } });
  return () => Object.assign(device, { identity, documents, shift });
}

/** It comes in and waits: the daemon ends before it is printed. */
async function leaveOrder(path: string, device: ScriptedDevice, order: string): Promise<void> {
  const bench = open({ path, registers: [{ device }] });
  await bench.start();
  bench.addJob(orderNamed(order));
  await bench.close();
}

async function expectPrinted(path: string, device: ScriptedDevice, { job, fd }: { job: number; fd: number }) {
  const bench = open({ path, registers: [{ device }] });
  await bench.runQueue();
  expect(bench.stores.jobs.get(job)).toMatchObject({ state: "printed", document: { fd } });
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
  await leaveOrder(path, device, "A-2");
  putBack();
  return path;
}

test("not the receipts on a drive from before it was taken out and put back", async () => {
  const device = till();
  const path = await leaveWaiting(device);
  await expectPrinted(path, device, { job: 2, fd: 4 });
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
  await leaveOrder(path, device, "A-2");
  putBack();
  await expectPrinted(path, device, { job: 1, fd: 3 });
  expect(receiptsOn(device)).toHaveLength(2);
});

test("nor those that came on it while the daemon was ended", async () => {
  const device = till();
  const path = await leaveWaiting(device);
  addForeignReceipt(device, orderNamed("A-2"));
  await expectPrinted(path, device, { job: 2, fd: 5 });
  expect(receiptsOn(device)).toHaveLength(4);
});

test("yet those from before its first connection do, once the database that knew them is said to be lost", async () => {
  const device = till();
  const path = newBenchPath();
  addForeignReceipt(device, orderNamed("A-1"));
  const first = open({ path, registers: [{ device }] });
  await first.start();
  first.stores.documents.lose(toRegisterId("till-1"));
  await first.close();
  const bench = open({ path, forgetful: true, registers: [{ device }] });
  bench.addJob(orderNamed("A-1"));
  await bench.runQueue();
  expect(bench.stores.jobs.get(1).state).toBe("unsure");
  expect(receiptsOn(device)).toHaveLength(1);
});

test("not the receipts of another device that the config expects now", async () => {
  const path = newBenchPath();
  await leaveOrder(path, till(), "A-1");
  const device = till();
  const kkm = toKkm("0000000000000002");
  device.identity = { ...device.identity, kkm, fn: toFnSerial("9999078900000002") };
  addForeignReceipt(device, orderNamed("A-1"));
  const bench = open({ path, registers: [{ device, settings: { expectKkm: kkm } }] });
  await bench.runQueue();
  expect(bench.stores.jobs.get(1)).toMatchObject({ state: "printed", document: { fd: 3 } });
  expect(receiptsOn(device)).toHaveLength(2);
});
