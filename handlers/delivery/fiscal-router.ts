import { Router } from "express";
import { createPrintServerRouter, type PrintServerRouter } from "../print-server/http/create-router.js";
import { storeCallbacks } from "../print-server/receipts/store-callbacks.js";
import { applyPrintResult } from "./account/settle-accounts.js";
import type { Backend } from "./backend.js";
import type { OpenDelivery } from "./open-delivery.js";
import type { PrintBridge } from "./printing/print-bridge.js";
import { alertOfMissingRows } from "./printing/tax-row-alerts.js";
import { findResource, type ResourceAccess } from "./store/access-tokens.js";
import { lockShop } from "./store/delivery-store.js";

/** The print server's handlers of every shop, each below its own number with its own secret: at `/fiscal`. */
export function createFiscalRouter({ backend, bridge }: Pick<OpenDelivery, "backend" | "bridge">): Router {
  const byResource = new Map<number, PrintServerRouter>();
  const router = Router();

  async function routerOf(resource: number): Promise<PrintServerRouter | null> {
    const known = byResource.get(resource);
    if (known !== undefined) return known;
    const access = bridge === null ? null : await findResource(backend.store.db, resource);
    if (access === null || bridge === null) return null;
    const made = await shopRouter(backend, bridge, access);
    byResource.set(resource, made);
    return made;
  }

  router.use("/:resource", async (request, response, next) => {
    const { resource } = request.params;
    const shop = /^[1-9]\d{0,8}$/.test(resource) ? await routerOf(Number(resource)) : null;
    if (shop === null) next();
    else shop(request, response, next);
  });
  return router;
}

async function shopRouter(
  backend: Backend,
  bridge: PrintBridge,
  { id: resource, handlerSecret }: ResourceAccess,
): Promise<PrintServerRouter> {
  const { clock, logger, store, rules } = backend;
  const receipts = await bridge.receiptsOf(resource);
  const callbacks = storeCallbacks({
    store: receipts,
    logger,
    host: {
      onSync: (registers) => bridge.recordSync(resource, registers),
      onResult: (result) =>
        store.transaction(async (tx) => {
          await lockShop(store.kind, tx, resource);
          const scope = { backend, tx, resource, source: "print server", now: clock.now() };
          await applyPrintResult(scope, result, rules.registerTimeZone);
        }),
    },
  });
  return createPrintServerRouter({
    ...callbacks,
    nextReceipt: (poll) =>
      bridge.nextReceipt(resource, poll, (receiptIds) => alertOfMissingRows(backend, { resource, poll, receiptIds })),
    auth: [
      { kind: "bearer", token: handlerSecret },
      { kind: "query", secret: handlerSecret },
      { kind: "basic", user: String(resource), password: handlerSecret },
      { kind: "signature", secret: handlerSecret },
    ],
    logger,
    clock,
  });
}
