/** From nothing to a receipt: a register that nobody configured is found, `init` is answered by a person, the daemon prints. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startChild } from "../support/child-process.js";
import { fiscald } from "../support/daemon-process.js";
import { type EmulatorProcess, startEmulator } from "../support/emulator-process.js";
import { type FakeSite, startFakeSite } from "../support/fake-site.js";
import { hasSocat, needsSocat } from "../support/serial-pair.js";

let folder: string;
let emulator: EmulatorProcess;
let site: FakeSite;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "fiscald-init-"));
  emulator = await startEmulator({ maker: "shtrih", listen: "tcp:127.0.0.1:0", statePath: join(folder, "em.json") });
  site = await startFakeSite();
});

afterEach(async () => {
  await site.close();
  await emulator.stop();
  rmSync(folder, { recursive: true });
});

async function printOne(config: string): Promise<void> {
  // The usual port of the console may be taken on a machine that runs tests.
  const daemon = startChild([fiscald, "run", "--config", config], { env: { FISCALD__console__port: "0" } });
  await daemon.line(/ started/);
  const taskTable = [
    { type: "OpenCheckSell", data: "" },
    { type: "Registration", data: "Чай", param: { price: 100, quantity: 1, tax: 2 } },
    { type: "Payment", data: "", param: { summ: 100, typeClose: 0 } },
    { type: "CloseCheck", data: "" },
  ];
  site.offer("A-1", { response: { orderId: "A-1", taskTable } });
  expect(await site.result("A-1")).toMatchObject({ outcome: "printed", kkm: "0001234567012345" });
  expect(await emulator.receipts()).toMatchObject([{ totalKopecks: 10_000 }]);
  daemon.signal("SIGTERM");
  expect(await daemon.ended).toBe(0);
}

test("answers piped into init make a config that prints", async () => {
  const config = join(folder, "config.json");
  const child = startChild([
    fiscald,
    "init",
    "--out",
    config,
    "--host",
    `127.0.0.1:${emulator.port}`,
    "--port",
    "/none",
  ]);
  for (const answer of [site.url, "", "shop", "", "", "none", "y", "Зал", "none", "n"]) child.send(answer);
  expect(await child.ended).toBe(0);
  expect(child.output()).toContain(`Written: ${config}, with 1 register(s).`);
  await printOne(config);
});

(hasSocat ? test : test.skip)(`a person at a terminal answers init question by question${needsSocat}`, async () => {
  const config = join(folder, "config.json");
  const command = `${process.execPath} ${fiscald} init --out ${config} --host 127.0.0.1:${emulator.port} --port /none`;
  const terminal = spawn("socat", ["-", `EXEC:"${command}",pty,setsid,ctty,stderr`], { stdio: "pipe" });
  let shown = "";
  const talk: readonly (readonly [RegExp, string])[] = [
    [/Address of the site's handler.*: $/, site.url],
    [/one address \(y\/n\) \[y\]: $/, ""],
    [/Short name of the site.*: $/, "shop"],
    [/Format.*: $/, "auto"],
    [/encoded.*: $/, "json"],
    [/authenticates.*: $/, "none"],
    [/Use shtrih .* kkm 0001234567012345.*: $/, "y"],
    [/name for people.*: $/, "Зал"],
    [/Group.*: $/, "hall"],
    [/by hand.*: $/, "n"],
  ];
  let next = 0;
  terminal.stdout.on("data", (bytes: Buffer) => {
    shown += bytes.toString("utf8");
    const [question, answer] = talk[next] ?? [];
    if (question === undefined || !question.test(shown)) return;
    next += 1;
    shown = "";
    terminal.stdin.write(`${answer}\n`);
  });
  const code = await new Promise((resolve) => terminal.once("close", resolve));
  expect([code, next, shown]).toEqual([0, talk.length, expect.stringContaining("with 1 register(s)")]);
  await printOne(config);
});
