import type { RegisterId } from "@fiscald/shared/ids.js";
import type { RegisterSnapshot } from "../registers/register-snapshot.js";

/** Jobs that may wait for one register before its site is asked no more. */
const MAX_WAITING = 20;

/** Whether a site may be asked for a further order of this register: it takes orders, or another one does. Pure. */
export function hasRoom(
  id: RegisterId,
  waiting: number,
  registers: readonly Pick<RegisterSnapshot, "settings" | "phase" | "pausedSince">[],
): boolean {
  const own = registers.find(({ settings }) => settings.id === id);
  if (waiting < MAX_WAITING && own?.pausedSince === null) return true;
  const group = own?.settings.group ?? null;
  // While another register of the group is free, its jobs may still move there.
  return registers.some(({ settings, phase, pausedSince }) => {
    return (
      settings.id !== id && group !== null && settings.group === group && phase === "ready" && pausedSince === null
    );
  });
}
