/** A person accepts a register's identity while it prints: its record is deleted while a job is in hand. */

import { noMarks, once, orderNamed, TILL, useBenches } from "../../../support/benches.js";
import { type RunFault, receiptsOn } from "../../../support/scripted-driver.js";

const { openTill } = useBenches();
const moments = ["run", "ran", "fence"] as const;
const ends: readonly (RunFault["kind"] | "well")[] = ["well", "before", "after", "late", "stale"];

describe.each([true, false])("a register that a person accepts during a job (order marks: %s)", (marks) => {
  test.each(moments.flatMap((moment) => ends.map((end) => [moment, end] as const)))(
    "a register accepted at the step %s of a print that ends %s prints one document for each order",
    async (moment, end) => {
      const { device, bench: shop } = openTill(marks ? {} : { capabilities: noMarks });
      const { stores, wake } = shop;
      await shop.sell("A-1");
      device.faults = [end === "well" ? null : ({ kind: end } as RunFault)];
      once(device, moment, () => {
        shop.operator.acceptIdentity(TILL, "it is the right one");
      });
      shop.addJob(orderNamed("A-2"));
      shop.addJob(orderNamed("A-3"));
      wake.notify();
      await shop.runQueue();
      const printed = [1, 2, 3].map((id) => stores.jobs.get(id));
      expect(printed.map(({ state }) => state)).toEqual(["printed", "printed", "printed"]);
      const fds = receiptsOn(device).map(({ fd }) => fd);
      expect(printed.map(({ document }) => document?.fd).sort()).toEqual(fds);
    },
  );
});

test("a job that waits while the register reconnects is printed once, even when its first try gets no answer", async () => {
  const { device, bench: shop } = openTill();
  await shop.start();
  await shop.sell("A-1");
  const actor = shop.fleet.get(TILL);
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  const action = actor.perform(() => isReleased);
  shop.queue("A-2");
  await shop.clock.advance(0);
  actor.acceptIdentity("it is the right one");
  await shop.clock.advance(2_000);
  device.faults = [{ kind: "before" }];
  release();
  await action;
  for (let second = 0; second < 30; second += 1) await shop.clock.advance(1_000);
  expect(shop.job(2).state).toBe("printed");
  expect(receiptsOn(device)).toHaveLength(2);
});

test("a register that a person accepts while it connects refuses operators' actions until it is connected", async () => {
  const { device, bench: shop } = openTill();
  const actor = shop.fleet.get(TILL);
  once(device, "tables", () => {
    actor.acceptIdentity("it is the right one");
  });
  await shop.start();
  expect(actor.snapshot()).toMatchObject({ phase: "offline", isConnected: false });
  await expect(actor.perform(async () => "done")).rejects.toMatchObject({ code: "link.lost" });
  await shop.clock.advance(2_000);
  expect(actor.snapshot()).toMatchObject({ phase: "ready", isConnected: true });
});
