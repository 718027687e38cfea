/** Serves the OpenAPI document as JSON and as a page, whose script comes from this server and no other host. */
import { fileURLToPath } from "node:url";
import { Router } from "express";
import { createOpenApiDocument, type OpenApiDocument, type OpenApiOptions } from "./document.js";

/** Redoc draws the page. The build compresses its script into this folder (scripts/copy-redoc.js). */
export const SCRIPT = "redoc.standalone.js";
const scriptFile = fileURLToPath(new URL(`./page/${SCRIPT}.gz`, import.meta.url));

const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Delivery API</title><style>body{margin:0}</style></head><body>
<redoc spec-url="openapi.json" disable-search></redoc><script src="${SCRIPT}"></script>
<noscript><a href="openapi.json">openapi.json</a></noscript></body></html>`;

/** Redoc sets styles of elements by script, and its pictures are data URLs. */
const contentPolicy =
  "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'unsafe-inline'; img-src 'self' data:";

interface DocumentPage {
  readonly base: string;
  readonly pages: readonly string[];
  readonly page: string;
  create(): OpenApiDocument;
}

export function documentRouter({ base, pages, page, create }: DocumentPage): Router {
  let document: OpenApiDocument | null = null;
  const router = Router();
  router.get(`${base}/openapi.json`, (_request, response) => {
    // Built for its first reader, because most shops never ask for it.
    document ??= create();
    response.json(document);
  });
  router.get([...pages], (_request, response) => {
    response.set("Content-Security-Policy", contentPolicy).type("html").send(page);
  });
  router.get(`${base}/${SCRIPT}`, (_request, response) => {
    response.set("Content-Encoding", "gzip").type("js").sendFile(scriptFile, { maxAge: "1d" });
  });
  return router;
}

export function createDocsRouter(options: () => OpenApiOptions = () => ({})): Router {
  return documentRouter({ base: "", pages: ["/docs"], page, create: () => createOpenApiDocument(options()) });
}
