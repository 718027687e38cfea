/** One node of a shop's site, in a process of its own so that it can be killed: `node-child.js DATABASE PORT`. */
import { createServer } from "node:http";
import { createPrintServerRouter, openReceiptStore, taskTable } from "@fiscald/handlers";
import { silentLogger } from "@fiscald/shared/logger.js";
import express from "express";
import { secret } from "./print-server.js";

const [, , database = "", port = ""] = process.argv;
const store = await openReceiptStore({ database, logger: silentLogger });
const app = express();
app.use("/fiscal", createPrintServerRouter({ store, auth: { kind: "signature", secret }, logger: silentLogger }));
app.post("/orders/:id", async (request, response) => {
  const sale = taskTable.sale({ orderId: request.params.id }).item({ name: "Tea", price: "120.00" }).payRest("cash");
  response.json(await store.enqueue(sale.build()));
});
createServer(app).listen(Number(port), "127.0.0.1", () => console.log("ready"));
