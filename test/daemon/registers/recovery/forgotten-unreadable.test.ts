/** A database that was put back or deleted, and documents of that time which cannot be read: nothing is printed on a guess. */
import type { RegisterSettings } from "@fiscald/daemon/registers/register-settings.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import { toKkm, toOrderId, toRegisterId, toSiteId } from "@fiscald/shared/ids.js";
import { noMarks, useBenches } from "../../../support/benches.js";
import { makeItem, makeReceipt } from "../../../support/make-job.js";
import { type Bench, newBenchPath } from "../../../support/register-bench.js";
import { addForeignReceipt, createTill, receiptsOn, type ScriptedDevice } from "../../../support/scripted-driver.js";

const { open, keep } = useBenches();

const sale = makeReceipt({
  orderId: toOrderId("A-1"),
  lines: [makeItem({ name: "Чай", price: kopecks(10_000), total: kopecks(10_000) })],
});

interface Loss {
  readonly path?: string;
  readonly settings?: readonly Partial<RegisterSettings>[];
}

function openOn(devices: readonly ScriptedDevice[], { path = newBenchPath(), settings = [] }: Loss, forgetful = false) {
  const registers = devices.map((device, index) => ({
    device,
    settings: { id: toRegisterId(`till-${index + 1}`), ...settings[index] },
  }));
  return open({ path, registers, forgetful });
}

/** What was printed is on the drives only: a new database, which knows that there was another one. */
async function printAndLose(devices: readonly ScriptedDevice[], register: string, loss: Loss = {}): Promise<Bench> {
  const before = openOn(devices, loss);
  before.addJob(sale, { register });
  await before.runQueue();
  await before.close();
  for (const { documents, unreadable } of devices) for (const { fd } of documents) unreadable.add(fd);
  return openOn(devices, loss.path === undefined ? loss : { ...loss, path: newBenchPath() }, true);
}

const receiptCount = (devices: readonly ScriptedDevice[]) => devices.flatMap((device) => receiptsOn(device)).length;

describe("an order without kkm that another register of its site may have printed, in no group with it", () => {
  test("is unsure when it waits already, that register is asked about it, and its documents tell once they can be read", async () => {
    const devices = [createTill(1), createTill(2)];
    const after = await printAndLose(devices, "till-2");
    const job = after.addJob(sale, { register: "till-1" });
    await after.runQueue();
    expect(after.stores.jobs.get(job.id)).toMatchObject({ state: "unsure", register: "till-2" });
    expect(after.told.results).toContainEqual({ job: job.id, outcome: "unknown", fd: null });
    expect(receiptCount(devices)).toBe(1);
    for (const { unreadable } of devices) unreadable.clear();
    const again = await after.restart();
    keep(again);
    await again.start();
    expect(again.stores.jobs.get(job.id)).toMatchObject({ state: "printed", document: { fd: 2 } });
    const other = again.addJob(makeReceipt({ orderId: toOrderId("B-1") }));
    await again.runQueue();
    expect(again.stores.jobs.get(other.id).state).toBe("printed");
  });

  test("is unsure when it comes later", async () => {
    const devices = [createTill(1), createTill(2)];
    const after = await printAndLose(devices, "till-2");
    after.startQueue();
    await after.clock.advance(1000);
    const job = after.addJob(sale, { register: "till-1" });
    await after.runQueue();
    expect(after.stores.jobs.get(job.id)).toMatchObject({ state: "unsure", register: "till-2" });
    expect(receiptCount(devices)).toBe(1);
  });

  test("is printed by the operator's word", async () => {
    const devices = [createTill(1), createTill(2)];
    const after = await printAndLose(devices, "till-2");
    await after.start();
    after.fleet.get(toRegisterId("till-2")).acceptIdentity("compared with the site");
    await after.settled();
    const job = after.addJob(sale, { register: "till-1" });
    await after.runQueue();
    expect(after.stores.jobs.get(job.id).state).toBe("printed");
  });
});

test.each<[string, Partial<RegisterSettings>, { readonly kkm?: string; readonly site?: string }]>([
  ["names the kkm of another register", {}, { kkm: "0000000000000001" }],
  ["is of a site that the register does not serve", { sites: [toSiteId("other")] }, { site: "shop" }],
])("an order that %s is printed: it cannot be there", async (_, second, { kkm, site }) => {
  const devices = [createTill(1), createTill(2)];
  const settings = [{}, second];
  const after = await printAndLose(devices, "till-2", { settings });
  const receipt = { ...sale, ...(kkm === undefined ? {} : { kkm: toKkm(kkm) }) };
  const waiting = after.addJob(receipt, { register: "till-1", ...(site === undefined ? {} : { site }) });
  await after.runQueue();
  const later = after.addJob({ ...receipt, orderId: toOrderId("B-1") }, { register: "till-1" });
  await after.runQueue();
  expect([waiting, later].map(({ id }) => after.stores.jobs.get(id).state)).toEqual(["printed", "printed"]);
});

test("an order of the register itself that comes later is unsure too", async () => {
  const devices = [createTill(1)];
  const after = await printAndLose(devices, "till-1");
  after.startQueue();
  await after.clock.advance(1000);
  const job = after.addJob(sale);
  await after.runQueue();
  expect(after.stores.jobs.get(job.id).state).toBe("unsure");
  expect(receiptCount(devices)).toBe(1);
});

test("without a loss an unreadable document of somebody else holds no later order up", async () => {
  const device = createTill(1);
  const path = newBenchPath();
  const before = openOn([device], { path });
  before.addJob(makeReceipt({ orderId: toOrderId("warm") }));
  await before.runQueue();
  await before.close();
  addForeignReceipt(device, sale);
  device.unreadable.add(3);
  const after = openOn([device], { path });
  await after.start();
  const job = after.addJob(sale);
  await after.runQueue();
  expect(after.stores.jobs.get(job.id).state).toBe("printed");
});

describe("without marks, after the database was deleted", () => {
  test.each(["waits already", "comes later"])(
    "an order that %s and is equal to a receipt from before is unsure",
    async (when) => {
      const device = createTill(1, { capabilities: noMarks });
      const before = openOn([device], {});
      before.addJob(sale);
      await before.runQueue();
      await before.close();
      const after = openOn([device], {}, true);
      if (when === "comes later") {
        after.startQueue();
        await after.clock.advance(1000);
      }
      const job = after.addJob(sale);
      await after.runQueue();
      expect(after.stores.jobs.get(job.id).state).toBe("unsure");
      expect(receiptsOn(device)).toHaveLength(1);
    },
  );

  test("so is one with a letter that no register keeps", async () => {
    const odd = makeReceipt({ orderId: toOrderId("A-2"), lines: [makeItem({ name: "Чай ☕" })] });
    const device = createTill(1, { capabilities: noMarks });
    const before = openOn([device], {});
    before.addJob(odd);
    await before.runQueue();
    await before.close();
    const after = openOn([device], {}, true);
    after.startQueue();
    await after.clock.advance(1000);
    const job = after.addJob(odd);
    await after.runQueue();
    expect(after.stores.jobs.get(job.id).state).toBe("unsure");
  });
});
