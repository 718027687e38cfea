import {
  findWarnings,
  type StoredTroubles,
  type WarningSources,
} from "@fiscald/daemon/console/warnings/find-warnings.js";
import { driveFlags, warningTexts } from "@fiscald/daemon/console/warnings/warning-texts.js";
import type { DeviceState } from "@fiscald/drivers/fiscal-driver.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { FaultCode } from "@fiscald/shared/fault-codes.js";
import { toFnSerial, toSiteId } from "@fiscald/shared/ids.js";
import { local, makeSnapshot } from "../../../support/make-snapshot.js";

const limits = {
  orderWaitsMinutes: 10,
  unsentToOfdHours: 24,
  driveDaysLeft: 30,
  driveDocumentsLeft: 5000,
  printingMinutes: 5,
};

const nothing: StoredTroubles = {
  waiting: [],
  unsure: [],
  held: [],
  failed: [],
  refused: [],
  doubles: [],
  rejectedAnswers: [],
  outbox: [],
  removedSites: [],
  checks: { differences: [], notCompared: [] },
};
/** Noon in Moscow, as the snapshots' clock has it. */
const NOW = Date.UTC(2026, 10, 20, 9);
const quiet: WarningSources = {
  limits,
  snapshots: [],
  howSet: () => [],
  sites: [],
  storeFault: null,
  hasLock: true,
  consoleFault: null,
  alertFault: null,
  stored: nothing,
  watched: new Map(),
  now: NOW,
  at: 0,
};

function keysOf(state: Partial<DeviceState> | null): readonly string[] {
  return findWarnings({ ...quiet, snapshots: [makeSnapshot(state)] }).map(({ key }) => key);
}

test.each<[string, Partial<DeviceState> | null, readonly string[]]>([
  ["a register that was not read yet", null, []],
  ["a register without problems", {}, []],
  ["a drive with 31 days", { fnDaysLeft: 31 }, []],
  ["a drive with 30 days", { fnDaysLeft: 30 }, ["till drive-days"]],
  ["a drive with room for 5001 documents", { fnDocumentsLeft: 5001 }, []],
  ["a drive with room for 5000 documents", { fnDocumentsLeft: 5000 }, ["till drive-documents"]],
  ["documents unsent for a day", { unsent: { count: 5, firstAt: local("2026-11-19T12:00:00") } }, []],
  ["documents unsent for longer", { unsent: { count: 5, firstAt: local("2026-11-19T11:59:00") } }, ["till ofd-queue"]],
  ["documents unsent for an unknown time", { unsent: { count: 5, firstAt: null } }, []],
  ["a clock ten minutes ahead", { clock: local("2026-11-20T12:10:00") }, []],
  ["a clock a day ahead", { clock: local("2026-11-21T12:00:00") }, ["till clock-ahead"]],
  ["a clock that is behind, or a state of yesterday", { clock: local("2026-11-19T12:00:00") }, []],
  ["little paper", { paper: "low" }, ["till paper-low"]],
  ["flags of the drive", { fnWarnings: 0x14 }, ["till flag 4", "till flag 16"]],
])("%s in the state %j gives the warnings %j", (_what, state, keys) => {
  expect(keysOf(state)).toEqual(keys);
});

test("undelivered results of a removed site give a warning with the remedy", () => {
  expect(
    findWarnings({ ...quiet, stored: { ...nothing, removedSites: [{ site: toSiteId("old"), results: 3 }] } }),
  ).toMatchObject([
    { kind: "site-left", fields: { site: "old", results: 3 }, text: { en: expect.stringContaining("renamedFrom") } },
  ]);
});

test("two registers that report one register number give a warning, but not one that is only on record", () => {
  const one = makeSnapshot({}, { id: "usb", kkm: "0001234567012345" });
  const other = makeSnapshot({}, { id: "network", kkm: "0001234567012345" });
  const away = makeSnapshot(null, { id: "network", kkm: "0001234567012345" });
  expect(findWarnings({ ...quiet, snapshots: [one, other] })).toMatchObject([
    { kind: "same-kkm", fields: { register: "network", other: "usb", kkm: "0001234567012345" } },
  ]);
  const third = makeSnapshot({ fn: toFnSerial("9999078900000002") });
  expect(findWarnings({ ...quiet, snapshots: [one, away, third] })).toEqual([]);
});

test("two registers that report one fiscal drive give a warning, but not a register that was not read", () => {
  const one = makeSnapshot({}, { id: "till-1", kkm: "0001234567012345" });
  const other = makeSnapshot({}, { id: "till-2", kkm: "0001234567012346" });
  const away = makeSnapshot(null, { id: "till-2", kkm: "0001234567012346" });
  const own = makeSnapshot({ fn: toFnSerial("9999078900000002") }, { id: "till-2", kkm: "0001234567012346" });
  expect(findWarnings({ ...quiet, snapshots: [one, other] })).toMatchObject([
    { kind: "same-fn", fields: { register: "till-2", other: "till-1", fn: "9999078900000001" } },
  ]);
  expect(findWarnings({ ...quiet, snapshots: [one, away] })).toEqual([]);
  expect(findWarnings({ ...quiet, snapshots: [one, own] })).toEqual([]);
});

test("a register that is not connected and whose drive was moved to another register gives no warning", () => {
  const off = { ...makeSnapshot({}, { id: "till-1", kkm: "0001234567012345" }), isConnected: false };
  const heir = makeSnapshot({}, { id: "till-2", kkm: "0001234567012346" });
  expect(findWarnings({ ...quiet, snapshots: [off, heir] })).toEqual([]);
  expect(findWarnings({ ...quiet, snapshots: [heir, off] })).toEqual([]);
});

test("all problems are listed as warnings, the worst first, with the remedy", () => {
  const job = { id: 7, order: "A-7", register: "till-1", reason: "job.outcome-unknown: no answer", at: 4 };
  const site = toSiteId("shop");
  const minute = 60_000;
  const inTrouble = (id: string, phase: "blocked" | "offline", code: FaultCode) => ({
    ...makeSnapshot(null, { id }),
    phase,
    fault: new Fault(code, { message: "why" }),
  });
  const found = findWarnings({
    ...quiet,
    now: 20 * minute,
    hasLock: false,
    consoleFault: new Fault("daemon.console-closed", { message: "short" }),
    snapshots: [inTrouble("till-1", "offline", "link.timeout"), inTrouble("till-2", "blocked", "device.paper-out")],
    sites: [
      {
        site,
        fault: new Fault("site.unreachable", { message: "refused" }),
        since: 18 * minute,
        lostAnswers: 0,
        polled: new Map(),
      },
    ],
    stored: {
      ...nothing,
      unsure: [job],
      held: [{ ...job, id: 8 }],
      doubles: [{ kind: "printed-twice", at: 5, job: 3, register: "till-1", details: { fn: "1", fd: 7, printed: 6 } }],
      failed: [job, { ...job, id: 6, at: 2 }],
      refused: [job],
      rejectedAnswers: [{ site, at: 1, details: { order: null, code: "order.unreadable", reason: "no JSON" } }],
      outbox: [{ site, pending: 3, refused: 1, oldestAt: 0, refusedAt: 0 }],
      waiting: [{ id: 9, register: "till-1", createdAt: 0 }],
    },
  });
  expect(found.map(({ kind }) => kind)).toEqual([
    "lock-gone",
    "job-unsure",
    "job-held",
    "printed-twice",
    "register-blocked",
    "register-offline",
    "job-failed",
    "answer-rejected",
    "job-refused",
    "site-unreachable",
    "event-refused",
    "event-waits",
    "job-waits",
    "console-closed",
  ]);
  const ofKind = (kind: string) => found.find((warning) => warning.kind === kind);
  expect(ofKind("printed-twice")).toMatchObject({ since: 5, fields: { job: 3, fd: 7, printed: 6 } });
  expect(ofKind("register-blocked")).toMatchObject({
    text: { en: expect.stringMatching(/^Register till-2 waits for a person\. .*[Pp]aper/) },
    fields: { register: "till-2", code: "device.paper-out" },
  });
  expect(ofKind("job-unsure")?.fields).toMatchObject({ job: 7, order: "A-7" });
  expect(ofKind("job-failed")?.fields).toMatchObject({ count: "2", jobs: "7, 6", order: "A-7", register: "till-1" });
  // Warnings are as old as their oldest row, whenever the daemon was started.
  const ages = [
    "job-unsure",
    "job-failed",
    "job-refused",
    "answer-rejected",
    "event-refused",
    "event-waits",
    "job-waits",
  ];
  expect(ages.map((kind) => ofKind(kind)?.since)).toEqual([4, 2, 4, 1, 0, 0, 0]);
  expect(ages.filter((kind) => ofKind(kind)?.lastAt !== undefined)).toEqual(ages.slice(1, 4));
  expect(ofKind("job-failed")?.lastAt).toBe(4);
  expect(ofKind("site-unreachable")?.fields).toMatchObject({ minutes: 2, since: "1970-01-01T00:18:00.000Z" });
});

test("no text of a warning that reaches the operator's page names a command", () => {
  const { "daemon-down": _down, "job-unsure": _unsure, "job-failed": _failed, ...shown } = warningTexts;
  // The page has words of its own for these.
  const { "event-refused": _refused, "job-held": _held, ...onPage } = shown;
  for (const { en, ru } of Object.values(onPage)) expect(`${en} ${ru}`).not.toContain("`fiscald ");
});

test("every warning has a text in both languages", () => {
  for (const { en, ru } of [...Object.values(warningTexts), ...driveFlags.map(([, text]) => text)]) {
    expect(en).toMatch(/^[A-Z].*\.$/);
    expect(ru).toMatch(/^[А-ЯЁ].*\.$/);
  }
});
