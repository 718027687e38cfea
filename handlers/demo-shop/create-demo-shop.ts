/** The shop that `npm start` opens: a cart, a payment without money, and the receipt as the register reports it. */
import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { isFault } from "@fiscald/shared/fault.js";
import { findLocalRefusal } from "@fiscald/shared/http/local-guard.js";
import { type ReceiptId, toReceiptId } from "@fiscald/shared/ids.js";
import { consoleLogger, type Logger } from "@fiscald/shared/logger.js";
import express, { type ErrorRequestHandler, type RequestHandler, type Response, type Router } from "express";
import { z } from "zod";
import type { ReceiptState } from "../print-server/receipt-tables.js";
import type { ReceiptStore } from "../print-server/receipts/receipt-store.js";
import type { StoredReceipt } from "../print-server/receipts/stored-receipt.js";
import { demoGoods, orderOfCart } from "./demo-order.js";
import { receiptSvg } from "./receipt-paper.js";

export interface DemoShopOptions {
  readonly store: ReceiptStore;
  /** PNG of the document as an emulated register has printed it on its tape; null = there is no such picture. */
  readonly tapeOf?: (kkm: string, fdNumber: string) => Promise<Uint8Array | null>;
  /** Host names under which browsers reach the page, besides those of this machine. */
  readonly hosts?: readonly string[];
  readonly logger?: Logger;
}

/** A bundler would take a whole address in the code for a module of the site. */
function pageFolder(): string {
  const up = ["..", ".."];
  return fileURLToPath(new URL([...up, "demo-shop", "page"].join("/"), import.meta.url));
}

const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'";

/** Guards a page for this machine's browsers: refuses other host names and origins, and sets the headers. */
export function guardPage(hosts: readonly string[], policy: string): RequestHandler {
  return (request, response, next) => {
    const refusal = findLocalRefusal(request, hosts);
    if (refusal !== null) {
      response.status(refusal.status).json({ error: refusal.message });
      return;
    }
    response.set({
      "content-security-policy": `${policy}; base-uri 'none'; frame-ancestors 'none'`,
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
    });
    next();
  };
}

/** The router for the root of an Express app. It prints nothing by itself: a print server has to poll. */
export function createDemoShop({ store, tapeOf, hosts = [], logger = consoleLogger }: DemoShopOptions): Router {
  const router = express.Router();

  router.use(guardPage(hosts, `${contentPolicy}; form-action 'none'`));

  router.get("/api/goods", (_request, response) => {
    response.json(demoGoods);
  });

  router.post("/api/orders", express.json({ limit: "10kb" }), async (request, response) => {
    const orderId = `DEMO-${randomBytes(4).toString("hex").toUpperCase()}`;
    const { receiptId } = await store.enqueue(orderOfCart(request.body, orderId));
    response.status(201).json({ orderId, receiptId });
  });

  router.get("/api/receipts/:id/live", async (request, response) => {
    await streamReceipt(toReceiptId(request.params.id), response);
  });

  router.get("/api/receipts/:id/paper.svg", async (request, response) => {
    const stored = await store.findByReceiptId(toReceiptId(request.params.id));
    if (stored === null) response.sendStatus(404);
    else response.type("image/svg+xml").set("cache-control", "no-store").send(receiptSvg(stored));
  });

  router.get("/api/receipts/:id/tape.png", async (request, response) => {
    const { kkm, fdNumber } = (await store.findByReceiptId(toReceiptId(request.params.id)))?.result ?? {};
    const tape = kkm && fdNumber && tapeOf !== undefined ? await tapeOf(kkm, fdNumber) : null;
    if (tape === null) response.sendStatus(404);
    else response.type("image/png").set("cache-control", "no-store").send(Buffer.from(tape));
  });

  router.use(express.static(pageFolder(), { index: "index.html", cacheControl: false }));

  const answerFault: ErrorRequestHandler = (error, _request, response, next) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    const status = statusOf(error);
    if (status === 500) logger.error("the demo shop failed", { fault: error });
    response.status(status).json({ error: status === 500 ? "internal" : error.message });
  };
  router.use(answerFault);

  /** Sends the receipt as server-sent events: now and after each change, until it is settled or the page is closed. */
  async function streamReceipt(receiptId: ReceiptId, response: Response): Promise<void> {
    // Subscribed before the first read, so that no change between the two is missed.
    const end = store.onChange((changed) => {
      if (changed === receiptId)
        send().catch((error: unknown) => logger.error("the demo shop failed", { fault: error }));
    });
    response.once("close", end);

    async function send(): Promise<void> {
      const stored = await store.findByReceiptId(receiptId);
      if (stored === null) {
        response.sendStatus(404);
        return;
      }
      if (response.writableEnded) return;
      if (!response.headersSent) {
        response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
      }
      response.write(`data: ${JSON.stringify(viewOf(stored, tapeOf !== undefined))}\n\n`);
      if (settled.includes(stored.state)) response.end();
    }

    await send();
  }

  return router;
}

const settled: readonly ReceiptState[] = ["printed", "failed", "replaced"];

function viewOf({ orderId, state, totalKopecks, result, createdAt, finishedAt }: StoredReceipt, canReadTapes: boolean) {
  const tookMs = finishedAt === null ? null : finishedAt - createdAt;
  return { orderId, state, total: totalKopecks, result, tookMs, hasTape: canReadTapes && state === "printed" };
}

/** 422 for a wrong cart, Express's own status for an unreadable body, 500 for a mistake of the shop. */
function statusOf(error: unknown): number {
  if (isFault(error)) return error.resultCode === 4 ? 500 : 422;
  const { status } = callersMistake.safeParse(error).data ?? { status: 500 };
  return status;
}

const callersMistake = z.object({ status: z.int().min(400).max(499) });
