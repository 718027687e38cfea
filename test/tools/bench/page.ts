/**
 * The operator's page beside a daemon that prints: its first view, its cost for a receipt, whether it freezes or grows.
 */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createPrintServerRouter, openReceiptStore } from "@fiscald/handlers";
import { silentLogger } from "@fiscald/shared/logger.js";
import type { Browser, Page } from "playwright-core";
import { z } from "zod";
import { launchBrowser } from "../../support/browser.js";
import { type DaemonProcess, startDaemon, writeConfig } from "../../support/daemon-process.js";
import { serveSite } from "../../support/fake-daemon.js";
import { makeOrder } from "../campaign/plan/orders.js";
import { type Figure, percentile, toFigure } from "./measuring/figure.js";
import { scaled } from "./measuring/scaled.js";
import { benchFolder } from "./measuring/till.js";

const VIEWS = scaled(10);
const RECEIPTS = scaled(100);
const WARM_UP = scaled(50);
const ORDERS_AT_ONCE = scaled(1000);
/** The daemon sends at most ten a second. */
const LIVE_EVENTS = scaled(2_000);

export async function* run(): AsyncIterable<Figure> {
  const folder = benchFolder();
  const shop = await openShop();
  const registers = ["1", "2", "3", "4"].map((digit) => ({
    ...{ id: `till-${digit}`, driver: "reference", group: "hall", defaultTax: 11 },
    connection: { kind: "emulator", kkm: digit.padStart(16, "0"), fn: digit.padStart(16, "9") },
  }));
  const daemon = await startDaemon(writeConfig({ folder, siteUrl: shop.url, registers, logLevel: "info" }));
  const browser = await launchBrowser();
  const token = readFileSync(join(folder, "console-token"), "utf8").trim();
  const open = () => openPage(browser, daemon, token);
  try {
    await shop.print(20);
    yield await firstView(open);
    yield await receiptBesidePage(shop, open);
    yield* afterManyEvents(shop, open);
  } finally {
    await browser.close();
    await daemon.stop();
    await shop.close();
    rmSync(folder, { recursive: true });
  }
}

async function firstView(open: () => Promise<Page>): Promise<Figure> {
  const times: number[] = [];
  for (let view = 0; view < VIEWS; view += 1) {
    const begun = performance.now();
    const page = await open();
    times.push(performance.now() - begun);
    await page.close();
  }
  return toFigure({ name: "first view of the page p50", figure: percentile(times, 0.5), unit: "ms", atMost: 1000 });
}

/** Ten receipts with the page open, ten without it, and so on. */
async function receiptBesidePage(shop: Shop, open: () => Promise<Page>): Promise<Figure> {
  const times = { open: [] as number[], closed: [] as number[] };
  while (times.closed.length < RECEIPTS) {
    const page = await open();
    // Opening a page takes a core for a moment; only an open page is measured.
    await shop.print(WARM_UP);
    times.open.push(...(await shop.print(10)));
    await page.close();
    times.closed.push(...(await shop.print(10)));
  }
  return toFigure({
    name: "receipt beside an open page p50",
    figure: percentile(times.open, 0.5),
    unit: "ms",
    beside: { "without it": percentile(times.closed, 0.5) },
    note: "from the payment to the result on the site",
  });
}

/** The page shows its list of orders, which changes with each event. */
async function* afterManyEvents(shop: Shop, open: () => Promise<Page>): AsyncIterable<Figure> {
  const page = await open();
  await page.evaluate("location.hash = '#orders'");
  const heap = await heapOf(page);
  const before = await heap();
  await page.evaluate(watch);
  const seen = async () => watched.parse(await page.evaluate("window.watched"));
  const begun = performance.now();
  await shop.printAtOnce(ORDERS_AT_ONCE);
  const seconds = (performance.now() - begun) / 1000;
  const { longest } = await seen();
  yield toFigure({
    name: "longest stop of the page",
    figure: longest,
    unit: "ms",
    atMost: 500,
    note: `while ${ORDERS_AT_ONCE} orders were printed in ${Math.round(seconds)} s`,
  });
  while ((await seen()).events < LIVE_EVENTS) await shop.printAtOnce(ORDERS_AT_ONCE);
  yield toFigure({
    name: `page's heap after ${(await seen()).events} events`,
    figure: (await heap()) / 1e6,
    unit: "MB",
    beside: { before: before / 1e6 },
  });
}

const watched = z.object({ longest: z.number(), events: z.number() });

/** Counts the live events by a stream of its own, and measures the time between two turns of the page's event loop. */
const watch = `
  window.watched = { longest: 0, events: 0 };
  new EventSource("/api/live").addEventListener("change", () => { window.watched.events += 1; });
  let last = performance.now();
  setInterval(() => {
    window.watched.longest = Math.max(window.watched.longest, performance.now() - last - 10);
    last = performance.now();
  }, 10);
`;

async function heapOf(page: Page): Promise<() => Promise<number>> {
  const browser = await page.context().newCDPSession(page);
  return async () => {
    await browser.send("HeapProfiler.collectGarbage");
    return (await browser.send("Runtime.getHeapUsage")).usedSize;
  };
}

/** Resolves when a person can use the page. */
export async function openPage(browser: Browser, { consoleUrl }: DaemonProcess, token: string): Promise<Page> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${consoleUrl}/api/links`, { method: "POST", headers });
  const { path } = z.object({ path: z.string() }).parse(await response.json());
  const page = await browser.newPage({ viewport: { width: 1024, height: 768 } });
  await page.goto(`${consoleUrl}${path}`, { waitUntil: "commit" });
  await page.locator(".row, main .card button").first().waitFor();
  return page;
}

interface Shop {
  readonly url: string;
  /** Prints one after the other; returns the ms of each. */
  print(count: number): Promise<readonly number[]>;
  printAtOnce(count: number): Promise<void>;
  close(): Promise<void>;
}

async function openShop(): Promise<Shop> {
  const store = await openReceiptStore({ database: ":memory:", logger: silentLogger });
  let results = 0;
  let told = () => {};
  const router = createPrintServerRouter({
    ...{ store, auth: { kind: "none" }, logger: silentLogger },
    onResult() {
      results += 1;
      told();
    },
  });
  const site = await serveSite(router);
  let orders = 0;
  const enqueue = () => {
    orders += 1;
    return store.enqueue(makeOrder({ orderId: `p${orders}`, operation: "sale", prices: [10] }).answer);
  };
  const allTold = () =>
    new Promise<void>((resolve) => {
      told = () => results >= orders && resolve();
      told();
    });
  return {
    url: site.url,
    async print(count) {
      const times: number[] = [];
      for (let number = 0; number < count; number += 1) {
        const begun = performance.now();
        await enqueue();
        await allTold();
        times.push(performance.now() - begun);
      }
      return times;
    },
    async printAtOnce(count) {
      for (let number = 0; number < count; number += 1) await enqueue();
      await allTold();
    },
    async close() {
      await site.close();
      await store.close();
    },
  };
}
