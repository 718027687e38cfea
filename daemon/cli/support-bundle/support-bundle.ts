import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { toFault } from "@fiscald/shared/fault.js";
import { strToU8, zipSync } from "fflate";
import type { SupportFile } from "../../console/console-parts.js";
import { localTime } from "../../logging/line-format.js";
import { configPathOf, type ExitCode, exitCodes, type Session } from "../cli-context.js";
import { type Bundle, type BundleEntry, type BundleOptions, collectBundle, describeMissing } from "./collect-bundle.js";

export async function makeSupportBundle({ context, options, language, words }: Session): Promise<ExitCode> {
  const configPath = configPathOf(context, options.config);
  const { name, data, missing } = await makeSupportFile({ configPath, env: context.env, now: new Date() });
  const path = resolve(context.folder, options.out ?? name);
  try {
    writeFileSync(path, data, { mode: 0o600 });
  } catch (error) {
    throw toFault(error, "usage.wrong", { place: path });
  }
  context.out(`${path}\n`);
  const { bundleMissing, bundleMasked } = words.commands;
  for (const part of missing) context.err(`${bundleMissing({ what: describeMissing(part, language) })}\n`);
  context.out(`${bundleMasked}\n`);
  return exitCodes.done;
}

export async function makeSupportFile(options: BundleOptions): Promise<SupportFile & Pick<Bundle, "missing">> {
  const { entries, missing } = await collectBundle(options);
  const { now } = options;
  return { name: `fiscald-support-${compact(now)}.zip`, data: writeZip(entries, now), missing };
}

export function writeZip(entries: readonly BundleEntry[], at: Date): Uint8Array {
  // On Unix an entry becomes an ordinary file that only its owner can read.
  const options = { mtime: at, os: 3, attrs: (0o100600 << 16) >>> 0 };
  const files = entries.map(({ name, data }) => [name, [typeof data === "string" ? strToU8(data) : data, options]]);
  return zipSync(Object.fromEntries(files));
}

function compact(at: Date): string {
  return localTime(at.getTime()).slice(0, 19).replaceAll(/[-:]/g, "").replace(" ", "-");
}
