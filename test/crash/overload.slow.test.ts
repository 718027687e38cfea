/** A site that hands out orders faster than a register prints them, and a register that is away for a day. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { toOrderId } from "@fiscald/shared/ids.js";
import { makeReceipt } from "../support/make-job.js";
import { openBench, removeBenchFolders } from "../support/register-bench.js";
import { createScriptedDevice, receiptsOn } from "../support/scripted-driver.js";
import { waitFor } from "../support/wait-for.js";
import { makeOrder } from "../tools/campaign/plan/orders.js";
import { writeDaemonConfig } from "../tools/campaign/processes/daemon-config.js";
import { emulatorOf, findMakers } from "../tools/campaign/processes/makers.js";
import { startCampaignSite } from "../tools/campaign/sites/campaign-site.js";
import { useCampaign } from "../tools/campaign/worlds/campaign-bench.js";

const bench = useCampaign();
afterEach(removeBenchFolders);

const MAX_WAITING = 20;
const PRINTED_WITHIN_MS = 180_000;
const ORDERS = 400;
/** By hand it came to 162 MB after 1000 orders and 168 MB after 3000, since the collector waits until then. */
const MOST_MEGABYTES = 250;

/** The site offers another order at each poll, as long as there are any, and never offers one again. */
async function startGreedySite(limit: () => number) {
  const open = new Set<string>();
  let handedOut = 0;
  let mostOpen = 0;
  let polls = 0;
  const site = await startCampaignSite(
    (_request, response, body) => {
      if (body["action"] !== "order") return void response.end();
      polls += 1;
      if (handedOut >= limit()) return void response.end();
      handedOut += 1;
      const order = makeOrder({ orderId: `g${handedOut}`, operation: "sale", prices: [10, 20.5] });
      open.add(order.orderId);
      mostOpen = Math.max(mostOpen, open.size);
      response.end(JSON.stringify(order.answer));
    },
    ({ orderId, outcome }) => {
      if (outcome === "printed") open.delete(String(orderId));
    },
  );
  return Object.assign(site, {
    counts: () => ({ handedOut, open: open.size, mostOpen, polls }),
  });
}

async function startShop(limit: () => number) {
  const [row] = findMakers("reference");
  if (row === undefined) throw new Error("no reference register");
  const { folder, pool, host } = bench();
  const site = await startGreedySite(limit);
  const emulator = await host.open(emulatorOf({ row, number: 1 }));
  const configPath = writeDaemonConfig({
    path: join(folder, "config.json"),
    sites: [{ id: "shop", url: site.url }],
    registers: [{ id: "till-1", row, port: emulator.port, sites: ["shop"] }],
  });
  const daemon = await pool.start({ configPath });
  return {
    site,
    emulator,
    daemon,
    async close() {
      daemon.signal("SIGKILL");
      await daemon.ended;
      await site.close();
      await emulator.stop();
    },
  };
}

function megabytesOf(pid: number): number {
  const [, kilobytes = "0"] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1024;
}

test("a daemon's memory stays flat while orders come and go, and each order is printed once", async () => {
  const shop = await startShop(() => ORDERS);
  const allPrinted = () => shop.site.counts().handedOut >= ORDERS && shop.site.counts().open === 0;
  try {
    await waitFor("all are printed", allPrinted, { timeoutMs: PRINTED_WITHIN_MS });
    expect(megabytesOf(shop.daemon.pid)).toBeLessThan(MOST_MEGABYTES);
    const names = (await shop.emulator.receipts()).map(({ items }) => items[0]?.name);
    expect(new Set(names).size).toBe(ORDERS);
    expect(names).toHaveLength(ORDERS);
  } finally {
    await shop.close();
  }
});

test("orders that wait for a register that is unplugged for a day are all kept and printed", async () => {
  const device = createScriptedDevice();
  const opened = openBench({ registers: [{ device }] });
  try {
    await opened.start();
    device.unplugged = true;
    const orders = Array.from({ length: MAX_WAITING }, (_, index) => toOrderId(`A-${index}`));
    for (const orderId of orders) opened.addJob(makeReceipt({ orderId }));
    opened.startQueue();
    for (let hour = 0; hour < 24; hour += 1) await opened.clock.advance(3_600_000);
    expect(opened.stores.jobs.countByState()).toEqual(new Map([["queued", MAX_WAITING]]));
    expect(opened.told.results).toEqual([]);
    device.unplugged = false;
    await opened.runQueue();
    expect(receiptsOn(device)).toHaveLength(MAX_WAITING);
    expect(opened.told.results.map(({ outcome }) => outcome)).toEqual(orders.map(() => "printed"));
  } finally {
    await opened.close();
  }
});
