import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDriver } from "@fiscald/drivers/registry.js";
import type { UsbKey } from "@fiscald/drivers/transport/find-port.js";
import { createReplugTransport } from "@fiscald/drivers/transport/replug-transport.js";
import type { SerialPortInfo } from "@fiscald/drivers/transport/serial-ports.js";
import { openEmulator } from "@fiscald/emulators/open-emulator.js";
import { createLoopback } from "@fiscald/emulators/wire/loopback.js";
import type { CloseReason } from "@fiscald/shared/byte-transport.js";
import { systemClock } from "@fiscald/shared/clock.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { hasSocat, needsSocat, openSerialPair } from "../../support/serial-pair.js";

const never = new AbortController().signal;
const port = (path: string, serialNumber: string): SerialPortInfo => ({
  path,
  usb: { vendorId: "0483", productId: "5740", serialNumber, manufacturer: null },
});

function search(ports: readonly SerialPortInfo[], usbSerialNumber: string | null = null) {
  const seen: (UsbKey | null)[] = [];
  const opened: string[] = [];
  const transport = createReplugTransport({
    path: "/dev/ttyACM0",
    usbSerialNumber,
    memory: { recall: () => seen.at(-1) ?? null, seen: (key) => void seen.push(key) },
    listPorts: async () => ports,
    openAt(path) {
      opened.push(path);
      return createLoopback().transport;
    },
  });
  return { transport, opened, seen };
}

test("a replugged register is opened on the port that now has the configured USB number", async () => {
  const { transport: line, opened, seen } = search([port("/dev/ttyACM0", "B2"), port("/dev/ttyACM3", "A1")], "A1");
  await line.open(never);
  expect([opened, seen]).toEqual([["/dev/ttyACM3"], [expect.objectContaining({ serialNumber: "A1" })]]);
  const closed = new Promise<CloseReason>((resolve) => line.onClosed(resolve));
  await line.close();
  expect(await closed).toEqual({ kind: "asked" });
});

test("a register is opened on the configured path when the system does not list its ports", async () => {
  const opened: string[] = [];
  const line = createReplugTransport({
    path: "/dev/ttyACM0",
    usbSerialNumber: "A1",
    memory: { recall: () => null, seen: () => {} },
    listPorts: () => Promise.reject(new Error("no udev")),
    openAt(path) {
      opened.push(path);
      return createLoopback().transport;
    },
  });
  await line.open(never);
  expect(opened).toEqual(["/dev/ttyACM0"]);
});

test("an abort stops the search for a register's port, and closing a port that was never opened is reported as asked for", async () => {
  const stop = new AbortController();
  const line = createReplugTransport({
    path: "/dev/ttyACM0",
    usbSerialNumber: null,
    memory: { recall: () => null, seen: () => {} },
    listPorts: () => new Promise(() => {}),
    openAt: () => createLoopback().transport,
  });
  const opening = line.open(stop.signal);
  stop.abort();
  await expect(opening).rejects.toMatchObject({ code: "link.aborted" });
  const closed = new Promise<CloseReason>((resolve) => line.onClosed(resolve));
  await line.close();
  expect(await closed).toEqual({ kind: "asked" });
  await expect(line.write(Uint8Array.of(5))).rejects.toMatchObject({ code: "link.lost" });
});

(hasSocat ? test : test.skip)(
  `a register of the config is found on a real line by its USB serial number${needsSocat}`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "fiscald-replug-"));
    const pair = await openSerialPair(folder);
    const emulator = await openEmulator({ maker: "pirit", listen: `serial:${pair.device}` });
    const { driver, stop } = await createDriver({
      driver: "pirit",
      connection: { kind: "serial", path: "/dev/nothing-here", baudRate: 57_600, usbSerialNumber: "A1" },
      options: {},
      clock: systemClock,
      random: () => 0.5,
      logger: silentLogger,
      portSearch: {
        memory: { recall: () => null, seen: () => {} },
        listPorts: async () => [port(pair.host, "A1")],
      },
    });
    expect((await driver.connect(AbortSignal.timeout(20_000))).kkm).toBe(emulator.core.registration.kkm);
    await stop();
    await emulator.close();
    await pair.close();
    rmSync(folder, { recursive: true });
  },
);
