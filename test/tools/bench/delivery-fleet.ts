/**
 * A delivery service's day on two nodes over PostgreSQL (if there is one): how soon couriers read their orders while
 * orders come and are delivered, how soon the shop is called back, and how a receiver that was down catches up.
 */
import { Agent, request } from "node:http";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import type { DeliveryTables } from "#handlers/delivery/store/delivery-tables.js";
import { openStore, type Store } from "#handlers/store/open-store.js";
import { openReceiver, type Received } from "../../handlers/delivery/callback-receiver.js";
import { fillCatalog, logIn, newOrder, openWorld } from "../../handlers/delivery/delivery-world.js";
import { type Child, startChild } from "../../support/child-process.js";
import { postgres, sqlite, type TestDatabase } from "../../support/site-databases.js";
import { waitFor } from "../../support/wait-for.js";
import { type Figure, type FigureOptions, percentile, toFigure } from "./measuring/figure.js";
import { scaled } from "./measuring/scaled.js";

const ORDERS = scaled(50_000);
const COURIERS = scaled(500);
/** Each of 500 couriers reads once a minute. */
const READ_EVERY_MS = 60_000 / 500;
/** Peak load, three times the mean of 50,000 changes a day; at each change one order comes and another is delivered. */
const CHANGE_EVERY_MS = (24 * 3_600_000) / 50_000 / 3;
const LOAD_MS = scaled(180_000);
/** The orders of six hours. */
const WAITING = scaled(12_500);
/** A table with at least this many rows counts as large; the catalog has fewer. */
const LARGE = scaled(1_000);
/** The API's limit for one call. */
const BATCH = 500;

const node = fileURLToPath(new URL("./servers/delivery-node.js", import.meta.url));

export async function* run(): AsyncGenerator<Figure> {
  const kind = postgres.skipped === null ? postgres : sqlite;
  const database = await kind.create();
  const tokens = await fill(database);
  const store = (await openStore({ address: database.address })).withTables<DeliveryTables>();
  const receiver = await openReceiver();
  // A site on SQLite is one process.
  const nodes = (kind === postgres ? [1, 2] : [1]).map(() => startChild([node, database.address]));
  const stop = async () => {
    for (const child of nodes) child.signal("SIGKILL");
    for (const { ended } of nodes) await ended;
  };
  const figure = (what: string, options: Omit<FigureOptions, "name">) =>
    toFigure({ name: `delivery-fleet of ${COURIERS} on ${kind.name}: ${what}`, ...options });
  const reads = (what: string, { own, bare }: Load) => {
    const beside = {
      "bare SELECT": percentile(bare, 0.99),
      p50: percentile(own, 0.5),
      "its p50": percentile(bare, 0.5),
    };
    return figure(what, { figure: percentile(own, 0.99), unit: "ms", beside, atMost: 50 });
  };
  try {
    const fleet = openFleet(await Promise.all(nodes.map(originOf)), tokens);
    await fleet.shop("POST", "/v1/orders/callback", { url: receiver.url, isActive: 1 });
    const { received } = receiver;

    const until = performance.now() + LOAD_MS;
    const usual = await load(fleet, () => performance.now() > until);
    const delays = (await delaysOf(usual.changes, received)).map((ms) => ms / 1000);
    yield reads("a courier's orders p99", usual);
    const beside = { p50: percentile(delays, 0.5) };
    yield figure("change to callback p99", { figure: percentile(delays, 0.99), unit: "s", beside, atMost: 2 });

    const downFrom = received.length;
    receiver.status = 503;
    await changeMany(fleet);
    const downTo = received.length;
    receiver.status = 200;
    const upAt = performance.now();
    let minutes = Number.NaN;
    // The bodies are read last only, because that stops this process, which also times the couriers.
    const isDrained = () =>
      received.length - downTo >= WAITING && new Set(received.slice(downTo).map(idOf).filter(isLate)).size === WAITING;
    const options = { timeoutMs: 3_600_000, everyMs: 500 };
    const drained = waitFor("all that waited is delivered", isDrained, options).finally(() => {
      minutes = (performance.now() - upAt) / 60_000;
    });
    const busy = await load(fleet, () => minutes > 0);
    await drained;
    await delaysOf(busy.changes, received);
    yield figure(`${WAITING} callbacks of a receiver that was down`, { figure: minutes, unit: "min", atMost: 10 });
    yield reads("meanwhile a courier's orders p99", busy);
    await stop();
    const scanned = await scannedTables(store);
    const note = scanned.join();
    yield figure("tables read whole", { figure: scanned.length, unit: "tables", atMost: 0, ...(note && { note }) });
    const wrong = await outOfOrder(store, received.toSpliced(downFrom, downTo - downFrom));
    yield figure("callbacks out of order, twice or lost", { figure: wrong, unit: "callbacks", atMost: 0 });
  } finally {
    await stop();
    receiver.close();
    await store.close();
    await database.drop();
  }
}

interface Fleet<Caller> {
  readonly shop: Caller;
  /** Courier n has the orders whose number leaves the remainder n. */
  readonly couriers: readonly Caller[];
}

const idOfCourier = (courier: number) => 1000 + courier;
const toOrder = (orderId: number) =>
  newOrder({ orderId, courierId: idOfCourier(orderId % COURIERS), deliveryStatusId: 1, paymentId: 2 });
const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, position) => from + position);

/** Fills a database with a shop, its couriers and a day's orders. Returns everybody's tokens. */
async function fill(database: TestDatabase): Promise<Fleet<string>> {
  const world = await openWorld(database);
  try {
    const shop = await world.shop();
    await fillCatalog(shop);
    const couriers = ids(0, COURIERS).map(idOfCourier);
    const toRecord = (courierId: number) => ({ courierId, title: `${courierId}`, sourcePassword: "letmein-2026" });
    await shop.post("/couriers", couriers.map(toRecord));
    for (let from = 0; from < ORDERS; from += BATCH) {
      const { status } = await shop.post("/orders", ids(from, Math.min(from + BATCH, ORDERS)).map(toOrder));
      if (status !== 201) throw new Error(`orders were answered with ${status}`);
    }
    const tokens: string[] = [];
    for (const courier of couriers) tokens.push((await logIn(world, shop, `${courier}`, courier)).token);
    return { shop: shop.access.token, couriers: tokens };
  } finally {
    await world.close();
  }
}

async function originOf(child: Child): Promise<string> {
  const [, origin = ""] = await child.line(/^ready (.+)$/);
  return origin;
}

type Client = (method: string, path: string, body?: unknown) => Promise<string>;

/** Keeps its connections as long as the server does. */
function openClient(origin: string, token: string, connections = 1): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return (method, path, body) =>
    new Promise((resolve, reject) => {
      const call = request(`${origin}${path}`, { agent, method, headers }, async (response) => {
        const { statusCode = 0 } = response;
        const text = (await response.setEncoding("utf8").toArray()).join("");
        if (statusCode < 300) resolve(text);
        else reject(new Error(`${method} ${path} was answered with ${statusCode}: ${text}`));
      });
      call.on("error", reject).end(body === undefined ? undefined : JSON.stringify(body));
    });
}

/** The shop calls the first node; every other courier calls the second one. */
function openFleet([one = "", other = one]: readonly string[], { shop, couriers }: Fleet<string>): Fleet<Client> {
  return {
    shop: openClient(one, shop, 8),
    couriers: couriers.map((token, courier) => openClient(courier % 2 === 0 ? one : other, token)),
  };
}

interface Change {
  readonly orderId: number;
  readonly at: number;
}

interface Load {
  readonly own: readonly number[];
  readonly bare: readonly number[];
  readonly changes: readonly Change[];
}

/** Couriers read while the shop and the couriers change orders. */
async function load(fleet: Fleet<Client>, isOver: () => boolean): Promise<Load> {
  const [reads, changes] = await Promise.all([
    atPace(READ_EVERY_MS, isOver, (turn) => read(fleet, turn % COURIERS)),
    atPace(CHANGE_EVERY_MS, isOver, () => change(fleet)),
  ]);
  return { own: reads.map(({ own }) => own), bare: reads.map(({ bare }) => bare), changes: changes.flat() };
}

/** Does not wait for a call before the next one: a slow server gets no fewer calls. */
async function atPace<T>(everyMs: number, isOver: () => boolean, act: (turn: number) => Promise<T>): Promise<T[]> {
  const begun: Promise<T>[] = [];
  const start = performance.now();
  for (let turn = 0; !isOver(); turn += 1) {
    const acted = act(turn);
    // All failures are reported together at the end.
    acted.catch(() => {});
    begun.push(acted);
    await setTimeout(Math.max(0, start + (turn + 1) * everyMs - performance.now()));
  }
  return Promise.all(begun);
}

async function read({ shop, couriers }: Fleet<Client>, courier: number) {
  const client = couriers[courier] ?? shop;
  const own = ids(0, ORDERS).filter((orderId) => orderId % COURIERS === courier);
  const timed = async (path: string) => {
    const start = performance.now();
    await client("GET", path);
    return performance.now() - start;
  };
  return { own: await timed("/courier/v1/orders"), bare: await timed(`/bare?ids=${own}`) };
}

let changed = 0;

/** The shop adds an order; a courier delivers another one and is paid for it. */
async function change({ shop, couriers }: Fleet<Client>): Promise<readonly Change[]> {
  const [added, orderId] = [ORDERS + changed, changed % ORDERS];
  const courier = couriers[orderId % COURIERS] ?? shop;
  changed += 1;
  const sent = { orderId: added, at: performance.now() };
  await shop("POST", "/v1/orders", [toOrder(added)]);
  const paid = { paymentId: `cash-${orderId}`, paymentTypeId: 2, price: 501, paidIn: "2026-11-21 10:00:00" };
  await courier("POST", "/courier/v1/orders/payments", { orderId, payments: [paid] });
  const delivered = { orderId, at: performance.now() };
  await courier("POST", "/courier/v1/orders/status", { orderId, deliveryStatusId: 3 });
  return [sent, delivered];
}

const isLate = (orderId: number) => orderId >= ORDERS - WAITING && orderId < ORDERS;

/** Changes each order of the end of the day once. */
async function changeMany({ shop }: Fleet<Client>): Promise<void> {
  const attributes = { addressTo: "Москва, Ленина, 1" };
  for (let from = ORDERS - WAITING; from < ORDERS; from += BATCH) {
    const orderIds = ids(from, Math.min(from + BATCH, ORDERS));
    await shop("PUT", "/v1/orders/multipleUpdate", { orderIds, attributes });
  }
}

const idOf = ({ text }: Received) => Number(/"orderId":(\d+)/.exec(text)?.[1]);

/** Milliseconds from each change to its callback. */
function delaysOf(changes: readonly Change[], received: readonly Received[]): Promise<readonly number[]> {
  return waitFor(
    "every change is called back",
    () => {
      const calls = new Map<number, number[]>();
      for (const call of received) calls.set(idOf(call), [...(calls.get(idOf(call)) ?? []), call.at]);
      const delays = changes.map(({ orderId, at }) => (calls.get(orderId)?.find((one) => one > at) ?? Number.NaN) - at);
      return delays.every((delay) => delay > 0) && delays;
    },
    { timeoutMs: 120_000, everyMs: 500 },
  );
}

type DeliveryDatabase = Store<DeliveryTables>;

/** How many callbacks came out of order, or are missing by the count that each order has. */
async function outOfOrder({ db }: DeliveryDatabase, taken: readonly Received[]): Promise<number> {
  const numbers = new Map<number, number>();
  let wrong = 0;
  for (const call of taken) {
    const number = Number(call.headers["x-order-sequence"]);
    if (number !== (numbers.get(idOf(call)) ?? 0) + 1) wrong += 1;
    numbers.set(idOf(call), number);
  }
  const rows = await db.selectFrom("delivery_orders").select(["order_id", "callback_sequence"]).execute();
  return wrong + rows.filter((row) => row.callback_sequence !== (numbers.get(Number(row.order_id)) ?? 0)).length;
}

/** The large tables whose rows PostgreSQL has read all at once; a node sends its counts when it exits. */
async function scannedTables({ db, kind }: DeliveryDatabase): Promise<readonly string[]> {
  if (kind === "sqlite") return [];
  const { rows } = await sql<{ readonly name: string }>`select relname as name from pg_stat_user_tables
    where schemaname = current_schema() and n_live_tup > ${LARGE} and seq_tup_read > n_live_tup`.execute(db);
  return rows.map(({ name }) => name);
}
