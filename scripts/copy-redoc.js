// Part of the build: the script of the API reference page, compressed, and its licences beside the code that serves it.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const redoc = dirname(createRequire(import.meta.url).resolve("redoc/package.json"));
const folder = fileURLToPath(new URL("../handlers/dist/delivery/openapi/page/", import.meta.url));
// An older build left the script as it is.
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const script = readFileSync(join(redoc, "bundles/redoc.standalone.js"));
writeFileSync(join(folder, "redoc.standalone.js.gz"), gzipSync(script, { level: 9 }));
for (const file of ["bundles/redoc.standalone.js.LICENSE.txt", "LICENSE"]) {
  copyFileSync(join(redoc, file), join(folder, file.replace("bundles/", "")));
}
