/** The demo shop as a server of its own: the shop at `/`, the print server's handlers at `/fiscal`. */
import { consoleLogger, type Logger } from "@fiscald/shared/logger.js";
import express from "express";
import { type RunningSite, serveApp } from "../http/serve-app.js";
import { createPrintServerRouter } from "../print-server/http/create-router.js";
import { openReceiptStore } from "../print-server/receipts/receipt-store.js";
import { createDemoShop, type DemoShopOptions } from "./create-demo-shop.js";

export interface DemoSiteOptions {
  readonly port: number;
  readonly host: string;
  readonly database: string;
  readonly tapeOf?: DemoShopOptions["tapeOf"];
  readonly logger?: Logger;
}

/** The demo shop's receipts are separate from those of real shops in the same database. */
export const demoResource = "demo";

/** Rejects with `store.*` when the database cannot be opened, and with `usage.wrong` when the port is taken. */
export async function startDemoSite(options: DemoSiteOptions): Promise<RunningSite> {
  const { port, host, database, tapeOf, logger = consoleLogger } = options;
  const store = await openReceiptStore({ database, resource: demoResource, logger });
  const app = express();
  app.use("/fiscal", createPrintServerRouter({ store, logger, auth: { kind: "none" } }));
  app.use(createDemoShop({ store, hosts: [host], logger, ...(tapeOf === undefined ? {} : { tapeOf }) }));
  return serveApp({ app, port, host, onClose: () => store.close() });
}
