import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";

/** The name of a log file: its day, and its number if the day has several files. */
const logFileName = /^fiscald-(\d{4}-\d\d-\d\d)\.log(?:\.(\d+))?(?:\.gz)?$/;

const bytesPerMb = 1_000_000;

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

/** Names of the log files, oldest first. Throws when the folder exists and cannot be read. */
export function logFileNames(folder: string): readonly string[] {
  const names = (existsSync(folder) ? readdirSync(folder) : []).filter((name) => logFileName.test(name));
  return names.sort((one, other) => orderOf(one).localeCompare(orderOf(other)));
}

/** The files of the last days; `files` is sorted oldest first. A day may have several files. */
export function ofLastDays(files: readonly string[], days: number): readonly string[] {
  const last = [...new Set(files.map(dayIn))].slice(-days);
  return files.filter((file) => last.includes(dayIn(file)));
}

function dayIn(file: string): string {
  return logFileName.exec(basename(file))?.[1] ?? "";
}

function orderOf(name: string): string {
  const [, day = "", part = "0"] = logFileName.exec(name) ?? [];
  return `${day} ${part.padStart(6, "0")}`;
}
