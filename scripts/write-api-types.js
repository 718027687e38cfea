// Part of the build: types of the delivery API for the tests' typed client, from its OpenAPI document.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import openapiTypescript, { astToString } from "openapi-typescript";
import { createOpenApiDocument } from "#handlers/delivery/openapi/document.js";

const file = fileURLToPath(new URL("../test/handlers/delivery/fixtures/api-types.ts", import.meta.url));
const types = astToString(await openapiTypescript(JSON.stringify(createOpenApiDocument())));
// An unchanged file keeps its time: the compiler skips it.
if (!existsSync(file) || readFileSync(file, "utf8") !== types) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, types);
}
