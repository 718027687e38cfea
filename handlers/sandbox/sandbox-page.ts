/** The page `/sandbox`: receipts as paper, and switches for what becomes of the next ones. */
import express, { type Router } from "express";
import type { DeliveryStore } from "../delivery/store/delivery-store.js";
import { guardPage } from "../demo-shop/create-demo-shop.js";
import { receiptSvg } from "../demo-shop/receipt-paper.js";
import type { ReceiptTables } from "../print-server/receipt-tables.js";
import { findReceipts } from "../print-server/receipts/list-receipts.js";
import type { StoredReceipt } from "../print-server/receipts/stored-receipt.js";
import { type SandboxMode, type SandboxTills, sandboxModes } from "./sandbox-tills.js";

const contentPolicy = "default-src 'none'; img-src 'self'; style-src 'self'; form-action 'self'";

const modeTitles: Readonly<Record<SandboxMode, string>> = {
  prints: "Печатает / prints",
  "no-paper": "Нет бумаги / no paper",
  fails: "Отказывает / fails",
  unsure: "Молчит / unsure",
};

const style = `body { font: 16px sans-serif; margin: 1rem 2rem; background: #eee }
form { display: inline } button { font: inherit; padding: .4rem .8rem } button[disabled] { font-weight: bold }
main { display: flex; flex-wrap: wrap; gap: 1rem; align-items: start; margin-top: 1rem }
figure { margin: 0; padding: .5rem; background: #fff; max-width: 22rem } img { width: 100% }`;

export function createSandboxPage(store: DeliveryStore, tills: SandboxTills, hosts: readonly string[]): Router {
  const router = express.Router();
  const { db } = store.withTables<ReceiptTables>();

  router.use(guardPage(hosts, contentPolicy));
  router.use((_request, response, next) => {
    response.set("cache-control", "no-store");
    next();
  });

  router.get("/", async (_request, response) => {
    response.type("html").send(pageOf(tills.mode, await findReceipts(db, {}, 50)));
  });

  router.get("/style.css", (_request, response) => void response.type("css").send(style));

  // The request needs no body. A page of another site cannot send it, because `guardPage` refuses its origin.
  router.post("/mode/:mode", (request, response) => {
    const mode = sandboxModes.find((one) => one === request.params.mode);
    if (mode === undefined) {
      response.sendStatus(404);
      return;
    }
    tills.mode = mode;
    response.redirect(303, "..");
  });

  router.get("/receipts/:id.svg", async (request, response) => {
    const [found] = await findReceipts(db, { receiptId: request.params.id });
    if (found === undefined) response.sendStatus(404);
    else response.type("image/svg+xml").send(receiptSvg(found));
  });

  return router;
}

function pageOf(mode: SandboxMode, receipts: readonly StoredReceipt[]): string {
  const buttons = sandboxModes.map(
    (one) =>
      `<form method="post" action="/sandbox/mode/${one}"><button${one === mode ? " disabled" : ""}>${modeTitles[one]}</button></form>`,
  );
  return `<!doctype html>
<html lang="ru"><meta charset="utf-8"><meta http-equiv="refresh" content="3"><title>Sandbox</title>
<link rel="stylesheet" href="/sandbox/style.css">
<h1>Песочница: ничего фискального / Sandbox: nothing fiscal</h1>
<p>${buttons.join("\n")}</p>
<main>${receipts.map(figureOf).join("\n") || "Чеков нет / no receipts"}</main>
</html>
`;
}

function figureOf({ resource, receiptId, orderId, state, result }: StoredReceipt): string {
  const caption = [orderId ?? "-", state, result?.resultInfo ?? "", resource].filter((text) => text !== "").join(" · ");
  const paper = `<img alt="" src="/sandbox/receipts/${encodeURIComponent(receiptId)}.svg">`;
  return `<figure><figcaption>${escapeHtml(caption)}</figcaption>${paper}</figure>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
