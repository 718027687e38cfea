/** The whole daemon with a site that it would ask once an hour: what makes it ask sooner. */
import { createApp } from "@fiscald/daemon/app.js";
import { parseConfig } from "@fiscald/daemon/config/load-config.js";
import { createLogTail } from "@fiscald/daemon/logging/log-tail.js";
import { systemClock } from "@fiscald/shared/clock.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { startFakeSite } from "../support/fake-site.js";
import { close, pay, sell, table, tea } from "../support/order-samples.js";
import { useTempFolder } from "../support/temp-folder.js";
import { waitFor } from "../support/wait-for.js";

const folder = useTempFolder();

test("a new install asks as soon as its register is known, and takes sixty orders without a pause", async () => {
  const site = await startFakeSite({ marksOnPoll: true });
  const orders = Array.from({ length: 60 }, (_, index) => `A-${index}`);
  for (const order of orders) site.offer(order, table([sell, tea, pay(100), close], { orderId: order }));
  const raw = {
    version: 1,
    sites: [{ id: "shop", urls: { orders: site.url, result: site.url }, pollEverySeconds: 3600 }],
    registers: [{ id: "till", driver: "reference", connection: { kind: "emulator" }, sites: ["shop"] }],
    console: { port: 0 },
  };
  const config = parseConfig(JSON.stringify(raw), "c", { folder: folder(), env: {}, readFile: () => "" });
  let id = 0;
  const app = createApp({
    ...{ config, clock: systemClock, random: () => 0.5, newId: () => `id-${++id}`, pid: process.pid },
    ...{ log: silentLogger, logTail: createLogTail() },
  });
  try {
    await app.start();
    await waitFor("all are printed", () => site.results().length === orders.length, { timeoutMs: 60_000 });
  } finally {
    await app.stop();
    await site.close();
  }
  expect(site.results().map(({ resultCode }) => resultCode)).toEqual(orders.map(() => 0));
});
