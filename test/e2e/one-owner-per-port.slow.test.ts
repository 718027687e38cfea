/** A register has one daemon on a machine: real processes on a real serial line and over TCP. */
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { type Child, startChild } from "../support/child-process.js";
import { type DaemonProcess, fiscald } from "../support/daemon-process.js";
import { root } from "../support/read-imports.js";
import { hasSocat, needsSocat, openSerialPair, type SerialPair } from "../support/serial-pair.js";
import { startTestSite, type TestSite } from "../support/test-site.js";
import { useShop } from "./use-shop.js";

const shop = useShop("each");

async function openLine(): Promise<SerialPair> {
  const pair = await openSerialPair(shop.folder);
  shop.undo(() => pair.close());
  await shop.emulate({ listen: `serial:${pair.device}` });
  return pair;
}

/** A data folder of its own. */
function config(name: string, { url }: TestSite, connection: object, driver = "shtrih"): string {
  const urls = { orders: url, result: url, sync: url, connected: url };
  const register = { id: `till-${name}`, driver, connection, cashier: { name: "Иванова" } };
  return shop.configure({ siteUrl: url, site: { urls }, registers: [register] }, name);
}

async function openSite(): Promise<TestSite> {
  const site = await startTestSite();
  site.answer(() => ({ body: { resultCode: 0 } }));
  shop.undo(() => site.close());
  return site;
}

function begin(configPath: string): Child {
  const child = startChild([fiscald, "run", "--config", configPath]);
  shop.undo(() => {
    child.signal("SIGKILL");
    return child.ended;
  });
  return child;
}

const isReady = ({ child }: DaemonProcess) => child.line(/register changed .*to=ready/);

describe(`the owner of a serial line${needsSocat}`, () => {
  const onLine = hasSocat ? test : test.skip;

  onLine("a second daemon waits for a serial register until the first, which it names, is killed", async () => {
    const line = await openLine();
    const site = await openSite();
    const first = begin(config("a", site, { kind: "serial", path: line.host }));
    await first.line(/\bconnected\b/);
    const otherName = join(shop.folder, "by-id");
    symlinkSync(line.host, otherName);

    const second = await shop.start(config("b", site, { kind: "serial", path: otherName }));
    await second.child.line(new RegExp(`link\\.busy.*process ${first.pid}|process ${first.pid}.*link\\.busy`));
    first.signal("SIGKILL");
    await first.ended;
    await isReady(second);
  });

  onLine("a register whose port another program holds waits, and the daemon starts and names the program", async () => {
    const line = await openLine();
    const other = startChild([
      "--input-type=module",
      "--eval",
      `import { SerialPort } from "${join(root, "node_modules/serialport/dist/index.js")}";
         new SerialPort({ path: ${JSON.stringify(line.host)}, baudRate: 9600 }, (error) => console.log(error ?? "has it")).resume();`,
    ]);
    shop.undo(() => {
      other.signal("SIGKILL");
      return other.ended;
    });
    await other.line(/has it/);
    const owner = await shop.start(config("a", await openSite(), { kind: "serial", path: line.host }));
    await owner.child.line(new RegExp(`link\\.busy.*process ${other.pid}|process ${other.pid}.*link\\.busy`));
    other.signal("SIGKILL");
    await isReady(owner);
  });
});

test("a second daemon gets a register over TCP after the first daemon has ended", async () => {
  const { port } = await shop.emulate();
  const site = await openSite();
  const first = await shop.start(config("a", site, { kind: "tcp", host: "127.0.0.1", port }));
  await isReady(first);
  const second = await shop.start(config("b", site, { kind: "tcp", host: "LocalHost", port }));
  expect(await second.command("status")).not.toMatch(/till-b +ready/);
  expect(await first.stop()).toBe(0);
  await isReady(second);
});

test("two daemons may share one print service", async () => {
  const { port } = await shop.emulate({ maker: "atol" });
  const connection = { kind: "http", url: `http://127.0.0.1:${port}` };
  const site = await openSite();
  await isReady(await shop.start(config("a", site, connection, "atol")));
  await isReady(await shop.start(config("b", site, connection, "atol")));
});
