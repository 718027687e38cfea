import { findWarnings } from "@fiscald/daemon/console/find-warnings.js";
import { driveFlags, warningTexts } from "@fiscald/daemon/console/warning-texts.js";
import type { DeviceState } from "@fiscald/drivers/fiscal-driver.js";
import { toFnSerial, toSiteId } from "@fiscald/shared/ids.js";
import { local, makeSnapshot } from "../../support/make-snapshot.js";

const limits = {
  orderWaitsMinutes: 10,
  unsentToOfdHours: 24,
  driveDaysLeft: 30,
  driveDocumentsLeft: 5000,
  printingMinutes: 5,
};

function keysOf(state: Partial<DeviceState> | null): readonly string[] {
  const rest = { limits, sites: [], leftSites: [], storeFault: null, waiting: [], watched: new Map(), now: 0, at: 0 };
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

test("results for a site that is configured no longer are warned of, with what to do", () => {
  const rest = { limits, sites: [], storeFault: null, waiting: [], snapshots: [], watched: new Map(), now: 0, at: 0 };
  expect(findWarnings({ ...rest, leftSites: [{ site: toSiteId("old"), results: 3 }] })).toMatchObject([
    { kind: "site-left", fields: { site: "old", results: 3 }, text: { en: expect.stringContaining("renamedFrom") } },
  ]);
});

test("two registers that answer with one kkm are warned of; one that is only on record is not", () => {
  const rest = { limits, sites: [], leftSites: [], storeFault: null, waiting: [], watched: new Map(), now: 0, at: 0 };
  const one = makeSnapshot({}, { id: "usb", kkm: "0001234567012345" });
  const other = makeSnapshot({}, { id: "network", kkm: "0001234567012345" });
  const away = makeSnapshot(null, { id: "network", kkm: "0001234567012345" });
  expect(findWarnings({ ...rest, snapshots: [one, other] })).toMatchObject([
    { kind: "same-kkm", fields: { register: "network", other: "usb", kkm: "0001234567012345" } },
  ]);
  const third = makeSnapshot({ fn: toFnSerial("9999078900000002") });
  expect(findWarnings({ ...rest, snapshots: [one, away, third] })).toEqual([]);
});

test("two registers that name one fiscal drive are warned of; one that was not read is not", () => {
  const rest = { limits, sites: [], leftSites: [], storeFault: null, waiting: [], watched: new Map(), now: 0, at: 0 };
  const one = makeSnapshot({}, { id: "till-1", kkm: "0001234567012345" });
  const other = makeSnapshot({}, { id: "till-2", kkm: "0001234567012346" });
  const away = makeSnapshot(null, { id: "till-2", kkm: "0001234567012346" });
  const own = makeSnapshot({ fn: toFnSerial("9999078900000002") }, { id: "till-2", kkm: "0001234567012346" });
  expect(findWarnings({ ...rest, snapshots: [one, other] })).toMatchObject([
    { kind: "same-fn", fields: { register: "till-2", other: "till-1", fn: "9999078900000001" } },
  ]);
  expect(findWarnings({ ...rest, snapshots: [one, away] })).toEqual([]);
  expect(findWarnings({ ...rest, snapshots: [one, own] })).toEqual([]);
});

test.each(["offline", "connecting"] as const)(
  "a register that gave its drive to another one and is %s is not warned of",
  (phase) => {
    const rest = { limits, sites: [], leftSites: [], storeFault: null, waiting: [], watched: new Map(), now: 0, at: 0 };
    const off = { ...makeSnapshot({}, { id: "till-1", kkm: "0001234567012345" }), phase };
    const heir = makeSnapshot({}, { id: "till-2", kkm: "0001234567012346" });
    expect(findWarnings({ ...rest, snapshots: [off, heir] })).toEqual([]);
    expect(findWarnings({ ...rest, snapshots: [heir, off] })).toEqual([]);
  },
);

test("every warning has its words in both languages", () => {
  for (const { en, ru } of [...Object.values(warningTexts), ...driveFlags.map(([, text]) => text)]) {
    expect(en).toMatch(/^[A-Z].*\.$/);
    expect(ru).toMatch(/^[А-ЯЁ].*\.$/);
  }
});
