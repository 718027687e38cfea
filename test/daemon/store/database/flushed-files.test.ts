import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { startChild } from "../../../support/child-process.js";
import { useTempFolder } from "../../../support/temp-folder.js";

const folder = useTempFolder();

/** Prints what each flush was for, in another process, because Jest binds the names of `node:fs` once. */
const watchFlushes = `
  import fs from "node:fs";
  import { syncBuiltinESMExports } from "node:module";
  const { fsyncSync } = fs;
  fs.fsyncSync = (file) => {
    fsyncSync(file);
    console.log("flushed " + fs.readlinkSync("/proc/self/fd/" + file).replace(process.argv[1], "."));
  };
  syncBuiltinESMExports();
  const path = process.argv[1] + "/d.sqlite";`;

/** Only Linux names the files that a process has open. */
const onLinux = process.platform === "linux" ? test : test.skip;

onLinux.each([
  [
    "the identity file is flushed",
    `const { identityFileOf } = await import("@fiscald/daemon/store/database/sidecar-files.js");
     identityFileOf(path).update({ run: "a" });`,
    ["./d.sqlite.identity.part", "."],
  ],
  [
    "the number of the last attempt, which each receipt writes, is not flushed",
    `const { rollbackDetectorOf } = await import("@fiscald/daemon/store/database/sidecar-files.js");
     rollbackDetectorOf(path).write(5);`,
    [],
  ],
  [
    "the console's token is flushed",
    `const { openConsoleToken } = await import("@fiscald/daemon/console/access/console-token.js");
     openConsoleToken(process.argv[1] + "/token");`,
    ["./token", "."],
  ],
  [
    "a config and its secret are flushed",
    `const { rewriteConfig } = await import("@fiscald/daemon/setup/write-config.js");
     rewriteConfig(process.argv[1] + "/config.json", "{}", [{ file: "secret", value: "s" }]);`,
    ["./secret", ".", "./config.json.part", "."],
  ],
])("%s to the disk, with the folder", async (_, write, flushed) => {
  const data = join(folder(), "data");
  mkdirSync(data);
  const child = startChild(["--input-type=module", "-e", watchFlushes + write, data]);
  expect(await child.ended).toBe(0);
  const lines = child.output().split("\n");
  expect(lines.flatMap((line) => (line.startsWith("flushed ") ? line.slice("flushed ".length) : []))).toEqual(flushed);
});
