import { createWarningMonitor, findWarnings } from "@fiscald/daemon/console/early-warnings.js";
import type { RegisterSnapshot } from "@fiscald/daemon/registers/register-snapshot.js";
import type { DeviceState } from "@fiscald/drivers/fiscal-driver.js";
import { toFnSerial, toRegisterId } from "@fiscald/shared/ids.js";
import { type LocalTime, parseLocalTime } from "@fiscald/shared/local-time.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { createFakeClock } from "../../support/fake-clock.js";
import { makeJob } from "../../support/make-job.js";

const limits = { orderWaitsMinutes: 10, unsentToOfdHours: 24, driveDaysLeft: 30 };
const minuteMs = 60_000;

function local(text: string): LocalTime {
  const time = parseLocalTime(text);
  if (time === null) throw new Error(text);
  return time;
}

function snapshot(state: Partial<DeviceState> | null): RegisterSnapshot {
  const whole: DeviceState = {
    fn: toFnSerial("9999078900000001"),
    lastFd: 1,
    shift: { number: 1, state: "open" },
    paper: "present",
    coverOpen: false,
    openReceipt: null,
    print: "idle",
    drawer: null,
    unsent: null,
    clock: local("2026-11-20T12:00:00"),
    shiftOpenedAt: null,
    fnWarnings: 0,
    fnDaysLeft: 400,
    fnDocumentsLeft: null,
    blockedBy: null,
  };
  return {
    settings: {
      id: toRegisterId("till"),
      title: "till",
      sites: [],
      group: null,
      expectKkm: null,
      cashier: null,
      taxSystem: null,
      defaultTax: null,
      orderMark: true,
      moveAfterSeconds: 30,
      timeZone: "Europe/Moscow",
      closeShiftAt: null,
      printPaper: true,
    },
    phase: "ready",
    recovered: true,
    fault: null,
    identity: null,
    tables: null,
    capabilities: null,
    state: state === null ? null : { ...whole, ...state },
    jobInHand: null,
  };
}

const keysOf = (state: Partial<DeviceState> | null) =>
  findWarnings({ limits, snapshots: [snapshot(state)], waiting: [], now: 0 }).map(({ key }) => key);

test.each<[string, Partial<DeviceState> | null, readonly string[]]>([
  ["a register that was not read yet", null, []],
  ["a register that is well", {}, []],
  ["a drive with 31 days", { fnDaysLeft: 31 }, []],
  ["a drive with 30 days", { fnDaysLeft: 30 }, ["till drive"]],
  ["documents unsent for a day", { unsent: { count: 5, firstFd: 1, firstAt: local("2026-11-19T12:00:00") } }, []],
  [
    "documents unsent for longer",
    { unsent: { count: 5, firstFd: 1, firstAt: local("2026-11-19T11:59:00") } },
    ["till unsent"],
  ],
  ["documents unsent since nobody knows when", { unsent: { count: 5, firstFd: null, firstAt: null } }, []],
  ["little paper", { paper: "low" }, ["till paper"]],
  ["flags of the drive", { fnWarnings: 0x14 }, ["till flag 4", "till flag 16"]],
])("%s", (_what, state, keys) => {
  expect(keysOf(state)).toEqual(keys);
});

test("a job is warned of once when it has waited long, and once when that is over", async () => {
  const clock = createFakeClock();
  const lines: string[] = [];
  const log = {
    ...silentLogger,
    warn: (line: string) => void lines.push(line),
    info: (line: string) => void lines.push(line),
  };
  let waiting = [makeJob({ id: 7, createdAt: clock.now() })];
  const monitor = createWarningMonitor({ limits, snapshots: () => [], jobs: { list: () => waiting }, clock, log });
  monitor.start();
  await clock.advance(10 * minuteMs);
  expect(lines).toEqual([]);
  await clock.advance(5 * minuteMs);
  expect(lines).toEqual(["a job waits long"]);
  expect(monitor.read()).toMatchObject([{ fields: { job: 7, minutes: 15 } }]);
  waiting = [];
  await clock.advance(minuteMs);
  expect(lines).toEqual(["a job waits long", "over: a job waits long"]);
  monitor.stop();
  expect(clock.pending).toBe(0);
});
