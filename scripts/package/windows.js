// The setup for Windows, made by NSIS. Texts in Russian and English stand in windows/setup.nsi.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { filesOf, root, runBeside, sizeOf } from "./stage.js";

const templates = join(root, "scripts/package/windows");

export function addLaunchers(staged) {
  for (const name of ["fiscald.cmd", "fiscald-page.cmd"]) cpSync(join(templates, name), join(staged, name));
  mkdirSync(join(staged, "bin"));
  cpSync(join(templates, "on-path.cmd"), join(staged, "bin/fiscald.cmd"));
}

export async function makeSetup({ staged, work, target, version }) {
  // Neither NSIS nor Windows' programs write a path of more than 259 characters; "C:\\Program Files\\fiscald\\" comes before.
  const tooLong = filesOf(staged).find((path) => path.length > 200);
  if (tooLong !== undefined) throw new Error(`${tooLong} is too long for Windows`);
  // NSIS reads scripts without this mark in the code page of the machine.
  const script = join(work, "setup.nsi");
  writeFileSync(script, `\uFEFF${readFileSync(join(templates, "setup.nsi"), "utf8")}`);
  // Windows' own number of a version has four parts and no words.
  const numbers = `${version.replace(/[^\d.].*$/, "")}.0`;
  const kilobytes = Math.ceil(sizeOf(staged) / 1024);
  const texts = [`-DVERSION=${version}`, `-DNUMBERS=${numbers}`, `-DKILOBYTES=${kilobytes}`];
  const defines = [...texts, `-DSTAGED=${staged}`, `-DTARGET=${target}`];
  await runBeside("makensis", ["-V2", "-WX", ...defines, script], work);
}
