/** The kit as a program beside a shop that has no Node: the shop's calls, and the handlers of its tills. */
import type { Clock } from "@fiscald/shared/clock.js";
import type { Logger } from "@fiscald/shared/logger.js";
import { type Application, Router } from "express";
import { identifyShop } from "../delivery/http/callers.js";
import { type ApiLimits, mountApi } from "../delivery/http/mount-api.js";
import { buildDocument, type OpenApiDocument } from "../delivery/openapi/build-document.js";
import { shopToken } from "../delivery/openapi/document.js";
import { findResource } from "../delivery/store/access-tokens.js";
import type { DeliveryStore } from "../delivery/store/delivery-store.js";
import { createPrintServerRouter, type PrintServerRouter } from "../print-server/http/create-router.js";
import { openReceiptStore, type ReceiptStore } from "../print-server/receipts/receipt-store.js";
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

/** Of one receipt: a body is smaller than those of the delivery API's lists. */
const BODY_LIMIT = 1_000_000;

/** `/receipts` for shops with a token, `/receipts/openapi.json`, and `/till/{shop}` for their print servers. */
export function mountSidecar(app: Application, options: SidecarOptions): Sidecar {
  const { store, clock, logger, publicUrl, requestsPerMinute } = options;
  const stores = new Map<number, Promise<ReceiptStore>>();
  const tills = new Map<number, Promise<PrintServerRouter>>();
  const api = mountApi({
    bodyLimitBytes: options.bodyLimitBytes ?? BODY_LIMIT,
    ...(requestsPerMinute === undefined ? {} : { requestsPerMinute }),
    backend: { store, clock, logger },
    operations: receiptOperations,
    async identify(request) {
      const caller = await identifyShop(store, request);
      // It warns of receipts that no till asks for, also where none has ever asked.
      await receiptsOf(caller.resource);
      return caller;
    },
  });
  app.get("/receipts/openapi.json", (_request, response) => void response.json(createReceiptsDocument(publicUrl)));
  app.all(/^\/receipts(\/|$)/, api);
  app.use("/till", tillRouter());

  function tillRouter(): Router {
    const router = Router();
    router.use("/:shop", async (request, response, next) => {
      const { shop } = request.params;
      const number = /^[1-9]\d{0,8}$/.test(shop) ? Number(shop) : 0;
      const access = number === 0 ? null : await findResource(store.db, number);
      if (access === null) next();
      else (await tillOf(number, access.handlerSecret))(request, response, next);
    });
    return router;
  }

  function tillOf(shop: number, secret: string): Promise<PrintServerRouter> {
    const known = tills.get(shop);
    if (known !== undefined) return known;
    const opening = openTill(shop, secret);
    tills.set(shop, opening);
    opening.catch(() => tills.delete(shop));
    return opening;
  }

  async function openTill(shop: number, secret: string): Promise<PrintServerRouter> {
    return createPrintServerRouter({
      store: await receiptsOf(shop),
      auth: [
        { kind: "signature", secret },
        { kind: "bearer", token: secret },
      ],
      logger,
      clock,
    });
  }

  function receiptsOf(shop: number): Promise<ReceiptStore> {
    const known = stores.get(shop);
    if (known !== undefined) return known;
    const opening = openReceiptStore({ database: store, resource: sidecarResource(shop), clock, logger });
    stores.set(shop, opening);
    opening.catch(() => stores.delete(shop));
    return opening;
  }

  return {
    async close() {
      for (const opening of stores.values()) await (await opening).close();
    },
  };
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
