/** A config of one site and one emulated register, as its file has it, and a daemon that runs on it. */

import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { App } from "@fiscald/daemon/app.js";
import type { AppOptions } from "@fiscald/daemon/app-options.js";
import type { Config } from "@fiscald/daemon/config/config-schema.js";
import { parseConfig } from "@fiscald/daemon/config/load-config.js";
import type { SiteConfig } from "@fiscald/daemon/config/site-schema.js";
import { systemClock } from "@fiscald/shared/clock.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import type { FakeClock } from "./fake-clock.js";
import { given } from "./given.js";
import { waitFor } from "./wait-for.js";

export type Raw = Readonly<Record<string, unknown>>;

/** One address for all calls; by default nobody answers there. */
export function rawSite(url = "http://127.0.0.1:9/fiscal", over: Raw = {}): Raw {
  return { id: "shop", urls: { orders: url, result: url, sync: url }, pollEverySeconds: 0.2, ...over };
}

export function rawRegister(over: Raw = {}): Raw {
  const connection = { kind: "emulator", statePath: "till.json" };
  return { id: "till", driver: "reference", connection, sites: ["shop"], ...over };
}

/** `over` replaces whole keys. */
export function rawConfig(over: Raw = {}): Raw {
  const files = { database: "fiscald.sqlite", log: { folder: "logs" } };
  return { version: 1, ...files, sites: [rawSite()], registers: [rawRegister()], ...over };
}

/** Returns the config's path. */
export function writeRawConfig(folder: string, over: Raw = {}): string {
  const path = join(folder, "config.json");
  writeFileSync(path, JSON.stringify(rawConfig(over)));
  return path;
}

export function configIn(folder: string, over: Raw = {}): Config {
  const readFile = (path: string) => readFileSync(path, "utf8");
  return parseConfig(JSON.stringify(rawConfig(over)), "config.json", { folder, env: {}, readFile });
}

/** The site "shop" with one address for orders and results, and without any other address. */
export function siteAt(url: string, over: Raw = {}): SiteConfig {
  const site = { id: "shop", urls: { orders: url, result: url }, ...over };
  return given(configIn("/", { sites: [site] }).sites[0]);
}

/** Runs the daemon in this process. */
export function appOn(config: Config, over: Partial<AppOptions> = {}): App {
  return new App({
    ...{ config, clock: systemClock, random: () => 0.5, newId: randomUUID, pid: process.pid },
    ...{ log: silentLogger, ...over },
  });
}

/** Turns the clock until the daemon has stopped: its pollers may be waiting for a time of this clock. */
export async function stopOn(app: App, clock: FakeClock): Promise<void> {
  let isStopped = false;
  const stopping = app.stop().then(() => {
    isStopped = true;
  });
  const turn = async () => {
    await clock.advance(1000);
    return isStopped;
  };
  await waitFor("it stops", turn, { timeoutMs: 60_000 });
  await stopping;
}
