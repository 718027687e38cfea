import { startFakeSite } from "../support/fake-site.js";
import { close, pay, sell, table, tea } from "../support/order-samples.js";
import { appOn, configIn, rawRegister, rawSite } from "../support/raw-config.js";
import { useTempFolder } from "../support/temp-folder.js";
import { waitFor } from "../support/wait-for.js";

const folder = useTempFolder();

test("a new installation polls as soon as its register is known, and accepts sixty orders without a pause", async () => {
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

test("a site gets the list of registers on record at each start, even while the register does not answer", async () => {
  const site = await startFakeSite();
  const lists = () => site.calls.filter(({ action }) => action === "sync").map(({ body }) => body["data"]);
  const gone = rawRegister({ driver: "shtrih", connection: { kind: "tcp", host: "127.0.0.1", port: 9 } });
  try {
    for (const register of [rawRegister(), gone]) {
      const before = lists().length;
      const config = { sites: [rawSite(site.url)], registers: [register], console: { port: 0 } };
      const app = appOn(configIn(folder(), config));
      try {
        await app.start();
        await waitFor("the list arrives", () => lists().length > before, { timeoutMs: 60_000 });
      } finally {
        await app.stop();
      }
    }
  } finally {
    await site.close();
  }
  const till = { name: "till", kkm: expect.stringMatching(/^\d{16}$/) };
  expect(lists()).toMatchObject([[till], [till]]);
});
