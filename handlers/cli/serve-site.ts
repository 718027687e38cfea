/** The whole kit as a ready server: delivery API, courier feed, a shop's receipts by HTTP, and the demo shop. */
import { systemClock } from "@fiscald/shared/clock.js";
import type { Logger } from "@fiscald/shared/logger.js";
import express from "express";
import { mountDelivery } from "../delivery/mount-delivery.js";
import { migrated } from "../delivery/open-delivery.js";
import { createDemoShop } from "../demo-shop/create-demo-shop.js";
import { demoResource } from "../demo-shop/start-demo-site.js";
import { createPrintServerRouter } from "../print-server/http/create-router.js";
import { openReceiptStore } from "../print-server/receipts/receipt-store.js";
import { mountSidecar } from "../sidecar/mount-sidecar.js";
import { openStore } from "../store/open-store.js";
import type { DeliveryFlags } from "./delivery-flags.js";
import { type RunningSite, serveApp } from "./serve-app.js";

export interface ServeSiteOptions {
  readonly port: number;
  readonly host: string;
  readonly database: string;
  /** The demo shop at `/`, its handlers at `/fiscal`. */
  readonly demoShop: boolean;
  readonly delivery?: DeliveryFlags;
  /** Of the site as print servers see it; default: the address that is listened at. */
  readonly publicUrl?: string;
  readonly logger: Logger;
}

export async function serveSite(options: ServeSiteOptions): Promise<RunningSite> {
  const { port, host, database, demoShop, logger, publicUrl = addressOf(options) } = options;
  const store = await openStore({ address: database, logger });
  const app = express();
  app.disable("x-powered-by");
  const known = publicUrl === undefined ? {} : { publicUrl };
  const delivery = await mountDelivery(app, { ...options.delivery, database: store, logger, ...known });
  const { bodyLimitBytes, requestsPerMinute } = options.delivery ?? {};
  const sidecar = mountSidecar(app, {
    store: await migrated(store),
    clock: systemClock,
    logger,
    ...known,
    ...(bodyLimitBytes === undefined ? {} : { bodyLimitBytes }),
    ...(requestsPerMinute === undefined ? {} : { requestsPerMinute }),
  });
  if (demoShop) {
    const receipts = await openReceiptStore({ database: store, resource: demoResource, logger });
    app.use("/fiscal", createPrintServerRouter({ store: receipts, logger, auth: { kind: "none" } }));
    app.use(createDemoShop({ store: receipts, hosts: [host], logger }));
  }
  return serveApp({
    app,
    port,
    host,
    async onClose() {
      await sidecar.close();
      await delivery.close();
      await store.close();
    },
  });
}

/** Of a port that is chosen while listening it is not known before; and nothing can call the address of every interface. */
function addressOf({ host, port }: ServeSiteOptions): string | undefined {
  return port === 0 || host === "0.0.0.0" || host === "::"
    ? undefined
    : `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
