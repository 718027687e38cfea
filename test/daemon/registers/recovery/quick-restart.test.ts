import { type Emulator, openEmulator } from "@fiscald/emulators/open-emulator.js";
import { toOrderId } from "@fiscald/shared/ids.js";
import { z } from "zod";
import { newBenchPath } from "../../../support/benches.js";
import { driverOf } from "../../../support/emulated-till.js";
import { makeReceipt } from "../../../support/make-job.js";
import { openBench, removeBenchFolders } from "../../../support/register-bench.js";

let emulator: Emulator | null = null;
afterEach(async () => {
  await emulator?.close();
  removeBenchFolders();
});

const stateSchema = z.object({ bytes: z.object({ in: z.number(), out: z.number() }) });

async function control(opened: Emulator, path: string, body?: object): Promise<unknown> {
  // The emulator would close a kept connection after five seconds, on a slow machine during this call.
  const headers = { connection: "close", "content-type": "application/json" };
  const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
  const response = await fetch(`http://${opened.control}${path}`, init);
  expect(response.ok).toBe(true);
  return response.json();
}

test("a normal restart of the daemon reads only what is new, however many receipts the shift has", async () => {
  const opened = await openEmulator({ maker: "shtrih", control: "127.0.0.1:0" });
  emulator = opened;
  const path = newBenchPath();
  const openDaemon = () => {
    const device = driverOf("shtrih", opened, { isShort: true });
    return openBench({ path, registers: [{ device }] });
  };
  /** The bytes of a start, from the first connect until the register is ready. */
  const costOfStart = async () => {
    const before = stateSchema.parse(await control(opened, "/state")).bytes.in;
    const bench = openDaemon();
    await bench.start();
    const after = stateSchema.parse(await control(opened, "/state")).bytes.in;
    expect(bench.fleet.snapshots()[0]).toMatchObject({ phase: "ready", state: { shift: { state: "open" } } });
    expect(bench.fleet.snapshots()[0]?.state?.shiftOpenedAt).not.toBeNull();
    await bench.close();
    return after - before;
  };

  const first = openDaemon();
  await first.sell(makeReceipt({ orderId: toOrderId("A-1") }));
  await first.close();
  const short = await costOfStart();

  // The rest of a long shift, which the daemon reads at its next start.
  for (let count = 0; count < 20; count += 1) {
    await control(opened, "/receipts", { operation: "sale", totalKopecks: 100, name: "Чужой товар" });
  }
  const catchingUp = await costOfStart();
  const long = await costOfStart();

  expect(catchingUp).toBeGreaterThan(long + 20 * 10);
  expect(long).toBe(short);
});
