/** A whole daemon with emulated registers and its page in a real browser. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type App, createApp } from "@fiscald/daemon/app.js";
import { parseConfig } from "@fiscald/daemon/config/load-config.js";
import { createLogTail } from "@fiscald/daemon/logging/log-tail.js";
import { defaultTimings } from "@fiscald/daemon/registers/register-settings.js";
import { systemClock } from "@fiscald/shared/clock.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { z } from "zod";
import { freePort } from "../../../support/free-port.js";
import { startTestSite, type TestSite } from "../../../support/test-site.js";

const browserName = ["chromium", "chromium-browser", "google-chrome"].find(
  (name) => spawnSync(name, ["--version"]).status === 0,
);
export const hasBrowser = browserName !== undefined;

export interface PageWorld {
  readonly site: TestSite;
  readonly address: string;
  /** A fresh one-time link. */
  link(): Promise<string>;
  /** In a context of its own; what went wrong in it is kept in `errors`. */
  open(options?: BrowserContextOptions): Promise<Page>;
  readonly errors: readonly string[];
  /** Of the first register, by its emulator's control port. */
  fault(effect: string): Promise<void>;
  repair(): Promise<void>;
  stopDaemon(): Promise<void>;
  startDaemon(): Promise<void>;
  close(): Promise<void>;
}

export interface WorldOptions {
  readonly titles?: readonly string[];
}

export async function openPageWorld({ titles = ["Касса 1", "Касса 2"] }: WorldOptions = {}): Promise<PageWorld> {
  const folder = mkdtempSync(join(tmpdir(), "fiscald-operator-"));
  const site = await startTestSite();
  const control = `127.0.0.1:${await freePort()}`;
  const urls = { orders: site.url, result: site.url, sync: site.url };
  const registers = titles.map((title, index) => ({
    ...{ id: `till-${index + 1}`, title, driver: "reference", sites: ["shop"], defaultTax: 11 },
    connection: {
      ...{
        kind: "emulator",
        kkm: String(index + 1).padStart(16, "0"),
        fn: `99990789${String(index + 1).padStart(8, "0")}`,
        statePath: `till-${index + 1}.json`,
      },
      ...(index === 0 ? { control } : {}),
    },
  }));
  const raw = {
    version: 1,
    sites: [{ id: "shop", urls, pollEverySeconds: 1 }],
    registers,
    console: { port: await freePort() },
  };
  const config = parseConfig(JSON.stringify(raw), "c", { folder, env: {}, readFile: () => "" });
  const createDaemon = (): App =>
    createApp({
      ...{ config, clock: systemClock, random: () => 0.5, newId: () => crypto.randomUUID(), pid: process.pid },
      ...{ log: silentLogger, logTail: createLogTail(), timings: { ...defaultTimings, stateReadMs: 200 } },
    });
  let app = createDaemon();
  const address = await app.start();
  const token = readFileSync(config.console.tokenFile, "utf8").trim();
  const browser: Browser = await chromium.launch({
    executablePath: spawnSync("which", [browserName ?? ""])
      .stdout.toString()
      .trim(),
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
  });
  const errors: string[] = [];
  const tell = async (method: string, body?: object) => {
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`http://${control}/faults`, {
      ...{ method, headers: { "content-type": "application/json" } },
      ...content,
    });
    if (!response.ok) throw new Error(`the control port answered ${response.status}`);
  };
  const link = async () => {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${address}/api/links`, { method: "POST", headers });
    return `${address}${z.object({ path: z.string() }).parse(await response.json()).path}`;
  };
  return {
    ...{ site, address, link, errors },
    async open(options = {}) {
      const context = await browser.newContext(options);
      const page = await context.newPage();
      page.on("pageerror", (error) => errors.push(error.message));
      page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
      await page.goto(await link());
      return page;
    },
    fault: (effect) => tell("POST", { effect }),
    repair: () => tell("DELETE"),
    stopDaemon: () => app.stop(),
    async startDaemon() {
      app = createDaemon();
      await app.start();
    },
    async close() {
      await browser.close();
      await app.stop();
      await site.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Serious findings of axe on the page as it is now. */
export async function seriousFindings(page: Page): Promise<readonly string[]> {
  const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  // Through the debugger: the page's own policy allows no script that it does not serve.
  await page.evaluate(source);
  const found: unknown = await page.evaluate("axe.run(document)");
  const { violations } = axeResult.parse(found);
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}

const axeResult = z.object({
  violations: z.array(
    z.object({ id: z.string(), impact: z.string().nullable(), nodes: z.array(z.object({ html: z.string() })) }),
  ),
});
