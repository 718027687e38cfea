/** A power cut loses what was not flushed beside the database, and nothing in the database: the shop goes on. */

import { writeFileSync } from "node:fs";
import { rollbackDetectorOf } from "@fiscald/daemon/store/database/sidecar-files.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import { Fault } from "@fiscald/shared/fault.js";
import { toOrderId } from "@fiscald/shared/ids.js";
import { newBenchPath, orderNamed, TILL, tillsOf, useBenches } from "../../../support/benches.js";
import { makeService } from "../../../support/make-job.js";
import { leaveAsCrashed } from "../../../support/register-bench.js";
import { createTill, receiptsOn } from "../../../support/scripted-driver.js";

const { open, openTill } = useBenches();

test.each<readonly [string, (path: string) => void]>([
  ["put the number of the last attempt back by four receipts", (path) => rollbackDetectorOf(path).write(1)],
  ["left the number's file empty", (path) => writeFileSync(`${path}.last-attempt`, "")],
])(
  "after a power cut that %s, receipts and cash are printed while the other register of the group is off",
  async (_, cut) => {
    const [one, two] = [createTill(1), createTill(2)];
    const path = newBenchPath();
    const before = open({ path, registers: tillsOf([one, two], { group: "hall" }) });
    for (let number = 1; number <= 5; number += 1) before.addJob(orderNamed(`A-${number}`));
    await before.runQueue();
    expect(receiptsOn(one)).toHaveLength(5);
    await before.close();
    leaveAsCrashed(path);
    cut(path);
    two.unplugged = true;
    const after = open({ path, registers: tillsOf([one, two], { group: "hall" }) });
    const sale = after.addJob(orderNamed("A-6"));
    const cash = await after.sell(
      makeService([{ type: "cash", direction: "in", sum: kopecks(50_000) }], { orderId: toOrderId("C-1") }),
    );
    const states = [sale, cash].map(({ id }) => after.job(id).state);
    expect(states).toEqual(["printed", "printed"]);
    expect([receiptsOn(one).length, one.drawer.cashIn]).toEqual([6, 50_000]);
    expect(after.awaited(TILL)).toBeNull();
  },
);

test("a print whose begin could not be committed does not make the next start take the database for an older copy", async () => {
  const path = newBenchPath();
  const { device, bench } = openTill({}, { path });
  const { add } = bench.stores.journal;
  let refused = 0;
  Object.assign(bench.stores.journal, {
    add: (entry: Parameters<typeof add>[0]) => {
      if (entry.what === "attempt began" && refused++ === 0) throw new Fault("store.full");
      add(entry);
    },
  });
  await bench.start();
  await bench.print(bench.addJob(orderNamed("A-1")));
  expect([refused, rollbackDetectorOf(path).read()]).toEqual([1, 0]);
  expect([receiptsOn(device).length, bench.job(1).state]).toEqual([0, "queued"]);
});
