// NOTICES.txt: the licence of each package that is installed or bundled, and Node's own.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packagesOf } from "./prune.js";
import { root } from "./stage.js";

/** What the console's pages have in them without being installed. */
const bundled = ["preact"];
/** Packages that have only the name of one of these. */
const common = ["MPL-2.0"];

/** Before the packages are pruned: of some the notice stands in README.md. The answer writes those that are left. */
export function readNotices(app) {
  const installed = packagesOf(join(app, "node_modules")).filter(({ name }) => !name.startsWith("@fiscald/"));
  const inPages = bundled.map((name) => {
    const folder = join(root, "node_modules", name);
    return { ...JSON.parse(readFileSync(join(folder, "package.json"), "utf8")), folder };
  });
  const works = [...installed, ...inPages].map((one) => ({
    folder: one.folder,
    text: `${one.name} ${one.version}, licence: ${licenceOf(one)}\n\n${textsOf(one.folder)}`,
  }));
  return function writeNotices({ folder, nodeLicense, nodeVersion }) {
    const parts = works.filter((work) => existsSync(work.folder)).map(({ text }) => text);
    const node = `Node.js ${nodeVersion}\n\n${readFileSync(nodeLicense, "utf8").trim()}\n`;
    const mit = `MIT, of works that only name it\n\n${readFileSync(join(root, "LICENSE"), "utf8").replace(/^Copyright.*\n\n?/m, "")}`;
    const texts = common.map((name) => `${name}\n\n${readFileSync(join("/usr/share/common-licenses", name), "utf8")}`);
    const head = "fiscald contains these works of others, each under its own licence.\n";
    writeFileSync(join(folder, "NOTICES.txt"), [head, ...parts, node, mit, ...texts].join(`\n${"-".repeat(78)}\n`));
  };
}

function licenceOf({ name, license }) {
  const named = typeof license === "object" ? license?.type : license;
  if (typeof named !== "string") throw new Error(`${name} names no licence in its package.json`);
  return named;
}

function textsOf(folder) {
  const names = readdirSync(folder);
  const texts = names
    .filter((name) => /^(licen[cs]e|notice|copying|third-?party)/i.test(name))
    .map((name) => readFileSync(join(folder, name), "utf8").trim());
  const readme = names.find((name) => /^readme\.(md|markdown)$/i.test(name));
  const sections = readme === undefined ? [] : readFileSync(join(folder, readme), "utf8").split(/^(?=#)/m);
  const section = sections.find((one) => /^#+ *licen[sc](e|ing)\b/i.test(one));
  if (section !== undefined) texts.push(section.trim());
  return texts.length > 0 ? `${texts.join("\n\n")}\n` : "Its package has no text of it.\n";
}
