import type { RegisterId } from "@fiscald/shared/ids.js";
import { createTask, type ScheduledTask } from "node-cron";
import type { RegisterSettings } from "./register-settings.js";

export interface ShiftKeeperOptions {
  readonly registers: readonly Pick<RegisterSettings, "id" | "closeShiftAt" | "timeZone">[];
  /** It is time to close this register's shift. */
  onClosingTime(register: RegisterId): void;
}

/** Calls at each register's closing time, by the clocks of its place. The 24-hour guard is the register actor's own. */
export interface ShiftKeeper {
  start(): void;
  stop(): Promise<void>;
}

export function createShiftKeeper({ registers, onClosingTime }: ShiftKeeperOptions): ShiftKeeper {
  const tasks: ScheduledTask[] = [];
  return {
    start() {
      for (const { id, closeShiftAt, timeZone } of registers) {
        if (closeShiftAt === null) continue;
        const task = createTask(closingTimePattern(closeShiftAt), () => onClosingTime(id), { timezone: timeZone });
        // The machine slept through it: better late than not at all.
        task.on("execution:missed", () => onClosingTime(id));
        tasks.push(task);
        void task.start();
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
