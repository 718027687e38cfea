import type { RegisterId } from "@fiscald/shared/ids.js";
import { createTask, type ScheduledTask } from "node-cron";
import type { RegisterSettings } from "../register-settings.js";

export interface ShiftCloseScheduleOptions {
  readonly registers: readonly Pick<RegisterSettings, "id" | "closeShiftAt" | "timeZone">[];
  /** It is time to close this register's shift. */
  onClosingTime(register: RegisterId): void;
}

/** Fires at each register's closing time, in its time zone. The register actor keeps the 24-hour limit itself. */
export interface ShiftCloseSchedule {
  start(): void;
  stop(): Promise<void>;
}

export function createShiftCloseSchedule({ registers, onClosingTime }: ShiftCloseScheduleOptions): ShiftCloseSchedule {
  const tasks: ScheduledTask[] = [];

  return {
    start() {
      for (const { id, closeShiftAt, timeZone } of registers) {
        if (closeShiftAt === null) continue;
        const close = () => onClosingTime(id);
        const scheduled = createTask(closingTimePattern(closeShiftAt), close, { timezone: timeZone });
        // The machine slept through it: better late than not at all.
        scheduled.on("execution:missed", close);
        tasks.push(scheduled);
        void scheduled.start();
      }
    },
    async stop() {
      await Promise.all(tasks.splice(0).map((task) => task.destroy()));
    },
  };
}

/** "23:50" -> "50 23 * * *". */
export function closingTimePattern(closeShiftAt: string): string {
  const [hour, minute] = closeShiftAt.split(":");
  return `${Number(minute)} ${Number(hour)} * * *`;
}
