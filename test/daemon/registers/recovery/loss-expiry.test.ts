/** How long documents of a data loss keep equal orders unsure. */
import { expireLosses } from "@fiscald/daemon/registers/recovery/loss-expiry.js";
import type { MetaStore } from "@fiscald/daemon/store/database/meta-store.js";
import { toRegisterId, toSiteId } from "@fiscald/shared/ids.js";
import { noMarks, orderNamed, useBenches } from "../../../support/benches.js";
import { newBenchPath } from "../../../support/register-bench.js";
import { addForeignReceipt, createScriptedDevice } from "../../../support/scripted-driver.js";

const { open } = useBenches();
const till = toRegisterId("till-1");
const sites = ["shop", "cafe"].map(toSiteId);

function createMeta(): MetaStore {
  const entries = new Map<string, string>();
  return {
    get: (key) => entries.get(key) ?? null,
    set: (key, value) => void entries.set(key, value),
    remove: (key) => void entries.delete(key),
    withPrefix: () => entries,
  };
}

/** A-1 was printed by the lost database. The shift in which it was printed is still open. */
async function loseDatabase() {
  const device = createScriptedDevice({ capabilities: noMarks });
  addForeignReceipt(device, orderNamed("A-1"));
  const bench = open({ path: newBenchPath(), forgetful: true, registers: [{ device }] });
  await bench.start();
  const { registers: records, documents } = bench.stores;
  const options = { meta: createMeta(), records, documents, sites };
  return {
    bench,
    device,
    answer: (...answering: readonly string[]) => {
      for (const site of answering) expireLosses(options, toSiteId(site));
    },
    openShift: (number: number) => records.saveShift(till, { number, state: "open", openedAt: null }, 0),
    async stateOfEqualOrder() {
      const job = bench.addJob(orderNamed("A-1"));
      await bench.runQueue();
      return bench.stores.jobs.get(job.id).state;
    },
  };
}

test("an equal order is printed once two shifts were closed since all sites answered", async () => {
  const { answer, openShift, stateOfEqualOrder } = await loseDatabase();
  answer("shop", "cafe");
  openShift(2);
  answer("shop", "cafe");
  expect(await stateOfEqualOrder()).toBe("unsure");
  openShift(3);
  answer("shop");
  expect(await stateOfEqualOrder()).toBe("printed");
});

test("a site that answers for the first time has two shifts from then on", async () => {
  const { answer, openShift, stateOfEqualOrder } = await loseDatabase();
  answer("shop");
  openShift(3);
  answer("shop", "cafe");
  openShift(4);
  answer("shop", "cafe");
  expect(await stateOfEqualOrder()).toBe("unsure");
  openShift(5);
  answer("cafe");
  expect(await stateOfEqualOrder()).toBe("printed");
});

test("the count of shifts starts again after another loss", async () => {
  const { bench, device, answer, openShift, stateOfEqualOrder } = await loseDatabase();
  answer("shop", "cafe");
  addForeignReceipt(device, orderNamed("B-1"));
  const document = device.documents.at(-1);
  if (document === undefined) throw new Error("no document");
  bench.stores.documents.keep({ fn: device.identity.fn, register: till, document, found: "loss" }, 0);
  openShift(3);
  answer("shop", "cafe");
  expect(await stateOfEqualOrder()).toBe("unsure");
});
