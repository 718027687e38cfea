/** With our kit: from the payment (the receipt is enqueued on the site) to the first byte that reaches the register. */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPrintServerRouter, openReceiptStore } from "@fiscald/handlers";
import { silentLogger } from "@fiscald/shared/logger.js";
import { startDaemon, writeConfig } from "../../support/daemon-process.js";
import { startEmulator } from "../../support/emulator-process.js";
import { waitFor } from "../../support/wait-for.js";
import { makeOrder } from "../campaign/plan/orders.js";
import { type Figure, percentile, toFigure } from "./figure.js";

const WARM_UP = 10;
const PAYMENTS = 200;

export async function run(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "fiscald-bench-"));
  const emulator = await startEmulator({
    maker: "shtrih",
    listen: "tcp:127.0.0.1:0",
    statePath: join(folder, "device.json"),
    args: ["--protocol", "v1"],
  });
  const line = await listenIn(emulator.port);
  const store = await openReceiptStore({ database: join(folder, "site.sqlite") });
  let onResult = () => {};
  const router = createPrintServerRouter({
    store,
    auth: { kind: "none" },
    logger: silentLogger,
    onResult: () => onResult(),
  });
  let held = 0;
  const site = createHttpServer((request, response) => {
    if (request.headers.prefer !== undefined) {
      held += 1;
      response.once("close", () => {
        held -= 1;
      });
    }
    router(request, response);
  });
  const port = await listen(site);
  const daemon = await startDaemon(
    writeConfig({
      folder,
      siteUrl: `http://127.0.0.1:${port}/`,
      registers: [
        {
          id: "till-1",
          driver: "shtrih",
          connection: { kind: "tcp", host: "127.0.0.1", port: line.port },
          options: { link: "v1" },
        },
      ],
    }),
  );
  try {
    const waits: number[] = [];
    for (let number = 0; number < WARM_UP + PAYMENTS; number += 1) {
      await waitFor("the daemon's poll is held", () => held > 0);
      const told = new Promise<void>((resolve) => {
        onResult = resolve;
      });
      const { answer } = makeOrder({ orderId: `r${number}`, operation: "sale", prices: [10] });
      const heard = line.nextByte();
      const paidAt = performance.now();
      await store.enqueue(answer);
      waits.push((await heard) - paidAt);
      await told;
    }
    const measured = waits.slice(WARM_UP);
    const p99 = percentile(measured, 0.99);
    return [
      toFigure({
        name: "payment to first byte p50",
        figure: percentile(measured, 0.5),
        unit: "ms",
        beside: { p99 },
        atMost: 50,
      }),
    ];
  } finally {
    await daemon.stop();
    site.closeAllConnections();
    site.close();
    await store.close();
    line.close();
    await emulator.stop();
    rmSync(folder, { recursive: true });
  }
}

interface Line {
  readonly port: number;
  /** When the daemon sends next, by `performance.now()`. */
  nextByte(): Promise<number>;
  close(): void;
}

/** A wire to the register that can be listened to. */
async function listenIn(port: number): Promise<Line> {
  let heard = (_at: number) => {};
  const server = createServer({ noDelay: true }, (daemon) => {
    const device = connect({ host: "127.0.0.1", port, noDelay: true });
    daemon.on("data", (bytes) => {
      heard(performance.now());
      device.write(bytes);
    });
    device.on("data", (bytes) => daemon.write(bytes));
    for (const [one, other] of [
      [daemon, device],
      [device, daemon],
    ] as const) {
      one.on("error", () => {});
      one.on("close", () => other.destroy());
    }
  });
  return {
    port: await listen(server),
    nextByte: () =>
      new Promise((resolve) => {
        heard = resolve;
      }),
    close: () => server.close(),
  };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}
