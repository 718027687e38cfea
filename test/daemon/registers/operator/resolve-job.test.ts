/** `resolve` refuses document numbers that cannot be of the job's time. */
import { toFnSerial, toKkm, toRegisterId } from "@fiscald/shared/ids.js";
import { operatorAt, orderNamed, useBenches } from "../../../support/benches.js";
import {
  addForeignReceipt,
  createScriptedDevice,
  receiptsOn,
  type ScriptedDevice,
} from "../../../support/scripted-driver.js";

const { open } = useBenches();
const withCode = (code: string) => expect.objectContaining({ code });

/** Two tills of one group; till-1 has printed A-1. */
async function openHall(one: ScriptedDevice) {
  const two = createScriptedDevice();
  two.identity = { ...two.identity, kkm: toKkm("0000000000000002"), fn: toFnSerial("9999078900000002") };
  const bench = open({
    registers: [one, two].map((device, index) => ({
      device,
      settings: { id: toRegisterId(`till-${index + 1}`), group: "hall" },
    })),
  });
  bench.addJob(orderNamed("A-1"));
  await bench.runQueue();
  return { bench, two };
}

/** A-2 is cut off after its close on till-1, whose drive counts only its first document since. */
async function openLowCount() {
  const device = createScriptedDevice();
  const hall = await openHall(device);
  const { bench } = hall;
  const documents = device.documents;
  device.faults = [{ kind: "after" }];
  device.onCall = (name) => {
    if (name === "ran") device.documents = documents.slice(0, 1);
  };
  bench.addJob(orderNamed("A-2"));
  bench.wake.notify();
  await bench.clock.advance(20_000);
  return { ...hall, device, documents };
}

test("as printed refuses a document that was on the drive before the job was sent", async () => {
  const device = createScriptedDevice({ unreadable: new Set([4]) });
  const { bench } = await openHall(device);
  // Another program's, of the same sum and without a mark.
  addForeignReceipt(device, orderNamed("X-1"));
  device.faults = [{ kind: "after" }];
  bench.addJob(orderNamed("A-2"));
  await bench.runQueue();
  expect(bench.stores.jobs.get(2)).toMatchObject({ state: "unsure" });
  const tried = operatorAt(bench).resolvePrinted(2, 3, "mistyped");
  await expect(tried).rejects.toMatchObject({
    code: "job.document-mismatch",
    message: expect.stringMatching(/3 is older than the job.* 3/),
  });
  device.unreadable.clear();
  const settled = await operatorAt(bench).resolvePrinted(2, 4, "read now");
  expect(settled).toMatchObject({ state: "printed", document: { fd: 4 } });
});

test("as printed is done although the register goes away before other jobs are compared again", async () => {
  const device = createScriptedDevice({ unreadable: new Set([3]) });
  const { bench } = await openHall(device);
  device.faults = [{ kind: "after" }];
  bench.addJob(orderNamed("A-2"));
  await bench.runQueue();
  device.unreadable.clear();
  device.onCall = (name) => {
    if (name === "read-state") device.unplugged = true;
  };
  const settled = await operatorAt(bench).resolvePrinted(2, 3, "read now");
  expect(settled).toMatchObject({ state: "printed", document: { fd: 3 } });
});

test("as not printed is refused while the drive has fewer documents than when the job was sent", async () => {
  const { bench, device, documents, two } = await openLowCount();
  expect(bench.fleet.snapshots()).toMatchObject([{ phase: "blocked", fault: { code: "device.fn-state" } }, {}]);
  const tried = operatorAt(bench).resolveNotPrinted(2, "no paper came out");
  await expect(tried).rejects.toMatchObject({
    code: "job.document-left-out",
    message: expect.stringMatching(/no document 2 now.* last one is 1$/),
  });
  await bench.clock.advance(120_000);
  expect(receiptsOn(two)).toEqual([]);
  // The next answer about the number is right.
  device.documents = documents;
  await bench.clock.advance(20_000);
  expect(bench.stores.jobs.get(2)).toMatchObject({ state: "printed", register: "till-1", document: { fd: 3 } });
});

test("as not printed is refused for a mark above the last document that the fence saw", async () => {
  const { bench, device, documents, two } = await openLowCount();
  const operator = operatorAt(bench);
  operator.acceptIdentity(toRegisterId("till-1"), "it is the right one");
  await bench.clock.advance(20_000);
  expect(bench.stores.attempts.ofJob(2).at(-1)).toMatchObject({ fenceFd: 1, doubt: { reason: "no-evidence" } });
  device.documents = documents;
  const tried = operator.resolveNotPrinted(2, "no paper came out");
  await expect(tried).rejects.toEqual(withCode("job.already-printed"));
  await bench.clock.advance(120_000);
  expect(receiptsOn(two)).toEqual([]);
});
