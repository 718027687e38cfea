/**
 * A chain's site: thousands of print servers hold a poll on one node, over PostgreSQL if there is one. Measures their
 * cost, how soon a paid order is handed out, and how soon all of them are connected again after a restart of the node.
 */
import { createServer } from "node:net";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Child, startChild } from "../../support/child-process.js";
import { post } from "../../support/fake-daemon.js";
import { postgres, sqlite } from "../../support/site-databases.js";
import { waitFor } from "../../support/wait-for.js";
import { cpuTimeMs } from "./measuring/cpu-time.js";
import { type Figure, percentile, toFigure } from "./measuring/figure.js";
import { residentMb } from "./measuring/process-memory.js";
import { scaled } from "./measuring/scaled.js";
import { type HeldPoll, openHeldPoll } from "./servers/held-poll.js";

/** This process and the node each have a file open for every poll: `ulimit -n` must allow some more than this. */
const POLLS = scaled(10_000);
const ORDERS = scaled(500);
const PACE_MS = 20;
/** Long enough for every poll to be answered once with "no orders". */
const IDLE_MS = 50_000;

const node = fileURLToPath(new URL("./servers/site-node.js", import.meta.url));

export async function* run(): AsyncGenerator<Figure> {
  const kind = postgres.skipped === null ? postgres : sqlite;
  const database = await kind.create();
  const name = (what: string) => `site-fleet of ${POLLS} on ${kind.name}: ${what}`;
  const port = await freePort();
  let site = await startNode(database.address, port);
  const fleet = openFleet(port, POLLS);
  try {
    await fleet.allHeld(0);
    const idle = await cpuOfIdle(site, scaled(IDLE_MS));
    const perPoll = (idle.cpuMs / idle.ms) * (IDLE_MS / POLLS) * 1000;
    yield toFigure({
      name: name("memory of the node"),
      figure: residentMb(site.pid),
      unit: "MB",
      atMost: 1500,
    });
    yield toFigure({ name: name("CPU of an idle poll"), figure: perPoll, unit: "us", atMost: 30 });
    const waits = await payOrders(fleet, port, ORDERS);
    yield toFigure({
      name: name("paid order to hand-out p99"),
      figure: percentile(waits, 0.99),
      unit: "ms",
      beside: { p50: percentile(waits, 0.5) },
      atMost: 50,
    });
    yield toFigure({
      name: name("handed out twice"),
      figure: fleet.handed() - waits.length,
      unit: "orders",
      atMost: 0,
    });
    site.signal("SIGKILL");
    await site.ended;
    const before = fleet.connected();
    const startedAt = performance.now();
    site = await startNode(database.address, port);
    await fleet.allHeld(before);
    yield toFigure({
      name: name("all back after a restart"),
      figure: (performance.now() - startedAt) / 1000,
      unit: "s",
      atMost: 60,
    });
  } finally {
    fleet.close();
    site.signal("SIGKILL");
    await site.ended;
    await database.drop();
  }
}

async function startNode(database: string, port: number): Promise<Child> {
  const child = startChild([node, database, `${port}`]);
  await child.line(/^ready$/);
  return child;
}

async function cpuOfIdle({ pid }: Child, ms: number) {
  const before = cpuTimeMs(pid) ?? Number.NaN;
  await setTimeout(ms);
  return { cpuMs: (cpuTimeMs(pid) ?? Number.NaN) - before, ms };
}

const kkmOf = (number: number) => `${number}`.padStart(16, "0");

function openFleet(port: number, count: number) {
  const waiting = new Map<string, (at: number) => void>();
  let handed = 0;
  let connected = 0;
  const polls: readonly HeldPoll[] = Array.from({ length: count }, (_, number) =>
    openHeldPoll({
      port,
      kkm: kkmOf(number),
      onOrder(orderId, at) {
        handed += 1;
        waiting.get(orderId)?.(at);
      },
      onBack() {
        connected += 1;
      },
    }),
  );
  return {
    handed: () => handed,
    connected: () => connected,
    /** Every poll has been sent once more since there were `before` connections. */
    allHeld: (before: number) =>
      waitFor("every print server polls", () => connected >= before + count, { timeoutMs: 300_000, everyMs: 20 }),
    handedAt: (orderId: string) => new Promise<number>((resolve) => waiting.set(orderId, resolve)),
    close() {
      for (const poll of polls) poll.close();
    },
  };
}

/** Milliseconds from each payment to the last byte of the order at its print server; each has another register. */
async function payOrders(fleet: ReturnType<typeof openFleet>, port: number, count: number): Promise<readonly number[]> {
  const waits: Promise<number>[] = [];
  for (let number = 0; number < count; number += 1) {
    const orderId = `P-${number}`;
    const paidAt = performance.now();
    waits.push(fleet.handedAt(orderId).then((at) => at - paidAt));
    const { status } = await post(`http://127.0.0.1:${port}/orders`, { orderId, kkm: kkmOf(number * 7) });
    if (status !== 200) throw new Error(`${orderId} was answered with ${status}`);
    await setTimeout(PACE_MS);
  }
  return Promise.all(waits);
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
