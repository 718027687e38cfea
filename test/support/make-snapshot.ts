import type { RegisterSettings } from "@fiscald/daemon/registers/register-settings.js";
import type { RegisterSnapshot } from "@fiscald/daemon/registers/register-snapshot.js";
import type { DeviceState, Identity } from "@fiscald/drivers/fiscal-driver.js";
import { toFnSerial, toInn, toKkm, toRegisterId, toSiteId } from "@fiscald/shared/ids.js";
import { type LocalTime, parseLocalTime } from "@fiscald/shared/local-time.js";

export function local(text: string): LocalTime {
  const time = parseLocalTime(text);
  if (time === null) throw new Error(text);
  return time;
}

/** A healthy register, except for `over`. */
export function makeState(over: Partial<DeviceState> = {}): DeviceState {
  return {
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
    ...over,
  };
}

/** The settings of the register `till-1` of the site `shop`, except for `over`. */
export function defaultSettings(over: Partial<RegisterSettings> = {}): RegisterSettings {
  return {
    id: toRegisterId("till-1"),
    title: "Till",
    sites: [toSiteId("shop")],
    group: null,
    expectKkm: null,
    cashier: null,
    taxSystem: null,
    defaultTax: null,
    orderMark: true,
    needsCashier: false,
    moveAfterSeconds: 30,
    timeZone: "Europe/Moscow",
    closeShiftAt: null,
    printPaper: true,
    receiptLink: null,
    ...over,
  };
}

/** The register "till", ready and healthy except for `state`; null = the state was not read yet. */
export function makeSnapshot(
  state: Partial<DeviceState> | null,
  { id = "till", kkm = null }: { readonly id?: string; readonly kkm?: string | null } = {},
): RegisterSnapshot {
  return {
    settings: defaultSettings({ id: toRegisterId(id), title: "till", sites: [] }),
    phase: "ready",
    isConnected: true,
    recovered: true,
    rowsConfirmed: true,
    fault: null,
    identity: kkm === null ? null : makeIdentity({ kkm: toKkm(kkm) }),
    tables: null,
    capabilities: null,
    receiptSettings: [],
    state: state === null ? null : makeState(state),
    stateAt: state === null ? null : Date.parse("2026-11-20T12:00:00+03:00"),
    jobInHand: null,
    pausedSince: null,
  };
}

export function makeIdentity(over: Partial<Identity> = {}): Identity {
  const numbers = { kkm: toKkm("0001234567012345"), inn: toInn("7700000000"), fn: makeState().fn, serial: "1" };
  return { ...numbers, model: "model", firmware: "1", ffd: "1.05", taxSystems: 1, ...over };
}
