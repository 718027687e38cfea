/**
 * Child process of `site-fleet.ts`: one node of a site, with the database and the port that its arguments name. Without
 * a database it has only a bare route that holds each request as long as a poll is held.
 */
import { createServer } from "node:http";
import { createPrintServerRouter, openReceiptStore } from "@fiscald/handlers";
import { silentLogger } from "@fiscald/shared/logger.js";
import express from "express";
import { z } from "zod";
import { makeOrder } from "../../campaign/plan/orders.js";
import { HELD_MS } from "./held-poll.js";

const paidSchema = z.object({ kkm: z.string(), orderId: z.string() });
const [, , database = "", port = "0"] = process.argv;
const app = express();
if (database === "") serveBare();
else await serveKit();
createServer(app).listen(Number(port), "127.0.0.1", 4096, () => process.stdout.write("ready\n"));

function serveBare(): void {
  const answer = { resultCode: 0, resultInfo: "no orders" };
  app.post("/fiscal", express.json(), (_, response) => void setTimeout(() => response.json(answer), HELD_MS));
}

async function serveKit(): Promise<void> {
  const store = await openReceiptStore({ database, logger: silentLogger });
  app.use("/fiscal", createPrintServerRouter({ store, auth: { kind: "none" }, logger: silentLogger }));
  app.post("/orders", express.json(), async ({ body }, response) => {
    const { kkm, orderId } = paidSchema.parse(body);
    const { answer } = makeOrder({ orderId, operation: "sale", prices: [10], kkm });
    response.json(await store.enqueue(answer));
  });
}
