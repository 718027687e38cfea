/** Orders that a lost database has forgotten and that the site offers again, unchanged or changed. */
import { kopecks } from "@fiscald/shared/amounts.js";
import { toFnSerial, toOrderId, toReceiptId, toRegisterId, toSiteId } from "@fiscald/shared/ids.js";
import { copyDatabase, noMarks, operatorAt, orderNamed, tillsOf, useBenches } from "../../../support/benches.js";
import { makeItem, makeReceipt } from "../../../support/make-job.js";
import { type Bench, issuerOfBench, newBenchPath } from "../../../support/register-bench.js";
import {
  addForeignReceipt,
  createScriptedDevice,
  createTill,
  receiptsOn,
  type ScriptedDevice,
} from "../../../support/scripted-driver.js";

const { open } = useBenches();

const item = (name: string, price: number) => makeItem({ name, price: kopecks(price), total: kopecks(price) });
const sale = makeReceipt({ orderId: toOrderId("A-1"), lines: [item("Чай", 10_000)] });
const changed = makeReceipt({ orderId: toOrderId("A-1"), lines: [item("Чай", 10_000), item("Сахар", 5_000)] });

function openOn(devices: readonly ScriptedDevice[], path = newBenchPath(), forgetful = false): Bench {
  return open({ path, registers: tillsOf(devices), forgetful });
}

/** What these receipts leave on a register whose daemon then loses its database. */
async function printAndForget(devices: readonly ScriptedDevice[], receipts: Parameters<Bench["addJob"]>[]) {
  const before = openOn(devices);
  for (const args of receipts) {
    before.addJob(...args);
    await before.runQueue();
  }
  await before.close();
}

/** Prints this one, then puts back the database as it was before it. */
async function printAndRollBack(devices: readonly ScriptedDevice[], args: Parameters<Bench["addJob"]>) {
  const path = newBenchPath();
  const before = openOn(devices, path);
  devices.forEach((_, index) => {
    before.addJob(makeReceipt({ orderId: toOrderId(`warm-${index}`) }), { register: `till-${index + 1}` });
  });
  await before.runQueue();
  await before.close();
  const putBack = copyDatabase(path);
  const printing = openOn(devices, path);
  printing.addJob(...args);
  await printing.runQueue();
  await printing.close();
  putBack();
  return openOn(devices, path, true);
}

describe("an order that was printed, forgotten and then offered by its site under another id", () => {
  const ofKit = makeReceipt({ ...sale, receiptId: toReceiptId("0f0e5bd6-5ad1-4a0c-8f3c-1f1d3f1b2a01") });
  const back = makeReceipt({ ...sale, operation: "return" });

  test.each([
    ["a receipt of the kit", ofKit],
    ["a sale", sale],
    ["a return", back],
  ])("%s is known by its mark: the address issues the same numbers", async (_, receipt) => {
    const device = createScriptedDevice();
    await printAndForget([device], [[receipt, { site: "old" }]]);
    const after = openOn([device]);
    await after.start();
    const job = after.addJob(receipt, { site: "new" });
    await after.runQueue();
    expect(receiptsOn(device)).toHaveLength(1);
    expect(after.told.results).toEqual([{ job: job.id, outcome: "printed", fd: 2 }]);
  });

  test("a receipt of the kit is known at another address too, by its digits", async () => {
    const device = createScriptedDevice();
    const after = await printAndRollBack([device], [ofKit, { site: "shop" }]);
    await after.start();
    after.addJob(ofKit, { site: "new" });
    await after.runQueue();
    expect(receiptsOn(device)).toHaveLength(2);
    expect(after.told.results.at(-1)).toMatchObject({ outcome: "printed", fd: 3 });
  });
});

test("an order with a tag 1084 of its own that a database put back forgot is not printed again: a person looks", async () => {
  const device = createScriptedDevice();
  const tabled = makeReceipt({ ...sale, requisites: { userProperty: { name: "Стол", value: "7" } } });
  const after = await printAndRollBack([device], [tabled]);
  await after.start();
  const job = after.addJob(tabled);
  await after.runQueue();
  expect(receiptsOn(device).map(({ mark }) => mark)).toEqual([expect.stringContaining("warm-0 "), "7"]);
  expect(after.stores.jobs.get(job.id)).toMatchObject({ state: "unsure", mark: null });
});

describe("an order that was printed, forgotten, and is held for a person when it comes again", () => {
  test("is known by its mark without being asked for", async () => {
    const device = createScriptedDevice();
    await printAndForget([device], [[sale]]);
    const after = openOn([device]);
    const job = after.addJob(sale, { state: "held" });
    await after.start();
    expect(after.stores.jobs.get(job.id)).toMatchObject({ state: "printed", document: { fd: 2 } });
    expect(after.told.results).toEqual([{ job: job.id, outcome: "printed", fd: 2 }]);
  });

  test("stays held where the document only may be its own, and a person looks once it is approved", async () => {
    const device = createScriptedDevice();
    await printAndForget([device], [[sale]]);
    const after = openOn([device]);
    const job = after.addJob(changed, { state: "held" });
    await after.start();
    await after.runQueue();
    expect([after.stores.jobs.stateOf(job.id), after.told.results]).toEqual(["held", []]);
    expect(after.fleet.snapshots()).toMatchObject([{ phase: "ready" }]);
    operatorAt(after).approve(job.id, "the sum is right");
    await after.runQueue();
    expect(after.stores.jobs.stateOf(job.id)).toBe("unsure");
    expect(receiptsOn(device)).toHaveLength(1);
  });
});

describe("an order that was printed, forgotten and then changed by the site", () => {
  test("makes a person look, who has it printed or names the document", async () => {
    const device = createScriptedDevice();
    await printAndForget([device], [[sale]]);
    const after = openOn([device]);
    await after.start();
    const job = after.addJob(changed);
    const other = after.addJob({ ...changed, lines: [item("Кофе", 7_000)] });
    await after.runQueue();
    expect(receiptsOn(device)).toHaveLength(1);
    expect([job, other].map(({ id }) => after.stores.jobs.get(id).state)).toEqual(["unsure", "unsure"]);
    expect(after.told.results).toContainEqual({ job: job.id, outcome: "unknown", fd: null });
    await operatorAt(after).resolveNotPrinted(job.id, "both are due");
    await after.runQueue();
    expect(receiptsOn(device)).toHaveLength(2);
    expect(after.stores.jobs.get(job.id).state).toBe("printed");
  });

  test("makes a person look also where its new content took the place of the one that the copy had queued", async () => {
    const device = createScriptedDevice();
    const path = newBenchPath();
    const before = openOn([device], path);
    before.addJob(sale);
    await before.close();
    const putBack = copyDatabase(path);
    const printing = openOn([device], path);
    await printing.runQueue();
    await printing.close();
    putBack();
    const after = openOn([device], path);
    after.stores.jobs.cancel(1, { code: "job.replaced", message: "other content" }, 0);
    after.addJob(changed);
    await after.runQueue();
    expect(receiptsOn(device)).toHaveLength(1);
    expect(after.stores.jobs.get(2).state).toBe("unsure");
  });

  test("is printed when it carries the kit's own id: the kit has asked its memory", async () => {
    const device = createScriptedDevice();
    await printAndForget([device], [[sale]]);
    const after = openOn([device]);
    await after.start();
    after.addJob({ ...changed, receiptId: toReceiptId("5f0c9a1e-0000-4000-8000-000000000001") });
    await after.runQueue();
    expect(receiptsOn(device)).toHaveLength(2);
  });

  test("is another order for a longer id that begins like it, and for the other direction", async () => {
    const device = createScriptedDevice();
    await printAndForget([device], [[sale]]);
    const after = openOn([device]);
    await after.start();
    after.addJob({ ...changed, orderId: toOrderId("A") });
    after.addJob({ ...changed, orderId: toOrderId("A-1 1") });
    after.addJob({ ...changed, operation: "return" });
    await after.runQueue();
    expect(receiptsOn(device)).toHaveLength(4);
  });
});

describe("another shop's receipt with the number of an order here", () => {
  const elsewhere = { site: "elsewhere" };

  test.each([
    ["equal content, at first sight of the register", sale, "first sight", "printed"],
    ["equal content, after a loss, of nobody that is known", sale, "loss", "unsure"],
    ["other content, after a loss, of nobody that is known", changed, "loss", "printed"],
  ] as const)("%s", async (_, ours, when, state) => {
    const device = createScriptedDevice();
    let after: Bench;
    if (when === "loss") after = await printAndRollBack([device], [sale, elsewhere]);
    else {
      await printAndForget([device], [[sale, elsewhere]]);
      after = openOn([device]);
    }
    const before = receiptsOn(device).length;
    await after.start();
    const job = after.addJob(ours);
    await after.runQueue();
    expect(after.stores.jobs.get(job.id).state).toBe(state);
    expect(receiptsOn(device)).toHaveLength(state === "printed" ? before + 1 : before);
  });

  test("that a site of this very config had printed is no candidate, after a loss either", async () => {
    const device = createScriptedDevice();
    const after = await printAndRollBack([device], [sale, { site: "cafe" }]);
    await after.start();
    const job = after.addJob(sale);
    await after.runQueue();
    expect(after.stores.jobs.get(job.id)).toMatchObject({ state: "printed", document: { fd: 4 } });
  });

  test("is not the order's own for the operator either, unless nobody here issued it", async () => {
    const device = createScriptedDevice();
    const after = await printAndRollBack([device], [sale, elsewhere]);
    await after.start();
    const job = after.addJob(sale);
    await after.runQueue();
    device.documents = device.documents.map((document) =>
      document.fd === 3 ? { ...document, mark: `A-1 ${issuerOfBench("cafe")}.0123abcd` } : document,
    );
    const operator = operatorAt(after);
    await expect(operator.resolvePrinted(job.id, 3, "it looks like it")).rejects.toMatchObject({
      code: "job.document-mismatch",
    });
    device.documents = device.documents.map((document) =>
      document.fd === 3 ? { ...document, mark: "A-1 99999999.0123abcd" } : document,
    );
    expect(await operator.resolvePrinted(job.id, 3, "it is")).toMatchObject({ state: "printed", document: { fd: 3 } });
  });
});

test("a document with the order's own mark whose numbers cannot be read makes it unsure, not printed again", async () => {
  const device = createScriptedDevice();
  await printAndForget([device], [[sale]]);
  device.documents = device.documents.map((document) => ({ ...document, time: null }));
  const after = openOn([device]);
  await after.start();
  const job = after.addJob(sale);
  await after.runQueue();
  expect(after.stores.jobs.get(job.id).state).toBe("unsure");
  expect(receiptsOn(device)).toHaveLength(1);
});

describe("without marks, after the database was put back from a copy", () => {
  test("an order that comes again later is unsure, until the operator has looked; another one of its sum is printed", async () => {
    const device = createScriptedDevice({ capabilities: noMarks });
    const after = await printAndRollBack([device], [sale]);
    await after.start();
    const job = after.addJob(sale);
    const other = after.addJob(makeReceipt({ orderId: toOrderId("B-1"), lines: [item("Кофе", 10_000)] }));
    await after.runQueue();
    expect([job, other].map(({ id }) => after.stores.jobs.get(id).state)).toEqual(["unsure", "printed"]);
    expect(after.told.results).toContainEqual({ job: job.id, outcome: "unknown", fd: null });
    expect(receiptsOn(device)).toHaveLength(3);
    // He has accepted the register, and has not looked at that receipt yet.
    const actions = operatorAt(after);
    actions.acceptIdentity(toRegisterId("till-1"), "the cable was changed");
    await after.settled();
    await after.runQueue();
    expect(after.stores.jobs.get(job.id).state).toBe("unsure");
    await actions.resolveNotPrinted(job.id, "it was the cashier");
    await after.runQueue();
    expect(after.stores.jobs.get(job.id)).toMatchObject({ state: "printed", document: { fd: 5 } });
  });

  test("so is one that another register of its site printed, and that register is asked about it", async () => {
    const devices = [createTill(1, { capabilities: noMarks }), createTill(2, { capabilities: noMarks })];
    const after = await printAndRollBack(devices, [sale, { register: "till-2" }]);
    await after.start();
    const job = after.addJob(sale, { register: "till-1" });
    await after.runQueue();
    expect(after.stores.jobs.get(job.id)).toMatchObject({ state: "unsure", register: "till-2" });
    expect(devices.flatMap((device) => receiptsOn(device))).toHaveLength(3);
  });
});

test("an order is looked for on a register of another site too, to which its group may have moved it", async () => {
  const till = (number: number, settings: object) => {
    return { device: createTill(number), settings: { id: toRegisterId(`till-${number}`), ...settings } };
  };
  const [first, third] = [
    till(1, { sites: [toSiteId("shop")] }),
    till(3, { sites: [toSiteId("cafe")], group: "hall" }),
  ];
  const registers = [first, till(2, { sites: [toSiteId("shop")], group: "hall" }), third];
  addForeignReceipt(third.device, orderNamed("A-1"), null);
  third.device.unplugged = true;
  const bench = open({ registers, forgetful: true });
  bench.startQueue();
  await bench.settled();
  const job = bench.addJob(orderNamed("A-1"));
  await bench.clock.advance(60_000);
  expect([bench.stores.jobs.get(job.id).state, receiptsOn(first.device).length]).toEqual(["queued", 0]);
  third.device.unplugged = false;
  await bench.clock.advance(60_000);
  expect(bench.stores.jobs.get(job.id).state).toBe("unsure");
});

test("a register that shares no order with it, over a third one's sites, is not waited for", async () => {
  const served = [["shop"], ["shop", "cafe"], ["cafe"]];
  const registers = served.map((sites, index) => ({
    device: createTill(index + 1, { unplugged: index === 2 }),
    settings: { id: toRegisterId(`till-${index + 1}`), sites: sites.map(toSiteId) },
  }));
  const bench = open({ registers, forgetful: true });
  bench.startQueue();
  await bench.settled();
  bench.addJob(orderNamed("A-1"));
  await bench.clock.advance(60_000);
  expect(bench.stores.jobs.get(1).state).toBe("printed");
});

test("when an unreadable document proves to be the receipt of one of two equal orders, the other one is printed", async () => {
  const device = createScriptedDevice();
  const same = (id: string) => makeReceipt({ orderId: toOrderId(id) });
  await printAndForget([device], [[same("B-1")]]);
  const last = device.documents.length;
  device.unreadable.add(last);
  const bench = openOn([device], newBenchPath(), true);
  bench.startQueue();
  await bench.settled();
  for (const id of ["A-1", "B-1"]) bench.addJob(same(id));
  await bench.runQueue();
  expect([1, 2].map((id) => bench.stores.jobs.get(id).state)).toEqual(["unsure", "unsure"]);
  device.unreadable.clear();
  await bench.clock.advance(120_000);
  await bench.runQueue();
  expect([1, 2].map((id) => bench.stores.jobs.get(id))).toMatchObject([
    { state: "printed" },
    { state: "printed", document: { fd: last } },
  ]);
});

test("a drive that is new since the copy waits for a person, and is then compared from its first document", async () => {
  const device = createScriptedDevice({ capabilities: noMarks });
  const path = newBenchPath();
  const before = openOn([device], path);
  before.addJob(makeReceipt({ orderId: toOrderId("warm") }));
  await before.runQueue();
  before.addJob(sale);
  await before.close();
  const putBack = copyDatabase(path);
  // The drive is swapped, the order is printed with the new one; then the database of before is put back.
  device.identity = { ...device.identity, fn: toFnSerial("9999078900000002") };
  device.documents = [];
  const printing = openOn([device], path);
  await printing.runQueue();
  await printing.close();
  putBack();
  const after = openOn([device], path);
  await after.start();
  const [register] = after.fleet.snapshots();
  expect(register).toMatchObject({ phase: "blocked", fault: { code: "register.foreign-identity" } });
  expect(after.stores.jobs.get(2)).toMatchObject({ state: "queued" });
  operatorAt(after).acceptIdentity(toRegisterId("till-1"), "compared with the site");
  await after.settled();
  await after.runQueue();
  expect(receiptsOn(device)).toHaveLength(1);
  expect(after.stores.jobs.get(2)).toMatchObject({ state: "unsure" });
});

describe("how far back a register is read whose database was deleted", () => {
  async function offerAgain(shiftsSince: number) {
    const device = createScriptedDevice();
    await printAndForget([device], [[sale]]);
    device.shift = { ...device.shift, number: device.shift.number + shiftsSince };
    const other = makeReceipt({ orderId: toOrderId("other"), lines: [item("Кофе", 7_700)] });
    for (let count = 0; count < 250; count += 1) addForeignReceipt(device, other);
    const bench = openOn([device], newBenchPath(), true);
    bench.addJob(sale);
    await bench.runQueue();
    return { bench, printed: receiptsOn(device).filter(({ total }) => total === 10_000).length };
  }

  test.each([0, 1])("an order of %i shifts ago is found behind 250 receipts of others", async (shifts) => {
    const { bench, printed } = await offerAgain(shifts);
    expect([bench.stores.jobs.get(1).state, printed]).toEqual(["printed", 1]);
  });
});
