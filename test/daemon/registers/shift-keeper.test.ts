import { mustCloseShift } from "@fiscald/daemon/registers/shift-age.js";
import { closingTimePattern, createShiftKeeper } from "@fiscald/daemon/registers/shift-keeper.js";
import type { DeviceState } from "@fiscald/drivers/fiscal-driver.js";
import { toFnSerial, toRegisterId } from "@fiscald/shared/ids.js";
import type { LocalTime } from "@fiscald/shared/local-time.js";
import { createTask } from "node-cron";

test.each([
  ["23:50", "50 23 * * *"],
  ["00:05", "5 0 * * *"],
])("closing at %s is the pattern %s", (time, pattern) => {
  expect(closingTimePattern(time)).toBe(pattern);
});

test("the closing time is that of the register's place, whatever the machine's zone", () => {
  const task = createTask(closingTimePattern("23:50"), () => {}, { timezone: "Asia/Vladivostok" });
  expect(task.match(new Date("2026-11-20T13:50:00Z"))).toBe(true);
  expect(task.match(new Date("2026-11-20T20:50:00Z"))).toBe(false);
  void task.destroy();
});

test("it keeps only the registers with a closing time, and leaves no timer behind", async () => {
  const keeper = createShiftKeeper({
    registers: [
      { id: toRegisterId("a"), closeShiftAt: "23:50", timeZone: "Europe/Moscow" },
      { id: toRegisterId("b"), closeShiftAt: null, timeZone: "Europe/Moscow" },
    ],
    onClosingTime: () => {},
  });
  keeper.start();
  await keeper.stop();
});

describe("a shift must be closed", () => {
  const state: DeviceState = {
    fn: toFnSerial("1"),
    lastFd: 1,
    shift: { number: 1, state: "open" },
    paper: "present",
    coverOpen: false,
    openReceipt: null,
    print: "idle",
    drawer: null,
    unsent: null,
    clock: "2026-11-21T13:50:00" as LocalTime,
    shiftOpenedAt: "2026-11-20T14:00:00" as LocalTime,
    fnWarnings: 0,
    fnDaysLeft: null,
    fnDocumentsLeft: null,
    blockedBy: null,
  };
  const at = (text: string) => text as LocalTime;
  test.each([
    ["at 23 h 50 min", state, null, true],
    ["not a second before", { ...state, clock: at("2026-11-21T13:49:59") }, null, false],
    ["when the register says so", { ...state, shift: { number: 1, state: "expired" }, clock: null }, null, true],
    ["not when it is closed", { ...state, shift: { number: 1, state: "closed" } }, null, false],
    [
      "by the recorded opening where the register does not tell",
      { ...state, shiftOpenedAt: null },
      { number: 1, openedAt: at("2026-11-20T13:00:00") },
      true,
    ],
    [
      "not by the opening of another shift than the open one",
      { ...state, shiftOpenedAt: null },
      { number: 7, openedAt: at("2026-11-19T13:00:00") },
      false,
    ],
    ["not when nobody knows its age", { ...state, shiftOpenedAt: null }, null, false],
  ] as const)("%s", (_, read, recorded, expected) => {
    expect(mustCloseShift(read, recorded)).toBe(expected);
  });
});
