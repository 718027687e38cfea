/** The whole daemon with a site that it would ask once an hour: what makes it ask sooner. */
import { startFakeSite } from "../support/fake-site.js";
import { close, pay, sell, table, tea } from "../support/order-samples.js";
import { appOn, configIn, rawSite } from "../support/raw-config.js";
import { useTempFolder } from "../support/temp-folder.js";
import { waitFor } from "../support/wait-for.js";

const folder = useTempFolder();

test("a new install asks as soon as its register is known, and accepts sixty orders without a pause", async () => {
  const site = await startFakeSite({ marksOnPoll: true });
  const orders = Array.from({ length: 60 }, (_, index) => `A-${index}`);
  for (const order of orders) site.offer(order, table([sell, tea, pay(100), close], { orderId: order }));
  const config = configIn(folder(), { sites: [rawSite(site.url, { pollEverySeconds: 3600 })], console: { port: 0 } });
  const app = appOn(config);
  try {
    await app.start();
    await waitFor("all are printed", () => site.results().length === orders.length, { timeoutMs: 60_000 });
  } finally {
    await app.stop();
    await site.close();
  }
  expect(site.results().map(({ resultCode }) => resultCode)).toEqual(orders.map(() => 0));
});
