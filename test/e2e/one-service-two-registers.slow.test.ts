/** Two ATOL registers behind one print service, told apart by `deviceID`; its password comes from the environment. */
import { openDeviceGate } from "../support/device-gate.js";
import type { EmulatorProcess } from "../support/emulator-process.js";
import type { FakeSite } from "../support/fake-site.js";
import { saleOf, useShop } from "./use-shop.js";

const kkms = { "kkt-1": "0001234567012345", "kkt-2": "0001234567054321" } as const;
const devices = ["kkt-1", "kkt-2"] as const;

const shop = useShop();
let site: FakeSite;
const emulators = new Map<string, EmulatorProcess>();

beforeAll(async () => {
  for (const [index, device] of devices.entries()) {
    const args = [
      "--unconfirmed",
      `device=${device}`,
      "--unconfirmed",
      "basic=on",
      "--fn",
      `999907890000000${index + 1}`,
    ];
    emulators.set(device, await shop.emulate({ maker: "atol", kkm: kkms[device], args }));
  }
  const gate = await openDeviceGate(Object.fromEntries([...emulators].map(([device, { port }]) => [device, port])));
  shop.undo(() => gate.close());
  site = await shop.openSite();
  const registers = devices.map((deviceId) => ({
    ...{ id: `till-${deviceId}`, driver: "atol", connection: { kind: "http", url: gate.url } },
    cashier: { name: "Кассир" },
    options: { deviceId, user: "cashier", password: { fromEnv: "SERVICE_PASSWORD" } },
  }));
  await shop.run({ siteUrl: site.url, registers }, { SERVICE_PASSWORD: "secret" });
  // An order for a register that was never connected is refused.
  for (const kkm of Object.values(kkms)) await site.call("KKMConnected", (body) => body["kkm"] === kkm);
});

test("each order at a print service with two registers is printed on the device of its register number (kkm)", async () => {
  for (const [index, device] of devices.entries()) {
    site.offer(`for-${device}`, saleOf(`for-${device}`, (index + 1) * 10, kkms[device]));
  }
  for (const [index, device] of devices.entries()) {
    expect(await site.result(`for-${device}`)).toMatchObject({
      resultCode: 0,
      outcome: "printed",
      kkm: kkms[device],
      fn: `999907890000000${index + 1}`,
    });
    expect(await emulators.get(device)?.receipts()).toMatchObject([{ totalKopecks: (index + 1) * 1000 }]);
  }
});
