import { Router } from "express";
import { renderDocsPage } from "./docs-page.js";
import { createOpenApiDocument, type OpenApiOptions } from "./document.js";

/** `/openapi.json` and `/docs`, for everybody. */
export function createDocsRouter(options: OpenApiOptions = {}): Router {
  const document = createOpenApiDocument(options);
  const page = renderDocsPage(document);
  const router = Router();
  router.get("/openapi.json", (_request, response) => {
    response.json(document);
  });
  router.get("/docs", (_request, response) => {
    response.set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'").type("html").send(page);
  });
  return router;
}
