/**
 * Cash in and out on a PIRIT, where it is a document that stands open: whatever befalls any of its commands, the drawer moves
 * once, and nobody has to help.
 */

import type { FaultInput } from "@fiscald/emulators/faults/fault-spec.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import { toOrderId } from "@fiscald/shared/ids.js";
import { makeService } from "../../../support/make-job.js";
import { removeBenchFolders } from "../../../support/register-bench.js";
import { openPiritTill } from "./pirit-till.js";

afterEach(removeBenchFolders);

const effects: readonly ((when: FaultInput["when"]) => FaultInput)[] = [
  (when) => ({ effect: "drop-answer", when }),
  (when) => ({ effect: "power-cut", ms: 1_000, when }),
  (when) => ({ effect: "unplug", ms: 1_000, when }),
  (when) => ({ effect: "late-execution", ms: 20_000, when }),
  (when) => ({ effect: "stale-answer", when }),
];

test.each(["in", "out"] as const)("cash %s is moved once on a PIRIT, whatever fault befalls it", async (direction) => {
  const till = openPiritTill({});
  let jobs = 0;
  async function move(): Promise<string> {
    jobs += 1;
    const { id } = till.bench.addJob(
      makeService([{ type: "cash", direction, sum: kopecks(100) }], { orderId: toOrderId(`S-${jobs}`) }),
    );
    till.bench.wake.notify();
    const job = () => till.bench.job(id);
    await till.until(() => job().state === "printed" && till.bench.fleet.snapshots()[0]?.phase === "ready");
    return job().state;
  }
  try {
    await till.start();
    const before = till.cash();
    await move();
    till.heard.length = 0;
    await move();
    const dialogue = [...till.heard];
    expect(dialogue).toEqual(expect.arrayContaining(["30", "48", "31"]));
    for (const command of ["30", "48", "31"]) {
      for (const effect of effects) {
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
  } finally {
    await till.close();
  }
});
