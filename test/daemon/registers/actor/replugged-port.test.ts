/** A USB register returns under another path, with real ptys and drivers and a scripted list of ports. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { App } from "@fiscald/daemon/app.js";
import { parseConfig } from "@fiscald/daemon/config/load-config.js";
import { createPortMemory } from "@fiscald/daemon/registers/actor/port-memory.js";
import { defaultTimings } from "@fiscald/daemon/registers/register-settings.js";
import type { MetaStore } from "@fiscald/daemon/store/database/meta-store.js";
import type { SerialPortInfo } from "@fiscald/drivers/transport/serial-ports.js";
import { openEmulator } from "@fiscald/emulators/open-emulator.js";
import { systemClock } from "@fiscald/shared/clock.js";
import { toRegisterId } from "@fiscald/shared/ids.js";
import type { Logger } from "@fiscald/shared/logger.js";
import { hasSocat, needsSocat, openSerialPair } from "../../../support/serial-pair.js";
import { useTempFolder } from "../../../support/temp-folder.js";
import { waitFor } from "../../../support/wait-for.js";

const folder = useTempFolder();
const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

/** What USB reports. The test changes it, as a hand does that moves the plug. */
let ports: SerialPortInfo[] = [];
let log: string[] = [];

const logger: Logger = {
  error: (message) => void log.push(message),
  warn: (message) => void log.push(message),
  info: (message) => void log.push(message),
  debug: () => {},
  wire: () => {},
  child: () => logger,
};

/** A register on its own line, after it was plugged in. */
async function plugIn(name: string, kkm: string): Promise<{ path: string; pull(): Promise<void> }> {
  mkdirSync(join(folder(), name));
  const pair = await openSerialPair(join(folder(), name));
  const statePath = join(folder(), `${kkm}.json`);
  const emulator = await openEmulator({ maker: "shtrih", listen: `serial:${pair.device}`, kkm, statePath });
  ports = [{ path: pair.host, usb: { vendorId: "0483", productId: "5740", serialNumber: "N1", manufacturer: null } }];
  let isIn = true;
  const pull = async () => {
    if (!isIn) return;
    isIn = false;
    ports = [];
    await emulator.close();
    await pair.close();
  };
  undo.push(pull);
  return { path: pair.host, pull };
}

let starts = 0;

async function startDaemon(path: string): Promise<App> {
  starts += 1;
  const nowhere = "http://127.0.0.1:9/fiscal";
  const raw = {
    version: 1,
    sites: [{ id: "shop", urls: { orders: nowhere, result: nowhere }, pollEverySeconds: 3600 }],
    registers: [{ id: "till", driver: "shtrih", connection: { kind: "serial", path }, sites: ["shop"] }],
    console: { port: 0, tokenFile: `token-${starts}` },
  };
  log = [];
  let id = 0;
  const app = new App({
    config: parseConfig(JSON.stringify(raw), "c", { folder: folder(), env: {}, readFile: () => "" }),
    clock: systemClock,
    random: () => 0.5,
    newId: () => `id-${++id}`,
    pid: process.pid,
    log: logger,
    timings: { ...defaultTimings, stateReadMs: 100, reconnect: { firstMs: 50, maxMs: 100 } },
    driverTimeouts: { reactMs: 300, byteGapMs: 300 },
    hooks: { listPorts: async () => ports },
  });
  await app.start();
  return app;
}

const connects = () => log.filter((line) => line === "connected").length;

(hasSocat ? test : test.skip)(
  `a USB register that comes back under another path is found, also after a restart${needsSocat}`,
  async () => {
    const first = await plugIn("one", "0000000000000001");
    const app = await startDaemon(first.path);
    undo.push(() => app.stop());
    await waitFor("the register is connected", () => connects() === 1);
    await first.pull();
    const second = await plugIn("two", "0000000000000001");
    await waitFor("it is connected again", () => connects() === 2);
    await app.stop();

    const again = await startDaemon(first.path);
    undo.push(() => again.stop());
    await waitFor("it is found after a restart", () => connects() === 1);
    await second.pull();
    await plugIn("three", "0000000000000009");
    await waitFor("another register in its place is not taken for it", () => log.includes("register blocked"));
    expect(connects()).toBe(1);
  },
);

const usb = { vendorId: "0483", productId: "5740", serialNumber: "N1" };
const register = toRegisterId("till");
const stored = new Map<string, string>();
const store: MetaStore = {
  get: (key) => stored.get(key) ?? null,
  set: (key, value) => void stored.set(key, value),
  remove: (key) => void stored.delete(key),
  withPrefix: () => new Map(),
};

test("a USB port is remembered for the configured path, and only after its device proved to be the right register", () => {
  const memory = createPortMemory(store, register, "/dev/ttyACM0");
  memory.seen(usb);
  expect(memory.recall()).toBeNull();
  memory.confirm();
  expect(memory.recall()).toEqual(usb);
  expect(createPortMemory(store, register, "/dev/ttyACM7").recall()).toBeNull();
  memory.seen(null);
  memory.confirm();
  expect(memory.recall()).toBeNull();
});
