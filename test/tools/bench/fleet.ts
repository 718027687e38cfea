/**
 * One daemon with 50 and 200 registers and 2,000 receipts a minute, beside one register with two receipts a second: how
 * much longer a free register waits because of the others, and the daemon's processor time and memory. Other processes
 * emulate the registers, 50 in each.
 */
import { rmSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { startDaemon, writeConfig } from "../../support/daemon-process.js";
import { type KkmSite, startKkmSite } from "../../support/kkm-site.js";
import { waitFor } from "../../support/wait-for.js";
import { makeOrder } from "../campaign/plan/orders.js";
import { startEmulatorHost } from "../campaign/processes/emulator-host.js";
import { cpuTimeMs } from "./measuring/cpu-time.js";
import { type Figure, percentile, toFigure } from "./measuring/figure.js";
import { residentMb } from "./measuring/process-memory.js";
import { isShort, scaled } from "./measuring/scaled.js";
import { benchFolder, tillAt } from "./measuring/till.js";

const FLEETS = isShort ? [1, 4] : [1, 50, 200];
const REGISTERS_PER_PROCESS = 50;
/** 2,000 receipts a minute. */
const PACE_MS = 30;
/** A register gets its next order so much later, so that it is free by then: it compares a receipt after the result. */
const REST_MS = 500;
const WARM_UP = scaled(300);
const PACED_MS = scaled(120_000);
/** The largest fleet prints for ten minutes, which shows whether its memory stays the same. */
const LONG_MS = scaled(600_000);
/** The receipts that came before are compared first, and the database's log is moved. */
const SETTLE_MS = scaled(15_000);
const IDLE_MS = scaled(20_000);
const AT_ONCE = scaled(600);

interface Load {
  readonly idlePercent: number;
  readonly waits: readonly number[];
  readonly cpuMs: number;
  readonly warmMb: number;
  readonly mb: number;
  /** Milliseconds to the result of each order that was paid at the same moment. */
  readonly atOnce: readonly number[];
}

const kkmOf = (till: number) => `${till}`.padStart(16, "0");

export async function* run(): AsyncGenerator<Figure> {
  let one: Load | null = null;
  for (const count of FLEETS) {
    const load = await measure(count);
    one ??= load;
    yield* figuresOf(count, load, one);
  }
}

function figuresOf(count: number, load: Load, one: Load): readonly Figure[] {
  const name = (what: string) => `fleet of ${count}: ${what}`;
  const beside = (pick: (load: Load) => number) => ({ "one register": pick(one) });
  const p99 = ({ waits }: Load) => percentile(waits, 0.99);
  return [
    toFigure({
      name: name("added wait p99"),
      figure: p99(load) - p99(one),
      unit: "ms",
      beside: beside(p99),
      atMost: 10,
    }),
    toFigure({ name: name("CPU a receipt"), figure: load.cpuMs, unit: "ms", beside: beside(({ cpuMs }) => cpuMs) }),
    toFigure({ name: name("idle"), figure: load.idlePercent, unit: "% of a core", atMost: 5 }),
    toFigure({
      name: name("memory"),
      figure: load.mb,
      unit: "MB",
      beside: { "after the first receipts": load.warmMb },
      atMost: 300,
    }),
    toFigure({
      name: name(`${load.atOnce.length} orders at once, first result`),
      figure: percentile(load.atOnce, 0),
      unit: "ms",
      beside: { last: percentile(load.atOnce, 1) },
    }),
  ];
}

async function measure(count: number): Promise<Load> {
  const folder = benchFolder();
  const hosts = Array.from({ length: Math.ceil(count / REGISTERS_PER_PROCESS) }, startEmulatorHost);
  const emulators = await Promise.all(
    Array.from({ length: count }, (_, index) => {
      const kkm = kkmOf(index + 1);
      const numbers = { kkm, fn: `9999${kkm.slice(4)}`, inn: "7700000000", unconfirmed: {} };
      return hosts[index % hosts.length]?.open({
        maker: "shtrih",
        listen: "tcp:127.0.0.1:0",
        protocol: "v1",
        ...numbers,
      });
    }),
  );
  const site = await startKkmSite();
  const registers = emulators.flatMap((emulator, index) =>
    emulator === undefined ? [] : [tillAt(emulator.port, `till-${index + 1}`)],
  );
  const daemon = await startDaemon(writeConfig({ folder, siteUrl: site.url, registers, logLevel: "info" }));
  const { pid } = daemon.child;
  const cpu = () => cpuTimeMs(pid) ?? Number.NaN;
  try {
    await waitFor("every register waits for an order", () => site.held() === count);
    await printAll(site, { count, name: "warm", orders: Math.max(count, WARM_UP), paceMs: PACE_MS });
    await setTimeout(SETTLE_MS);
    const warmMb = residentMb(pid);
    const cpuBefore = cpu();
    await setTimeout(IDLE_MS);
    const idlePercent = ((cpu() - cpuBefore) / IDLE_MS) * 100;
    const cpuIdle = cpu();
    const paceMs = Math.max(PACE_MS, REST_MS / count);
    const pacedMs = count === FLEETS.at(-1) ? LONG_MS : PACED_MS;
    const waits = await printAll(site, { count, name: "paced", orders: Math.ceil(pacedMs / paceMs), paceMs });
    const cpuMs = (cpu() - cpuIdle) / waits.length;
    const atOnce = await printAll(site, { count, name: "at-once", orders: AT_ONCE, paceMs: 0 });
    return { idlePercent, waits, cpuMs, warmMb, mb: residentMb(pid), atOnce };
  } finally {
    const stopped = daemon.stop();
    site.stopHolding();
    await stopped;
    await site.close();
    for (const host of hosts) await host.close();
    rmSync(folder, { recursive: true });
  }
}

interface Orders {
  readonly count: number;
  readonly name: string;
  readonly orders: number;
  readonly paceMs: number;
}

/** Milliseconds from an order's payment to its result. */
async function printAll(site: KkmSite, { count, name, orders, paceMs }: Orders): Promise<readonly number[]> {
  const printed: Promise<number>[] = [];
  const startedAt = performance.now();
  for (let number = 0; number < orders; number += 1) {
    const orderId = `${name}-${number}`;
    const { answer } = makeOrder({ orderId, operation: "sale", prices: [10, 20, 30] });
    const paidAt = performance.now();
    printed.push(site.print(kkmOf((number % count) + 1), orderId, answer).then(() => performance.now() - paidAt));
    const early = startedAt + (number + 1) * paceMs - performance.now();
    if (early > 0) await setTimeout(early);
  }
  return Promise.all(printed);
}
