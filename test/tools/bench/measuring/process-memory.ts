import { readFileSync } from "node:fs";

/** Resident memory of a process in MB; NaN where the system does not report it (not Linux). */
export function residentMb(pid: number): number {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(kilobytes) / 1024;
  } catch {
    return Number.NaN;
  }
}

/** KB that a process has written to the disk so far. NaN where the system does not report it (not Linux). */
export function writtenKb(pid: number): number {
  try {
    const [, bytes] = /^write_bytes: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, "utf8")) ?? [];
    return Number(bytes) / 1024;
  } catch {
    return Number.NaN;
  }
}
