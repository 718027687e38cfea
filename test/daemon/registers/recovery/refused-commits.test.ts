/** The database refuses each commit of a receipt in turn. The receipt is settled, and nothing is printed twice. */

import { Fault } from "@fiscald/shared/fault.js";
import { toOrderId } from "@fiscald/shared/ids.js";
import { useBenches } from "../../../support/benches.js";
import { makeItem, makeReceipt } from "../../../support/make-job.js";
import type { Bench } from "../../../support/register-bench.js";
import { type RunFault, receiptsOn } from "../../../support/scripted-driver.js";

const { openTill } = useBenches();

const order = (id: string) =>
  makeReceipt({
    orderId: toOrderId(id),
    lines: Array.from({ length: 40 }, (_, line) => makeItem({ name: `${id} товар ${line}` })),
  });

/** Begins the trouble and returns the function that ends it. */
const troubles: Readonly<Record<string, (bench: Bench) => () => void>> = {
  "held by a copy tool": (bench) => bench.lockDatabase(),
  "on a full disk": (bench) => {
    bench.setDiskFull(true);
    fill(bench);
    return () => bench.setDiskFull(false);
  },
};

/** Takes the room that the last page still has. */
function fill({ stores }: Bench): void {
  for (;;) {
    try {
      stores.journal.add({ at: 0, actor: "daemon", what: "order accepted", details: { text: "x".repeat(400) } });
    } catch {
      return;
    }
  }
}

const runs: Readonly<Record<string, readonly RunFault[]>> = {
  "goes well": [],
  "loses its answer": [{ kind: "after" }],
  "is not begun": [{ kind: "before" }],
  "is refused at first": [{ kind: "refuse", fault: new Fault("device.printing") }],
};

async function openWorld(faults: readonly RunFault[]) {
  const { device, bench } = openTill();
  await bench.start();
  // The first run opens the shift.
  const [first, ...later] = faults;
  device.onCall = (name) => {
    if (name === "run" && device.shift.state === "open" && first !== undefined) {
      device.faults = [first, ...later];
      device.onCall = () => {};
    }
  };
  return { device, bench };
}

/** Prints an order while the commit of this number is refused. Returns the function that ends the trouble. */
async function refuseCommit(bench: Bench, number: number, begin: (bench: Bench) => () => void): Promise<() => void> {
  let end: (() => void) | null = null;
  bench.beforeCommits((commit) => {
    if (commit === number) end = begin(bench);
  });
  const job = bench.queue(order("A-1"));
  await bench.until(
    `commit ${number} is refused, or all is printed`,
    () => end !== null || bench.job(job.id).state === "printed",
    100,
  );
  return end ?? NEVER_REFUSED;
}

const NEVER_REFUSED = () => {};
/** The opening of the shift, the begin of the receipt and its record. */
const LEAST_COMMITS = 4;

function expectOnce(bench: Bench, device: Awaited<ReturnType<typeof openWorld>>["device"]): void {
  const receipts = receiptsOn(device);
  expect(receipts).toHaveLength(2);
  for (const [id, name] of [
    [1, "A-1"],
    [2, "A-2"],
  ] as const) {
    const own = receipts.find(({ items }) => items[0]?.name.startsWith(name));
    expect(bench.job(id)).toMatchObject({ state: "printed", document: { fd: own?.fd } });
  }
  expect(bench.told.results.filter(({ outcome }) => outcome !== "printed")).toEqual([]);
  expect(new Set(bench.told.results.map(({ job }) => job))).toEqual(new Set([1, 2]));
}

describe.each(Object.keys(troubles))("a database %s", (trouble) => {
  describe.each(Object.keys(runs))("while a receipt %s", (run) => {
    const faults = runs[run] ?? [];
    const begin = troubles[trouble] ?? (() => () => {});

    test("a receipt is printed once, whichever of its commits the database refuses for a while", async () => {
      for (let number = 1; ; number += 1) {
        const { device, bench } = await openWorld(faults);
        const end = await refuseCommit(bench, number, begin);
        if (end === NEVER_REFUSED) return expect(number).toBeGreaterThan(LEAST_COMMITS);
        await bench.clock.advance(60_000);
        const begun = bench.stores.attempts.ofJob(1).filter(({ witness }) => witness.kind === "receipt");
        expect(receiptsOn(device).length).toBeLessThanOrEqual(begun.length);
        end();
        await bench.sell(order("A-2"));
        expectOnce(bench, device);
      }
    });

    test("a receipt is printed once although the daemon dies while the database refuses a commit", async () => {
      for (let number = 1; ; number += 1) {
        const { device, bench } = await openWorld(faults);
        const end = await refuseCommit(bench, number, begin);
        if (end === NEVER_REFUSED) return expect(number).toBeGreaterThan(LEAST_COMMITS);
        end();
        device.onCall = () => {};
        const again = bench.crash();
        await again.sell(order("A-2"));
        expectOnce(again, device);
      }
    });
  });
});
