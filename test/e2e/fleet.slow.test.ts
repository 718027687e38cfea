/** Two sites and three registers: a register that falls silent with a receipt in hand and a site that never answers. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DaemonProcess, startDaemon, writeConfig } from "../support/daemon-process.js";
import { type EmulatorProcess, startEmulator } from "../support/emulator-process.js";
import { fakeTime, hasFakeTime } from "../support/fake-time.js";
import { type KkmSite, startKkmSite } from "../support/kkm-site.js";
import { startTestSite, type TestSite } from "../support/test-site.js";
import { waitFor } from "../support/wait-for.js";
import { labelOf, makeOrder } from "../tools/campaign/plan/orders.js";

const kkmOf = (till: number) => `000000000000000${till}`;
const tills = [1, 2, 3];
const ORDERS = 20;

let folder: string;
let emulators: readonly EmulatorProcess[];
let shop: KkmSite;
let mute: TestSite;
let daemon: DaemonProcess;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "fiscald-fleet-"));
  emulators = await Promise.all(
    tills.map((till) =>
      startEmulator({
        maker: "shtrih",
        listen: "tcp:127.0.0.1:0",
        statePath: join(folder, `${till}.json`),
        args: ["--kkm", kkmOf(till), "--fn", `999907890000000${till}`],
      }),
    ),
  );
  shop = await startKkmSite();
  mute = await startTestSite();
  mute.answer(() => () => {});
  const urls = Object.fromEntries(["orders", "result", "sync", "activity"].map((name) => [name, mute.url]));
  daemon = await startDaemon(
    writeConfig({
      folder,
      siteUrl: shop.url,
      moreSites: [{ id: "mute", urls }],
      registers: emulators.map(({ port }, index) => ({
        id: `till-${index + 1}`,
        driver: "shtrih",
        connection: { kind: "tcp", host: "127.0.0.1", port },
        sites: ["mute", "shop"],
      })),
    }),
    hasFakeTime ? fakeTime("+0 x5") : {},
  );
  await waitFor("every register asks the shop", () => shop.held() === tills.length, { timeoutMs: 60_000 });
});

afterAll(async () => {
  // The stop would wait for the polls that this site holds.
  await mute.close();
  expect(await daemon.stop()).toBe(0);
  await shop.close();
  for (const emulator of emulators) await emulator.stop();
  rmSync(folder, { recursive: true });
});

test("a register that falls silent stops no other, and its receipt is printed once when it is back", async () => {
  const [, , stuck] = emulators;
  if (stuck === undefined) throw new Error("no register");
  const print = (till: number, orderId: string) =>
    shop.print(kkmOf(till), orderId, makeOrder({ orderId, operation: "sale", prices: [10, 20] }).answer);
  // The wire stands still until the fault is cleared.
  await stuck.addFault({ effect: "pause", when: { command: "close-receipt" } });
  let isBack = false;
  const late = print(3, "stuck-1").then(() => {
    isBack = true;
  });
  for (let number = 0; number < ORDERS; number += 1)
    await Promise.all([print(1, `one-${number}`), print(2, `two-${number}`)]);
  expect(mute.calls.length).toBeGreaterThan(0);
  expect(isBack).toBe(false);
  await stuck.clearFaults();
  await late;
  const printed = await Promise.all(emulators.map(async (emulator) => (await emulator.receipts()).map(labelOf)));
  const all = (name: string) => Array.from({ length: ORDERS }, (_, number) => `${name}-${number}`);
  expect(printed).toEqual([all("one"), all("two"), ["stuck-1"]]);
});
