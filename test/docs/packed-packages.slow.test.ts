/** Uses the packages as they are published, in a project of their own: both module systems, types, a receipt. */
import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ts from "typescript";
import { startChild } from "../support/child-process.js";
import { writeConfig } from "../support/daemon-process.js";
import { freePort } from "../support/free-port.js";
import { root } from "../support/read-imports.js";

const secret = "whsec_c2VjcmV0LXNlY3JldC1zZWNyZXQ=";
const folder = mkdtempSync(join(tmpdir(), "fiscald-packed-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const readme = readFileSync(join(root, "handlers/README.md"), "utf8");
const [, sample = ""] = /```js\n([\s\S]*?)```/.exec(readme) ?? [];

/** A shop in CommonJS that prints on a test register of its own. */
const commonJsShop = `
const { createPrintServerRouter, createTestTill, openReceiptStore, taskTable } = require("@fiscald/handlers");
const { mountDelivery } = require("@fiscald/handlers/delivery");

async function main() {
  const store = await openReceiptStore({ database: ":memory:" });
  const sale = taskTable.sale({ orderId: "C-1" }).item({ name: "Tea", price: "10.00" }).payRest("cash");
  const { receiptId } = await store.enqueue(sale.build());
  const till = createTestTill({ site: createPrintServerRouter({ store, auth: { kind: "none" } }) });
  await till.printNext();
  console.log(typeof mountDelivery, (await store.findByReceiptId(receiptId))?.state);
  await till.close();
  await store.close();
}
main();
`;

beforeAll(() => {
  const npm = (args: readonly string[], cwd: string) => execFileSync("npm", args, { cwd, stdio: "pipe" });
  const tarballs = join(folder, "tarballs");
  mkdirSync(tarballs);
  npm(["pack", "--workspaces", "--pack-destination", tarballs, "--silent"], root);
  npm(["init", "-y"], folder);
  const packages = readdirSync(tarballs).map((name) => join(tarballs, name));
  const others = ["express", "@types/express", "@types/node"];
  npm(["install", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", ...packages, ...others], folder);
  // Only Node 20 needs a compiled database module: copying it from this checkout saves minutes.
  const compiled = "node_modules/better-sqlite3-12/build/Release/better_sqlite3.node";
  if (existsSync(join(root, compiled))) cpSync(join(root, compiled), join(folder, compiled), { recursive: true });
});

test("the sample of the handlers' README, as written, sells to a daemon with an emulated register", async () => {
  const port = await freePort();
  writeFileSync(join(folder, "shop.mjs"), sample.replace("3000", String(port)));
  const shop = startChild(["shop.mjs"], { cwd: folder, env: { FISCAL_SECRET: secret } });
  const config = writeConfig({
    folder,
    siteUrl: `http://127.0.0.1:${port}/fiscal`,
    site: { auth: { kind: "signature", secret: { fromEnv: "FISCAL_SECRET" } } },
    registers: [{ id: "till", driver: "reference", connection: { kind: "emulator", statePath: "till.json" } }],
  });
  const daemon = startChild(["node_modules/@fiscald/daemon/bin/fiscald.js", "run", "--config", config], {
    cwd: folder,
    env: { FISCAL_SECRET: secret },
  });
  try {
    expect((await shop.line(/^(send|mend|do not)/))[0]).toBe("send");
    expect(shop.output()).toContain("send the buyer A-1042");
  } finally {
    for (const child of [daemon, shop]) child.signal("SIGTERM");
    await Promise.all([daemon.ended, shop.ended]);
  }
});

test("the README's check of its sample, as written, finds nothing wrong and sells the sample's order", async () => {
  const [, steps = ""] = /```sh\n(export FISCAL_SECRET[\s\S]*?)```/.exec(readme) ?? [];
  const port = String(await freePort());
  const own = join(folder, "checked");
  mkdirSync(own);
  symlinkSync(join(folder, "node_modules"), join(own, "node_modules"));
  writeFileSync(join(own, "shop.mjs"), sample.replace("3000", port));
  const script = `set -e; trap 'kill $!' EXIT; ${steps.replaceAll("3000", port)}`;
  const shell = startChild(["-c", script], { program: "bash", cwd: own });
  expect(await shell.ended).toBe(0);
  expect(shell.output()).toMatch(/^right: 16$/m);
  expect(shell.output()).toContain("send the buyer A-1042");
});

test("the packed packages can be required by CommonJS", () => {
  writeFileSync(join(folder, "shop.cjs"), commonJsShop);
  expect(execFileSync(process.execPath, ["shop.cjs"], { cwd: folder, encoding: "utf8" })).toBe("function printed\n");
});

const { ESNext, Node16, NodeNext } = ts.ModuleKind;
const { Bundler } = ts.ModuleResolutionKind;
/** Node 16 itself cannot require ES modules, so its rules are checked for the sample alone. */
const settings: readonly [string, ts.CompilerOptions, readonly string[]][] = [
  ["nodenext", { module: NodeNext }, ["shop.mts", "shop.cts"]],
  ["node16", { module: Node16 }, ["shop.mts"]],
  ["bundler", { module: ESNext, moduleResolution: Bundler }, ["shop.mts", "shop.cts"]],
];

test.each(settings)("the types of the packed packages compile strictly under %s", (_, options, names) => {
  writeFileSync(join(folder, "shop.mts"), sample);
  writeFileSync(
    join(folder, "shop.cts"),
    commonJsShop.replace(/const (\{.*\}) = require\((".*")\);/g, "import $1 from $2;"),
  );
  const files = names.map((name) => join(folder, name));
  const program = ts.createProgram(files, {
    ...options,
    target: ts.ScriptTarget.ES2022,
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    types: ["node"],
    typeRoots: [join(folder, "node_modules/@types")],
  });
  const ours = program.getSourceFiles().filter(({ fileName }) => /shop\.[mc]ts$|@fiscald/.test(fileName));
  expect(ours.length).toBeGreaterThan(50);
  const problems = [
    ...program.getOptionsDiagnostics(),
    ...ours.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]),
  ];
  expect(ts.formatDiagnostics(problems, formatHost)).toBe("");
});

const formatHost: ts.FormatDiagnosticsHost = {
  getCurrentDirectory: () => folder,
  getCanonicalFileName: (name) => name,
  getNewLine: () => "\n",
};
