/** The OpenAPI document as JSON and as a page to read, which loads its script from here and nothing from another host. */
import { fileURLToPath } from "node:url";
import { Router } from "express";
import { createOpenApiDocument, type OpenApiDocument, type OpenApiOptions } from "./document.js";

/** Redoc, copied here by the build (scripts/copy-redoc.js). */
const SCRIPT = "redoc.standalone.js";
const scriptFile = fileURLToPath(new URL(`./page/${SCRIPT}`, import.meta.url));

const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Delivery API</title><style>body{margin:0}</style></head><body>
<redoc spec-url="openapi.json" disable-search></redoc><script src="${SCRIPT}"></script>
<noscript><a href="openapi.json">openapi.json</a></noscript></body></html>`;

/** Redoc styles its elements by itself, and draws its pictures as data. */
const contentPolicy =
  "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'unsafe-inline'; img-src 'self' data:";

/** `/openapi.json` and `/docs`, without a token. */
export function createDocsRouter(options: OpenApiOptions = {}): Router {
  let document: OpenApiDocument | null = null;
  const router = Router();
  router.get("/openapi.json", (_request, response) => {
    // Built for the first reader: most shops never ask for it.
    document ??= createOpenApiDocument(options);
    response.json(document);
  });
  router.get("/docs", (_request, response) => {
    response.set("Content-Security-Policy", contentPolicy).type("html").send(page);
  });
  router.get(`/${SCRIPT}`, (_request, response) => {
    response.sendFile(scriptFile, { maxAge: "1d" });
  });
  return router;
}
