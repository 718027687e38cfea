/**
 * A chain's site: thousands of print servers hold a poll on one node, over PostgreSQL if there is one. Measures their
 * cost, how soon a paid order is handed out, and how soon all of them are connected again after a restart of the node.
 * On PostgreSQL two nodes then have half of the polls each, and one of them takes all orders. A poll or an order that is
 * not answered with 200 ends the benchmark.
 */
import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Child, startChild } from "../../support/child-process.js";
import { post } from "../../support/fake-daemon.js";
import { freePort } from "../../support/free-port.js";
import { postgres, sqlite } from "../../support/site-databases.js";
import { waitFor } from "../../support/wait-for.js";
import { cpuTimeMs } from "./measuring/cpu-time.js";
import { type Figure, percentile, toFigure } from "./measuring/figure.js";
import { residentMb } from "./measuring/process-memory.js";
import { scaled } from "./measuring/scaled.js";
import { HELD_MS, type HeldPoll, openHeldPoll } from "./servers/held-poll.js";

/** This process and the node each have a file open for every poll: `ulimit -n` must allow some more than this. */
const POLLS = scaled(10_000);
const ORDERS = scaled(500);
const PACE_MS = 20;
/** The first polls are spread over this time. In the same time afterwards each poll is answered once. */
const IDLE_MS = scaled(HELD_MS);

const node = fileURLToPath(new URL("./servers/site-node.js", import.meta.url));

export async function* run(): AsyncGenerator<Figure> {
  const kind = postgres.skipped === null ? postgres : sqlite;
  const name = (what: string) => `site-fleet of ${POLLS} on ${kind.name}: ${what}`;
  const bare = await measureBare();
  const database = await kind.create();
  const port = await freePort();
  let site = await startNode(database.address, port);
  const fleet = openFleet([port]);
  try {
    const idle = await cpuOfIdlePoll(site, fleet);
    yield toFigure({
      name: name("memory of the node"),
      figure: residentMb(site.pid),
      unit: "MB",
      beside: { bare: bare.memoryMb },
      atMost: 1500,
    });
    yield toFigure({ name: name("CPU of an idle poll"), figure: idle, unit: "us", beside: { bare: bare.cpuUs } });
    yield toFigure({
      name: name("CPU that an idle poll adds to a bare request"),
      figure: idle - bare.cpuUs,
      unit: "us",
      atMost: 30,
    });
    yield* await handOut(fleet, port, name);
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
    fleet.close();
    if (kind === postgres) yield* await acrossNodes(database.address, port, (what) => name(`two nodes, ${what}`));
  } finally {
    fleet.close();
    site.signal("SIGKILL");
    await site.ended;
    await database.drop();
  }
}

async function handOut(fleet: Fleet, port: number, name: (what: string) => string): Promise<readonly Figure[]> {
  const waits = await payOrders(fleet, port);
  return [
    toFigure({
      name: name("paid order to hand-out p99"),
      figure: percentile(waits, 0.99),
      unit: "ms",
      beside: { p50: percentile(waits, 0.5) },
      atMost: 50,
    }),
    toFigure({ name: name("handed out twice"), figure: fleet.handed() - waits.length, unit: "orders", atMost: 0 }),
  ];
}

/** `port`: of the first node, which takes all orders. Half of them are handed out by the second. */
async function acrossNodes(database: string, port: number, name: (what: string) => string): Promise<readonly Figure[]> {
  const secondPort = await freePort();
  const second = await startNode(database, secondPort);
  const fleet = openFleet([port, secondPort]);
  try {
    await fleet.allHeld(0);
    return await handOut(fleet, port, name);
  } finally {
    fleet.close();
    second.signal("SIGKILL");
    await second.ended;
  }
}

async function startNode(database: string, port: number): Promise<Child> {
  const child = startChild([node, database, `${port}`]);
  await child.line(/^ready$/);
  return child;
}

/** A node that holds the same requests by a bare route of Express. */
async function measureBare() {
  const port = await freePort();
  const node = await startNode("", port);
  const fleet = openFleet([port]);
  try {
    return { cpuUs: await cpuOfIdlePoll(node, fleet), memoryMb: residentMb(node.pid) };
  } finally {
    fleet.close();
    node.signal("SIGKILL");
    await node.ended;
  }
}

async function cpuOfIdlePoll({ pid }: Child, fleet: Fleet): Promise<number> {
  await fleet.allHeld(0);
  const before = cpuTimeMs(pid) ?? Number.NaN;
  await setTimeout(IDLE_MS);
  return (((cpuTimeMs(pid) ?? Number.NaN) - before) / POLLS) * 1000;
}

const kkmOf = (number: number) => `${number}`.padStart(16, "0");

type Fleet = ReturnType<typeof openFleet>;

/** The polls are spread evenly over the nodes. */
function openFleet(ports: readonly number[]) {
  const waiting = new Map<string, (at: number) => void>();
  let handed = 0;
  let connected = 0;
  const polls: readonly HeldPoll[] = Array.from({ length: POLLS }, (_, number) =>
    openHeldPoll({
      port: ports[number % ports.length] ?? 0,
      afterMs: (number * IDLE_MS) / POLLS,
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
      waitFor("every print server polls", () => connected >= before + POLLS, { timeoutMs: 300_000, everyMs: 20 }),
    handedAt: (orderId: string) => new Promise<number>((resolve) => waiting.set(orderId, resolve)),
    close() {
      for (const poll of polls) poll.close();
    },
  };
}

/**
 * Milliseconds from each payment to the last byte of the order at its print server; each has another register. The print
 * server then reports the receipt as printed, after which it must not get the order again.
 */
async function payOrders(fleet: Fleet, port: number): Promise<readonly number[]> {
  const address = `http://127.0.0.1:${port}`;
  const waits: Promise<number>[] = [];
  for (let number = 0; number < ORDERS; number += 1) {
    const order = { orderId: randomUUID(), kkm: kkmOf(number * 7) };
    const paidAt = performance.now();
    const isPrinted = fleet.handedAt(order.orderId).then(async (at) => {
      await postOk(`${address}/fiscal`, { action: "orderConfirm", ...printed, ...order });
      return at - paidAt;
    });
    waits.push(isPrinted);
    await postOk(`${address}/orders`, order);
    await setTimeout(PACE_MS);
  }
  return Promise.all(waits);
}

const printed = { inn: "7700000000", fn: "9999", resultCode: 0, resultInfo: "", shiftNumber: "1", OFDLink: "" };

async function postOk(address: string, body: object): Promise<void> {
  const answer = await post(address, body);
  if (answer.status !== 200) throw new Error(`${JSON.stringify(body)} was answered with ${JSON.stringify(answer)}`);
}
