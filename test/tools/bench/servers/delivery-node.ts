/** Child process of `delivery-fleet.ts`: one node of the delivery API, with the database that its argument names. */
import { createServer } from "node:http";
import { mountDelivery } from "@fiscald/handlers/delivery";
import { silentLogger } from "@fiscald/shared/logger.js";
import express from "express";
import type { DeliveryTables } from "#handlers/delivery/store/delivery-tables.js";
import { openStore } from "#handlers/store/open-store.js";
import { listen } from "../../../handlers/delivery/delivery-world.js";

const [, , address = ""] = process.argv;
const store = await openStore({ address, logger: silentLogger });
const app = express();
await mountDelivery(app, { database: store, logger: silentLogger, allowPrivateCallbacks: true });
const { db } = store.withTables<DeliveryTables>();
// The peer reads the same rows by their primary key, through the same pool.
app.get("/bare", async ({ query }, response) => {
  const rows = await db
    .selectFrom("delivery_orders")
    .select("body")
    .where((is) => is.and({ resource: 1, is_refund: 0 }))
    .where("order_id", "in", String(query["ids"]).split(","))
    .execute();
  response.json(rows);
});

process.stdout.write(`ready ${await listen(createServer(app))}\n`);
