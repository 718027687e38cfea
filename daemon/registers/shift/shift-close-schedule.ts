import type { RegisterId } from "@fiscald/shared/ids.js";
import { createTask } from "node-cron";
import type { RegisterSettings } from "../register-settings.js";

export interface ShiftCloseScheduleOptions {
  readonly registers: readonly Pick<RegisterSettings, "id" | "closeShiftAt" | "timeZone">[];
  /** It is time to close this register's shift. */
  onClosingTime(register: RegisterId): void;
}

/**
 * Fires at each register's closing time, in its time zone. The register actor keeps the 24-hour limit itself. Returns what
 * stops it.
 */
export function startShiftCloseSchedule({ registers, onClosingTime }: ShiftCloseScheduleOptions): () => Promise<void> {
  const tasks = registers.flatMap(({ id, closeShiftAt, timeZone }) => {
    if (closeShiftAt === null) return [];
    const close = () => onClosingTime(id);
    const task = createTask(closingTimePattern(closeShiftAt), close, { timezone: timeZone });
    // The machine slept through it: better late than not at all.
    task.on("execution:missed", close);
    void task.start();
    return task;
  });
  return async () => {
    await Promise.all(tasks.map((task) => task.destroy()));
  };
}

/** "23:50" -> "50 23 * * *". */
export function closingTimePattern(closeShiftAt: string): string {
  const [hour, minute] = closeShiftAt.split(":");
  return `${Number(minute)} ${Number(hour)} * * *`;
}
