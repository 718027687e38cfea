/** What a sweep finds besides the outcome of what was sent: doubles, and candidates that find their owner. */
import { toFnSerial, toRegisterId } from "@fiscald/shared/ids.js";
import { noMarks, operatorAt, orderNamed, useBenches } from "../../../support/benches.js";
import { newBenchPath } from "../../../support/register-bench.js";
import { addForeignReceipt, createScriptedDevice, receiptsOn } from "../../../support/scripted-driver.js";

const { open } = useBenches();

test("a second receipt with the mark of a printed order is reported as a double, with both numbers", async () => {
  const device = createScriptedDevice();
  const bench = open({ registers: [{ device }] });
  bench.addJob(orderNamed("A-1"));
  await bench.runQueue();
  addForeignReceipt(device, orderNamed("A-1"), receiptsOn(device)[0]?.mark);
  bench.addJob(orderNamed("B-1"));
  await bench.runQueue();
  expect(bench.errors).toContainEqual(expect.stringContaining("an order was printed twice"));
  expect(bench.stores.journal.ofJob(1)).toContainEqual(
    expect.objectContaining({ what: "printed twice", details: expect.objectContaining({ fd: 3, printed: 2 }) }),
  );
});

test("of two equal orders, the other is printed once the operator has given the one document its owner", async () => {
  const device = createScriptedDevice({ capabilities: noMarks });
  const before = open({ registers: [{ device }] });
  before.addJob(orderNamed("A-1"));
  await before.runQueue();
  await before.close();
  const bench = open({ path: newBenchPath(), forgetful: true, registers: [{ device }] });
  const [one, other] = [bench.addJob(orderNamed("A-1")), bench.addJob(orderNamed("A-1"))];
  await bench.runQueue();
  expect([one, other].map(({ id }) => bench.stores.jobs.get(id).state)).toEqual(["unsure", "unsure"]);
  await operatorAt(bench).resolvePrinted(one.id, 2, "it is on the paper");
  await bench.runQueue();
  expect(bench.stores.jobs.get(other.id)).toMatchObject({ state: "printed", document: { fd: 3 } });
});

test("without marks, an equal receipt proves nothing while another program sells in the shift", async () => {
  const device = createScriptedDevice({ capabilities: noMarks });
  const bench = open({ registers: [{ device }] });
  bench.addJob(orderNamed("A-1"));
  await bench.runQueue();
  addForeignReceipt(device, orderNamed("X-1"));
  device.faults = [{ kind: "after" }];
  bench.addJob(orderNamed("A-2"));
  await bench.runQueue();
  expect(bench.stores.jobs.get(2).state).toBe("unsure");
  expect(bench.stores.attempts.ofJob(2).at(-1)?.doubt).toMatchObject({ reason: "ambiguous", candidates: [{ fd: 4 }] });
  await operatorAt(bench).resolvePrinted(2, 4, "seen");
  expect(bench.stores.registers.find(toRegisterId("till-1"))?.lastFd).toBe(4);
});

test("a receipt that went to a drive put in just before is found there by its mark", async () => {
  const device = createScriptedDevice();
  const bench = open({ registers: [{ device }] });
  bench.addJob(orderNamed("A-1"));
  await bench.runQueue();
  device.faults = [{ kind: "after" }];
  device.onCall = (name) => {
    if (name !== "run") return;
    const shift = { number: 0, state: "closed", openedAt: null } as const;
    Object.assign(device, {
      identity: { ...device.identity, fn: toFnSerial("9999078900000002") },
      documents: [],
      shift,
    });
    device.onCall = () => {};
  };
  bench.addJob(orderNamed("A-2"));
  await bench.runQueue();
  expect(bench.stores.jobs.get(2)).toMatchObject({ state: "printed", document: { fn: "9999078900000002" } });
});
