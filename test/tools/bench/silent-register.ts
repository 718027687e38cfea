/**
 * Two sites and three registers. One register stops answering for half a minute in the middle of a receipt: how much
 * longer do orders for the other two take than in the same run while the third register is idle?
 */
import { rmSync } from "node:fs";
import { startDaemon, writeConfig } from "../../support/daemon-process.js";
import { type KkmSite, startKkmSite } from "../../support/kkm-site.js";
import { waitFor } from "../../support/wait-for.js";
import { makeOrder } from "../campaign/plan/orders.js";
import { type Figure, percentile, toFigure } from "./measuring/figure.js";
import { scaled } from "./measuring/scaled.js";
import { benchFolder, startTill, tillAt } from "./measuring/till.js";

const STUCK_MS = scaled(30_000);
const WARM_UP_MS = scaled(3_000);
/** The machine may become slower by itself, so half of the calm time lies before the silence and half after it. */
const CALM_MS = STUCK_MS / 2;
/** One order, for the busy registers in turn. */
const PACE_MS = 100;
const kkmOf = (till: number) => `000000000000000${till}`;
const BUSY = [1, 2];
const STUCK = 3;

export async function run(): Promise<readonly Figure[]> {
  const folder = benchFolder();
  const tills = [...BUSY, STUCK];
  const emulators = await Promise.all(
    tills.map((till) => startTill({ folder, numbers: { kkm: kkmOf(till), fn: `999907890000000${till}` } })),
  );
  const sites = [await startKkmSite(), await startKkmSite()];
  const urls = sites.map(({ url }) => url);
  const daemon = await startDaemon(
    writeConfig({
      folder,
      siteUrl: urls[0] ?? "",
      moreSites: [{ id: "cafe", urls: { orders: urls[1], result: urls[1] } }],
      registers: emulators.map(({ port }, index) => ({
        ...tillAt(port, `till-${index + 1}`),
        sites: ["shop", "cafe"],
      })),
    }),
  );
  try {
    for (const site of sites) await waitFor("every register asks both sites", () => site.held() === tills.length);
    await keepPrinting(sites, "warm", WARM_UP_MS);
    const before = await keepPrinting(sites, "before", CALM_MS);
    const stuck = emulators.at(-1);
    await stuck?.addFault({ effect: "silent", when: "now", times: 1_000_000 });
    const { answer } = makeOrder({ orderId: "stuck", operation: "sale", prices: [10] });
    const printedAtLast = sites[0]?.print(kkmOf(STUCK), "stuck", answer);
    const beside = await keepPrinting(sites, "beside", STUCK_MS);
    await stuck?.clearFaults();
    await printedAtLast;
    const alone = [...before, ...(await keepPrinting(sites, "after", CALM_MS))];
    const added = (share: number) => percentile(beside, share) - percentile(alone, share);
    const both = (share: number) => ({
      "with the third idle": percentile(alone, share),
      stuck: percentile(beside, share),
    });
    return [
      toFigure({
        name: "added wait beside a silent register p50",
        figure: added(0.5),
        unit: "ms",
        beside: both(0.5),
        atMost: 10,
      }),
      toFigure({
        name: "added wait beside a silent register p99",
        figure: added(0.99),
        unit: "ms",
        beside: both(0.99),
        atMost: 10,
      }),
    ];
  } finally {
    const stopped = daemon.stop();
    for (const site of sites) site.stopHolding();
    await stopped;
    for (const site of sites) await site.close();
    for (const emulator of emulators) await emulator.stop();
    rmSync(folder, { recursive: true });
  }
}

/** Orders for the busy registers in turn, at a steady pace, from both sites in turn. Returns how long each took. */
async function keepPrinting(sites: readonly KkmSite[], name: string, ms: number): Promise<readonly number[]> {
  const printed: Promise<number>[] = [];
  const startedAt = performance.now();
  for (let number = 0; performance.now() - startedAt < ms; number += 1) {
    const till = BUSY[number % BUSY.length] ?? 1;
    const site = sites[Math.floor(number / BUSY.length) % sites.length];
    const orderId = `${name}-${number}`;
    const { answer } = makeOrder({ orderId, operation: "sale", prices: [10, 20, 30] });
    if (site !== undefined) printed.push(site.print(kkmOf(till), orderId, answer));
    const nextAt = startedAt + (number + 1) * PACE_MS;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, nextAt - performance.now())));
  }
  return Promise.all(printed);
}
