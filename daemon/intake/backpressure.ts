import type { RegisterId } from "@fiscald/shared/ids.js";
import type { RegisterSnapshot } from "../registers/register-snapshot.js";

/** Jobs that may wait for one register before its site is asked no more. */
const MAX_WAITING = 20;

/** Whether a site may be asked for a further order of this register. Pure. */
export function hasRoom(
  id: RegisterId,
  waiting: number,
  registers: readonly Pick<RegisterSnapshot, "settings" | "phase">[],
): boolean {
  if (waiting < MAX_WAITING) return true;
  const group = registers.find(({ settings }) => settings.id === id)?.settings.group ?? null;
  // While another register of the group is free, its jobs may still move there.
  return registers.some(
    ({ settings, phase }) => settings.id !== id && group !== null && settings.group === group && phase === "ready",
  );
}
