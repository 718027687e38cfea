// Part of the build: the script of the API reference page, with its licences, beside the code that serves it.
import { copyFileSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const redoc = dirname(createRequire(import.meta.url).resolve("redoc/package.json"));
const folder = fileURLToPath(new URL("../handlers/dist/delivery/openapi/page/", import.meta.url));
mkdirSync(folder, { recursive: true });
for (const file of ["bundles/redoc.standalone.js", "bundles/redoc.standalone.js.LICENSE.txt", "LICENSE"]) {
  copyFileSync(join(redoc, file), join(folder, file.replace("bundles/", "")));
}
