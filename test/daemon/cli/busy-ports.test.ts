import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { basename, join } from "node:path";
import { findListeners } from "@fiscald/drivers/transport/port-holder.js";
import { startCommand } from "../../support/command-line.js";
import { freePort } from "../../support/free-port.js";
import { rawConfig, rawRegister } from "../../support/raw-config.js";
import { useTempFolder } from "../../support/temp-folder.js";
import { waitFor } from "../../support/wait-for.js";

const folder = useTempFolder();
let other: Server;
let busy: number;

beforeEach(async () => {
  busy = await freePort();
  other = createServer();
  await new Promise<void>((resolve) => other.listen(busy, "127.0.0.1", resolve));
});
afterEach(() => new Promise((resolve) => other.close(resolve)));

function write(name: string, { console, control }: { console: number; control: number }): void {
  const connection = { kind: "emulator", statePath: "till.json", control: `127.0.0.1:${control}` };
  const config = rawConfig({ registers: [rawRegister({ connection })], console: { port: console } });
  writeFileSync(join(folder(), name), JSON.stringify(config));
}

const onLinux = process.platform === "linux" ? test : test.skip;

onLinux("the program that listens at a port is found", async () => {
  expect(await findListeners(busy)).toContainEqual(expect.objectContaining({ pid: process.pid }));
});

test.each(["console.port", "registers[0].connection.control"])(
  "a busy port (%s) ends the start before the database or an emulator is opened",
  async (place) => {
    const free = await freePort();
    const isConsole = place === "console.port";
    write("config.json", { console: isConsole ? busy : free, control: isConsole ? free : busy });
    const { code, out } = await startCommand(folder(), "run").ended;
    expect(code).toBe(1);
    expect(out).toContain("daemon.port-busy");
    expect(out).toContain(`127.0.0.1:${busy}, which ${place} needs`);
    if (process.platform === "linux") expect(out).toContain(`${basename(process.execPath)}`);
    expect(readdirSync(folder()).filter((name) => /sqlite|till/.test(name))).toEqual([]);
  },
);

test("without a config.json, `fiscald status` finds the daemon that runs on the example config", async () => {
  write("config.example.json", { console: await freePort(), control: await freePort() });
  const daemon = startCommand(folder(), "run --config config.example.json");
  await waitFor("the daemon has started", () => daemon.output().includes("started sites=1"));
  const { code, out } = await startCommand(folder(), "status").ended;
  daemon.stop();
  expect(await daemon.ended).toMatchObject({ code: 0 });
  expect([code, out]).toEqual([0, expect.stringContaining("till")]);
});

test("without a config.json, `fiscald run` serves the set-up page and does not start the example config", async () => {
  write("config.example.json", { console: await freePort(), control: await freePort() });
  const daemon = startCommand(folder(), "run", { env: { FISCALD__console__port: "0" } });
  await waitFor("the link is printed", () => /http:\/\/127\.0\.0\.1:\d+\/enter\?key=/.test(daemon.output()));
  daemon.stop();
  expect(await daemon.ended).toMatchObject({ code: 0, err: "" });
  expect(existsSync(join(folder(), "fiscald.sqlite"))).toBe(false);
});
