/** An emulated Shtrih-M register in a process of its own, the program of tills, and a folder for a measurement's files. */
import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fiscald } from "../../../support/daemon-process.js";
import { type EmulatorProcess, startEmulator } from "../../../support/emulator-process.js";
import { root } from "../../../support/read-imports.js";
import type { LinkProtocol } from "./replay-dialogue.js";

export function benchFolder(): string {
  return mkdtempSync(join(tmpdir(), "fiscald-bench-"));
}

/** Joins what is built into the program that tills have, and gives its path. Tests may run that program already. */
export function joinTillProgram(): string {
  if (process.env.FISCALD_PROGRAM !== undefined) return fiscald;
  execFileSync(process.execPath, [join(root, "scripts/package/bundle.js")]);
  return join(root, "daemon/program/main.js");
}

export interface TillOptions {
  readonly folder: string;
  readonly link?: LinkProtocol;
  /** Used where the emulator's own kkm and fn are unsuitable. */
  readonly numbers?: { readonly kkm: string; readonly fn: string };
  readonly args?: readonly string[];
}

export function startTill({ folder, link = "v1", numbers, args = [] }: TillOptions): Promise<EmulatorProcess> {
  const named = numbers === undefined ? [] : ["--kkm", numbers.kkm, "--fn", numbers.fn];
  const statePath = join(folder, `device-${numbers?.fn ?? "1"}.json`);
  const all = ["--protocol", link, ...named, ...args];
  return startEmulator({ maker: "shtrih", listen: "tcp:127.0.0.1:0", statePath, args: all });
}

export function tillAt(port: number, id = "till-1", link: LinkProtocol = "v1") {
  return { id, driver: "shtrih", connection: { kind: "tcp", host: "127.0.0.1", port }, options: { link } };
}
