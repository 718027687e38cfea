/** The setup for Windows under Wine, without questions: installed, printing, installed over itself, removed. */

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EmulatorProcess, startEmulator } from "../support/emulator-process.js";
import { type FakeSite, startFakeSite } from "../support/fake-site.js";
import { freePort } from "../support/free-port.js";
import { close, pay, sell, table, tea } from "../support/order-samples.js";
import { root } from "../support/read-imports.js";
import { waitFor } from "../support/wait-for.js";
import { madePackage, version } from "./made-packages.js";

const prefix = mkdtempSync(join(tmpdir(), "fiscald-wine-"));
const env = {
  ...process.env,
  ...{ WINEPREFIX: prefix, WINEDEBUG: "-all", DISPLAY: "" },
  NODE_OPTIONS: `--require Z:${join(root, "test/packages/without-keep-alive.cjs").replaceAll("/", "\\")}`,
};
const program = join(prefix, "drive_c/Program Files/fiscald");
const data = join(prefix, "drive_c/ProgramData/fiscald");
const menu = join(prefix, "drive_c/ProgramData/Microsoft/Windows/Start Menu/Programs/fiscald");
const output = join(prefix, "output.txt");
const fiscald = "C:\\Program Files\\fiscald\\fiscald.cmd";
let site: FakeSite;
let register: EmulatorProcess;

/** Wine's Node writes to files only; the function returns what was printed. */
function wine(...args: readonly string[]): string {
  const file = openSync(output, "w");
  const { status } = spawnSync("wine", args, { env, stdio: ["ignore", file, file], timeout: 240_000 });
  const printed = readFileSync(output, "utf8");
  if (status !== 0) throw new Error(`wine ${args.join(" ")} ended with ${status}: ${printed}`);
  return printed;
}

/** What the setup opens at its end, and the Start menu: without a config it is the set-up page. */
async function setUpByPage(port: number): Promise<void> {
  const file = openSync(output, "w");
  const page = spawn("wine", ["cmd", "/d", "/c", "C:\\Program Files\\fiscald\\fiscald-page.cmd"], {
    env: { ...env, FISCALD__console__port: String(port) },
    stdio: ["ignore", file, file],
  });
  const link = () => /http:\S+key=\S+/.exec(readFileSync(output, "utf8"))?.[0] ?? "";
  await waitFor("the link is printed", () => link() !== "", { timeoutMs: 60_000 });
  const { origin } = new URL(link());
  const entered = await fetch(link(), { redirect: "manual" });
  const answers = {
    site: { orders: "http://127.0.0.1:9/fiscal", id: "shop", auth: "none" },
    registers: [{ title: "Касса", driver: "shtrih", connection: { kind: "tcp", host: "127.0.0.1", port: 7778 } }],
    ...{ timeZone: "Europe/Moscow", closeShiftAt: null },
  };
  const written = await fetch(`${origin}/api/setup/config`, {
    method: "POST",
    headers: {
      ...{ origin, "content-type": "application/json" },
      cookie: entered.headers.getSetCookie()[0]?.split(";")[0] ?? "",
    },
    body: JSON.stringify(answers),
  });
  expect(written.status).toBe(200);
  // Wine has no tasks and says that there is one: then the page of a daemon that does not run is asked for.
  await end(page);
}

function startDaemon(): ChildProcess {
  const file = openSync(join(prefix, "daemon.txt"), "w");
  return spawn("wine", [fiscald, "run"], { env, stdio: ["ignore", file, file] });
}

/** Ends the program at once, as Windows ends a task, also when Windows shuts down. */
async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  spawnSync("wineserver", ["-k"], { env });
  await ended;
  // Port and database are free for the next one when all that ran in it is gone.
  spawnSync("wineserver", ["-w"], { env });
}

/** Holds a file as a virus scanner does: nobody else may move it. */
async function hold(path: string): Promise<ChildProcess> {
  const drive = join(prefix, "drive_c");
  copyFileSync(join(program, "node.exe"), join(drive, "hold.exe"));
  writeFileSync(join(drive, "hold.js"), 'require("fs").writeFileSync("C:/held", ""); setInterval(() => {}, 1e6);');
  writeFileSync(join(drive, "hold.cmd"), `@C:\\hold.exe C:\\hold.js <"${path}"\r\n`);
  const file = openSync(join(prefix, "hold.txt"), "w");
  const holder = spawn("wine", ["cmd", "/d", "/c", "C:\\hold.cmd"], { env, stdio: ["ignore", file, file] });
  await waitFor("the file is held", () => existsSync(join(drive, "held")));
  return holder;
}

/**
 * Bit 13 of a link's flags: Windows asks for an administrator's rights, which config and data need. No link leaves a
 * prompt with them open.
 */
function wrongLinks(): readonly string[] {
  const links = readdirSync(menu);
  expect(links).toHaveLength(3);
  return links.filter((name) => {
    const link = readFileSync(join(menu, name));
    return (link.readUInt32LE(20) & 0x2000) === 0 || link.toString("utf16le").includes("/k") || link.includes("/k");
  });
}

function sale(orderId: string): object {
  return table([sell, tea, pay(100), close], { orderId });
}

beforeAll(() => {
  wine("wineboot", "-i");
  wine("winecfg", "-v", "win10");
});
afterAll(async () => {
  spawnSync("wineserver", ["-k"], { env });
  await register?.stop();
  await site?.close();
  rmSync(prefix, { recursive: true, force: true });
});

function writeConfig(port: number): void {
  const urls = { orders: site.url, result: site.url, sync: site.url };
  const connection = { kind: "tcp", host: "127.0.0.1", port: register.port };
  const till = { id: "till", driver: "shtrih", sites: ["shop"], defaultTax: 11, timeZone: "Asia/Yekaterinburg" };
  writeFileSync(
    join(data, "config.json"),
    JSON.stringify({
      version: 1,
      sites: [{ id: "shop", urls, pollEverySeconds: 1 }],
      registers: [{ ...till, connection }],
      // The usual port may be that of the Debian package's test, which runs beside this one.
      console: { port },
      log: { language: "ru" },
    }),
  );
}

async function expectPrinted(orderId: string): Promise<void> {
  const isAnswered = async () => site.results(orderId).length > 0;
  await waitFor(`order ${orderId} has a result`, isAnswered, { timeoutMs: 120_000 });
  expect(site.results(orderId)).toMatchObject([{ resultCode: 0 }]);
}

async function offerAndPause(orderId: string): Promise<void> {
  await register.addFault({ effect: "pause", when: { command: "close-receipt", nth: 1 } });
  site.offer(orderId, sale(orderId));
  await waitFor(
    "the register is in the middle of it",
    async () => JSON.stringify(await register.get("/state")).includes('"paused":true'),
    { timeoutMs: 120_000 },
  );
}

/** What the setup asks the daemon of the earlier version is in a file of its temporary folder. */
function seesReceipt(): boolean {
  const temp = join(prefix, "drive_c/users/root/Temp");
  const answers = readdirSync(temp).map((name) => join(temp, name, "jobs.txt"));
  return answers.some((path) => existsSync(path) && readFileSync(path, "utf8").includes("A-1"));
}

function pathOfMachine(): string {
  const key = "HKLM\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Environment";
  return wine("reg", "query", key, "/v", "Path");
}

test("the Windows setup installs a daemon that prints each order once, despite an update and a kill during a receipt", async () => {
  site = await startFakeSite();
  const statePath = join(prefix, "till.json");
  register = await startEmulator({ maker: "shtrih", listen: "tcp:127.0.0.1:0", statePath });
  const setup = madePackage(`fiscald-${version}-windows-x64-setup.exe`);
  // The setup's Node does not start on this version of Windows.
  wine("winecfg", "-v", "win81");
  expect(() => wine(setup, "/S")).toThrow("ended with 6");
  wine("winecfg", "-v", "win10");
  // Somebody's config and token are not taken over.
  mkdirSync(join(data, "data"), { recursive: true });
  expect(() => wine(setup, "/S")).toThrow("ended with 5");
  rmSync(data, { recursive: true });
  wine(setup, "/S");
  expect(wine(fiscald, "--version")).toContain(version);
  expect(wrongLinks()).toEqual([]);
  writeFileSync(join(menu, "Name in another language.lnk"), "");
  await setUpByPage(await freePort());
  expect(wine(fiscald, "check-config", "--lang", "ru")).toContain("C:\\ProgramData\\fiscald\\config.json");
  writeConfig(await freePort());
  expect(wine(fiscald, "check-config", "--lang", "en")).toContain("is right");
  const first = startDaemon();
  await offerAndPause("A-1");
  const update = spawn("wine", [setup, "/S"], { env, stdio: "ignore" });
  const updated = once(update, "exit");
  await waitFor("the setup sees the receipt in hand", seesReceipt, { timeoutMs: 120_000 });
  await register.clearFaults();
  await expectPrinted("A-1");
  // No task runs the daemon here, so the setup cannot end it, and the version that runs stays.
  expect(await updated).toEqual([2, null]);
  await end(first);
  // The new version cannot be copied: the one that is there stays.
  writeFileSync(join(program, "new"), "");
  expect(() => wine(setup, "/S")).toThrow();
  expect(wine(fiscald, "--version")).toContain(version);
  rmSync(join(program, "new"), { force: true });
  // One of its last files is held: what is replaced already comes back.
  writeFileSync(join(program, "app/earlier"), "");
  const holder = await hold("C:\\Program Files\\fiscald\\NOTICES.txt");
  expect(() => wine(setup, "/S")).toThrow("ended with 4");
  expect(existsSync(join(program, "app/earlier"))).toBe(true);
  expect(wine(fiscald, "--version")).toContain(version);
  await end(holder);
  // The folder is always the setup's own: its removal deletes all of it.
  wine(setup, "/S", "/D=C:\\shop");
  expect(existsSync(join(prefix, "drive_c/shop"))).toBe(false);
  expect(["new", "old", "app/earlier"].filter((name) => existsSync(join(program, name)))).toEqual([]);
  expect(wrongLinks()).toEqual([]);
  expect(wine(fiscald, "status")).toMatch(/[А-я]{4}/);

  const second = startDaemon();
  await offerAndPause("A-2");
  await end(second);
  await register.clearFaults();
  const third = startDaemon();
  await expectPrinted("A-2");
  site.offer("A-3", sale("A-3"));
  await expectPrinted("A-3");
  await end(third);
  expect(await register.receipts()).toHaveLength(3);

  const entry = wine("reg", "query", "HKLM\\Software\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\fiscald");
  expect(entry).toMatch(/Publisher .*fiscald/);
  expect(Number(/EstimatedSize\s+REG_DWORD\s+(\w+)/.exec(entry)?.[1])).toBeGreaterThan(90_000);
  // The number that inventory programs read follows this mark.
  const bytes = readFileSync(setup);
  const mark = bytes.indexOf(Buffer.from("bd04effe", "hex"));
  expect(`${bytes.readUInt16LE(mark + 10)}.${bytes.readUInt16LE(mark + 8)}.`).toBe(/^\d+\.\d+\./.exec(version)?.[0]);
  expect(pathOfMachine()).toContain("C:\\Program Files\\fiscald\\bin");
  // A copy of the removal program removes the program and never the folder that the copy stands in.
  const elsewhere = join(prefix, "drive_c/shop");
  mkdirSync(elsewhere);
  copyFileSync(join(program, "uninstall.exe"), join(elsewhere, "uninstall.exe"));
  wine(join(elsewhere, "uninstall.exe"), "/S");
  await waitFor("the program is gone", async () => !existsSync(join(program, "node.exe")), { timeoutMs: 60_000 });
  await waitFor("its folder is gone", async () => !existsSync(program), { timeoutMs: 60_000 });
  expect(existsSync(elsewhere)).toBe(true);
  expect(pathOfMachine()).not.toContain("fiscald");
  expect(existsSync(join(data, "data/fiscald.sqlite"))).toBe(true);
  // The next setup takes the folder of the data from this key.
  expect(wine("reg", "query", "HKLM\\Software\\fiscald", "/v", "Data")).toContain("ProgramData\\fiscald");
});
