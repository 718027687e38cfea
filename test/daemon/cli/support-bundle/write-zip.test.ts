import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeZip } from "@fiscald/daemon/cli/support-bundle/support-bundle.js";
import { needing } from "../../../support/has-program.js";
import { useTempFolder } from "../../../support/temp-folder.js";

const folder = useTempFolder();
const withPython = needing("python3");
const at = new Date(2026, 10, 20, 14, 3, 22);
const noise = randomBytes(100_000);

function write(): string {
  const path = join(folder(), "made.zip");
  const entries = [
    { name: "bundle.json", data: '{"a":1}\n' },
    { name: "logs/журнал.log", data: "строка\n".repeat(1000) },
    { name: "empty", data: "" },
    { name: "noise.bin", data: noise },
  ];
  writeFileSync(path, writeZip(entries, at));
  return path;
}

withPython.test(`Python reads each entry of a ZIP file with its checksum, name and time${withPython.reason}`, () => {
  const script = `
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as z:
    assert z.testzip() is None
    print(json.dumps([[i.filename, i.file_size, list(i.date_time), oct(i.external_attr >> 16)] for i in z.infolist()]))
    open(sys.argv[2], "wb").write(z.read("noise.bin"))`;
  const copy = join(folder(), "copy");
  const entries = JSON.parse(execFileSync("python3", ["-c", script, write(), copy], { encoding: "utf8" }));
  const time = [2026, 11, 20, 14, 3, 22];
  expect(entries).toEqual([
    ["bundle.json", 8, time, "0o100600"],
    ["logs/журнал.log", 13_000, time, "0o100600"],
    ["empty", 0, time, "0o100600"],
    ["noise.bin", 100_000, time, "0o100600"],
  ]);
  expect(readFileSync(copy).equals(noise)).toBe(true);
});

test("repeated text is compressed in a ZIP file", () => {
  expect(writeZip([{ name: "a", data: "a".repeat(1_000_000) }], at).length).toBeLessThan(2000);
});
