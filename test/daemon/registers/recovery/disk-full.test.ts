import { rollbackDetectorOf } from "@fiscald/daemon/store/database/sidecar-files.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { LocalTime } from "@fiscald/shared/local-time.js";
import { useBenches } from "../../../support/benches.js";
import { makeItem, makeReceipt } from "../../../support/make-job.js";
import { newBenchPath } from "../../../support/register-bench.js";
import { createScriptedDevice, receiptsOn } from "../../../support/scripted-driver.js";

const { open } = useBenches();

/** Rows that need new pages, so that a full disk shows with the next write. */
const longReceipt = makeReceipt({
  lines: Array.from({ length: 60 }, (_, index) => makeItem({ name: `Товар ${index}` })),
});

test("a disk that is full before a receipt keeps it from beginning; with room again it is printed", async () => {
  const device = createScriptedDevice();
  const opened = open({ registers: [{ device }] });
  await opened.start();
  opened.addJob(longReceipt);
  opened.setDiskFull(true);
  for (let tries = 0; tries < 200 && opened.log.length < 10_000; tries += 1) {
    try {
      opened.stores.journal.add({ at: 0, actor: "daemon", what: "order accepted", details: { text: "x".repeat(400) } });
    } catch {
      break;
    }
  }
  opened.startQueue();
  await opened.clock.advance(60_000);
  expect(receiptsOn(device)).toEqual([]);
  expect(opened.stores.jobs.get(1).state).toBe("queued");
  opened.setDiskFull(false);
  await opened.runQueue();
  expect(receiptsOn(device)).toHaveLength(1);
});

test("a begin that could not be committed does not make the next start take the database for an older copy", async () => {
  const path = newBenchPath();
  const opened = open({ path, registers: [{ device: createScriptedDevice() }] });
  const { add } = opened.stores.journal;
  let refused = 0;
  Object.assign(opened.stores.journal, {
    add: (entry: Parameters<typeof add>[0]) => {
      if (entry.what === "attempt began" && refused++ === 0) throw new Fault("store.full");
      add(entry);
    },
  });
  await opened.start();
  await opened.print(opened.addJob(makeReceipt()));
  expect([refused, rollbackDetectorOf(path).read()]).toEqual([1, 0]);
});

test("a closing time at which the disk is full is not forgotten", async () => {
  const device = createScriptedDevice();
  const opened = open({ registers: [{ device, settings: { closeShiftAt: "23:50" } }] });
  opened.addJob(makeReceipt());
  await opened.runQueue();
  const { jobs } = opened.stores;
  const { transaction } = jobs;
  const full = () => {
    throw new Fault("store.full");
  };
  Object.assign(jobs, { transaction: full });
  device.clock = "2026-11-20T23:50:01" as LocalTime;
  await opened.clock.advance(15_000);
  expect(jobs.find(2)).toBeNull();
  Object.assign(jobs, { transaction });
  await opened.clock.advance(5_000);
  await opened.runQueue();
  expect(device.documents.map(({ type }) => type)).toEqual(["shift-open", "receipt", "shift-close"]);
});
