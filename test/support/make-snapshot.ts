import type { RegisterSnapshot } from "@fiscald/daemon/registers/register-snapshot.js";
import type { DeviceState } from "@fiscald/drivers/fiscal-driver.js";
import { toFnSerial, toRegisterId } from "@fiscald/shared/ids.js";
import { type LocalTime, parseLocalTime } from "@fiscald/shared/local-time.js";

export function local(text: string): LocalTime {
  const time = parseLocalTime(text);
  if (time === null) throw new Error(text);
  return time;
}

/** The register "till", ready, in a state that is well but for what is given; null = it was not read yet. */
export function makeSnapshot(state: Partial<DeviceState> | null): RegisterSnapshot {
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
