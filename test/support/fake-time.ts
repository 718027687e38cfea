import { spawnSync } from "node:child_process";

/** Debian's faketime, as a library for one process: its wrapper would keep signals from the process. */
const library = /^LD_PRELOAD=(.*)$/m.exec(
  spawnSync("faketime", ["-f", "+0", "env"], { encoding: "utf8" }).stdout ?? "",
)?.[1];

export const hasFakeTime = library !== undefined;
/** Behind the name of a test that is skipped. */
export const needsFakeTime = hasFakeTime ? "" : " (skipped: needs faketime)";

/**
 * Environment of a process that believes in another time: `@2026-11-20 20:49:40` (its start, UTC) or `+0 x3` (now, and
 * three times as fast; its waits shrink with it).
 */
export function fakeTime(spec: string): NodeJS.ProcessEnv {
  return { LD_PRELOAD: library, FAKETIME: spec, TZ: "UTC" };
}
