import { findWarnings } from "@fiscald/daemon/console/find-warnings.js";
import { driveFlags, warningTexts } from "@fiscald/daemon/console/warning-texts.js";
import type { DeviceState } from "@fiscald/drivers/fiscal-driver.js";
import { local, makeSnapshot } from "../../support/make-snapshot.js";

const limits = {
  orderWaitsMinutes: 10,
  unsentToOfdHours: 24,
  driveDaysLeft: 30,
  driveDocumentsLeft: 5000,
  printingMinutes: 5,
};

function keysOf(state: Partial<DeviceState> | null): readonly string[] {
  const rest = { limits, sites: [], storeFault: null, waiting: [], watched: new Map(), now: 0, at: 0 };
  return findWarnings({ ...rest, snapshots: [makeSnapshot(state)] }).map(({ key }) => key);
}

test.each<[string, Partial<DeviceState> | null, readonly string[]]>([
  ["a register that was not read yet", null, []],
  ["a register that is well", {}, []],
  ["a drive with 31 days", { fnDaysLeft: 31 }, []],
  ["a drive with 30 days", { fnDaysLeft: 30 }, ["till drive-days"]],
  ["a drive with room for 5001 documents", { fnDocumentsLeft: 5001 }, []],
  ["a drive with room for 5000 documents", { fnDocumentsLeft: 5000 }, ["till drive-documents"]],
  ["documents unsent for a day", { unsent: { count: 5, firstFd: 1, firstAt: local("2026-11-19T12:00:00") } }, []],
  [
    "documents unsent for longer",
    { unsent: { count: 5, firstFd: 1, firstAt: local("2026-11-19T11:59:00") } },
    ["till ofd-queue"],
  ],
  ["documents unsent since nobody knows when", { unsent: { count: 5, firstFd: null, firstAt: null } }, []],
  ["little paper", { paper: "low" }, ["till paper-low"]],
  ["flags of the drive", { fnWarnings: 0x14 }, ["till flag 4", "till flag 16"]],
])("%s", (_what, state, keys) => {
  expect(keysOf(state)).toEqual(keys);
});

test("two registers that answer with one kkm are warned of; one that is only on record is not", () => {
  const rest = { limits, sites: [], storeFault: null, waiting: [], watched: new Map(), now: 0, at: 0 };
  const one = makeSnapshot({}, { id: "usb", kkm: "0001234567012345" });
  const other = makeSnapshot({}, { id: "network", kkm: "0001234567012345" });
  const away = makeSnapshot(null, { id: "network", kkm: "0001234567012345" });
  expect(findWarnings({ ...rest, snapshots: [one, other] })).toMatchObject([
    { kind: "same-kkm", fields: { register: "network", other: "usb", kkm: "0001234567012345" } },
  ]);
  expect(findWarnings({ ...rest, snapshots: [one, away, makeSnapshot({})] })).toEqual([]);
});

test("every warning has its words in both languages", () => {
  for (const { en, ru } of [...Object.values(warningTexts), ...driveFlags.map(([, text]) => text)]) {
    expect(en).toMatch(/^[A-Z].*\.$/);
    expect(ru).toMatch(/^[А-ЯЁ].*\.$/);
  }
});
