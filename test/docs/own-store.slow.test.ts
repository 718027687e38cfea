/** Runs the tests of a store, as handlers/OWN-STORE.md does, against the store of that page. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../support/read-imports.js";

const page = readFileSync(join(root, "handlers/OWN-STORE.md"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "fiscald-own-store-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the page's store with a change, and returns the output of `node --test`. */
function tried(change: (code: string) => string = (code) => code) {
  for (const [, name = "", code = ""] of page.matchAll(/```js (\S+)\n([\s\S]*?)```/g)) {
    writeFileSync(join(folder, name), change(code));
  }
  const { stdout, status } = spawnSync(process.execPath, ["--test", "own-store.test.mjs"], {
    cwd: folder,
    encoding: "utf8",
  });
  return { status, passed: Number(/^\D+ pass (\d+)$/m.exec(stdout)?.[1]), stdout };
}

beforeAll(() => symlinkSync(join(root, "node_modules"), join(folder, "node_modules")));

test("the store of handlers/OWN-STORE.md passes all tests of a store", () => {
  const { status, passed } = tried();
  expect([status, passed]).toEqual([0, 21]);
});

test.each([
  ["hands a receipt to any daemon", `mine.state === "handed" && mine.holder === holder`, `mine.state === "handed"`],
  [
    "hands a receipt out only once",
    `fitting.find((mine) => mine.state === "handed" && mine.holder === holder)`,
    "undefined",
  ],
  ["forgets printed receipts", `row.state === "printed" || `, ""],
  [
    "finds a receipt by its order alone",
    "receiptId === null ? row.orderId === orderId : row.receiptId === receiptId",
    "row.orderId === orderId",
  ],
  ["sells twice", "if (same !== undefined)", "if (false)"],
])("a store that %s fails the tests of a store", (_, right, wrong) => {
  const { status, stdout } = tried((code) => code.replace(right, wrong));
  expect([status, stdout]).toEqual([1, expect.stringMatching(/not ok|✖/)]);
});
