/** The page of the sidecar's calls, drawn from their OpenAPI document by a script from this server. */
import { SCRIPT } from "../delivery/openapi/docs-page.js";

export const sidecarPage = `<!doctype html>
<html lang="ru"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Чеки магазина / Receipts of a shop</title>
<style>body{margin:0}header{font:16px sans-serif;padding:1rem 2rem}pre{background:#eee;padding:.5rem;overflow:auto}</style>
</head><body><header lang="ru"><p>Чек отправляется так (токен: <code>fiscald-site token create МАГАЗИН</code>) / a receipt is
sent like this:</p>
<pre>curl -H "Authorization: Bearer ТОКЕН" -H "Content-Type: application/json" -d @order.json АДРЕС/receipts</pre></header>
<redoc spec-url="/receipts/openapi.json" disable-search></redoc><script src="/receipts/${SCRIPT}"></script>
<noscript><a href="/receipts/openapi.json">openapi.json</a></noscript></body></html>`;
