import { execFileSync } from "node:child_process";
import { z } from "zod";

const script = `
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as z:
    print(json.dumps({name: z.read(name).decode() for name in z.namelist()}))`;

/** Texts of a zip's entries by their names. Python unpacks the zip. */
export function readZip(path: string): Readonly<Record<string, string>> {
  const options = { encoding: "utf8", maxBuffer: 100_000_000 } as const;
  return z.record(z.string(), z.string()).parse(JSON.parse(execFileSync("python3", ["-c", script, path], options)));
}
