import { createReadStream, createWriteStream, existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { localTime } from "./line-format.js";

/** The name of a log file: its day, its number if the day has several files, and whether it is compressed. */
const logFileName = /^fiscald-(\d{4}-\d\d-\d\d)\.log(?:\.(\d+))?(\.gz)?$/;

const oneDayMs = 86_400_000;
const bytesPerMb = 1_000_000;

export interface LogLimits {
  readonly folder: string;
  readonly keepDays: number;
  readonly maxTotalMb: number;
}

/** A running daemon's rotation does this at midnight, but a till that is off every night runs none. */
export async function tidyLogFolder({ folder, keepDays, maxTotalMb }: LogLimits, now: number): Promise<void> {
  const today = dayOf(now);
  const oldest = dayOf(now - keepDays * oneDayMs);
  for (const name of logFileNames(folder)) {
    const [, day = "", , packed] = logFileName.exec(name) ?? [];
    if (day >= today) continue;
    try {
      if (day < oldest) rmSync(join(folder, name));
      else if (packed === undefined) await compress(join(folder, name));
    } catch {
      // A log folder that cannot be read must not keep a till from starting.
    }
  }
  removeOldest(folder, maxTotalMb);
}

/** Removes the oldest files until all together are within the limit. The newest file is in use and stays. */
export function removeOldest(folder: string, maxTotalMb: number): void {
  const files = logFileNames(folder).map((name) => {
    const size = statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
    return { name, size };
  });
  let excess = files.reduce((sum, { size }) => sum + size, 0) - maxTotalMb * bytesPerMb;
  for (const { name, size } of files.slice(0, -1)) {
    if (excess <= 0) return;
    rmSync(join(folder, name), { force: true });
    excess -= size;
  }
}

/** Oldest first. Throws when the folder exists and cannot be read. */
export function logFileNames(folder: string): readonly string[] {
  const names = (existsSync(folder) ? readdirSync(folder) : []).filter((name) => logFileName.test(name));
  return names.sort((one, other) => orderOf(one).localeCompare(orderOf(other)));
}

/** `files` is sorted oldest first. A day may have several files. */
export function ofLastDays(files: readonly string[], days: number): readonly string[] {
  const dayIn = (file: string) => logFileName.exec(basename(file))?.[1];
  const last = [...new Set(files.map(dayIn))].slice(-days);
  return files.filter((file) => last.includes(dayIn(file)));
}

function orderOf(name: string): string {
  const [, day = "", part = "0"] = logFileName.exec(name) ?? [];
  return `${day} ${part.padStart(6, "0")}`;
}

async function compress(path: string): Promise<void> {
  await pipeline(createReadStream(path), createGzip(), createWriteStream(`${path}.gz.part`));
  renameSync(`${path}.gz.part`, `${path}.gz`);
  rmSync(path);
}

/** The day by this computer's clock as `2026-11-20`, as in the file names. */
function dayOf(at: number): string {
  return localTime(at).slice(0, 10);
}
