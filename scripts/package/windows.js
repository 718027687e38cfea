// The setup for Windows, made by NSIS. Texts in Russian and English stand in windows/setup.nsi.
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, run } from "./stage.js";

const templates = join(root, "scripts/package/windows");

export function makeSetup({ staged, work, target, version }) {
  for (const name of ["fiscald.cmd", "fiscald-page.cmd"]) cpSync(join(templates, name), join(staged, name));
  // NSIS reads scripts without this mark in the code page of the machine.
  const script = join(work, "setup.nsi");
  writeFileSync(script, `\uFEFF${readFileSync(join(templates, "setup.nsi"), "utf8")}`);
  const defines = [`-DVERSION=${version}`, `-DSTAGED=${staged}`, `-DTARGET=${target}`];
  run("makensis", ["-V2", "-WX", ...defines, script], work);
}
