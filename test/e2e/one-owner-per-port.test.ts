/** A register has one daemon on a machine: real processes on a real serial line and over TCP. */
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { type Child, startChild } from "../support/child-process.js";
import { type DaemonProcess, fiscald, startDaemon, writeConfig } from "../support/daemon-process.js";
import { type EmulatorProcess, startEmulator } from "../support/emulator-process.js";
import { root } from "../support/read-imports.js";
import { hasSocat, needsSocat, openSerialPair, type SerialPair } from "../support/serial-pair.js";
import { useTempFolder } from "../support/temp-folder.js";
import { startTestSite, type TestSite } from "../support/test-site.js";

const folder = useTempFolder();
const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function emulate(listen: string, maker = "shtrih"): Promise<EmulatorProcess> {
  const emulator = await startEmulator({ maker, listen, statePath: join(folder(), `${maker}.json`) });
  undo.push(() => emulator.stop());
  return emulator;
}

async function openLine(): Promise<SerialPair> {
  const pair = await openSerialPair(folder());
  undo.push(() => pair.close());
  await emulate(`serial:${pair.device}`);
  return pair;
}

/** A data folder of its own. */
function config(name: string, site: TestSite, connection: object, driver = "shtrih"): string {
  const own = join(folder(), name);
  mkdirSync(own);
  const urls = { orders: site.url, result: site.url, sync: site.url, connected: site.url };
  return writeConfig({
    folder: own,
    siteUrl: site.url,
    site: { urls },
    registers: [{ id: `till-${name}`, driver, connection, cashier: { name: "Иванова" } }],
  });
}

async function openSite(): Promise<TestSite> {
  const site = await startTestSite();
  site.answer(() => ({ body: { resultCode: 0 } }));
  undo.push(() => site.close());
  return site;
}

async function startOwner(configPath: string): Promise<DaemonProcess> {
  const daemon = await startDaemon(configPath);
  undo.push(() => daemon.stop());
  return daemon;
}

function begin(configPath: string): Child {
  const child = startChild([fiscald, "run", "--config", configPath]);
  undo.push(() => {
    child.signal("SIGKILL");
    return child.ended;
  });
  return child;
}

const isReady = ({ child }: DaemonProcess) => child.line(/register changed .*to=ready/);

describe(`on a serial line${needsSocat}`, () => {
  const onLine = hasSocat ? test : test.skip;

  onLine(
    "a second daemon refuses to start under whatever name of the port, says who has it, and tells its site nothing",
    async () => {
      const line = await openLine();
      const [first, second] = [await openSite(), await openSite()];
      const owner = await startOwner(config("a", first, { kind: "serial", path: line.host }));
      await isReady(owner);
      const otherName = join(folder(), "by-id");
      symlinkSync(line.host, otherName);

      const refused = begin(config("b", second, { kind: "serial", path: otherName }));
      expect(await refused.ended).toBe(1);
      expect(refused.output()).toContain("code=link.held");
      expect(refused.output()).toContain(`process ${owner.child.pid}`);
      expect(refused.output()).toContain(join(folder(), "a", "fiscald.sqlite"));
      expect(second.calls).toEqual([]);
      expect(await owner.command("status")).toMatch(/till-a +ready/);
    },
  );

  onLine("the port is free at once after its daemon was killed", async () => {
    const line = await openLine();
    const site = await openSite();
    const owner = begin(config("a", site, { kind: "serial", path: line.host }));
    await owner.line(/\bconnected\b/);
    owner.signal("SIGKILL");
    await owner.ended;
    await isReady(await startOwner(config("b", site, { kind: "serial", path: line.host })));
  });

  onLine("a daemon that hangs is a holder all the same", async () => {
    const line = await openLine();
    const site = await openSite();
    const owner = begin(config("a", site, { kind: "serial", path: line.host }));
    await owner.line(/\bconnected\b/);
    owner.signal("SIGSTOP");
    const refused = begin(config("b", site, { kind: "serial", path: line.host }));
    expect(await refused.ended).toBe(1);
    expect(refused.output()).toContain("does not say who it is");
  });

  onLine(
    "another program on the port keeps no daemon from starting: its register waits, and the program is named",
    async () => {
      const line = await openLine();
      const other = startChild([
        "--input-type=module",
        "--eval",
        `import { SerialPort } from "${join(root, "node_modules/serialport/dist/index.js")}";
         new SerialPort({ path: ${JSON.stringify(line.host)}, baudRate: 9600 }, (error) => console.log(error ?? "has it")).resume();`,
      ]);
      undo.push(() => {
        other.signal("SIGKILL");
        return other.ended;
      });
      await other.line(/has it/);
      const owner = await startOwner(config("a", await openSite(), { kind: "serial", path: line.host }));
      await owner.child.line(new RegExp(`link\\.busy.*process ${other.pid}|process ${other.pid}.*link\\.busy`));
      other.signal("SIGKILL");
      await isReady(owner);
    },
  );
});

test("over TCP a name and the address behind it are one", async () => {
  const { port } = await emulate("tcp:127.0.0.1:0");
  const [first, second] = [await openSite(), await openSite()];
  const owner = await startOwner(config("a", first, { kind: "tcp", host: "127.0.0.1", port }));
  await isReady(owner);
  const refused = begin(config("b", second, { kind: "tcp", host: "LocalHost", port }));
  expect(await refused.ended).toBe(1);
  expect(refused.output()).toContain("code=link.held");
  expect(refused.output()).toContain(`process ${owner.child.pid}`);
  expect(second.calls).toEqual([]);

  expect(await owner.stop()).toBe(0);
  await isReady(await startOwner(join(folder(), "b", "config.json")));
});

test("a print service is shared by right", async () => {
  const { port } = await emulate("http:127.0.0.1:0", "atol");
  const connection = { kind: "http", url: `http://127.0.0.1:${port}` };
  const site = await openSite();
  await isReady(await startOwner(config("a", site, connection, "atol")));
  await isReady(await startOwner(config("b", site, connection, "atol")));
});
