/** Two ATOL registers behind one print service, told apart by `deviceID`; its password comes from the environment. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DaemonProcess, startDaemon, writeConfig } from "../support/daemon-process.js";
import { type DeviceGate, openDeviceGate } from "../support/device-gate.js";
import { type EmulatorProcess, startEmulator } from "../support/emulator-process.js";
import { type FakeSite, startFakeSite } from "../support/fake-site.js";

const kkms = { "kkt-1": "0001234567012345", "kkt-2": "0001234567054321" } as const;
const devices = ["kkt-1", "kkt-2"] as const;

let folder: string;
let gate: DeviceGate;
let site: FakeSite;
let daemon: DaemonProcess;
const emulators = new Map<string, EmulatorProcess>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "fiscald-devices-"));
  for (const [index, device] of devices.entries()) {
    const args = ["--unconfirmed", `device=${device}`, "--unconfirmed", "basic=on", "--kkm", kkms[device]];
    emulators.set(
      device,
      await startEmulator({
        maker: "atol",
        listen: "http:127.0.0.1:0",
        statePath: join(folder, `${device}.json`),
        args: [...args, "--fn", `999907890000000${index + 1}`],
      }),
    );
  }
  gate = await openDeviceGate(Object.fromEntries([...emulators].map(([device, { port }]) => [device, port])));
  site = await startFakeSite();
  process.env["SERVICE_PASSWORD"] = "secret";
  daemon = await startDaemon(
    writeConfig({
      folder,
      siteUrl: site.url,
      registers: devices.map((deviceId) => ({
        id: `till-${deviceId}`,
        driver: "atol",
        connection: { kind: "http", url: gate.url },
        cashier: { name: "Кассир" },
        options: { deviceId, user: "cashier", password: { fromEnv: "SERVICE_PASSWORD" } },
      })),
    }),
  );
});

afterAll(async () => {
  delete process.env["SERVICE_PASSWORD"];
  expect(await daemon.stop()).toBe(0);
  await site.close();
  await gate.close();
  for (const emulator of emulators.values()) await emulator.stop();
  rmSync(folder, { recursive: true });
});

test("each order at a print service with two registers is printed on the device of its kkm", async () => {
  const order = (device: keyof typeof kkms, price: number) => ({
    response: {
      kkm: kkms[device],
      orderId: `for-${device}`,
      taskTable: [
        { type: "OpenCheckSell", data: "" },
        { type: "Registration", data: "Чай", param: { price, quantity: 1, tax: 2 } },
        { type: "Payment", data: "", param: { summ: price, typeClose: 0 } },
        { type: "CloseCheck", data: "" },
      ],
    },
  });
  site.offer("for-kkt-1", order("kkt-1", 10));
  site.offer("for-kkt-2", order("kkt-2", 20));
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
