/** The handler kit beside a shop without Node. It takes the calls of the shop and of its print servers. */
import type { Application } from "express";
import type { z } from "zod";
import { type Resolve, systemResolve } from "../delivery/callbacks/public-address.js";
import { routeShops } from "../delivery/fiscal-router.js";
import { identifyShop } from "../delivery/http/callers.js";
import type { HttpContext } from "../delivery/http/endpoint.js";
import { type ApiLimits, mountApi } from "../delivery/http/mount-api.js";
import { buildDocument, type JsonObject, type OpenApiDocument } from "../delivery/openapi/build-document.js";
import { documentRouter, SCRIPT } from "../delivery/openapi/docs-page.js";
import { shopToken } from "../delivery/openapi/document.js";
import type { ResourceAccess } from "../delivery/store/access-tokens.js";
import type { PrintResult } from "../print-server/host-callbacks.js";
import { createPrintServerRouter, type PrintServerRouter } from "../print-server/http/create-router.js";
import { ShopStores } from "../print-server/receipts/receipt-store.js";
import { receiptOperations, receiptOut } from "./receipt-operations.js";
import { addressOperations, resultMigrations } from "./result-address.js";
import { sendResult } from "./send-results.js";
import { type SidecarContext, sidecarResource } from "./sidecar-context.js";
import { errorBodyIn, type Language, languageOf, sidecarError } from "./sidecar-errors.js";

export interface SidecarOptions extends ApiLimits, HttpContext {
  readonly publicUrl?: string;
  readonly language?: Language;
  /** Refuses an order with an unknown key, or without a rate. Default: only a warning. */
  readonly strict?: boolean;
  /** Whether results may go to private addresses. Default: false. */
  readonly allowPrivateCallbacks?: boolean;
  /** Whether the page of the calls is at `/` too. Default: true. */
  readonly pageAtRoot?: boolean;
  /** Looks up the hosts of addresses for results. Default: the system's DNS. */
  readonly resolve?: Resolve;
}

const operations = [...receiptOperations, ...addressOperations];

/** Largest body in bytes. A body holds one receipt, so the limit is lower than for the lists of the delivery API. */
const BODY_LIMIT = 1_000_000;

/** Mounts `/receipts` with its document, and `/till/{shop}` for print servers. */
export async function mountSidecar(app: Application, options: SidecarOptions) {
  const { store, clock, logger, publicUrl, requestsPerMinute, language = "en", resolve = systemResolve } = options;
  await store.migrate(resultMigrations);
  const stopping = new AbortController();
  const allowPrivate = options.allowPrivateCallbacks ?? false;
  const backend: SidecarContext = {
    ...{ store, clock, logger, resolve, allowPrivate, language, strict: options.strict ?? false },
    stopping: stopping.signal,
  };
  const stores = new ShopStores({ database: store, clock, logger }, sidecarResource);
  const api = mountApi({
    bodyLimitBytes: options.bodyLimitBytes ?? BODY_LIMIT,
    ...(requestsPerMinute === undefined ? {} : { requestsPerMinute }),
    backend,
    operations,
    errorBody: (fault, request) => errorBodyIn(languageOf(request.get("accept-language"), language))(fault),
    async identify(request) {
      const caller = await identifyShop(store, request);
      // An open store warns of receipts that no print server asks for, even if none has ever asked.
      await stores.of(caller.resource);
      return caller;
    },
  });
  const pages = [...(options.pageAtRoot === false ? [] : ["/"]), "/receipts/docs"];
  const create = () => createReceiptsDocument(publicUrl);
  app.use(documentRouter({ base: "/receipts", pages, page: sidecarPage, create }));
  app.all(/^\/receipts(\/|$)/, api);
  app.use("/till", routeShops(store, openTill));

  async function openTill({ id, handlerSecret: secret }: ResourceAccess): Promise<PrintServerRouter> {
    const send = (result: PrintResult) => sendResult(store, { clock, shop: id, language }, result);
    return createPrintServerRouter({
      store: await stores.of(id),
      ...{ onPrinted: send, onFailed: send, onUnknown: send },
      auth: [
        { kind: "signature", secret },
        { kind: "bearer", token: secret },
      ],
      logger,
      clock,
    });
  }

  return {
    /** Answers every unknown path with an error of the API, and is mounted last for this. */
    api,
    async close(): Promise<void> {
      stopping.abort();
      await stores.close();
    },
  };
}

export function createReceiptsDocument(publicUrl = "/"): OpenApiDocument {
  return buildDocument({
    title: "Receipts of a shop",
    description:
      "A failed request is sent again as it was: nothing is printed twice; a service " +
      "table (cash in or out, text) needs a receiptId or an Idempotency-Key for that.",
    publicUrl,
    parts: [{ base: "", operations, security: "shopToken" }],
    hasApiFields: false,
    error: { schema: sidecarError, example: { code: "api.invalid", path: "" } },
    webhooks: describeResult,
    securitySchemes: { shopToken },
    tagDescriptions: { receipts: "Receipts on their way to a register" },
  });
}

function describeResult(bodyOf: (schema: z.ZodType) => JsonObject): JsonObject {
  const post = {
    operationId: "receiptResult",
    summary: "What became of a receipt: printed, failed or unknown; the same webhook-id is the same result",
    description: "Signed by the Standard Webhooks headers webhook-id, webhook-timestamp and webhook-signature.",
    security: [],
    requestBody: { required: true, content: bodyOf(receiptOut) },
    responses: { "2XX": { description: "Taken; otherwise it is sent again for about 31 hours" } },
  };
  return { receiptResult: { post } };
}

/** The page is drawn from the OpenAPI document by a script of this server. */
const sidecarPage = `<!doctype html>
<html lang="ru"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Чеки магазина / Receipts of a shop</title>
<style>body{margin:0}header{font:16px sans-serif;padding:1rem 2rem}pre{background:#eee;padding:.5rem;overflow:auto}</style>
</head><body><header lang="ru"><p>Чек отправляется так (токен: <code>fiscald-site token create МАГАЗИН</code>) / a receipt is
sent like this:</p>
<pre>curl -H "Authorization: Bearer ТОКЕН" -H "Content-Type: application/json" -d @order.json АДРЕС/receipts</pre></header>
<redoc spec-url="/receipts/openapi.json" disable-search></redoc><script src="/receipts/${SCRIPT}"></script>
<noscript><a href="/receipts/openapi.json">openapi.json</a></noscript></body></html>`;
