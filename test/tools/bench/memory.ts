/**
 * The memory of the program that tills have, started as their service starts it: when it is idle, after the first
 * request to its console, and after many receipts.
 */
import { rmSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { systemdUnit } from "@fiscald/daemon/cli/service/systemd-unit.js";
import { startChild } from "../../support/child-process.js";
import { fiscald, startDaemon, writeConfig } from "../../support/daemon-process.js";
import { waitFor } from "../../support/wait-for.js";
import { makeOrder } from "../campaign/plan/orders.js";
import { type Figure, toFigure } from "./measuring/figure.js";
import { residentMb } from "./measuring/process-memory.js";
import { isShort, scaled } from "./measuring/scaled.js";
import { benchFolder, joinTillProgram, startTill, tillAt } from "./measuring/till.js";
import { startWireSite, type WireSite } from "./servers/wire-site.js";

/** This takes about twenty minutes. */
const RECEIPTS = isShort ? 100 : 100_000;
/** After so many receipts nothing new is compiled, and the caches are full. */
const WARM_UP = isShort ? 10 : 10_000;
const IDLE_MS = scaled(10_000);

export async function* run(): AsyncGenerator<Figure> {
  const folder = benchFolder();
  const emulator = await startTill({ folder, args: ["--timing", "instant"] });
  const site = await startWireSite();
  const config = writeConfig({ folder, siteUrl: site.url, registers: [tillAt(emulator.port)], logLevel: "info" });
  const daemon = await startDaemon(config, serviceEnvironment(config), joinTillProgram());
  const { pid } = daemon.child;
  try {
    await setTimeout(IDLE_MS);
    yield toFigure({
      name: "memory of the idle daemon",
      figure: residentMb(pid),
      unit: "MB",
      beside: { "bare Node": await bareNodeMb() },
      atMost: 85,
    });
    const idle = residentMb(pid);
    await (await fetch(`${daemon.consoleUrl}/healthz`)).text();
    const name = "memory with the console in use";
    yield toFigure({ name, figure: residentMb(pid), unit: "MB", beside: { idle } });
    await print(site, "warm", WARM_UP);
    const warm = residentMb(pid);
    await print(site, "more", RECEIPTS - WARM_UP);
    yield toFigure({
      name: `memory after ${RECEIPTS} receipts`,
      figure: residentMb(pid),
      unit: "MB",
      beside: { [`after ${WARM_UP}`]: warm },
      atMost: warm * 1.05,
    });
  } finally {
    const stopped = daemon.stop();
    site.stopHolding();
    await stopped;
    await site.close();
    await emulator.stop();
    rmSync(folder, { recursive: true });
  }
}

async function print(site: WireSite, name: string, count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    await waitFor("the daemon waits for an order", () => site.isHeld());
    await site.print(makeOrder({ orderId: `${name}${number}`, operation: "sale", prices: [10, 20, 30] }).answer);
  }
}

function serviceEnvironment(configPath: string): NodeJS.ProcessEnv {
  const unit = systemdUnit({
    ...{ node: process.execPath, main: fiscald, configPath, serialGroup: null },
    ...{ dataFolders: [], openFolders: [], secretFiles: [] },
  });
  const lines = unit.matchAll(/^Environment=(\w+)=(.*)$/gm);
  return Object.fromEntries(Array.from(lines, ([, name, value]) => [name, value]));
}

async function bareNodeMb(): Promise<number> {
  const child = startChild(["--eval", "console.log('ready'); setInterval(() => {}, 1000)"]);
  await child.line(/^ready$/);
  const mb = residentMb(child.pid);
  child.signal("SIGKILL");
  await child.ended;
  return mb;
}
