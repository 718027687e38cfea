/** The delivery API under load, beside a bare Express route that writes the same rows and json-server, in one run. */
import autocannon from "autocannon";
import { type Figure, toFigure } from "./measuring/figure.js";
import { scaled } from "./measuring/scaled.js";
import type { Servers } from "./servers/delivery-servers.js";
import { inTurns, withServers } from "./servers/fork-servers.js";

const TURNS = scaled(4);
const SECONDS_A_TURN = 1;
const CONNECTIONS = 8;
const BATCH = 100;

interface Load {
  readonly url: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Makes the next body. Absent: GET. */
  readonly body?: () => unknown;
}

export function run(): Promise<readonly Figure[]> {
  const processes = (folder: string) => ({ all: [folder] });
  return withServers<{ all: Servers }>({
    script: "delivery-servers.js",
    processes,
    measure: ({ all }) => measureAll(all),
  });
}

async function measureAll({ ours, bare, jsonServer, token }: Servers): Promise<readonly Figure[]> {
  const headers = { authorization: `Bearer ${token}` };
  await fill(ours, headers);
  const api = (path: string, body?: () => unknown): Load => ({ url: ours, path, headers, ...(body && { body }) });
  const plain = (url: string, path: string, body?: () => unknown): Load => ({ url, path, ...(body && { body }) });
  const batch = () => Array.from({ length: BATCH }, newOrder);
  const single = () => [newOrder()];
  const paidBatch = () => batch().map((order) => ({ ...order, ...paid }));

  const batches = await rates({ ours: api("/v1/orders", batch), bare: plain(bare, "/v1/orders", batch) });
  const singles = await rates({
    ours: api("/v1/orders", single),
    bare: plain(bare, "/v1/orders", single),
    jsonServer: plain(jsonServer, "/v1/orders", () => ({ ...newOrder(), id: nextId() })),
  });
  await post(bare, [newOrder(1)]);
  const one = await rates({
    ours: api("/v1/orders?orderId=1"),
    bare: plain(bare, "/v1/orders?orderId=1"),
    jsonServer: plain(jsonServer, "/v1/orders/1"),
  });
  const list = await rates({
    ours: api("/v1/orders"),
    bare: plain(bare, "/v1/orders"),
    jsonServer: plain(jsonServer, "/v1/orders?_page=1&_limit=20"),
  });
  // This comes last: the receipts make the product's database larger than the others'.
  const paidBatches = await rates({ ours: api("/v1/orders", paidBatch), bare: plain(bare, "/v1/orders", paidBatch) });
  return [
    toFigure({
      name: "delivery POST /orders by 100, durable",
      figure: batches.ours * BATCH,
      unit: "orders/s",
      beside: { bare: batches.bare * BATCH },
      atLeast: 5000,
    }),
    besideBare("delivery POST /orders by 100", batches.ours, batches.bare),
    // Each order has a receipt, which the bare route does not make.
    toFigure({
      name: "delivery POST paid orders by 100",
      figure: paidBatches.ours * BATCH,
      unit: "orders/s",
      beside: { bare: paidBatches.bare * BATCH },
      // 3,000 orders a second on a machine whose bare route does 11,000.
      atLeast: (paidBatches.bare * BATCH * 3) / 11,
    }),
    besideBare("delivery POST /orders singly", singles.ours, singles.bare, { "json-server": singles.jsonServer }),
    besideBare("delivery GET one order", one.ours, one.bare),
    toFigure({
      name: "delivery GET one, beside json-server",
      figure: one.ours,
      unit: "requests/s",
      beside: { "json-server": one.jsonServer },
      atLeast: 3 * one.jsonServer,
    }),
    besideBare("delivery GET list of 20", list.ours, list.bare, { "json-server": list.jsonServer }),
  ];
}

/** The target is at least half of the bare route's rate. */
function besideBare(name: string, ours: number, bare: number, others: Record<string, number> = {}): Figure {
  return toFigure({ name, figure: ours, unit: "requests/s", beside: { bare, ...others }, atLeast: bare / 2 });
}

interface Peers {
  readonly ours: Load;
  readonly bare: Load;
  readonly jsonServer?: Load;
}

async function rates({ ours, bare, jsonServer }: Peers) {
  const found = await inTurns(TURNS, [ours, bare, ...(jsonServer === undefined ? [] : [jsonServer])], rate);
  return { ours: found[0] ?? 0, bare: found[1] ?? 0, jsonServer: found[2] ?? 0 };
}

async function rate({ url, path, headers = {}, body }: Load): Promise<number> {
  const request =
    body === undefined
      ? { path }
      : { path, setupRequest: (next: object) => ({ ...next, body: JSON.stringify(body()) }) };
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: SECONDS_A_TURN,
    method: body === undefined ? "GET" : "POST",
    headers: { ...headers, "content-type": "application/json" },
    requests: [request],
  });
  if (result.non2xx > 0) throw new Error(`${path}: ${result.non2xx} answers were no success`);
  return result["2xx"] / result.duration;
}

let lastId = 999;

function nextId(): number {
  lastId += 1;
  return lastId;
}

const paid = { statusId: 1, isInternetPayment: 1, internetPaymentUrl: "https://shop.example/pay" };

function newOrder(id: unknown = nextId()) {
  return {
    orderId: typeof id === "number" ? id : nextId(),
    statusId: 0,
    deliveryStatusId: 0,
    courierId: 7,
    client: { firstname: "Анна", lastname: "Петрова", email: "anna@mail.example" },
    paymentId: 1,
    amountToPay: 561,
    deliveryTimeFrom: "2026-11-21 09:00:00",
    deliveryTimeTo: "2026-11-21 12:00:00",
    addressToEntity: { city: "Москва", street: "Мясницкая", home: "1", apartment: "12", isUseExternalGeo: false },
    goods: [
      { goodId: 501, count: 2, price: 250.5, total: 501, discountTotal: 0 },
      { goodId: 502, count: 1, price: 60, total: 60, discountTotal: 0 },
    ],
  };
}

async function fill(url: string, headers: Readonly<Record<string, string>>): Promise<void> {
  const records: readonly (readonly [string, readonly unknown[]])[] = [
    ["/v1/taxes", [{ taxId: 1, title: "НДС 22%" }]],
    ["/v1/paymentTypes", [{ paymentTypeId: 1, title: "Картой", closeTypeId: 1 }]],
    ["/v1/couriers", [{ courierId: 7, title: "Сидоров" }]],
    [
      "/v1/goods",
      [501, 502].map((goodId) => ({ goodId, parentId: null, taxId: 1, title: `Товар ${goodId}`, price: 60 })),
    ],
    ["/v1/orders", [newOrder(1)]],
  ];
  for (const [path, body] of records) await post(url, body, path, headers);
}

async function post(url: string, body: unknown, path = "/v1/orders", headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(`${url}${path}`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} could not be filled: ${await response.text()}`);
}
