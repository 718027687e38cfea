/** The OpenAPI document as one page to read: no script, nothing loaded from elsewhere. */

import { Router } from "express";
import { createOpenApiDocument, type JsonObject, type OpenApiDocument, type OpenApiOptions } from "./document.js";

export function renderDocsPage(document: OpenApiDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const tags = [...new Set(operations.map(({ operation }) => tagOf(operation)))];
  const sections = tags.map((tag) => {
    const ofTag = operations.filter(({ operation }) => tagOf(operation) === tag);
    return `<section id="${escapeHtml(tag)}"><h2>${escapeHtml(tag)}</h2>${ofTag.map(renderOperation).join("")}</section>`;
  });
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) =>
      `<details id="schema-${escapeHtml(name)}"><summary>${escapeHtml(name)}</summary>${code(schema)}</details>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(String(document.info.title))}</title><style>${style}</style></head><body>
<h1>${escapeHtml(String(document.info.title))}</h1>
<p>${escapeHtml(String(document.info.description))} <a href="openapi.json">openapi.json</a></p>
<nav>${tags.map((tag) => `<a href="#${escapeHtml(tag)}">${escapeHtml(tag)}</a>`).join(" ")} <a href="#schemas">schemas</a></nav>
${sections.join("\n")}
<section id="schemas"><h2>Schemas</h2>${schemas.join("\n")}</section>
</body></html>`;
}

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1c1e21}
nav a{margin-right:.6rem}h3{margin:1.5rem 0 .2rem;font-size:1rem}h3 b{display:inline-block;min-width:4rem;color:#0a6}
code,pre{font:13px/1.4 ui-monospace,monospace}pre{background:#f4f5f7;padding:.7rem;overflow:auto;border-radius:4px}
table{border-collapse:collapse}td,th{text-align:left;padding:.15rem .8rem .15rem 0;vertical-align:top}
summary{cursor:pointer}@media(prefers-color-scheme:dark){body{background:#16181c;color:#e4e6ea}pre{background:#22252b}a{color:#7ab7ff}}`;

interface PlacedOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: JsonObject;
}

function renderOperation({ path, method, operation }: PlacedOperation): string {
  const parameters = listOf(operation.parameters).map(renderParameter).join("");
  const body = operation.requestBody;
  return `<h3><b>${escapeHtml(method.toUpperCase())}</b> <code>${escapeHtml(path)}</code></h3><p>${escapeHtml(String(operation.summary))}</p>
${parameters === "" ? "" : `<table>${parameters}</table>`}
${body === undefined ? "" : `<details><summary>Request</summary>${code(body)}</details>`}
<details><summary>Answers</summary>${code(operation.responses)}</details>`;
}

function renderParameter(parameter: unknown): string {
  const { name, in: place, required, description, schema } = objectOf(parameter);
  const words = description ?? objectOf(schema).description ?? "";
  return `<tr><td><code>${escapeHtml(String(name))}</code></td><td>${escapeHtml(String(place))}${
    required === true ? ", required" : ""
  }</td><td>${escapeHtml(String(words))}</td></tr>`;
}

function tagOf(operation: JsonObject): string {
  return String(listOf(operation.tags)[0] ?? "other");
}

function code(value: unknown): string {
  return `<pre>${escapeHtml(JSON.stringify(value, null, 2))}</pre>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function objectOf(value: unknown): JsonObject {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

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
