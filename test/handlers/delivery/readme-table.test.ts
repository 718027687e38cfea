/** The tables of handlers/README.md: each endpoint row of the document has its test, and each named test is there. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../support/read-imports.js";
import { testTitles } from "../../support/test-titles.js";
import { documentRows } from "./spec-tables.js";

const readme = readFileSync(join(root, "handlers/README.md"), "utf8");
/** Of the tables with tests: first column, and the tests that the second one names. */
const rows = [...readme.matchAll(/^\| (.+?) \| (`(?:\.\.\/)*[\w/-]+\.test\.ts` .+) \|$/gm)].map(
  ([, name = "", tests = ""]) => ({ name: name.replaceAll("`", "").trim(), tests }),
);
const named = rows.flatMap(({ tests }) =>
  [...tests.matchAll(/`([^`]+)` "([^"]+)"/g)].map(([, file = "", title = ""]) => [file, title] as const),
);

test("the tables are there, and every row is nothing but names of tests", () => {
  expect(rows.length).toBeGreaterThan(70);
  for (const { name, tests } of rows)
    expect([name, tests.trim().replaceAll(/`[^`]+` "[^"]+"(; )?/g, "")]).toEqual([name, ""]);
});

test.each(documentRows)("the document's row %s has its test, once", (row) => {
  expect(rows.filter(({ name }) => name === row)).toHaveLength(1);
});

test.each(named)("%s has the test “%s”, once", (file, title) => {
  const titles = testTitles(join(root, "test/handlers/delivery", file));
  expect(titles.filter((one) => one === title)).toEqual([title]);
});
