import { readFileSync } from "node:fs";

/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10;

/** Processor time of all threads of a process so far, in ms. Null where the system does not report it (not Linux). */
export function cpuTimeMs(pid: number): number | null {
  try {
    // The name in brackets may have spaces; user and system time are the 12th and 13th field after it.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return null;
  }
}
