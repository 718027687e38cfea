import { readFileSync } from "node:fs";

/** Linux counts hundredths of a second for every program. */
const TICK_MS = 10;

/** CPU time that a process has used so far, all its threads, in ms; null where the system does not tell (not Linux). */
export function cpuTimeMs(pid: number): number | null {
  try {
    // The name in brackets may hold spaces; user and system time are the 12th and 13th field after it.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return null;
  }
}
