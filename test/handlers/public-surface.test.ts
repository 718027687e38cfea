/** A name more is a promise, and a name less breaks somebody's site. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as printServer from "@fiscald/handlers";
import * as delivery from "@fiscald/handlers/delivery";
import { rolldown } from "rolldown";
import { z } from "zod";
import { root } from "../support/read-imports.js";

test("the package has two entries, and no other file of it can be imported", () => {
  const { exports } = z
    .object({ exports: z.record(z.string(), z.unknown()) })
    .parse(JSON.parse(readFileSync(join(root, "handlers/package.json"), "utf8")));
  expect(Object.keys(exports)).toEqual([".", "./delivery", "./package.json"]);
});

test("the delivery API's entry mounts the whole API, and answers requests that Node cannot read", () => {
  expect(Object.keys(delivery).toSorted()).toEqual(["answerClientError", "mountDelivery"]);
});

test.each(["index.js", "delivery/index.js"])("a site's bundler takes dist/%s without a warning", async (entry) => {
  const told: string[] = [];
  const bundle = await rolldown({
    input: join(root, "handlers/dist", entry),
    platform: "node",
    // As Next does, whose bundler looks for the files that code names by such an address.
    experimental: { resolveNewUrlToAsset: true },
    onLog: (_level, { message }) => void told.push(message),
  });
  const { output } = await bundle.generate({ sourcemapIgnoreList: false });
  await bundle.close();
  expect(told).toEqual([]);
  expect(output.map(({ type }) => type)).not.toContain("asset");
});

test("the print server's entry exports what its README names", () => {
  const readme = readFileSync(join(root, "handlers/README.md"), "utf8");
  for (const name of ["createPrintServerRouter", "openReceiptStore", "openStore", "taskTable", "onlineReceipt"]) {
    expect([name, name in printServer, readme.includes(name)]).toEqual([name, true, true]);
  }
});
