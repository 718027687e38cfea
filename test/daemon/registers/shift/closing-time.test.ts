/** The time of day at which a shift is closed, by the register's clock, whatever the computer and its own clock do. */

import { toOrderId } from "@fiscald/shared/ids.js";
import { addSeconds, type LocalTime } from "@fiscald/shared/local-time.js";
import { useBenches } from "../../../support/benches.js";
import { createFakeClock } from "../../../support/fake-clock.js";
import { makeReceipt } from "../../../support/make-job.js";
import type { Bench } from "../../../support/register-bench.js";
import { createScriptedDevice, type ScriptedDevice } from "../../../support/scripted-driver.js";

const { open } = useBenches();

const HOUR = 3_600_000;
/** The register's state is read within this time. */
const READ = 11_000;

/** The first receipt has opened a shift, at 15:00 in Moscow by both clocks. */
async function openShop(options: { readonly now?: number } = {}) {
  const device = createScriptedDevice();
  const clock = createFakeClock(options);
  const bench = open({ clock, registers: [{ device, settings: { closeShiftAt: "23:50" } }] });
  await bench.sell(makeReceipt());
  return { bench, device };
}

const typesOf = ({ documents }: ScriptedDevice) => documents.map(({ type }) => type);
const [day, closing] = [["shift-open", "receipt"], "shift-close"] as const;

async function readAt(bench: Bench, device: ScriptedDevice, clock: string): Promise<void> {
  device.clock = clock as LocalTime;
  await bench.clock.advance(READ);
}

function sleep({ clock }: Bench, device: ScriptedDevice, ms: number): void {
  clock.setWallClock(clock.now() + ms);
  device.clock = addSeconds(device.clock, ms / 1000);
}

test("a shift is closed by the first state that is read at its closing time, and not before", async () => {
  const { bench, device } = await openShop();
  await readAt(bench, device, "2026-11-20T23:49:59");
  expect(typesOf(device)).toEqual(day);
  await readAt(bench, device, "2026-11-20T23:50:00");
  expect(typesOf(device)).toEqual([...day, closing]);
  expect(bench.told.shifts).toHaveLength(1);
});

test("no closing is queued at the closing time when no shift is open", async () => {
  const { bench, device } = await openShop();
  await readAt(bench, device, "2026-11-20T23:50:00");
  await readAt(bench, device, "2026-11-21T23:50:00");
  expect(typesOf(device)).toEqual([...day, closing]);
  expect(bench.stores.jobs.list({ limit: 10 })).toHaveLength(2);
});

test("a computer that slept over the closing time closes yesterday's shift when it wakes, and no other", async () => {
  const { bench, device } = await openShop();
  await readAt(bench, device, "2026-11-20T23:48:00");
  sleep(bench, device, 8 * HOUR);
  await bench.clock.advance(READ);
  expect(typesOf(device)).toEqual([...day, closing]);
  await bench.sell(makeReceipt({ orderId: toOrderId("A-2") }));
  device.clock = addSeconds(device.clock, 600);
  await bench.clock.advance(600_000);
  expect(typesOf(device)).toEqual([...day, closing, ...day]);
});

test("a computer that slept over the closing time closes yesterday's shift before the next order", async () => {
  const { bench, device } = await openShop();
  await readAt(bench, device, "2026-11-20T23:48:00");
  sleep(bench, device, 8 * HOUR);
  await bench.sell(makeReceipt({ orderId: toOrderId("A-2") }));
  expect(typesOf(device)).toEqual([...day, closing, ...day]);
});

test("a shift whose closing time passed while the daemon was off is closed at the start, before receipts", async () => {
  const { bench: before, device } = await openShop();
  device.clock = addSeconds(device.clock, 18 * 3600);
  const bench = await before.restart();
  await bench.sell(makeReceipt({ orderId: toOrderId("A-2") }));
  expect(typesOf(device)).toEqual([...day, closing, ...day]);
  expect(bench.told.shifts).toHaveLength(1);
});

test("a computer whose clock is set after the start closes a shift at each closing time, and not at once", async () => {
  const { bench, device } = await openShop({ now: 0 });
  bench.clock.setWallClock(Date.UTC(2026, 10, 21, 7));
  await readAt(bench, device, "2026-11-20T22:00:00");
  expect(typesOf(device)).toEqual(day);
  for (const date of ["2026-11-20", "2026-11-21", "2026-11-22"]) {
    await readAt(bench, device, `${date}T23:50:00`);
    expect(device.shift.state).toBe("closed");
    device.clock = addSeconds(device.clock, 10 * 3600);
    await bench.sell(makeReceipt({ orderId: toOrderId(date) }));
    expect(device.shift.state).toBe("open");
  }
  expect(bench.told.shifts).toHaveLength(3);
});

test.each<[string, readonly string[], number]>([
  ["put forward over the closing time closes the shift at once", ["2026-11-20T23:30:00", "2026-11-21T00:30:00"], 1],
  ["put back over the closing time closes no shift twice", ["2026-11-20T23:55:00", "2026-11-20T22:55:00"], 1],
  ["put back before the closing time closes the shift at that time", ["2026-11-20T22:55:00", "2026-11-20T22:00:00"], 0],
])("a register's clock that is %s", async (_, times, closings) => {
  const { bench, device } = await openShop();
  for (const time of times) await readAt(bench, device, time);
  expect(bench.told.shifts).toHaveLength(closings);
  await readAt(bench, device, "2026-11-20T23:58:00");
  expect(bench.told.shifts).toHaveLength(1);
});

test("a shift whose register is away at the closing time is reported after a minute and closed later", async () => {
  const { bench, device } = await openShop();
  device.unplugged = true;
  await bench.clock.advance(30_000);
  bench.clock.setWallClock(Date.UTC(2026, 10, 20, 20, 49));
  await bench.clock.advance(59_000);
  expect(bench.told.failedClosings).toEqual([]);
  await bench.clock.advance(240_000);
  expect(bench.told.failedClosings).toEqual([expect.stringMatching(/^link\./)]);
  device.unplugged = false;
  await bench.runQueue();
  expect(typesOf(device)).toEqual([...day, closing]);
});

test("a closed shift whose register is away at the next closing time is not reported", async () => {
  const { bench, device } = await openShop();
  await readAt(bench, device, "2026-11-20T23:50:00");
  device.unplugged = true;
  bench.clock.setWallClock(Date.UTC(2026, 10, 21, 20, 49));
  await bench.clock.advance(300_000);
  expect(bench.told.failedClosings).toEqual([]);
});
