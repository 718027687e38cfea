// NOTICES.txt: the licence of each package that is installed, and Node's own.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packagesOf } from "./prune.js";

export function writeNotices(app, { folder, nodeLicense, nodeVersion }) {
  const parts = packagesOf(join(app, "node_modules"))
    .filter(({ name }) => !name.startsWith("@fiscald/"))
    .map((one) => `${one.name} ${one.version}, licence: ${licenceOf(one)}\n\n${textsOf(one.folder)}`);
  const node = `Node.js ${nodeVersion}\n\n${readFileSync(nodeLicense, "utf8").trim()}\n`;
  const head = "fiscald contains these works of others, each under its own licence.\n";
  writeFileSync(join(folder, "NOTICES.txt"), [head, ...parts, node].join(`\n${"-".repeat(78)}\n`));
}

function licenceOf({ name, license }) {
  const named = typeof license === "object" ? license?.type : license;
  if (typeof named !== "string") throw new Error(`${name} names no licence in its package.json`);
  return named;
}

function textsOf(folder) {
  const texts = readdirSync(folder)
    .filter((name) => /^(licen[cs]e|notice|copying)/i.test(name))
    .map((name) => readFileSync(join(folder, name), "utf8").trim());
  return texts.length > 0 ? `${texts.join("\n\n")}\n` : "Its package has no licence file.\n";
}
