/** A mark whose order id was respelt on the way names its job no more than "it may be this one". */
import { toOrderId } from "@fiscald/shared/ids.js";
import { makeItem, makeReceipt } from "../../support/make-job.js";
import { type Bench, openBench, removeBenchFolders } from "../../support/register-bench.js";
import { createScriptedDevice, receiptsOn } from "../../support/scripted-driver.js";

let bench: Bench | null = null;
afterEach(async () => {
  await bench?.close();
  bench = null;
  removeBenchFolders();
});

test("a doubt that such a document leaves unsure does not keep the register from the next order", async () => {
  const device = createScriptedDevice();
  const shop = openBench({ registers: [{ device }] });
  bench = shop;
  device.faults = [null, { kind: "after" }];
  device.onCall = (name) => {
    if (name !== "ran" || receiptsOn(device).length === 0) return;
    device.onCall = () => {};
    device.documents = device.documents.map((it) => (it.mark === null ? it : { ...it, mark: `?${it.mark.slice(1)}` }));
  };
  shop.addJob(makeReceipt());
  const next = shop.addJob(makeReceipt({ orderId: toOrderId("B-2"), lines: [makeItem({ name: "B" })] }));
  shop.startQueue();
  await shop.clock.advance(120_000);
  expect(shop.stores.jobs.get(1).state).toBe("unsure");
  expect(shop.told.results).toContainEqual({ job: 1, outcome: "unknown", fd: null });
  expect(shop.stores.jobs.get(next.id)).toMatchObject({ state: "printed", document: { fd: 3 } });
  expect(receiptsOn(device)).toHaveLength(2);
});
