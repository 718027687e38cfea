/** The whole kit as a ready server: delivery API, courier feed, a shop's receipts by HTTP, and the demo shop. */
import { systemClock } from "@fiscald/shared/clock.js";
import type { Logger } from "@fiscald/shared/logger.js";
import { givenFields } from "@fiscald/shared/receipt/receipt.js";
import express from "express";
import { answerClientError } from "../delivery/client-errors.js";
import { mountDelivery } from "../delivery/mount-delivery.js";
import { migrated } from "../delivery/open-delivery.js";
import { createDemoShop } from "../demo-shop/create-demo-shop.js";
import { demoResource } from "../demo-shop/start-demo-site.js";
import { type RunningSite, serveApp } from "../http/serve-app.js";
import { createPrintServerRouter } from "../print-server/http/create-router.js";
import { openReceiptStore } from "../print-server/receipts/receipt-store.js";
import { createSandboxPage } from "../sandbox/sandbox-page.js";
import { refuseRealDatabase, SandboxTills } from "../sandbox/sandbox-tills.js";
import { mountSidecar } from "../sidecar/mount-sidecar.js";
import { openStore, type Store } from "../store/open-store.js";
import type { NoTables } from "../store/opened-database.js";
import type { DeliveryFlags } from "./delivery-flags.js";

export interface ServeSiteOptions extends DeliveryFlags {
  readonly port: number;
  readonly host: string;
  readonly database: string;
  readonly demoShop: boolean;
  /** Plays the print server of all shops, and shows their receipts at `/sandbox`. */
  readonly sandbox?: boolean;
  /** Address of the site as print servers see it. Default: the address that the server listens at. */
  readonly publicUrl?: string;
  readonly logger: Logger;
  readonly lang?: "en" | "ru";
  /** Refuses receipts with an unknown key, or without a rate, at `POST /receipts`. */
  readonly strict?: boolean;
}

export async function serveSite(options: ServeSiteOptions): Promise<RunningSite> {
  const { port, host, database, demoShop, sandbox: isSandbox = false, logger, ...others } = options;
  const { lang: language, strict, publicUrl = addressOf(options), ...flags } = others;
  const store = await openStore({ address: database, logger });
  const sandbox = isSandbox ? await openSandbox(store, logger) : null;
  const app = express();
  app.disable("x-powered-by");
  const known = givenFields({ publicUrl });
  const delivery = await mountDelivery(app, { ...flags, database: store, logger, ...known });
  const { bodyLimitBytes, requestsPerMinute, allowPrivateCallbacks } = flags;
  const sidecar = await mountSidecar(app, {
    store: await migrated(store),
    clock: systemClock,
    logger,
    pageAtRoot: !demoShop,
    ...known,
    ...givenFields({ language, strict, allowPrivateCallbacks, bodyLimitBytes, requestsPerMinute }),
  });
  const receipts = demoShop ? await openReceiptStore({ database: store, resource: demoResource, logger }) : null;
  if (receipts !== null) {
    app.use("/fiscal", createPrintServerRouter({ store: receipts, logger, auth: { kind: "none" } }));
    app.use(createDemoShop({ store: receipts, hosts: [host], logger }));
  }
  if (sandbox !== null) app.use("/sandbox", createSandboxPage(sandbox.store, sandbox.tills, [host]));
  app.use(sidecar.api);
  const running = await serveApp({
    app,
    port,
    host,
    onClientError: answerClientError,
    async onClose() {
      await receipts?.close();
      await sidecar.close();
      await delivery.close();
      await store.close();
    },
  });
  if (sandbox === null) return running;
  const { url } = running;
  sandbox.tills.start(url, flags.registerTimeZone);
  return {
    url,
    async close() {
      await sandbox.tills.stop();
      await running.close();
    },
  };
}

/** Fault `usage.wrong` for a database that may hold real receipts. */
async function openSandbox(opened: Store<NoTables>, logger: Logger) {
  try {
    const store = await migrated(opened);
    await refuseRealDatabase(store);
    return { store, tills: new SandboxTills({ store, clock: systemClock, logger }) };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Undefined for port 0, which is known only later, and for all interfaces, which are no address to call. */
function addressOf({ host, port }: ServeSiteOptions): string | undefined {
  return port === 0 || host === "0.0.0.0" || host === "::"
    ? undefined
    : `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
