/** From nothing to a receipt: a register that nobody configured is found, `init` is answered by a person, the daemon prints. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { startChild } from "../support/child-process.js";
import { fiscald } from "../support/daemon-process.js";
import type { EmulatorProcess } from "../support/emulator-process.js";
import type { FakeSite } from "../support/fake-site.js";
import { hasSocat, needsSocat } from "../support/serial-pair.js";
import { KKM, saleOf, useShop } from "./use-shop.js";

const shop = useShop("each");
let emulator: EmulatorProcess;
let site: FakeSite;

beforeEach(async () => {
  emulator = await shop.emulate();
  site = await shop.openSite();
});

async function printOne(config: string): Promise<void> {
  // The usual port of the console may be taken on a machine that runs tests.
  const daemon = startChild([fiscald, "run", "--config", config], { env: { FISCALD__console__port: "0" } });
  await daemon.line(/ started/);
  site.offer("A-1", saleOf("A-1", 100));
  expect(await site.result("A-1")).toMatchObject({ outcome: "printed", kkm: KKM });
  expect(await emulator.receipts()).toMatchObject([{ totalKopecks: 10_000 }]);
  daemon.signal("SIGTERM");
  expect(await daemon.ended).toBe(0);
}

(hasSocat ? test : test.skip)(`a person at a terminal answers init question by question${needsSocat}`, async () => {
  const config = join(shop.folder, "config.json");
  const command = `${process.execPath} ${fiscald} init --out ${config} --host 127.0.0.1:${emulator.port} --port /none`;
  const terminal = spawn("socat", ["-", `EXEC:"${command}",pty,setsid,ctty,stderr`], { stdio: "pipe" });
  let shown = "";
  const talk: readonly (readonly [RegExp, string])[] = [
    [/Address of the site's handler.*: $/, site.url],
    [/recognises.*: $/, "none"],
    [/Short name of the site.*: $/, "shop"],
    [/Use shtrih .* kkm 0001234567012345.*: $/, "y"],
    [/name for people.*: $/, "Зал"],
    [/another one of the group.*: $/, "hall"],
    [/by hand.*: $/, "n"],
    [/Cashier.*: $/, ""],
    [/INN.*: $/, ""],
    [/Time zone.*: $/, "moscow"],
    [/Close the shift.*: $/, ""],
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
