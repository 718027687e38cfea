/** Child process of the delivery benchmark: the delivery API, a bare Express route, and json-server. */

import type { RequestListener } from "node:http";
import { join } from "node:path";
import express from "express";
import jsonServer from "json-server";
import { orderExample as example } from "#handlers/delivery/changes/examples.js";
import { createDeliveryRouter } from "#handlers/delivery/mount-delivery.js";
import { openDelivery } from "#handlers/delivery/open-delivery.js";
import { createToken } from "#handlers/delivery/store/access-tokens.js";
import { openStoreFile } from "#handlers/store/sqlite-driver.js";
import { serveSite } from "../../../support/fake-daemon.js";

/** Without a warehouse, like the measured orders. */
const orderExample = { ...example, goods: example.goods.map((item) => ({ ...item, warehouses: [] })) };

export interface Servers {
  readonly ours: string;
  readonly bare: string;
  readonly jsonServer: string;
  readonly token: string;
}

const [, , , folder] = process.argv;
if (folder !== undefined && process.send !== undefined) process.send(await start(folder));

async function start(into: string): Promise<Servers> {
  const { backend } = await openDelivery({ database: join(into, "ours.sqlite") });
  const { token } = await createToken(backend.store, "bench", Date.now());
  const barePath = join(into, "bare.sqlite");
  // The same tables, made by the same migrations.
  await (await openDelivery({ database: barePath })).close();
  return {
    ours: await urlOf(express().use("/v1", createDeliveryRouter({ backend, requestsPerMinute: false }))),
    bare: await urlOf(bareApp(barePath)),
    jsonServer: await urlOf(jsonServerApp()),
    token,
  };
}

/**
 * A route as anybody would write it by hand: parse, prepared statements, one durable transaction. Its rows are as long
 * as the API's: an order is stored and returned as the API shows it.
 */
function bareApp(path: string): RequestListener {
  const database = openStoreFile(path);
  database.pragma("journal_mode = WAL");
  database.pragma("synchronous = FULL");
  const insertOrder = database.prepare(
    `insert into delivery_orders (resource, order_id, is_refund, sort_key, is_active, courier_id, body, callback_sequence, updated_at)
     values (1, ?, 0, ?, 1, ?, ?, 0, ?)`,
  );
  const insertJournal = database.prepare(
    `insert into delivery_journal (resource, order_id, is_refund, event, source, courier_id, before_item, after_item, created_at)
     values (1, ?, 0, 'create', 'bench', ?, null, ?, ?)`,
  );
  const insertStatus = database.prepare(
    `insert into delivery_status_changes (resource, order_id, is_refund, status_id, created_at) values (1, ?, 0, ?, ?)`,
  );
  const selectOne = database.prepare(
    "select body from delivery_orders where resource = 1 and order_id = ? and is_active = 1",
  );
  const selectPage = database.prepare(
    "select body from delivery_orders where resource = 1 and is_active = 1 order by sort_key, is_refund limit 20",
  );
  const insertAll = database.transaction((orders: readonly Record<string, unknown>[]) => {
    for (const order of orders) {
      const id = String(order["orderId"]);
      const body = JSON.stringify({ ...orderExample, ...order, goods: itemsOf(order) });
      const now = Date.now();
      insertOrder.run(id, `0${id.padStart(20, "0")}`, String(order["courierId"]), body, now);
      insertJournal.run(id, String(order["courierId"]), body, now);
      insertStatus.run(id, order["deliveryStatusId"], now);
    }
  });
  const bodyOf = (row: unknown): unknown => JSON.parse(Object(row).body);
  const itemsOf = ({ goods }: Record<string, unknown>) =>
    Array.isArray(goods) ? goods.map((item) => ({ ...orderExample.goods[0], ...item })) : [];
  const app = express().use(express.json({ limit: "5mb" }));
  app.post("/v1/orders", (request, response) => {
    insertAll.immediate(request.body);
    const shown = request.body.map((order: Record<string, unknown>) => ({
      ...orderExample,
      ...order,
      goods: itemsOf(order),
    }));
    response.status(201).json(shown);
  });
  app.get("/v1/orders", (request, response) => {
    const { orderId } = request.query;
    response.json(orderId === undefined ? selectPage.all().map(bodyOf) : bodyOf(selectOne.get(orderId)));
  });
  return app;
}

/** As many orders as a small shop has. The requested order is in the middle. */
function ordersOfShop(): readonly object[] {
  const ids = Array.from({ length: 5000 }, (_, position) => 1_000_000_000 + position);
  ids[ids.length / 2] = 1;
  return ids.map((id) => ({ ...orderExample, orderId: id, id }));
}

function jsonServerApp(): RequestListener {
  const app = jsonServer.create();
  app.use(jsonServer.bodyParser);
  app.use("/v1", jsonServer.router({ orders: ordersOfShop() }));
  return app;
}

async function urlOf(listener: RequestListener): Promise<string> {
  return (await serveSite(listener)).url;
}
