import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { root } from "../../../support/read-imports.js";

const LIMIT = 100_000;

test("all files of the console's page together are at most 100 kB compressed", () => {
  const folder = join(root, "daemon/dist/console/page");
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files.some(({ name }) => name.endsWith(".js"))).toBe(true);
  const sizes = files.map(({ parentPath, name }) => gzipSync(readFileSync(join(parentPath, name))).length);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(LIMIT);
});
