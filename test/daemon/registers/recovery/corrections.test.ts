/** A correction is one person's decision each time: whatever happens, it is registered once or not at all. */

import { never, once, orderNamed, type Till, useBenches } from "../../../support/benches.js";
import { addForeignReceipt, type RunFault, receiptsOn } from "../../../support/scripted-driver.js";

const { openTill } = useBenches();

const correction = { ...orderNamed("C-1"), correction: { type: "self", date: "2026-11-01" } } as const;
const corrections = ({ device }: Till) => device.documents.filter(({ type }) => type === "correction");

/** Prints a receipt without a fault, and then the correction with this fault. */
async function correctWith(fault: RunFault | null) {
  const till = openTill();
  await till.bench.sell("A-1");
  till.device.faults = [fault];
  const { id } = await till.bench.sell(correction);
  return { ...till, id, job: till.bench.job(id) };
}

test.each<RunFault["kind"]>(["before", "open", "late"])(
  "a correction that was cut off before its document (%s) fails as not printed, and is not sent again",
  async (kind) => {
    const till = await correctWith({ kind } as RunFault);
    expect(till.job).toMatchObject({ state: "failed", fault: { code: "job.correction-stopped" } });
    expect(till.bench.told.results.at(-1)).toMatchObject({ job: till.id, outcome: "failed" });
    await till.bench.sell("B-1");
    await till.bench.crash().runQueue();
    expect(corrections(till)).toEqual([]);
  },
);

test.each<RunFault["kind"]>(["after", "stale"])(
  "a correction whose answer is lost (%s) is found, and is registered once",
  async (kind) => {
    const till = await correctWith({ kind } as RunFault);
    const [document] = corrections(till);
    expect(till.job).toMatchObject({ state: "printed", document: { fd: document?.fd } });
    await till.bench.crash().runQueue();
    expect(corrections(till)).toHaveLength(1);
  },
);

test("a correction that was cut off when the daemon died is not sent again by the next run", async () => {
  const till = openTill();
  await till.bench.sell("A-1");
  const { id } = till.bench.addJob(correction);
  let isSent = false;
  once(till.device, "run", () => {
    isSent = true;
    return never;
  });
  till.bench.wake.notify();
  await till.bench.until("the correction is on the wire", () => isSent);
  const next = till.bench.crash();
  await next.runQueue();
  expect(next.job(id)).toMatchObject({ state: "failed", fault: { code: "job.correction-stopped" } });
  expect(corrections(till)).toEqual([]);
});

test("a stopped correction that a person retries is registered once", async () => {
  const till = await correctWith({ kind: "before" });
  till.bench.operator.retry(till.id, "the register is back");
  await till.bench.runQueue();
  expect(till.bench.job(till.id)).toMatchObject({ state: "printed", document: { fd: corrections(till)[0]?.fd } });
  expect(corrections(till)).toHaveLength(1);
});

test("an equal receipt of another program is never taken for a cut-off correction", async () => {
  const till = openTill();
  await till.bench.sell("A-1");
  once(till.device, "fence", () => addForeignReceipt(till.device, orderNamed("C-1")));
  till.device.faults = [{ kind: "before" }];
  const { id } = await till.bench.sell(correction);
  expect(till.bench.job(id)).toMatchObject({ state: "failed", document: null });
  expect(receiptsOn(till.device)).toHaveLength(2);
});
