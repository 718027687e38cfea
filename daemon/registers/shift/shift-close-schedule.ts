import type { RegisterId } from "@fiscald/shared/ids.js";
import { localTimeAt } from "@fiscald/shared/local-time.js";
import { createTask, type ScheduledTask, type TaskFn } from "node-cron";
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

  function keep(pattern: string, timezone: string, task: TaskFn): void {
    const scheduled = createTask(pattern, task, { timezone });
    // The machine slept through it: better late than not at all.
    scheduled.on("execution:missed", task);
    tasks.push(scheduled);
    void scheduled.start();
  }

  return {
    start() {
      for (const { id, closeShiftAt, timeZone } of registers) {
        if (closeShiftAt === null) continue;
        keep(closingTimePattern(closeShiftAt), timeZone, () => onClosingTime(id));
        keep(CLOCK_CHANGES, timeZone, ({ date }) => {
          if (skippedClosing(date.getTime(), timeZone, closeShiftAt)) onClosingTime(id);
        });
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

/** Clocks are put forward to a full or a half hour. */
const CLOCK_CHANGES = "0,30 * * * *";

/** Whether daylight saving skipped the closing time at this moment: that day it does not come. */
export function skippedClosing(at: number, timeZone: string, closeShiftAt: string): boolean {
  const minuteAt = (instant: number) => localTimeAt(instant, timeZone).slice(0, 16);
  const [before, now] = [minuteAt(at - 60_000), minuteAt(at)];
  const closing = `${now.slice(0, 10)}T${closeShiftAt}`;
  return before < closing && closing < now;
}
