import { Fault } from "@fiscald/shared/fault.js";
import { type LocalTime, secondsBetween } from "@fiscald/shared/local-time.js";
import type { Job } from "../../store/job.js";

/**
 * A drive refuses all documents that are dated before its last one: a clock set ahead by mistake spoils the drive
 * (domain 4.1).
 */
const MAX_JUMP_SECONDS = 600;

/**
 * An order may correct the register's clock, but not set it to another day: that needs `print-anyway`. Fault
 * `device.clock-jump`. `register`: its own clock, null = unknown.
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
