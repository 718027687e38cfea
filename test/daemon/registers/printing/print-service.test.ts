/** Printing through a maker's print service: the request id of each run is recorded first and settles unsure jobs. */

import { serviceJob } from "@fiscald/daemon/registers/shift/queue-shift-close.js";
import { registerByHand } from "@fiscald/emulators/control/control-routes.js";
import type { FaultInput } from "@fiscald/emulators/faults/fault-spec.js";
import type { Emulator } from "@fiscald/emulators/open-emulator.js";
import type { Behaviour } from "@fiscald/emulators/wire/behaviour.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import { toOrderId } from "@fiscald/shared/ids.js";
import {
  addSecond,
  closeLater,
  closeTills,
  expectSecond,
  first,
  onCommand,
  openTill,
  openWorking,
  receiptsOf,
  registerOf,
} from "../../../support/emulated-till.js";
import { makeItem, makeReceipt } from "../../../support/make-job.js";
import { type Bench, openBench } from "../../../support/register-bench.js";

afterEach(closeTills);

const faults: readonly FaultInput[] = [
  { effect: "silent", when: { command: "post sell" } },
  { effect: "drop-answer", when: { command: "post sell" } },
  { effect: "late-execution", ms: 200, when: { command: "post sell" } },
  { effect: "unplug", ms: 5, when: { command: "post sell" } },
  { effect: "power-cut", ms: 5, when: { command: "close-receipt" } },
  { effect: "drop-answer", when: { command: "close-receipt" } },
  { effect: "late-execution", ms: 600, when: { command: "close-receipt" } },
];

describe.each(["v1", "v2"] as const)("a print service of generation %s", (protocol) => {
  test.each(faults)("an order at a print service gives one document with $effect at $when.command", async (fault) => {
    const { bench, emulator } = await openWorking("atol", { protocol });
    emulator.faults.add(fault);
    addSecond(bench);
    await expectSecond(bench, emulator);
  });

  test("a daemon killed during its POST to a print service finds the task by the stored request id", async () => {
    const { bench, emulator, path } = await openWorking("atol", { protocol });
    // The service carries out the POST long after the daemon has stopped waiting for it.
    emulator.faults.add({ effect: "late-execution", ms: 250, when: { command: "post sell" } });
    addSecond(bench);
    await bench.until(
      "the second order is being printed",
      () => emulator.faults.list().some(({ struck }) => struck > 0),
      100,
    );
    const [attempt] = bench.stores.attempts.ofJob(2);
    expect(attempt?.baseline.requestId).toMatch(/^[0-9a-f]{8}\|shop\|[0-9a-f]+\|till-1\|0\|0$/);
    await bench.crash().close();
    const reborn = openBench({ registers: [registerOf("atol", emulator)], path });
    closeLater(() => reborn.close());
    reborn.startQueue();
    await expectSecond(reborn, emulator);
  });
});

/** More documents than are read of a register that is seen for the first time. */
function pass100Documents({ core }: Emulator): void {
  for (let shift = 0; shift < 60; shift += 1) {
    core.closeShift({ paper: false, tags: [] });
    core.openShift({ paper: false, tags: [] });
  }
}

/** An empty database; the site offers the first order again. */
async function offerAgain(emulator: Emulator): Promise<Bench> {
  const bench = openBench({ registers: [registerOf("atol", emulator)] });
  closeLater(() => bench.close());
  bench.queue(first);
  await bench.until("the order is settled", () => !["queued", "printing"].includes(bench.job(1).state));
  return bench;
}

test("an order printed at a service before a data loss gets its own document by its request id", async () => {
  const { bench, emulator } = await openWorking("atol");
  await bench.close();
  pass100Documents(emulator);
  const after = await offerAgain(emulator);
  const [receipt, ...others] = receiptsOf(emulator);
  expect(others).toEqual([]);
  expect(after.job(1)).toMatchObject({ state: "printed", document: { fd: receipt?.fd } });
});

test("an order printed before a data loss is found by its request id although earlier tries met a fault of the register", async () => {
  const { bench, emulator } = await openTill("atol");
  emulator.core.openShift({ paper: false, tags: [] });
  // The state was read before the cover was opened; the program's own look at the register finds it open.
  const coverOpen: Behaviour = {
    onCommand: ({ names, act, answer }) => {
      const inHand = bench.stores.attempts.ofJob(1).at(-1);
      if (!names.includes("getDeviceStatus") || inHand?.outcome !== null) return "pass";
      if (bench.stores.attempts.ofJob(1).length > 1) return "pass";
      const text = Buffer.from(act() ?? []).toString("latin1");
      answer(Uint8Array.from(Buffer.from(text.replace('"coverOpened":false', '"coverOpened":true '), "latin1")));
      return "handled";
    },
  };
  emulator.device.addBehaviour(coverOpen);
  await bench.sell(first);
  emulator.device.removeBehaviour(coverOpen);
  expect(bench.stores.attempts.ofJob(1)).toHaveLength(2);
  await bench.close();
  pass100Documents(emulator);
  emulator.core.closeShift({ paper: false, tags: [] });
  const after = await offerAgain(emulator);
  const [receipt, ...others] = receiptsOf(emulator);
  expect(others).toEqual([]);
  expect(after.job(1)).toMatchObject({ state: "printed", document: { fd: receipt?.fd } });
});

async function expectUnsure(bench: Bench, reason: string): Promise<void> {
  await bench.until("the second order is unsure", () =>
    bench.stores.attempts.ofJob(2).some(({ doubt }) => doubt?.reason === reason),
  );
  expect(bench.job(2).state).toBe("unsure");
  expect(bench.told.results).toContainEqual({ job: 2, outcome: "unknown", fd: null });
}

test("cash that is paid in each day under one order id is paid in each day by a print service", async () => {
  const { bench, emulator } = await openWorking("atol");
  const cashIn = serviceJob([{ type: "cash", direction: "in", sum: kopecks(100_000) }]);
  const before = emulator.core.cash;
  for (const id of [2, 3]) {
    await bench.sell({ ...cashIn, orderId: toOrderId("float") });
    expect(bench.job(id).state).toBe("printed");
  }
  expect(emulator.core.cash - before).toBe(200_000);
});

test("a job that a print service reports as done on another drive is unsure and never printed again", async () => {
  const { bench, emulator } = await openWorking("atol");
  // Another register did the job; the answer is the only trace of it.
  onCommand(emulator, "close-receipt", ({ answer }) => {
    const fiscalParams = {
      ...{ fiscalDocumentNumber: 77, fiscalDocumentSign: "0000000077", fiscalReceiptNumber: 7, shiftNumber: 9 },
      ...{ fiscalDocumentDateTime: "2026-11-20T15:00:00+03:00", fnNumber: "9999000011112222", total: 100 },
    };
    answer(Uint8Array.from(Buffer.from(JSON.stringify({ code: 0, result: { fiscalParams, warnings: null } }))));
    return "handled";
  });
  addSecond(bench);
  await expectUnsure(bench, "no-evidence");
  expect(receiptsOf(emulator)).toHaveLength(1);
  expect(bench.stores.attempts.ofJob(2)).toHaveLength(1);
});

/** A person's receipt of the same sum, which the service takes for the job's own because the last number grew. */
function takeForItsOwn({ core }: Emulator): string {
  const made = registerByHand(core, { operation: "sale", totalKopecks: 10_000, name: "Чужой товар" });
  if (!made.ok) throw new Error(made.refusal);
  const { fd, fiscalSign, receiptNumber, shift, fn, time } = made.value;
  const fiscalParams = {
    ...{ fiscalDocumentNumber: fd, fiscalDocumentSign: fiscalSign, fiscalReceiptNumber: receiptNumber },
    ...{ shiftNumber: shift, fiscalDocumentDateTime: `${time}+03:00`, fnNumber: fn, total: 100 },
  };
  return JSON.stringify({ code: 0, result: { fiscalParams, warnings: null } });
}

test("after a data loss a print service's answer does not give an order another order's document", async () => {
  const { bench, emulator } = await openTill("atol");
  emulator.core.openShift({ paper: false, tags: [] });
  let crashed: Bench | null = null;
  const before = onCommand(emulator, "close-receipt", ({ answer }) => {
    crashed = bench.crash();
    answer(Uint8Array.from(Buffer.from(takeForItsOwn(emulator))));
    return "handled";
  });
  bench.queue(first);
  await bench.until("the daemon has died", () => crashed !== null, 100);
  await (crashed ?? bench).close();
  emulator.device.removeBehaviour(before);
  const after = await offerAgain(emulator);
  expect(after.stores.attempts.ofJob(1).at(-1)?.doubt?.reason).toBe("ambiguous");
  expect(after.told.results).toContainEqual({ job: 1, outcome: "unknown", fd: null });
  expect(receiptsOf(emulator)).toHaveLength(1);
});

/** The second job is unsure: the service was killed during it and reports it as in progress. */
async function leaveInProgress(bench: Bench, emulator: Emulator): Promise<Behaviour> {
  await bench.sell(first);
  const before = onCommand(emulator, "close-receipt", () => {
    emulator.device.powerCut(5);
    return "handled";
  });
  addSecond(bench);
  await expectUnsure(bench, "in-progress");
  return before;
}

test("a job cannot be resolved as not printed while the killed print service may still execute it", async () => {
  const { bench, emulator } = await openTill("atol", { unconfirmed: { killed: "lost" } });
  await leaveInProgress(bench, emulator);
  const { stores } = bench;
  const withCode = expect.objectContaining({ code: "job.being-printed" });
  await expect(bench.operator.resolveNotPrinted(2, "no paper came out")).rejects.toEqual(withCode);
  expect(stores.jobs.get(2).state).toBe("unsure");
});

test("a job that a print service takes up again after a kill is unsure until it is printed, and is settled before the next job", async () => {
  const { bench, emulator } = await openTill("atol", { unconfirmed: { killed: "late" } });
  const before = await leaveInProgress(bench, emulator);
  emulator.device.removeBehaviour(before);
  expect(receiptsOf(emulator)).toHaveLength(1);
  // The register's timer asks for the job, so no new connection is needed.
  await bench.until("the service has taken the job up again", () => bench.job(2).state === "printed");
  bench.queue(makeReceipt({ orderId: toOrderId("A-3"), lines: [makeItem({ name: "Третий" })] }));
  await bench.until("both are printed", () => [2, 3].every((id) => bench.job(id).state === "printed"));
  const fds = receiptsOf(emulator).map(({ fd }) => fd);
  expect([1, 2, 3].map((id) => bench.job(id).document?.fd)).toEqual(fds);
});
