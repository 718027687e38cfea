import { toRegisterId } from "@fiscald/shared/ids.js";
import { never, orderNamed, TILL, tillsOf, useBenches } from "../../../support/benches.js";
import { createTill, receiptsOn, type ScriptedDevice } from "../../../support/scripted-driver.js";
import { waitFor } from "../../../support/wait-for.js";

const { open } = useBenches();
const MINUTE = 60_000;

test("two registers that changed places print nothing until a person has accepted each in its new place", async () => {
  const devices = [createTill(1), createTill(2)] as const;
  const [one, two] = devices;
  const shop = open({ registers: tillsOf(devices) });
  shop.addJob(orderNamed("A-1"), { register: "till-1" });
  await shop.sell("B-1", { register: "till-2" });
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
  for (const number of [1, 2]) {
    shop.operator.acceptIdentity(toRegisterId(`till-${number}`), "they changed places");
    await shop.clock.advance(2 * MINUTE);
  }
  await shop.clock.advance(5 * MINUTE);
  expect(phases()).toEqual(["ready", "ready"]);
  expect(fleet.snapshots().map(({ identity }) => identity?.kkm)).toEqual([2, 1].map((n) => createTill(n).identity.kkm));
  shop.addJob(orderNamed("A-2"), { register: "till-1" });
  await shop.sell("B-2", { register: "till-2" });
  expect([one, two].map((device) => receiptsOn(device).map(({ items }) => items[0]?.name))).toEqual([
    ["B-1", "A-2"],
    ["A-1", "B-2"],
  ]);
});

test("registers that change places after a kill in their first minute are known as foreign, and print nothing", async () => {
  const devices = [createTill(1), createTill(2)] as const;
  const [one, two] = devices;
  for (const device of devices) {
    // The first sweep never ends.
    device.onCall = (name) => (name === "read-state" ? never : undefined);
  }
  const before = open({ registers: tillsOf(devices) });
  before.startQueue();
  await waitFor("both are identified", () => before.fleet.snapshots().every(({ identity }) => identity !== null));
  for (let number = 1; number <= 9; number += 1) before.addJob(orderNamed(`A-${number}`), { register: "till-1" });
  for (const device of devices) device.onCall = () => {};
  [one.identity, two.identity] = [two.identity, one.identity];
  const after = before.crash();
  after.startQueue();
  await after.clock.advance(MINUTE);
  expect(after.fleet.snapshots().map(({ phase, fault }) => [phase, fault?.code])).toEqual([
    ["blocked", "register.foreign-identity"],
    ["blocked", "register.foreign-identity"],
  ]);
  expect([one, two].flatMap(receiptsOn)).toEqual([]);
  expect(after.stores.jobs.waitingCount(TILL)).toBe(9);
  for (const number of [1, 2]) after.operator.acceptIdentity(toRegisterId(`till-${number}`), "they belong there");
  await after.clock.advance(5 * MINUTE);
  await after.runQueue();
  expect(receiptsOn(one)).toHaveLength(9);
});
