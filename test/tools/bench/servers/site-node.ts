/** Child process of `site-fleet.ts`: one node of a site, with the database and the port that its arguments name. */
import { createServer } from "node:http";
import { createPrintServerRouter, openReceiptStore } from "@fiscald/handlers";
import { silentLogger } from "@fiscald/shared/logger.js";
import express from "express";
import { z } from "zod";
import { makeOrder } from "../../campaign/plan/orders.js";

const [, , database = "", port = "0"] = process.argv;
const store = await openReceiptStore({ database, logger: silentLogger });
const app = express();
app.use("/fiscal", createPrintServerRouter({ store, auth: { kind: "none" }, logger: silentLogger }));

const paidSchema = z.object({ kkm: z.string(), orderId: z.string() });
app.post("/orders", express.json(), async ({ body }, response) => {
  const { kkm, orderId } = paidSchema.parse(body);
  const { answer } = makeOrder({ orderId, operation: "sale", prices: [10] });
  response.json(await store.enqueue({ ...answer, kkm }));
});

createServer(app).listen(Number(port), "127.0.0.1", 4096, () => process.stdout.write("ready\n"));
