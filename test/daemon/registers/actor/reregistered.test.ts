/** A register whose registration is changed while the daemon runs, at the register or in the maker's own program. */
import { toOrderId } from "@fiscald/shared/ids.js";
import { closeTills, openTill } from "../../../support/emulated-till.js";
import { makeItem, makeReceipt } from "../../../support/make-job.js";
import { waitFor } from "../../../support/wait-for.js";

afterEach(closeTills);

const FFD_12 = 4;

test("a new registration for format 1.2 behind ATOL's service is known at the tenth state read", async () => {
  const { bench, emulator } = await openTill("atol");
  await bench.start();
  const formats = () => bench.fleet.snapshots().map(({ identity }) => identity?.ffd);
  expect(formats()).toEqual(["1.05"]);

  emulator.core.reregister({ ffd: FFD_12 });
  let reads = 0;
  await waitFor("the new format is known", async () => {
    await bench.clock.advance(10_000);
    await bench.settled();
    reads += 1;
    return formats()[0] === "1.2";
  });
  expect(reads).toBeGreaterThan(5);
  expect(bench.stores.registers.find(bench.fleet.snapshots()[0]?.settings.id ?? fail())?.identity.ffd).toBe("1.2");
});

test("the first receipt after a registration for format 1.2 is made in that format at once", async () => {
  const { bench, emulator } = await openTill("atol");
  bench.addJob(makeReceipt({ orderId: toOrderId("A-1") }));
  await bench.runQueue();
  emulator.core.reregister({ ffd: FFD_12 });
  const job = bench.queue(makeReceipt({ orderId: toOrderId("A-2") }));
  await bench.until("it is printed", () => bench.stores.jobs.get(job.id).state === "printed", 500);
  expect(bench.fleet.snapshots()[0]?.identity?.ffd).toBe("1.2");
  expect(bench.log.join("\n")).toContain("registration or settings have changed");
});

test("a receipt at 22 % VAT waits while ATOL's driver lacks that rate, and is printed without help when the driver has it", async () => {
  const { bench, emulator } = await openTill("atol");
  emulator.core.setMakerSetting("driver-version", "10.10.7.21");
  await bench.start();
  const jobs = [11, 2].map((tax) => {
    return bench.addJob(makeReceipt({ orderId: toOrderId(`A-${tax}`), lines: [makeItem({ tax })] }));
  });
  const states = () => jobs.map(({ id }) => bench.stores.jobs.get(id).state);
  bench.startQueue();
  await bench.until("the receipt at 10 % is printed", () => states()[1] === "printed");
  expect(bench.stores.jobs.get(jobs[0]?.id ?? 0)).toMatchObject({
    state: "queued",
    fault: { code: "register.setting-wrong", message: expect.stringContaining("10.10.7.21") },
  });
  emulator.core.setMakerSetting("driver-version", "10.10.8.0");
  await bench.until("the receipt at 22 % is printed", () => states()[0] === "printed");
});

function fail(): never {
  throw new Error("no register");
}
