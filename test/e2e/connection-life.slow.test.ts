/** Registers that go away and come back under a running daemon: what sites are told, and that printing goes on. */
import { z } from "zod";
import { type Cable, serialCable } from "../support/cable.js";
import type { DaemonProcess } from "../support/daemon-process.js";
import type { EmulatorProcess } from "../support/emulator-process.js";
import { fakeTime, hasFakeTime } from "../support/fake-time.js";
import { hasSocat, needsSocat } from "../support/serial-pair.js";
import { startTestSite, type TestSite } from "../support/test-site.js";
import { waitFor } from "../support/wait-for.js";
import { KKM, patience, saleOf, tillOn, useShop } from "./use-shop.js";

/** The daemon's ten seconds of patience with a register pass in two. */
const hurry = hasFakeTime ? fakeTime("+0 x5") : {};

const shop = useShop("each");
let emulator: EmulatorProcess;
let site: TestSite;
let cable: Cable | null;
let configPath: string;
let daemon: DaemonProcess;
let offer: object | null = null;

const emulatorOf = (listen?: string) =>
  shop.emulate({ args: ["--protocol", "v1"], ...(listen === undefined ? {} : { listen }) });

async function begin(kind: "serial" | "tcp"): Promise<void> {
  emulator = await emulatorOf();
  site = await startTestSite();
  shop.undo(() => site.close());
  site.answer(({ path }) => {
    const body = path === "/orders" && offer !== null ? offer : { resultCode: 0 };
    if (path === "/orders") offer = null;
    return { body };
  });
  cable = kind === "serial" ? serialCable(shop.folder, emulator.port) : null;
  shop.undo(() => cable?.pull());
  await cable?.plugIn();
  const { origin } = new URL(site.url);
  const names = ["orders", "result", "sync", "connected", "disconnected"];
  const serial = cable === null ? {} : { connection: { kind: "serial", path: cable.path, baudRate: 115_200 } };
  configPath = shop.configure({
    siteUrl: site.url,
    site: { urls: Object.fromEntries(names.map((name) => [name, `${origin}/${name}`])) },
    registers: [tillOn(emulator, { title: "Зал", ...serial, options: { link: "v1" } })],
  });
  daemon = await shop.start(configPath, hurry);
  await heard("/connected", 1);
}

const callsTo = (path: string) => site.calls.filter((call) => call.path === path);
const heard = (path: string, times: number) =>
  waitFor(
    `${path} is called ${times} times`,
    () => callsTo(path).length >= times && callsTo(path)[times - 1],
    patience,
  );
/** What was told of connections, in order. */
const story = () => site.calls.flatMap(({ path }) => (/connected/.test(path) ? [path.slice(1)] : []));

async function print(orderId: string): Promise<void> {
  const before = callsTo("/result").length;
  offer = saleOf(orderId);
  const result = await heard("/result", before + 1);
  expect(result.json).toMatchObject({ orderId, resultCode: 0 });
}

async function comesBack(leave: () => Promise<void>, comeBack: () => Promise<void>): Promise<void> {
  const said = { kkm: KKM, device: expect.stringContaining("РИТЕЙЛ"), title: "Зал" };
  expect(callsTo("/connected")[0]?.json).toEqual({ action: "KKMConnected", ...said });
  await print("before");
  await leave();
  expect((await heard("/disconnected", 1)).json).toEqual({ action: "KKMDisconnected", ...said });
  await comeBack();
  expect((await heard("/connected", 2)).json).toEqual({ action: "KKMConnected", ...said });
  await print("after");
  expect(story()).toEqual(["connected", "disconnected", "connected"]);
  expect(await emulator.receipts()).toHaveLength(2);
}

const withSocat = hasSocat ? describe : describe.skip;

withSocat(`a register on a serial port${needsSocat}`, () => {
  test("a register whose cable is pulled and put back is reported to the site each time, and prints again", async () => {
    await begin("serial");
    await comesBack(
      async () => cable?.pull(),
      async () => cable?.plugIn(),
    );
  });

  test("a register whose cable is out for a moment again and again is not reported", async () => {
    await begin("serial");
    for (const orderId of ["1", "2", "3"]) {
      await cable?.pull();
      await cable?.plugIn();
      await print(orderId);
    }
    expect(story()).toEqual(["connected"]);
  });

  test("a register that is switched off while its port stays is reported to the site, and so is its return", async () => {
    await begin("serial");
    await comesBack(
      () => emulator.addFault({ effect: "silent", when: "now", times: 1_000_000 }),
      () => emulator.clearFaults(),
    );
  });
});

describe("a register over TCP", () => {
  test("a restarted register over TCP is reported to the site as lost and as back, and prints again", async () => {
    await begin("tcp");
    const { listening } = emulator;
    await comesBack(
      () => emulator.stop(),
      async () => {
        emulator = await emulatorOf(listening);
      },
    );
  });

  test("the state of a register at the start is reported once, whether the register is connected or not", async () => {
    await begin("tcp");
    await daemon.stop();
    await emulator.stop();
    daemon = await shop.start(configPath, hurry);
    await heard("/disconnected", 1);
    await daemon.stop();
    emulator = await emulatorOf(emulator.listening);
    daemon = await shop.start(configPath, hurry);
    await heard("/connected", 2);
    await print("1");
    expect(story()).toEqual(["connected", "disconnected", "connected"]);
  });
});

describe("the list of registers", () => {
  test("the list of registers is sent at the start, after a register's change, and on demand", async () => {
    await begin("tcp");
    const [register] = data(await heard("/sync", 1));
    expect(register).toMatchObject({
      name: "Зал",
      kkm: KKM,
      inn: expect.stringMatching(/^\d{10,12}$/),
      fn: "9999078900000001",
    });
    expect(register?.taxes).toContainEqual({ id: 11, title: expect.stringContaining("22%") });
    expect(register?.typeClose).toContainEqual({ id: 0, title: expect.any(String) });
    await print("1");
    expect(callsTo("/sync")).toHaveLength(1);

    await emulator.post("/shift", { action: "close" });
    await emulator.post("/fn", { fn: "9999078900000002" });
    expect(data(await heard("/sync", 2))).toMatchObject([{ kkm: KKM, fn: "9999078900000002" }]);

    await daemon.command("sync", "shop", "--reason", "test");
    expect(data(await heard("/sync", 3))).toMatchObject([{ kkm: KKM, fn: "9999078900000002" }]);

    await daemon.stop();
    daemon = await shop.start(configPath, hurry);
    await heard("/sync", 4);
  });
});

const titles = z.array(z.object({ id: z.number(), title: z.string() }));
const listSchema = z.array(z.looseObject({ taxes: titles, typeClose: titles }));

function data({ json }: TestSite["calls"][number]): z.infer<typeof listSchema> {
  return listSchema.parse(json?.["data"]);
}
