/** The table of handlers/README.md names tests that are there. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../support/read-imports.js";

const readme = readFileSync(join(root, "handlers/README.md"), "utf8");
const rows = [...readme.matchAll(/`((?:\.\.\/)*[\w/-]+\.test\.ts)` "([^"]+)"/g)].map(
  ([, file = "", title = ""]) => [file, title] as const,
);

test("the table is there", () => {
  expect(rows.length).toBeGreaterThan(50);
});

test.each(rows)("%s holds “%s”", (file, title) => {
  const text = readFileSync(join(root, "test/handlers/delivery", file), "utf8");
  // Titles of tests that run over a list are made of parts.
  expect(text.replaceAll(/\$\{[^}]+\}/g, "")).toContain(title);
});
