/** Registers that go away and come back under a running daemon: what sites are told, and that printing goes on. */
import { type Cable, serialCable } from "../support/cable.js";
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
  const configPath = shop.configure({
    siteUrl: site.url,
    site: { urls: Object.fromEntries(names.map((name) => [name, `${origin}/${name}`])) },
    registers: [tillOn(emulator, { title: "Зал", ...serial, options: { link: "v1" } })],
  });
  await shop.start(configPath, hurry);
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
});
