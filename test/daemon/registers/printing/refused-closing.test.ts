/** A Shtrih-M register that answers the closing of a receipt with 33h, bad parameters. */

import { closeTills, openTill, receiptsOf } from "../../../support/emulated-till.js";
import { makeReceipt } from "../../../support/make-job.js";
import { waitFor } from "../../../support/wait-for.js";

const BAD_PARAMETERS = 0x33;
afterEach(closeTills);

test.each([
  ["is printed by the second try after the register refused its closing once", 1, "printed", null],
  ["fails with the register's fault when the second try is refused too", 9, "failed", "device.closing-refused"],
] as const)("a receipt %s", async (_what, times, state, code) => {
  const { bench, emulator } = await openTill("shtrih");
  emulator.faults.add({ effect: "error", code: BAD_PARAMETERS, times, when: { command: "close-receipt" } });
  const { id } = bench.addJob(makeReceipt());
  bench.startQueue();
  await waitFor("it has ended", async () => {
    await bench.clock.advance(1000);
    return ["printed", "failed"].includes(bench.stores.jobs.get(id).state);
  });
  const job = bench.stores.jobs.get(id);
  expect([job.state, job.fault?.code ?? null]).toEqual([state, code]);
  expect(receiptsOf(emulator)).toHaveLength(state === "printed" ? 1 : 0);
  const closings = bench.stores.attempts.ofJob(id).filter(({ witness }) => witness.kind === "receipt");
  expect(closings).toHaveLength(2);
});
