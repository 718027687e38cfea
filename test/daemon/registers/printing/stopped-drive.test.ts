/** A drive that accepts no more documents, by the bytes of each maker. The register waits, and goes on without help. */

import { deviceTroubles } from "@fiscald/daemon/console/troubles/register-troubles.js";
import type { Emulator } from "@fiscald/emulators/open-emulator.js";
import { toOrderId } from "@fiscald/shared/ids.js";
import { TILL } from "../../../support/benches.js";
import {
  closeTills,
  type EmulatedTill,
  type Maker,
  makers,
  openTill,
  receiptsOf,
} from "../../../support/emulated-till.js";
import { makeItem, makeReceipt } from "../../../support/make-job.js";
import type { Bench } from "../../../support/register-bench.js";
import { troublesIn } from "../../../support/trouble-facts.js";
import { waitFor } from "../../../support/wait-for.js";

const DAY = 86_400;
afterEach(closeTills);

async function openPrinted(maker: Maker, { ofdConnected = true } = {}): Promise<EmulatedTill> {
  const settings = { cashier: { name: "Иванова А.А.", inn: null } };
  const opened = await openTill(maker, { ofdConnected, settings });
  opened.bench.queue(makeReceipt());
  await pass(opened.bench, () => opened.bench.job(1).state === "printed");
  return opened;
}

function order(bench: Bench): void {
  bench.queue(makeReceipt({ orderId: toOrderId("A-2"), lines: [makeItem({ name: "Второй" })] }));
}

async function pass(bench: Bench, isSo: () => boolean): Promise<void> {
  await waitFor("it is so", async () => {
    if (isSo()) return true;
    await bench.clock.advance(1000);
    return isSo();
  });
}

const closings = ({ core }: Emulator) => core.documents.filter(({ type }) => type === "shift-close");
const phaseOf = ({ fleet }: Bench) => fleet.get(TILL).snapshot().phase;

/** The register never looks well for some minutes, and nothing is tried. */
async function staysBlocked(bench: Bench): Promise<void> {
  await pass(bench, () => phaseOf(bench) === "blocked");
  const tries = bench.stores.attempts.ofJob(2).length;
  const phases = new Set<string>();
  for (let second = 0; second < 200; second += 1) {
    await bench.clock.advance(1000);
    phases.add(phaseOf(bench));
  }
  expect([...phases]).toEqual(["blocked"]);
  expect(bench.stores.attempts.ofJob(2)).toHaveLength(tries);
  expect(bench.job(2).state).toBe("queued");
}

/** The worst trouble, as page, commands, alerts and metrics show it. */
function said(bench: Bench) {
  const registers = [bench.fleet.get(TILL).snapshot()];
  const [worst] = troublesIn({ present: { registers, now: bench.clock.now() } });
  return { needs: worst?.needs, text: worst?.text.ru, next: worst?.next.ru };
}

const faultsOf = (bench: Bench) => deviceTroubles(bench.fleet.get(TILL).snapshot()).map(({ fault }) => fault?.code);

describe.each(makers)("a drive in a register of %s that accepts no more documents", (maker) => {
  test("a register with documents unsent to the OFD for 31 days is blocked, with the page's light red, until they are sent", async () => {
    const { bench, emulator } = await openPrinted(maker, { ofdConnected: false });
    emulator.core.advanceClock(31 * DAY);
    order(bench);
    await staysBlocked(bench);
    expect(bench.fleet.get(TILL).snapshot().fault).toMatchObject({ code: "device.ofd-blocked", details: { days: 31 } });
    expect(said(bench)).toEqual({
      needs: "person",
      text: "Чеки не уходят в ОФД 31 день: касса не печатает.",
      next: expect.stringMatching(/^Восстановите связь/),
    });
    emulator.core.setOfdConnected(true);
    await pass(bench, () => bench.job(2).state === "printed");
    expect([receiptsOf(emulator).length, closings(emulator).length]).toEqual([2, 1]);
    expect(faultsOf(bench)).toEqual([]);
  });

  test("a register whose fiscal drive has expired is blocked without a Z report, and prints with a valid drive", async () => {
    const { bench, emulator } = await openPrinted(maker);
    emulator.core.advanceClock(473 * DAY);
    order(bench);
    await staysBlocked(bench);
    expect(said(bench)).toMatchObject({
      needs: "person",
      text: expect.stringMatching(/^Накопитель закончился [34] дня назад: касса не печатает\.$/),
    });
    expect(closings(emulator)).toHaveLength(0);
    emulator.core.advanceClock(-473 * DAY);
    await pass(bench, () => bench.job(2).state === "printed");
    expect(receiptsOf(emulator)).toHaveLength(2);
  });

  test("a register whose fiscal drive has expired is tried once when a person says that it works", async () => {
    const { bench, emulator } = await openPrinted(maker);
    emulator.core.advanceClock(473 * DAY);
    order(bench);
    await pass(bench, () => phaseOf(bench) === "blocked");
    bench.operator.resume(TILL, "the service engineer says that it works");
    await pass(bench, () => triesOf(bench) > 0 && phaseOf(bench) === "blocked");
    for (let second = 0; second < 100; second += 1) await bench.clock.advance(1000);
    expect([triesOf(bench), closings(emulator).length]).toEqual([1, 0]);
    expect(bench.journal()).toContain("tried again");
  });
});

function triesOf({ stores }: Bench): number {
  const others = stores.jobs.list({ limit: 9 }).filter(({ id }) => id !== 1);
  return others.flatMap(({ id }) => stores.attempts.ofJob(id)).length;
}

test("a Shtrih whose drive answers error 05h although its state is sound fails one job, and prints the other orders", async () => {
  const { bench, emulator } = await openPrinted("shtrih");
  emulator.faults.add({ effect: "error", code: 0x05, when: { command: "item" }, times: 3 });
  order(bench);
  await pass(bench, () => bench.job(2).state === "failed");
  expect(phaseOf(bench)).not.toBe("blocked");
  bench.queue(makeReceipt({ orderId: toOrderId("A-3") }));
  await pass(bench, () => bench.job(3).state === "printed");
});

test("a Shtrih with a hardware fault at one receipt shows the fault until the next receipt is printed", async () => {
  const { bench, emulator } = await openPrinted("shtrih");
  emulator.faults.add({ effect: "error", code: 0x7b, when: { command: "item" }, times: 1 });
  order(bench);
  await pass(bench, () => phaseOf(bench) === "blocked");
  await pass(bench, () => phaseOf(bench) !== "blocked");
  expect(faultsOf(bench)).toEqual(["device.hardware"]);
  bench.queue(makeReceipt({ orderId: toOrderId("A-3") }));
  await pass(bench, () => bench.job(2).state === "printed");
  expect(receiptsOf(emulator).map(({ fd }) => fd)).toEqual([1, 2, 3].map((id) => bench.job(id).document?.fd).sort());
  const [second, third] = [2, 3].map((id) => bench.job(id).document?.fd ?? 0);
  expect(third).toBeLessThan(second ?? 0);
});

test("a Shtrih that refuses to close its shift shows the fault until the shift is closed", async () => {
  const { bench, emulator } = await openPrinted("shtrih");
  emulator.core.advanceClock(DAY);
  emulator.faults.add({ effect: "error", code: 0x7b, when: { command: "close-shift" }, times: 100 });
  order(bench);
  await pass(bench, () => triesOf(bench) > 1);
  await pass(bench, () => phaseOf(bench) === "ready");
  expect(faultsOf(bench)).toEqual(["device.hardware"]);
  emulator.faults.clear();
  await pass(bench, () => bench.job(2).state === "printed");
  expect([closings(emulator).length, faultsOf(bench)]).toEqual([1, []]);
});

test("a Shtrih that calls each new shift expired gets one Z report, and is then blocked", async () => {
  const { bench, emulator } = await openPrinted("shtrih");
  emulator.faults.add({ effect: "error", code: 0x4e, when: { command: "item" }, times: 100 });
  order(bench);
  await pass(bench, () => phaseOf(bench) === "blocked");
  for (let second = 0; second < 200; second += 1) await bench.clock.advance(1000);
  expect(closings(emulator)).toHaveLength(1);
  expect(bench.fleet.get(TILL).snapshot().fault?.code).toBe("device.shift-stuck");
  emulator.faults.clear();
  await pass(bench, () => bench.job(2).state === "printed");
  expect(closings(emulator)).toHaveLength(1);
});
