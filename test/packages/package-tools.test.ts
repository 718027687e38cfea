import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../support/read-imports.js";
import { useTempFolder } from "../support/temp-folder.js";
import { version } from "./made-packages.js";

const folder = useTempFolder();

test.each([
  [[], ["dpkg", "nsis", "tar", "binutils", "binutils-aarch64-linux-gnu"]],
  [["windows"], ["nsis", "tar"]],
  [["linux"], ["tar", "binutils"]],
])("the command for packages %j names every missing tool before it builds", (kinds, packages) => {
  const built = join(root, "daemon/dist/main.js");
  const before = statSync(built).mtimeMs;
  const main = join(root, "scripts/package/main.js");
  const { status, stderr } = spawnSync(process.execPath, [main, "--build", ...kinds], {
    env: { PATH: folder() },
    encoding: "utf8",
  });
  const missing = [...stderr.matchAll(/is missing: apt-get install (\S+)$/gm)].map(([, name]) => name);
  expect([status, missing.toSorted()]).toEqual([1, packages.toSorted()]);
  expect(statSync(built).mtimeMs).toBe(before);
});

test("no file of a till's program makes Node load more than the program names, and each is ASCII, which V8 keeps in half the memory", () => {
  const daemon = join(root, "daemon");
  const out = mkdtempSync(join(daemon, "program-"));
  try {
    const module = JSON.stringify(pathToFileURL(join(root, "scripts/package/bundle.js")).href);
    const make = `const { bundle } = await import(${module}); await bundle(${JSON.stringify({ daemon, out })});`;
    execFileSync(process.execPath, ["--input-type=module", "--eval", make], { stdio: ["ignore", "ignore", "inherit"] });
    const files = readdirSync(out, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".js") && !path.startsWith("console"))
      .map((path) => readFileSync(join(out, path), "utf8"));
    expect(files.length).toBeGreaterThan(100);
    expect(files.flatMap((code) => code.match(/^import .*"node:.*/gm) ?? [])).toEqual([]);
    expect(files.flatMap((code) => code.match(/.{0,20}\P{ASCII}/gu) ?? [])).toEqual([]);
    expect(execFileSync(process.execPath, [join(out, "main.js"), "--version"], { encoding: "utf8" })).toBe(
      `${version}\n`,
    );
  } finally {
    rmSync(out, { recursive: true });
  }
});
