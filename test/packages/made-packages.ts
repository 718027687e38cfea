/** The packages in out/, and an older version of one: the same files under another number. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { root } from "../support/read-imports.js";

export const version = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8"))).version;

export function madePackage(name: string): string {
  const path = join(root, "out", name);
  if (!existsSync(path)) throw new Error(`${path} is missing: npm run package`);
  return path;
}

/** Standard output; a failed command's own words are the error. */
export function run(
  command: string,
  args: readonly string[],
  options: { input?: string; cwd?: string; env?: NodeJS.ProcessEnv } = {},
): string {
  return execFileSync(command, args, { encoding: "utf8", stdio: ["pipe", "pipe", "pipe"], ...options });
}
