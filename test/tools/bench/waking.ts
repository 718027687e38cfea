/** With the kit: from the payment (the site enqueues the receipt) to the first byte that reaches the register. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createPrintServerRouter, openReceiptStore } from "@fiscald/handlers";
import { silentLogger } from "@fiscald/shared/logger.js";
import { startDaemon, writeConfig } from "../../support/daemon-process.js";
import { serveSite } from "../../support/fake-daemon.js";
import { openTcpGate } from "../../support/tcp-gate.js";
import { waitFor } from "../../support/wait-for.js";
import { makeOrder } from "../campaign/plan/orders.js";
import { type Figure, percentile, toFigure } from "./measuring/figure.js";
import { scaled } from "./measuring/scaled.js";
import { benchFolder, startTill, tillAt } from "./measuring/till.js";

const WARM_UP = scaled(10);
const PAYMENTS = scaled(200);

export async function run(): Promise<readonly Figure[]> {
  const folder = benchFolder();
  const emulator = await startTill({ folder });
  let heard = (_at: number) => {};
  const line = await openTcpGate(emulator.port, () => heard(performance.now()));
  const store = await openReceiptStore({ database: join(folder, "site.sqlite") });
  let onResult = () => {};
  const auth = { kind: "none" } as const;
  const router = createPrintServerRouter({ store, auth, logger: silentLogger, onResult: () => onResult() });
  let held = 0;
  const site = await serveSite((request, response) => {
    if (request.headers.prefer !== undefined) {
      held += 1;
      response.once("close", () => {
        held -= 1;
      });
    }
    router(request, response);
  });
  const config = writeConfig({ folder, siteUrl: `${site.url}/`, registers: [tillAt(line.port)] });
  const daemon = await startDaemon(config);
  try {
    const waits: number[] = [];
    for (let number = 0; number < WARM_UP + PAYMENTS; number += 1) {
      await waitFor("the daemon's poll is held", () => held > 0);
      const told = new Promise<void>((resolve) => {
        onResult = resolve;
      });
      const { answer } = makeOrder({ orderId: `r${number}`, operation: "sale", prices: [10] });
      const firstByte = new Promise<number>((resolve) => {
        heard = resolve;
      });
      const paidAt = performance.now();
      await store.enqueue(answer);
      waits.push((await firstByte) - paidAt);
      await told;
    }
    const measured = waits.slice(WARM_UP);
    const p99 = percentile(measured, 0.99);
    const figure = percentile(measured, 0.5);
    return [toFigure({ name: "payment to first byte p50", figure, unit: "ms", beside: { p99 }, atMost: 50 })];
  } finally {
    await daemon.stop();
    await site.close();
    await store.close();
    await line.close();
    await emulator.stop();
    rmSync(folder, { recursive: true });
  }
}
