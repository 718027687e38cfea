import { Fault } from "@fiscald/shared/fault.js";
import { type LocalTime, secondsBetween } from "@fiscald/shared/local-time.js";
import type { Job } from "../../store/job.js";

/** A drive refuses for ever what is dated before its last document: a jump ahead by mistake spoils it (domain 4.1). */
const MAX_JUMP_SECONDS = 600;

/**
 * An order may set the register's clock right, not take it to another day: that is for a person, by `print-anyway`.
 * Fault `device.clock-jump`. `register`: its own clock, null = it does not tell.
 */
export function refuseClockJump({ receipt, forced }: Job, register: LocalTime | null, ours: LocalTime): void {
  if (forced || receipt.kind !== "service" || !receipt.lines.some(({ type }) => type === "sync-time")) return;
  if (register === null) return;
  const jump = secondsBetween(register, ours);
  if (Math.abs(jump) <= MAX_JUMP_SECONDS) return;
  throw new Fault("device.clock-jump", {
    message: `the register's clock shows ${register}, this computer's ${ours}`,
    details: { jumpSeconds: jump },
  });
}
