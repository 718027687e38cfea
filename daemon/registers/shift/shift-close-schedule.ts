import type { RegisterId } from "@fiscald/shared/ids.js";
import { createTask } from "node-cron";
import type { RegisterSettings } from "../register-settings.js";

export interface ShiftCloseScheduleOptions {
  readonly registers: readonly Pick<RegisterSettings, "id" | "closeShiftAt" | "timeZone">[];
  onClosingTime(register: RegisterId): void;
}

/**
 * Fires at each register's closing time, in its time zone, so that its state is read. The state decides whether a shift
 * is closed, because a timer sleeps with the computer and trusts its clock. Returns the function that stops the
 * schedule.
 */
export function startShiftCloseSchedule({ registers, onClosingTime }: ShiftCloseScheduleOptions): () => Promise<void> {
  const tasks = registers.flatMap(({ id, closeShiftAt, timeZone }) => {
    if (closeShiftAt === null) return [];
    const task = createTask(closingTimePattern(closeShiftAt), () => onClosingTime(id), { timezone: timeZone });
    void task.start();
    return task;
  });
  return async () => {
    await Promise.all(tasks.map((task) => task.destroy()));
  };
}

/** A cron pattern, such as "50 23 * * *" for "23:50". */
export function closingTimePattern(closeShiftAt: string): string {
  const [hour, minute] = closeShiftAt.split(":");
  return `${Number(minute)} ${Number(hour)} * * *`;
}
