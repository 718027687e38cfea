import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/read-imports.js";
import { useTempFolder } from "../support/temp-folder.js";

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
