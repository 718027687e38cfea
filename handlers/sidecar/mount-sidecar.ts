/** The handler kit as a program beside a shop without Node: it takes the shop's calls and those of its tills. */
import type { Clock } from "@fiscald/shared/clock.js";
import type { Logger } from "@fiscald/shared/logger.js";
import type { Application } from "express";
import { routeShops } from "../delivery/fiscal-router.js";
import { identifyShop } from "../delivery/http/callers.js";
import { type ApiLimits, mountApi } from "../delivery/http/mount-api.js";
import { buildDocument, type OpenApiDocument } from "../delivery/openapi/build-document.js";
import { shopToken } from "../delivery/openapi/document.js";
import type { ResourceAccess } from "../delivery/store/access-tokens.js";
import type { DeliveryStore } from "../delivery/store/delivery-store.js";
import { createPrintServerRouter, type PrintServerRouter } from "../print-server/http/create-router.js";
import { ShopStores } from "../print-server/receipts/receipt-store.js";
import { receiptOperations, sidecarResource } from "./receipt-operations.js";

export interface SidecarOptions extends ApiLimits {
  readonly store: DeliveryStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly publicUrl?: string;
}

export interface Sidecar {
  close(): Promise<void>;
}

/** Largest body in bytes. A body has one receipt, and is smaller than the lists of the delivery API. */
const BODY_LIMIT = 1_000_000;

/** Mounts `/receipts` for shops with a token, `/receipts/openapi.json`, and `/till/{shop}` for print servers. */
export function mountSidecar(app: Application, options: SidecarOptions): Sidecar {
  const { store, clock, logger, publicUrl, requestsPerMinute } = options;
  const stores = new ShopStores({ database: store, clock, logger }, sidecarResource);
  const api = mountApi({
    bodyLimitBytes: options.bodyLimitBytes ?? BODY_LIMIT,
    ...(requestsPerMinute === undefined ? {} : { requestsPerMinute }),
    backend: { store, clock, logger },
    operations: receiptOperations,
    async identify(request) {
      const caller = await identifyShop(store, request);
      // An open store warns of receipts that no till asks for, even where none has ever asked.
      await stores.of(caller.resource);
      return caller;
    },
  });
  let document: OpenApiDocument | null = null;
  app.get("/receipts/openapi.json", (_request, response) => {
    // The document is built once, because anybody may ask for it.
    document ??= createReceiptsDocument(publicUrl);
    response.json(document);
  });
  app.all(/^\/receipts(\/|$)/, api);
  app.use("/till", routeShops(store, openTill));

  async function openTill({ id, handlerSecret: secret }: ResourceAccess): Promise<PrintServerRouter> {
    return createPrintServerRouter({
      store: await stores.of(id),
      auth: [
        { kind: "signature", secret },
        { kind: "bearer", token: secret },
      ],
      logger,
      clock,
    });
  }

  return { close: () => stores.close() };
}

export function createReceiptsDocument(publicUrl = "/"): OpenApiDocument {
  return buildDocument({
    title: "Receipts of a shop",
    description:
      "Times are GMT, YYYY-MM-DD HH:MM:SS. A failed request is sent again as it was: nothing is printed twice; a service " +
      "table (cash in or out, text) needs a receiptId or an Idempotency-Key for that.",
    publicUrl,
    parts: [{ base: "", operations: receiptOperations, security: "shopToken" }],
    securitySchemes: { shopToken },
    tagDescriptions: { receipts: "Receipts on their way to a register" },
  });
}
