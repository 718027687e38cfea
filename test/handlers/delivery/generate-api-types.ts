/** Writes the types of the typed client: `node test/dist/handlers/delivery/generate-api-types.js`. */
import { writeFile } from "node:fs/promises";
import { createOpenApiDocument } from "@fiscald/handlers/delivery/openapi/document.js";
import openapiTypescript, { astToString } from "openapi-typescript";

/** The text of `api-types.ts` for the API as it is now. */
export async function generateApiTypes(): Promise<string> {
  const document = JSON.stringify(createOpenApiDocument());
  return `// Generated from the OpenAPI document by generate-api-types.ts.\n${astToString(await openapiTypescript(document))}`;
}

if (import.meta.url === `file://${process.argv[1]}`) {
  await writeFile(
    new URL("../../../handlers/delivery/fixtures/api-types.ts", import.meta.url),
    await generateApiTypes(),
  );
}
