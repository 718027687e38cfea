/**
 * One server of the kit's benchmark: the print server's handlers, or a bare route that gives the same answers with less
 * work. Each server has a process of its own, as a site has: Express changes the prototypes of Node's requests, which
 * slows every other server of its process down.
 */
import type { RequestListener } from "node:http";
import { createPrintServerPlugin, createPrintServerRouter, openReceiptStore, taskTable } from "@fiscald/handlers";
import { silentLogger } from "@fiscald/shared/logger.js";
import express from "express";
import { fastify } from "fastify";
import { serveSite } from "../../../support/fake-daemon.js";

export interface KitServers {
  /** On Express, with a receipt store; `POST /orders` enqueues a receipt. */
  readonly ours: string;
  /** The same with PostgreSQL. Absent: there is none (FISCALD_TEST_POSTGRES). */
  readonly postgres?: string;
  /** The kit's plugin on Fastify, with a receipt store. */
  readonly plugin: string;
  readonly bare: string;
  readonly fastify: string;
}

const noOrders = { resultCode: 0, resultInfo: "no orders" };

const servers: Readonly<Record<string, (database: string) => Promise<string>>> = {
  ours: async (database) => urlOf(await ourApp(database)),
  postgres: async (database) => urlOf(await ourApp(database)),
  plugin: servePlugin,
  bare: async () => urlOf(bareApp()),
  fastify: serveFastify,
};

const [, , name = "", database = ""] = process.argv;
process.send?.(await servers[name]?.(database));

async function ourApp(database: string): Promise<RequestListener> {
  const store = await openReceiptStore({ database, logger: silentLogger });
  const app = express();
  app.use("/fiscal", createPrintServerRouter({ store, auth: { kind: "none" }, logger: silentLogger }));
  let last = 0;
  app.post("/orders", async (_, response) => {
    last += 1;
    const order = taskTable
      .sale({ orderId: `B-${last}` })
      .item({ name: "Tea", price: "120.00" })
      .payRest("cash");
    response.json(await store.enqueue(order.build()));
  });
  return app;
}

function bareApp(): RequestListener {
  const app = express();
  app.use(express.json());
  app.post("/fiscal", (_, response) => void response.json(noOrders));
  return app;
}

async function servePlugin(database: string): Promise<string> {
  const store = await openReceiptStore({ database, logger: silentLogger });
  const app = fastify();
  const plugin = createPrintServerPlugin({ store, auth: { kind: "none" }, logger: silentLogger });
  await app.register(plugin, { prefix: "/fiscal" });
  return app.listen({ port: 0, host: "127.0.0.1" });
}

async function serveFastify(): Promise<string> {
  const app = fastify();
  app.post("/fiscal", async () => noOrders);
  return app.listen({ port: 0, host: "127.0.0.1" });
}

async function urlOf(listener: RequestListener): Promise<string> {
  return (await serveSite(listener)).url;
}
