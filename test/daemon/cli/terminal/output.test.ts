import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fiscald } from "../../../support/daemon-process.js";
import { freePort } from "../../../support/free-port.js";
import { writeRawConfig } from "../../../support/raw-config.js";
import { useTempFolder } from "../../../support/temp-folder.js";
import { waitFor } from "../../../support/wait-for.js";

const folder = useTempFolder();
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) if (child.exitCode === null) child.kill("SIGKILL");
});

function start(...args: readonly string[]) {
  const child = spawn(process.execPath, [fiscald, ...args], { cwd: folder(), stdio: ["ignore", "pipe", "pipe"] });
  children.push(child);
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  return { child, ended: once(child, "close").then(([code]) => ({ code, errors })) };
}

async function writeConfig(): Promise<string> {
  const port = await freePort();
  writeRawConfig(folder(), { console: { port, tokenFile: "token" } });
  return `http://127.0.0.1:${port}`;
}

test("a command ends without an error when the reader of its output closes the pipe", async () => {
  const { child, ended } = start("check-config", "--schema");
  child.stdout.destroy();
  expect(await ended).toEqual({ code: 0, errors: "" });
});

test("logs -f ends when the reader of its output closes the pipe", async () => {
  await writeConfig();
  const log = join(folder(), "logs", "fiscald-2026-11-20.log");
  mkdirSync(join(folder(), "logs"));
  const line = "2026-11-20 14:03:22.118 INFO registers register=till printed\n";
  writeFileSync(log, line);
  const { child, ended } = start("logs", "-f");
  const [first] = await once(createInterface({ input: child.stdout }), "line");
  expect(first).toContain("printed");
  child.stdout.destroy();
  let hasEnded = false;
  const result = ended.finally(() => {
    hasEnded = true;
  });
  await waitFor("the command has ended", () => {
    appendFileSync(log, line);
    return hasEnded;
  });
  expect(await result).toEqual({ code: 0, errors: "" });
});

test("the daemon continues after its terminal is closed", async () => {
  const address = await writeConfig();
  const { child, ended } = start("run");
  await once(createInterface({ input: child.stdout }), "line");
  child.stdout.destroy();
  const isUp = () =>
    fetch(`${address}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await waitFor("the daemon answers", isUp);
  child.kill("SIGTERM");
  expect(await ended).toEqual({ code: 0, errors: "" });
});
