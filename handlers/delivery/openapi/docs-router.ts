import { Router } from "express";
import { renderDocsPage } from "./docs-page.js";
import { createOpenApiDocument, type OpenApiDocument, type OpenApiOptions } from "./document.js";

/** `/openapi.json` and `/docs`, for everybody. */
export function createDocsRouter(options: OpenApiOptions = {}): Router {
  let document: OpenApiDocument | null = null;
  // Built for the first reader: most shops never ask for it.
  const readDocument = () => {
    document ??= createOpenApiDocument(options);
    return document;
  };
  const router = Router();
  router.get("/openapi.json", (_request, response) => {
    response.json(readDocument());
  });
  router.get("/docs", (_request, response) => {
    const page = renderDocsPage(readDocument());
    response.set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'").type("html").send(page);
  });
  return router;
}
