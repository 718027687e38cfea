import { spawnSync } from "node:child_process";

/** Debian's faketime, loaded into one process as a library: its wrapper would keep signals from the process. */
const library = /^LD_PRELOAD=(.*)$/m.exec(
  spawnSync("faketime", ["-f", "+0", "env"], { encoding: "utf8" }).stdout ?? "",
)?.[1];

export const hasFakeTime = library !== undefined;
/** Stands behind the title of a test that is skipped. */
export const needsFakeTime = hasFakeTime ? "" : " (skipped: needs faketime)";

/**
 * The environment of a process that sees another time: `@2026-11-20 20:49:40` (the time at its start, UTC) or `+0 x3`
 * (the present time, three times as fast; the waits of the process shrink as well).
 */
export function fakeTime(spec: string): NodeJS.ProcessEnv {
  return { LD_PRELOAD: library, FAKETIME: spec, TZ: "UTC" };
}
