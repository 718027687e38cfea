import { createReadStream, createWriteStream, existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";

export const logFileName = /^fiscald-(\d{4}-\d\d-\d\d)\.log(\.gz)?$/;

const oneDayMs = 86_400_000;

/**
 * What the rotation of a running daemon does at midnight, for the files of earlier days: a till that is switched off every
 * evening never sees midnight. A file that cannot be touched stays as it is: it is looked at again at the next start.
 */
export async function tidyLogFolder(folder: string, keepDays: number, now: number): Promise<void> {
  const today = dayOf(now);
  const oldest = dayOf(now - keepDays * oneDayMs);
  for (const name of namesIn(folder)) {
    const [, day = "", packed] = logFileName.exec(name) ?? [];
    if (day === "" || day >= today) continue;
    try {
      if (day < oldest) rmSync(join(folder, name));
      else if (packed === undefined) await compress(join(folder, name));
    } catch {
      // A log is no reason to keep a till from starting.
    }
  }
}

function namesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

async function compress(path: string): Promise<void> {
  await pipeline(createReadStream(path), createGzip(), createWriteStream(`${path}.gz.part`));
  renameSync(`${path}.gz.part`, `${path}.gz`);
  rmSync(path);
}

/** `2026-11-20`, as the file names have it: this computer's own day. */
function dayOf(at: number): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
