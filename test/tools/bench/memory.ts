/**
 * The memory of the program that tills have, started as their service starts it: when it is idle, with the
 * operator's page open, and after many receipts.
 */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { systemdUnit } from "@fiscald/daemon/cli/service/systemd-unit.js";
import { launchBrowser } from "../../support/browser.js";
import { startChild } from "../../support/child-process.js";
import { type DaemonProcess, fiscald, startDaemon, writeConfig } from "../../support/daemon-process.js";
import { waitFor } from "../../support/wait-for.js";
import { makeOrder } from "../campaign/plan/orders.js";
import { type Figure, toFigure } from "./measuring/figure.js";
import { residentMb } from "./measuring/process-memory.js";
import { isShort, scaled } from "./measuring/scaled.js";
import { benchFolder, joinTillProgram, startTill, tillAt } from "./measuring/till.js";
import { openPage } from "./page.js";
import { startWireSite, type WireSite } from "./servers/wire-site.js";

/** This takes about half an hour. */
const RECEIPTS = isShort ? 100 : 100_000;
/** After so many receipts nothing new is compiled, and the caches are full. */
const WARM_UP = isShort ? 10 : 10_000;
const IDLE_MS = scaled(10_000);
/** The daemon asks a site for its next order after a pause. With several sites the register has no pause. */
const SITES = 4;

export async function* run(): AsyncGenerator<Figure> {
  yield* whileRunning({ sites: 1, measure: idleFigures });
  yield* whileRunning({ sites: SITES, measure: growth });
}

interface Running {
  readonly folder: string;
  readonly daemon: DaemonProcess;
  readonly sites: readonly WireSite[];
}

interface Measurement {
  readonly sites: number;
  measure(running: Running): AsyncGenerator<Figure>;
}

async function* whileRunning({ sites: count, measure }: Measurement): AsyncGenerator<Figure> {
  const folder = benchFolder();
  const emulator = await startTill({ folder, args: ["--timing", "instant"] });
  const sites = await Promise.all(Array.from({ length: count }, startWireSite));
  const [first = "", ...more] = sites.map(({ url }) => url);
  const moreSites = more.map((url, index) => ({ id: `shop-${index + 2}`, urls: { orders: url, result: url } }));
  const ids = ["shop", ...moreSites.map(({ id }) => id)];
  const registers = [{ ...tillAt(emulator.port), sites: ids }];
  const config = writeConfig({ folder, siteUrl: first, moreSites, registers, logLevel: "info" });
  const daemon = await startDaemon(config, serviceEnvironment(config), joinTillProgram());
  try {
    yield* measure({ folder, daemon, sites });
  } finally {
    const stopped = daemon.stop();
    for (const site of sites) site.stopHolding();
    await stopped;
    for (const site of sites) await site.close();
    await emulator.stop();
    rmSync(folder, { recursive: true });
  }
}

async function* idleFigures({ folder, daemon }: Running): AsyncGenerator<Figure> {
  const { pid } = daemon.child;
  await setTimeout(IDLE_MS);
  const idle = residentMb(pid);
  const beside = { "bare Node": await bareNodeMb() };
  yield toFigure({ name: "memory of the idle daemon", figure: idle, unit: "MB", beside, atMost: 85 });
  const browser = await launchBrowser();
  try {
    await openPage(browser, daemon, readFileSync(join(folder, "console-token"), "utf8").trim());
    await setTimeout(IDLE_MS);
    yield toFigure({ name: "memory with an open page", figure: residentMb(pid), unit: "MB", beside: { idle } });
  } finally {
    await browser.close();
  }
}

async function* growth({ daemon, sites }: Running): AsyncGenerator<Figure> {
  const { pid } = daemon.child;
  await printAll(sites, "warm", WARM_UP);
  const warm = residentMb(pid);
  await printAll(sites, "more", RECEIPTS - WARM_UP);
  yield toFigure({
    name: `memory after ${RECEIPTS} receipts`,
    figure: residentMb(pid),
    unit: "MB",
    beside: { [`after ${WARM_UP}`]: warm },
    atMost: warm * 1.05,
  });
}

async function printAll(sites: readonly WireSite[], name: string, count: number): Promise<void> {
  let printed = 0;
  await Promise.all(
    sites.map(async (site) => {
      while (printed < count) {
        const orderId = `${name}${printed}`;
        printed += 1;
        await waitFor("the daemon waits for an order", () => site.isHeld());
        await site.print(makeOrder({ orderId, operation: "sale", prices: [10, 20, 30] }).answer);
      }
    }),
  );
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
