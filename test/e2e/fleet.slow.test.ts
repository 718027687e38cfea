/** Two sites and three registers: a register that falls silent with a receipt in hand and a site that never answers. */

import type { EmulatorProcess } from "../support/emulator-process.js";
import { fakeTime, hasFakeTime } from "../support/fake-time.js";
import { type KkmSite, startKkmSite } from "../support/kkm-site.js";
import { startTestSite, type TestSite } from "../support/test-site.js";
import { waitFor } from "../support/wait-for.js";
import { labelOf, makeOrder } from "../tools/campaign/plan/orders.js";
import { patience, tillOn, useShop } from "./use-shop.js";

const kkmOf = (till: number) => `000000000000000${till}`;
const tills = [1, 2, 3];
const ORDERS = 20;

const world = useShop();
let emulators: readonly EmulatorProcess[];
let shop: KkmSite;
let mute: TestSite;

beforeAll(async () => {
  emulators = await Promise.all(
    tills.map((till) => world.emulate({ kkm: kkmOf(till), args: ["--fn", `999907890000000${till}`] })),
  );
  shop = await startKkmSite();
  world.undo(() => shop.close());
  mute = await startTestSite();
  mute.answer(() => () => {});
  const urls = Object.fromEntries(["orders", "result", "sync", "activity"].map((name) => [name, mute.url]));
  await world.run(
    {
      siteUrl: shop.url,
      moreSites: [{ id: "mute", urls }],
      registers: emulators.map((emulator, index) =>
        tillOn(emulator, { id: `till-${index + 1}`, sites: ["mute", "shop"] }),
      ),
    },
    hasFakeTime ? fakeTime("+0 x5") : {},
  );
  // The stop of the daemon would wait for the polls that this site holds.
  world.undo(() => mute.close());
  await waitFor("every register asks the shop", () => shop.held() === tills.length, patience);
});

test("a register that falls silent stops no other register, and prints its receipt once when it is back", async () => {
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
