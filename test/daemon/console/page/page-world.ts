/** A whole daemon with emulated registers and its page in a real browser. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App } from "@fiscald/daemon/app.js";
import { makeSupportFile } from "@fiscald/daemon/cli/support-bundle/support-bundle.js";
import { parseConfig } from "@fiscald/daemon/config/load-config.js";
import type { Role } from "@fiscald/daemon/console/access/roles.js";
import { createLogger } from "@fiscald/daemon/logging/create-logger.js";
import { defaultTimings } from "@fiscald/daemon/registers/register-settings.js";
import { systemClock } from "@fiscald/shared/clock.js";
import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import { z } from "zod";
import { launchBrowser } from "../../../support/browser.js";
import { freePort } from "../../../support/free-port.js";
import { openTcpGate } from "../../../support/tcp-gate.js";
import { startTestSite, type TestSite } from "../../../support/test-site.js";

export interface PageWorld {
  readonly site: TestSite;
  readonly address: string;
  /** A new one-time link; by default for the administrator. */
  link(role?: Role): Promise<string>;
  /** The page has a browser context of its own. `errors` keeps the errors in it. */
  open(options?: BrowserContextOptions, role?: Role): Promise<Page>;
  readonly errors: readonly string[];
  /** The site's answer to polls from now on: an order, or nothing. */
  offer(order: object | null): void;
  /** The site gives the order to the next poll alone: a refused order that is offered again is tried again. */
  offerOnce(order: object): void;
  /** The site offers the order once and has received the result. */
  sell(orderId: string): Promise<void>;
  /** The emulator's control port gives the first register a fault. */
  fault(effect: string, more?: object): Promise<void>;
  repair(): Promise<void>;
  /** The daemon stops answering and closes no connection. */
  hang(): void;
  goOn(): void;
  stopDaemon(): Promise<void>;
  startDaemon(): Promise<void>;
  close(): Promise<void>;
}

export interface WorldOptions {
  readonly titles?: readonly string[];
  readonly receiptLink?: string;
}

/** Opens the card of a register or site: a row if all is well, and the folded figures if not. */
export async function openCard(page: Page, title: string): Promise<Locator> {
  const card = page.locator(".card", { hasText: title });
  // The view may not be loaded yet.
  await card.first().waitFor({ state: "attached" });
  const closed = page.locator("details.row:not([open])", { hasText: title });
  if ((await closed.count()) > 0) await closed.first().locator("> summary").click();
  const more = card.locator("> details.more:not([open]) > summary");
  if ((await more.count()) > 0) await more.click();
  return card;
}

/**
 * Says yes in the dialog, again if the press was lost. The button takes no press while a busy machine keeps the page
 * from hearing of the daemon.
 */
export async function sayYes(page: Page): Promise<void> {
  const yes = page.getByRole("button", { name: "Да, продолжить" });
  const isOpen = () =>
    yes.waitFor({ state: "detached", timeout: 5_000 }).then(
      () => false,
      () => true,
    );
  do await yes.click();
  while (await isOpen());
}

export async function openPageWorld(options: WorldOptions = {}): Promise<PageWorld> {
  const { titles = ["Касса 1", "Касса 2"], receiptLink } = options;
  const folder = mkdtempSync(join(tmpdir(), "fiscald-operator-"));
  const site = await startTestSite();
  const control = `127.0.0.1:${await freePort()}`;
  const urls = { orders: site.url, result: site.url, sync: site.url };
  const registers = titles.map((title, index) => ({
    ...{
      id: `till-${index + 1}`,
      title,
      driver: "reference",
      sites: ["shop"],
      defaultTax: 11,
      group: "hall",
      moveAfterSeconds: 3600,
      ...(receiptLink === undefined ? {} : { receiptLink: { template: receiptLink } }),
    },
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
    console: { port: await freePort(), operatorTokenFile: "page/operator.token" },
  };
  const configPath = join(folder, "config.json");
  writeFileSync(configPath, JSON.stringify(raw));
  const config = parseConfig(JSON.stringify(raw), configPath, { folder, env: {}, readFile: () => "" });
  const { logger: log } = createLogger({
    settings: { ...config.log, folder: null, language: "ru" },
    ...{ outputs: [], now: systemClock.now },
  });
  const createDaemon = (): App =>
    new App({
      ...{ config, clock: systemClock, random: () => 0.5, newId: () => crypto.randomUUID(), pid: process.pid },
      ...{ log, timings: { ...defaultTimings, stateReadMs: 200 } },
      makeSupportFile: () => makeSupportFile({ configPath, env: {}, now: new Date() }),
    });
  let app = createDaemon();
  const gate = await openTcpGate(Number(new URL(await app.start()).port));
  const address = `http://127.0.0.1:${gate.port}`;
  const { tokenFile, operatorTokenFile } = config.console;
  const browser = await launchBrowser();
  const errors: string[] = [];
  const tell = async (method: string, body?: object) => {
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`http://${control}/faults`, {
      ...{ method, headers: { "content-type": "application/json" } },
      ...content,
    });
    if (!response.ok) throw new Error(`the control port answered ${response.status}`);
  };
  const link = async (role: Role = "administrator") => {
    const file = role === "operator" && operatorTokenFile !== null ? operatorTokenFile : tokenFile;
    const headers = { authorization: `Bearer ${readFileSync(file, "utf8").trim()}` };
    const response = await fetch(`${address}/api/links`, { method: "POST", headers });
    return `${address}${z.object({ path: z.string() }).parse(await response.json()).path}`;
  };
  const offer = (order: object | null) =>
    site.answer(({ json }) => ({ body: order !== null && json?.["action"] === "order" ? order : { resultCode: 0 } }));
  return {
    ...{ site, address, link, errors, offer },
    async open(options = {}, role) {
      const context = await browser.newContext(options);
      const page = await context.newPage();
      page.on("pageerror", (error) => errors.push(error.message));
      page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
      await page.goto(await link(role));
      return page;
    },
    offerOnce(order) {
      let isGiven = false;
      site.answer(({ json }) => {
        const isOffer = json?.["action"] === "order" && !isGiven;
        if (isOffer) isGiven = true;
        return { body: isOffer ? order : { resultCode: 0 } };
      });
    },
    async sell(orderId) {
      const told = new Promise<void>((resolve) => {
        site.answer(({ json }) => {
          if (json?.["action"] === "order") return { body: orderOf(orderId) };
          if (json?.["orderId"] === orderId) resolve();
          return { body: { resultCode: 0 } };
        });
      });
      await told;
      offer(null);
    },
    fault: (effect, more = {}) => tell("POST", { effect, ...more }),
    repair: () => tell("DELETE"),
    hang: () => gate.shut(),
    goOn: () => gate.open(),
    stopDaemon: () => app.stop(),
    async startDaemon() {
      app = createDaemon();
      await app.start();
    },
    async close() {
      await browser.close();
      await gate.close();
      await app.stop();
      await site.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function orderOf(orderId: string): object {
  return answerOf(orderId, [
    { type: "Registration", data: "Чай чёрный, 100 г", param: { price: 310, quantity: 2, tax: 11 } },
    { type: "Registration", data: "Доставка", param: { price: 250, quantity: 1, tax: 11 } },
    { type: "Payment", data: "", param: { summ: 870, typeClose: 1 } },
  ]);
}

/** A site's answer: the sale of one cup of tea in cash. */
export function saleOf(orderId: string, tax = 11): object {
  return answerOf(orderId, [
    { type: "Registration", data: "Чай", param: { price: 10, quantity: 1, tax } },
    { type: "Payment", data: "", param: { summ: 10, typeClose: 0 } },
  ]);
}

function answerOf(orderId: string, lines: readonly object[]): object {
  const taskTable = [{ type: "OpenCheckSell", data: "" }, ...lines, { type: "CloseCheck", data: "" }];
  return { response: { orderId, kkm: "0000000000000001", taskTable } };
}
