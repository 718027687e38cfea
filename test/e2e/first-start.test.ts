/** The very first start: a register that was never connected so far, and orders that name its number. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DaemonProcess, startDaemon, writeConfig } from "../support/daemon-process.js";
import { type EmulatorProcess, startEmulator } from "../support/emulator-process.js";
import { type FakeSite, startFakeSite } from "../support/fake-site.js";
import { freePort } from "../support/free-port.js";
import { waitFor } from "../support/wait-for.js";

const kkms = ["0000000000000001", "0000000000000002"] as const;
let folder: string;
let site: FakeSite;
let daemon: DaemonProcess | null = null;
let emulators: EmulatorProcess[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "fiscald-first-"));
  site = await startFakeSite();
});

afterEach(async () => {
  expect(await daemon?.stop()).toBe(0);
  daemon = null;
  await site.close();
  for (const emulator of emulators) await emulator.stop();
  emulators = [];
  rmSync(folder, { recursive: true });
});

async function plugIn(index: 0 | 1, port: number): Promise<EmulatorProcess> {
  const emulator = await startEmulator({
    maker: "shtrih",
    listen: `tcp:127.0.0.1:${port}`,
    statePath: join(folder, `emulator-${index}.json`),
    args: ["--kkm", kkms[index], "--fn", `999907890000000${index + 1}`],
  });
  emulators.push(emulator);
  return emulator;
}

function offer(orderId: string, kkm: string): void {
  const taskTable = [
    { type: "OpenCheckSell", data: "" },
    { type: "Registration", data: "Чай", param: { price: 10, quantity: 1, tax: 2 } },
    { type: "Payment", data: "", param: { summ: 10, typeClose: 0 } },
    { type: "CloseCheck", data: "" },
  ];
  site.offer(orderId, { response: { kkm, orderId, taskTable } });
}

test("an order for a register never connected is refused for now, and one for an unknown kkm for good", async () => {
  const ports = [await freePort(), await freePort()] as const;
  const first = await plugIn(0, ports[0]);
  daemon = await startDaemon(
    writeConfig({
      folder,
      siteUrl: site.url,
      registers: ports.map((port, index) => ({
        id: `till-${index + 1}`,
        driver: "shtrih",
        connection: { kind: "tcp", host: "127.0.0.1", port },
      })),
    }),
  );
  offer("B-1", kkms[1]);
  const refused = { resultCode: 4, outcome: "failed", resultInfo: expect.stringContaining("возможно, это till-2") };
  expect(await site.result("B-1")).toMatchObject(refused);
  site.withdraw("B-1");

  const second = await plugIn(1, ports[1]);
  await daemon.child.line(/connected .*register=till-2/);
  offer("X-1", "0009999999999999");
  expect(await site.result("X-1")).toMatchObject({ resultCode: 1, outcome: "failed", kkm: "0009999999999999" });
  site.withdraw("X-1");
  offer("B-1", kkms[1]);
  const printed = await waitFor("B-1 is printed", () =>
    site.results("B-1").find(({ outcome }) => outcome === "printed"),
  );
  expect(printed).toMatchObject({ resultCode: 0, kkm: kkms[1] });
  expect([(await first.receipts()).length, (await second.receipts()).length]).toEqual([0, 1]);
});
