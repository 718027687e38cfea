/** The recipes of handlers/README.md run as they stand, one after the other, on one store. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../support/read-imports.js";

const page = readFileSync(join(root, "handlers/README.md"), "utf8");
const recipes = [...page.matchAll(/```js recipe\n([\s\S]*?)```/g)].map(([, code = ""]) => code);

/** Earlier parts of the page have made an app, a store and a printed sale. */
const before = `
import express from "express";
import * as kit from "@fiscald/handlers";
const { createPrintServerRouter, createTestTill, onlineReceipt, openReceiptStore, openStore, taskTable } = kit;
const app = express();
const sharedStore = await openStore({ address: ":memory:" });
const receipts = await openReceiptStore({ database: sharedStore });
const till = createTestTill({ site: createPrintServerRouter({ store: receipts, auth: { kind: "none" } }) });
const sale = taskTable.sale({ orderId: "A-1042" }).item({ name: "Tea", price: "120.00", quantity: 2 });
await receipts.enqueue(sale.payRest("electronic").build());
`;
const after = `
for (const order of ["A-1042", "A-1050"]) {
  for (const { operation, totalKopecks, state } of await receipts.findByOrder(order)) {
    console.log(order, operation, totalKopecks, state);
  }
}
await till.close();
await sharedStore.close();
process.exit(0);
`;

test("each recipe of the README runs, and its receipt is printed", () => {
  const folder = mkdtempSync(join(tmpdir(), "fiscald-recipes-"));
  try {
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    const steps = recipes
      .flatMap((code) => code.split("// When the goods are handed over:"))
      .map((code) => `${code}\nwhile (await till.printNext() !== null);`);
    writeFileSync(
      join(folder, "recipes.mjs"),
      `${before}while (await till.printNext() !== null);\n${steps.join("\n")}${after}`,
    );
    const printed = execFileSync(process.execPath, ["recipes.mjs"], {
      cwd: folder,
      encoding: "utf8",
    });
    expect(printed.trim().split("\n")).toEqual([
      "A-1042 sale 24000 printed",
      "A-1042 return 12000 printed",
      "A-1050 sale 100000 printed",
      "A-1050 sale 329000 printed",
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
