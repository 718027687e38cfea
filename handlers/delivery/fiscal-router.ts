import { Router } from "express";
import { createPrintServerRouter, type PrintServerRouter } from "../print-server/http/create-router.js";
import type { Backend } from "./backend/backend.js";
import type { PrintBridge } from "./backend/print-bridge.js";
import type { OpenDelivery } from "./open-delivery.js";
import { showOtherResult } from "./settling/other-documents.js";
import { applyPrintResult } from "./settling/settle-accounts.js";
import { alertOfMissingRows } from "./settling/tax-row-alerts.js";
import { findResource, type ResourceAccess } from "./store/access-tokens.js";
import { type DeliveryStore, lockShop } from "./store/delivery-store.js";

/** Each shop's print-server handlers are below the shop's number, with the shop's own secret. */
export function createFiscalRouter({ backend, bridge }: Pick<OpenDelivery, "backend" | "bridge">): Router {
  return bridge === null ? Router() : routeShops(backend.store, (access) => shopRouter(backend, bridge, access));
}

/** Serves each shop by a router of its own below the shop's number, opened at the shop's first call. */
export function routeShops(store: DeliveryStore, open: (access: ResourceAccess) => Promise<PrintServerRouter>): Router {
  const opened = new Map<string, PrintServerRouter>();

  async function routerOf(shop: string): Promise<PrintServerRouter | null> {
    const known = opened.get(shop);
    if (known !== undefined) return known;
    const access = /^[1-9]\d{0,8}$/.test(shop) ? await findResource(store.db, Number(shop)) : null;
    if (access === null) return null;
    const router = await open(access);
    opened.set(shop, router);
    return router;
  }

  return Router().use("/:shop", async (request, response, next) => {
    const router = await routerOf(request.params.shop);
    if (router === null) next();
    else router(request, response, next);
  });
}

async function shopRouter(
  backend: Backend,
  bridge: PrintBridge,
  { id: resource, handlerSecret }: ResourceAccess,
): Promise<PrintServerRouter> {
  const { clock, logger, store, rules } = backend;
  const receipts = await bridge.receiptsOf(resource);
  return createPrintServerRouter({
    store: {
      ...receipts,
      nextReceipt: (poll) =>
        bridge.nextReceipt(resource, poll, (receiptIds) => alertOfMissingRows(backend, { resource, poll, receiptIds })),
    },
    onSync: (registers) => bridge.recordSync(resource, registers),
    onResult: (result) =>
      store.transaction(async (tx) => {
        await lockShop(store.kind, tx, resource);
        const scope = { backend, tx, resource, source: "print server", now: clock.now() };
        await showOtherResult(scope, result, rules.registerTimeZone);
        await applyPrintResult(scope, result, rules.registerTimeZone);
      }),
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
