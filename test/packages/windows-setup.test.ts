/** The setup for Windows under Wine, without questions: installed, printing, installed over itself, removed. */

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startFakeSite } from "../support/fake-site.js";
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
const output = join(prefix, "output.txt");

/** Wine's Node writes to files only. Returns what was printed. */
function wine(...args: readonly string[]): string {
  const file = openSync(output, "w");
  const { status } = spawnSync("wine", args, { env, stdio: ["ignore", file, file], timeout: 240_000 });
  const printed = readFileSync(output, "utf8");
  if (status !== 0) throw new Error(`wine ${args.join(" ")} ended with ${status}: ${printed}`);
  return printed;
}

function startDaemon(): { readonly child: ChildProcess; text(): string } {
  const path = join(prefix, "daemon.txt");
  const file = openSync(path, "w");
  const child = spawn("wine", ["C:\\Program Files\\fiscald\\fiscald.cmd", "run"], {
    ...{ env, stdio: ["ignore", file, file] },
  });
  return { child, text: () => readFileSync(path, "utf8") };
}

/** As the task of Windows is ended: at once. */
async function end({ child }: { readonly child: ChildProcess }): Promise<void> {
  const ended = once(child, "exit");
  spawnSync("wineserver", ["-k"], { env });
  await ended;
}

function sale(orderId: string): object {
  return table([sell, tea, pay(100), close], { orderId });
}

beforeAll(() => {
  wine("wineboot", "-i");
  wine("winecfg", "-v", "win10");
});
afterAll(() => {
  spawnSync("wineserver", ["-k"], { env });
  rmSync(prefix, { recursive: true, force: true });
});

test("it installs a daemon that prints, keeps config and data over an update, and leaves them when it is removed", async () => {
  const site = await startFakeSite();
  const setup = madePackage(`fiscald-${version}-windows-x64-setup.exe`);
  wine(setup, "/S");
  expect(wine("C:\\Program Files\\fiscald\\fiscald.cmd", "--version")).toContain(version);
  const urls = { orders: site.url, result: site.url, sync: site.url };
  writeFileSync(
    join(data, "config.json"),
    JSON.stringify({
      version: 1,
      sites: [{ id: "shop", urls, pollEverySeconds: 1 }],
      registers: [
        {
          ...{ id: "till", driver: "reference", sites: ["shop"], defaultTax: 11 },
          connection: { kind: "emulator", statePath: "data/till.json" },
        },
      ],
      log: { language: "ru" },
    }),
  );
  expect(wine("C:\\Program Files\\fiscald\\fiscald.cmd", "check-config", "--lang", "en")).toContain("is right");

  const prints = async (orderId: string) => {
    site.offer(orderId, sale(orderId));
    await waitFor(`order ${orderId} has a result`, async () => site.results(orderId).length > 0, {
      timeoutMs: 120_000,
    });
    expect(site.results(orderId)).toMatchObject([{ resultCode: 0 }]);
  };
  const before = startDaemon();
  await prints("A-1");
  await end(before);
  wine(setup, "/S");
  const after = startDaemon();
  await prints("A-2");
  await end(after);
  expect(readFileSync(join(data, "data/till.json"), "utf8").match(/"orderId"|"type":"receipt"/g)?.length).toBe(2);

  wine(join(program, "uninstall.exe"), "/S");
  await waitFor("the program is gone", async () => !existsSync(join(program, "node.exe")), { timeoutMs: 60_000 });
  expect(existsSync(join(data, "data/fiscald.sqlite"))).toBe(true);
  await site.close();
});
