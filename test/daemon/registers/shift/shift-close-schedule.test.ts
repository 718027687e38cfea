import { closingTimePattern, startShiftCloseSchedule } from "@fiscald/daemon/registers/shift/shift-close-schedule.js";
import { toRegisterId } from "@fiscald/shared/ids.js";
import { createTask } from "node-cron";

test.each([
  ["23:50", "50 23 * * *"],
  ["00:05", "5 0 * * *"],
])("closing shifts at %s is scheduled by the pattern %s", (time, pattern) => {
  expect(closingTimePattern(time)).toBe(pattern);
});

test("a closing time is in the register's time zone, whatever the machine's zone is", () => {
  const task = createTask(closingTimePattern("23:50"), () => {}, { timezone: "Asia/Vladivostok" });
  expect(task.match(new Date("2026-11-20T13:50:00Z"))).toBe(true);
  expect(task.match(new Date("2026-11-20T20:50:00Z"))).toBe(false);
  void task.destroy();
});

test("only registers with a closing time get timers, and stopping the schedule removes the timers", async () => {
  const stop = startShiftCloseSchedule({
    registers: [
      { id: toRegisterId("a"), closeShiftAt: "23:50", timeZone: "Europe/Moscow" },
      { id: toRegisterId("b"), closeShiftAt: null, timeZone: "Europe/Moscow" },
    ],
    onClosingTime: () => {},
  });
  await stop();
});
