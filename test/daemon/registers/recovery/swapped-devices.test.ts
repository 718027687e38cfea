/** The devices of two registers of one config change places while the daemon runs. */
import { toFnSerial, toKkm, toOrderId, toRegisterId } from "@fiscald/shared/ids.js";
import { operatorAt } from "../../../support/benches.js";
import { makeItem, makeReceipt } from "../../../support/make-job.js";
import { type Bench, openBench, removeBenchFolders } from "../../../support/register-bench.js";
import {
  createScriptedDevice,
  receiptsOn,
  type ScriptedDevice,
  scriptedCapabilities,
} from "../../../support/scripted-driver.js";

let bench: Bench | null = null;
const others: Bench[] = [];
afterEach(async () => {
  for (const other of others.splice(0)) await other.close();
  await bench?.close();
  bench = null;
  removeBenchFolders();
});

const MINUTE = 60_000;
const tillOf = (number: number) => toRegisterId(`till-${number}`);
const order = (id: string) => makeReceipt({ orderId: toOrderId(id), lines: [makeItem({ name: id })] });

function till(number: number): ScriptedDevice {
  const device = createScriptedDevice();
  const names = { kkm: toKkm(`000000000000000${number}`), fn: toFnSerial(`999907890000000${number}`) };
  device.identity = { ...device.identity, ...names };
  return device;
}

/** The site has no leases: what the first daemon has printed and not reported, it offers to the second one. */
describe.each([true, false])("between two daemons, with order marks: %s", (orderMark) => {
  test(`an order printed by the other one ${orderMark ? "is known by its mark" : "is not known, and the log says so"}`, async () => {
    const capabilities = { ...scriptedCapabilities, fiscal: { ...scriptedCapabilities.fiscal, orderMark } };
    const device = Object.assign(till(1), { capabilities });
    const open = () => {
      const opened = openBench({ registers: [{ device, settings: { id: tillOf(1) } }] });
      others.push(opened);
      return opened;
    };
    const first = open();
    first.addJob(order("A-1"));
    await first.runQueue();
    await others.pop()?.close();
    const second = open();
    const job = second.addJob(order("A-1"));
    await second.runQueue();
    expect(second.stores.jobs.get(job.id).state).toBe("printed");
    expect(receiptsOn(device)).toHaveLength(orderMark ? 1 : 2);
    expect(second.log.join().includes("is not recognised")).toBe(!orderMark);
  });
});

test("both wait for a person, and work again in their new places when both are accepted", async () => {
  const devices = [till(1), till(2)] as const;
  const [one, two] = devices;
  const shop = openBench({
    registers: devices.map((device, index) => ({ device, settings: { id: tillOf(index + 1) } })),
  });
  bench = shop;
  shop.addJob(order("A-1"), { register: "till-1" });
  shop.addJob(order("B-1"), { register: "till-2" });
  await shop.runQueue();
  for (const device of devices) device.unplugged = true;
  await shop.clock.advance(MINUTE);
  const parts = ({ identity, documents, shift }: ScriptedDevice) => ({ identity, documents, shift });
  const [first, second] = [parts(one), parts(two)];
  Object.assign(one, second, { unplugged: false });
  Object.assign(two, first, { unplugged: false });
  await shop.clock.advance(2 * MINUTE);
  const phases = () => shop.fleet.snapshots().map(({ phase }) => phase);
  expect(phases()).toEqual(["blocked", "blocked"]);
  const { fleet } = shop;
  const actions = operatorAt(shop);
  for (const number of [1, 2]) {
    actions.acceptIdentity(tillOf(number), "they changed places");
    await shop.clock.advance(2 * MINUTE);
  }
  await shop.clock.advance(5 * MINUTE);
  expect(phases()).toEqual(["ready", "ready"]);
  expect(fleet.snapshots().map(({ identity }) => identity?.kkm)).toEqual([2, 1].map((n) => till(n).identity.kkm));
  shop.addJob(order("A-2"), { register: "till-1" });
  shop.addJob(order("B-2"), { register: "till-2" });
  await shop.runQueue();
  expect([one, two].map((device) => receiptsOn(device).map(({ items }) => items[0]?.name))).toEqual([
    ["B-1", "A-2"],
    ["A-1", "B-2"],
  ]);
});
