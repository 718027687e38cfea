import { HOLD_MS } from "@fiscald/daemon/dispatch/pending-registration.js";
import { createOperatorActions } from "@fiscald/daemon/registers/operator/operator-actions.js";
import { toFnSerial, toKkm, toOrderId, toRegisterId, toSiteId } from "@fiscald/shared/ids.js";
import { makeItem, makeReceipt } from "../../support/make-job.js";
import { type Bench, openBench, removeBenchFolders } from "../../support/register-bench.js";
import { createScriptedDevice, receiptsOn, type ScriptedDevice } from "../../support/scripted-driver.js";

let bench: Bench | null = null;
afterEach(async () => {
  await bench?.close();
  bench = null;
  removeBenchFolders();
});

const kkmOf = (number: number) => toKkm(`000000000000000${number}`);

function till(number: number, over: Partial<ScriptedDevice> = {}): ScriptedDevice {
  const device = createScriptedDevice(over);
  const fn = toFnSerial(`999907890000000${number}`);
  device.identity = { ...device.identity, kkm: kkmOf(number), fn };
  return device;
}

function openShop(...devices: readonly ScriptedDevice[]): Bench {
  return open(devices, false);
}

function open(devices: readonly ScriptedDevice[], forgetful: boolean): Bench {
  bench = openBench({
    forgetful,
    registers: devices.map((device, index) => ({ device, settings: { id: toRegisterId(`till-${index + 1}`) } })),
  });
  return bench;
}

/** An order that names this number while `till-2` is the first register that nobody has seen. */
function hold(shop: Bench, number: number) {
  const receipt = makeReceipt({ orderId: toOrderId("A"), kkm: kkmOf(number), lines: [makeItem({ name: "A" })] });
  const raw = shop.stores.jobs.insertRaw({
    site: toSiteId("shop"),
    polledKkm: kkmOf(1),
    receivedAt: shop.clock.now(),
    hash: "h",
    body: "the order, word for word",
  });
  return shop.addJob(receipt, { register: "till-2", awaitsKkm: kkmOf(number), raw });
}

const namesOn = (device: ScriptedDevice) => receiptsOn(device).map(({ items }) => items[0]?.name);

test.each([
  ["the one that it was taken for", 2],
  ["another one that was not seen either", 3],
])("an order that names a number nobody knows is printed when its register appears: %s", async (_, number) => {
  const devices = [till(1), till(2, { unplugged: true }), till(3, { unplugged: true })];
  const shop = openShop(...devices);
  const job = hold(shop, number);
  shop.startQueue();
  await shop.clock.advance(120_000);
  expect(devices.flatMap(namesOn)).toEqual([]);
  expect(shop.stores.jobs.get(job.id).state).toBe("queued");
  for (const device of devices) device.unplugged = false;
  await shop.runQueue();
  expect(devices.map(namesOn)).toEqual([1, 2, 3].map((it) => (it === number ? ["A"] : [])));
  const assigned = { state: "printed", register: `till-${number}`, taxRegister: `till-${number}`, awaitsKkm: null };
  expect(shop.stores.jobs.get(job.id)).toMatchObject(assigned);
  expect(shop.told.refusals).toEqual([]);
});

test("it is refused as unknown when all registers have said who they are, and never printed by another one", async () => {
  const devices = [till(1), till(2, { unplugged: true })];
  const shop = openShop(...devices);
  const job = hold(shop, 9);
  shop.startQueue();
  await shop.clock.advance(60_000);
  for (const device of devices) device.unplugged = false;
  await shop.clock.advance(60_000);
  const unknown = { state: "failed", tries: 1, fault: { code: "register.unknown-kkm" } };
  expect(shop.stores.jobs.get(job.id)).toMatchObject(unknown);
  expect(shop.told.refusals).toEqual([{ job: job.id, code: "register.unknown-kkm", fd: null }]);
  expect(shop.told.formatErrors).toMatchObject([{ orderId: "A", kkm: kkmOf(9), body: "the order, word for word" }]);
  expect(devices.flatMap(namesOn)).toEqual([]);
});

test("its site hears that it cannot be printed when its time is over, and not before: a restart begins it anew", async () => {
  let shop = openShop(till(1), till(2, { unplugged: true }));
  const job = hold(shop, 2);
  shop.startQueue();
  await shop.clock.advance(HOLD_MS / 2);
  shop = await shop.restart();
  bench = shop;
  shop.startQueue();
  await shop.clock.advance(HOLD_MS - 60_000);
  expect(shop.stores.jobs.get(job.id).state).toBe("queued");
  await shop.clock.advance(61_000);
  // None of the three tries of domain 7.3 is spent: nobody tried to print it.
  const away = { state: "failed", tries: 0, fault: { code: "register.offline" } };
  expect(shop.stores.jobs.get(job.id)).toMatchObject(away);
  expect(shop.told.refusals).toEqual([{ job: job.id, code: "register.offline", fd: null }]);
  expect(shop.told.formatErrors).toEqual([]);
});

test("a database that was deleted refuses none as not printed: the register that is away may hold its receipt", async () => {
  const devices = [till(1), till(2, { unplugged: true })];
  const shop = open(devices, true);
  const job = hold(shop, 2);
  shop.startQueue();
  await shop.clock.advance(3 * HOLD_MS);
  expect(shop.stores.jobs.get(job.id).state).toBe("queued");
  expect(shop.told.refusals).toEqual([]);
  for (const device of devices) device.unplugged = false;
  await shop.runQueue();
  expect(shop.stores.jobs.get(job.id)).toMatchObject({ state: "printed", register: "till-2" });
});

test.each([
  ["by its mark", true, "printed"],
  ["and without marks is left to a person", false, "unsure"],
])("one that was printed before the database was deleted is known %s", async (_, orderMark, state) => {
  const third = till(3);
  if (!orderMark) third.capabilities = { ...third.capabilities, fiscal: { ...third.capabilities.fiscal, orderMark } };
  const before = openShop(third);
  before.addJob(makeReceipt({ orderId: toOrderId("A"), kkm: kkmOf(3), lines: [makeItem({ name: "A" })] }));
  await before.runQueue();
  await before.close();
  third.unplugged = true;
  const devices = [till(1), till(2, { unplugged: true }), third];
  const shop = open(devices, true);
  const job = hold(shop, 3);
  shop.startQueue();
  await shop.clock.advance(60_000);
  for (const device of devices) device.unplugged = false;
  await shop.runQueue();
  expect(shop.stores.jobs.get(job.id)).toMatchObject({ state, register: "till-3" });
  expect(devices.map(namesOn)).toEqual([[], [], ["A"]]);
});

test("neither a wall clock that jumps ahead nor one that jumps back changes how long it waits", async () => {
  const shop = openShop(till(1), till(2, { unplugged: true }));
  const job = hold(shop, 2);
  shop.startQueue();
  await shop.clock.advance(60_000);
  shop.clock.setWallClock(shop.clock.now() + 48 * 3_600_000);
  await shop.clock.advance(60_000);
  expect(shop.stores.jobs.get(job.id).state).toBe("queued");
  shop.clock.setWallClock(shop.clock.now() - 96 * 3_600_000);
  await shop.clock.advance(HOLD_MS - 60_000);
  expect(shop.stores.jobs.get(job.id).state).toBe("failed");
});

test("a cancelled one that a person has printed anyway waits anew, and is printed by its register alone", async () => {
  const devices = [till(1), till(2, { unplugged: true })];
  const shop = openShop(...devices);
  const job = hold(shop, 2);
  shop.startQueue();
  await shop.clock.advance(HOLD_MS - 60_000);
  const { stores, fleet, clock, wake } = shop;
  const facts = { result: () => {} };
  const actions = createOperatorActions({
    stores,
    fleet,
    facts,
    clock,
    newDigits: () => "feedc0de",
    wake: () => wake.notify(),
  });
  actions.cancel(job.id, "changed my mind");
  await shop.clock.advance(60_000);
  actions.printAnyway(job.id, "and back");
  await shop.clock.advance(HOLD_MS - 60_000);
  expect(stores.jobs.get(job.id).state).toBe("queued");
  for (const device of devices) device.unplugged = false;
  await shop.runQueue();
  expect(devices.map(namesOn)).toEqual([[], ["A"]]);
});

test("of two orders with one id the later one does not overtake it", async () => {
  const devices = [till(1), till(2, { unplugged: true })];
  const shop = openShop(...devices);
  hold(shop, 2);
  shop.addJob(makeReceipt({ orderId: toOrderId("A"), operation: "return", lines: [makeItem({ name: "back" })] }));
  shop.startQueue();
  await shop.clock.advance(120_000);
  expect(devices.flatMap(namesOn)).toEqual([]);
  for (const device of devices) device.unplugged = false;
  await shop.runQueue();
  expect(devices.map(namesOn)).toEqual([["back"], ["A"]]);
});

describe("an order that was told as not printed because its register stayed away,", () => {
  async function refuseFirst() {
    const devices = [till(1), till(2, { unplugged: true })];
    const shop = openShop(...devices);
    const job = hold(shop, 2);
    shop.startQueue();
    await shop.clock.advance(HOLD_MS + 1_000);
    expect(shop.stores.jobs.get(job.id)).toMatchObject({ state: "failed", fault: { code: "register.offline" } });
    const appear = async () => {
      for (const device of devices) device.unplugged = false;
      await shop.clock.advance(60_000);
    };
    return { shop, devices, id: job.id, appear };
  }

  test("is not printed by itself when it appears: the site may have sold it elsewhere", async () => {
    const { shop, devices, id, appear } = await refuseFirst();
    await appear();
    expect(devices.flatMap(namesOn)).toEqual([]);
    expect(shop.stores.jobs.get(id).state).toBe("failed");
  });

  test.each([
    ["before it appears", true],
    ["after it appeared", false],
  ])("is printed there when the site sends it again %s, and told as printed", async (_, isBefore) => {
    const { shop, devices, id, appear } = await refuseFirst();
    if (!isBefore) await appear();
    // What a repeat of a failed order does (domain 7.3).
    shop.stores.jobs.requeueFailed(id, shop.clock.now());
    shop.wake.notify();
    await shop.clock.advance(1_000);
    if (isBefore) await appear();
    await shop.runQueue();
    expect(devices.map(namesOn)).toEqual([[], ["A"]]);
    expect(shop.stores.jobs.get(id)).toMatchObject({ state: "printed", register: "till-2", awaitsKkm: null });
    expect(shop.told.results).toEqual([{ job: id, outcome: "printed", fd: 2 }]);
    expect(shop.stores.jobs.reportedOutcome(id)).toBe("printed");
  });
});
