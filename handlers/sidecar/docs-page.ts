/** The page of the sidecar's calls, drawn from their OpenAPI document by a script from this server. */
import { fileURLToPath } from "node:url";
import { Router } from "express";

const SCRIPT = "redoc.standalone.js";
/** The build copies the script beside the delivery API's page. */
const scriptFile = fileURLToPath(new URL(`../delivery/openapi/page/${SCRIPT}`, import.meta.url));

const page = `<!doctype html>
<html lang="ru"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Чеки магазина / Receipts of a shop</title>
<style>body{margin:0}header{font:16px sans-serif;padding:1rem 2rem}pre{background:#eee;padding:.5rem;overflow:auto}</style>
</head><body><header lang="ru"><p>Чек отправляется так (токен: <code>fiscald-site token create МАГАЗИН</code>) / a receipt is
sent like this:</p>
<pre>curl -H "Authorization: Bearer ТОКЕН" -H "Content-Type: application/json" -d @order.json АДРЕС/receipts</pre></header>
<redoc spec-url="/receipts/openapi.json" disable-search></redoc><script src="/receipts/${SCRIPT}"></script>
<noscript><a href="/receipts/openapi.json">openapi.json</a></noscript></body></html>`;

/** The page's content policy: Redoc sets the styles of its elements by script, and its pictures are data URLs. */
const contentPolicy =
  "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'unsafe-inline'; img-src 'self' data:";

/** Serves the page at `/receipts/docs`, and at further paths. */
export function createSidecarPage(alsoAt: readonly string[]): Router {
  const router = Router();
  router.get([...alsoAt, "/receipts/docs"], (_request, response) => {
    response.set("Content-Security-Policy", contentPolicy).type("html").send(page);
  });
  router.get(`/receipts/${SCRIPT}`, (_request, response) => {
    response.sendFile(scriptFile, { maxAge: "1d" });
  });
  return router;
}
