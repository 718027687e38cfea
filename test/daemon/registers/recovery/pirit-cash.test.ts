/** On a PIRIT a cash movement is an open document. Whatever happens to its commands, the drawer moves once. */

import { kopecks } from "@fiscald/shared/amounts.js";
import { toOrderId } from "@fiscald/shared/ids.js";
import { makeService } from "../../../support/make-job.js";
import { inPiritTill, mishaps } from "./pirit-till.js";

test.each(["in", "out"] as const)("cash %s is moved once on a PIRIT, whatever fault befalls it", async (direction) => {
  await inPiritTill(async (till) => {
    let jobs = 0;
    async function move(): Promise<string> {
      jobs += 1;
      const { id } = till.bench.queue(
        makeService([{ type: "cash", direction, sum: kopecks(100) }], { orderId: toOrderId(`S-${jobs}`) }),
      );
      const job = () => till.bench.job(id);
      await till.until(() => job().state === "printed" && till.bench.fleet.snapshots()[0]?.phase === "ready");
      return job().state;
    }
    const before = till.cash();
    await move();
    till.heard.length = 0;
    await move();
    const dialogue = [...till.heard];
    expect(dialogue).toEqual(expect.arrayContaining(["30", "48", "31"]));
    for (const command of ["30", "48", "31"]) {
      for (const effect of mishaps) {
        const fault = effect({ command, nth: 1 });
        till.addFault(fault);
        await move();
        till.clearFaults();
        expect({ fault, moved: till.cash() - before }).toEqual({
          fault,
          moved: (direction === "in" ? 100 : -100) * jobs,
        });
      }
    }
    expect(till.receipts()).toHaveLength(1);
  });
});
