import { createWarningMonitor } from "@fiscald/daemon/console/warnings/early-warnings.js";
import type { RegisterSnapshot } from "@fiscald/daemon/registers/register-snapshot.js";
import type { SiteHealth } from "@fiscald/daemon/sites/site-health.js";
import type { Job } from "@fiscald/daemon/store/job.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { FaultCode } from "@fiscald/shared/fault-codes.js";
import { toSiteId } from "@fiscald/shared/ids.js";
import { type LogFields, silentLogger } from "@fiscald/shared/logger.js";
import { createFakeClock } from "../../../support/fake-clock.js";
import { makeJob } from "../../../support/make-job.js";
import { makeSnapshot } from "../../../support/make-snapshot.js";

const limits = {
  orderWaitsMinutes: 10,
  unsentToOfdHours: 24,
  driveDaysLeft: 30,
  driveDocumentsLeft: 5000,
  printingMinutes: 5,
};
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

function watch(sources: {
  snapshot?: () => RegisterSnapshot;
  sites?: () => readonly SiteHealth[];
  waits?: () => boolean;
  failed?: Job;
}) {
  const clock = createFakeClock();
  const lines: string[] = [];
  const tell = (line: string, fields?: LogFields) => void lines.push(`${line}: ${String(fields?.["warning"])}`);
  const job = makeJob({ id: 7, createdAt: clock.now() });
  const monitor = createWarningMonitor({
    config: { warnings: limits, sites: [], log: { language: "en" } },
    snapshots: () => (sources.snapshot === undefined ? [] : [sources.snapshot()]),
    howSet: () => [],
    siteHealth: () => sources.sites?.() ?? [],
    storeFault: () => null,
    hasLock: () => true,
    consoleFault: () => null,
    alertFault: () => null,
    stores: {
      jobs: {
        queue: () => (sources.waits?.() === true ? [{ ...job, doneParts: 0, awaitsRegister: false }] : []),
        get: () => job,
        list: ({ state }) => (state === "failed" && sources.failed !== undefined ? [sources.failed] : []),
      },
      journal: { rejectedAnswers: () => [], doubles: () => [] },
      outbox: {
        countUndelivered: () => ({ pending: 0, refused: 0 }),
        oldestAt: () => null,
        waitingResults: () => new Map(),
      },
      checks: { open: () => [], notCompared: () => [] },
    },
    clock,
    log: { ...silentLogger, warn: tell, info: tell },
  });
  monitor.start();
  return { clock, lines, monitor };
}

test("a job that waits too long gives one warning, and one log line when it no longer waits", async () => {
  let waits = true;
  const { clock, lines, monitor } = watch({ waits: () => waits });
  await clock.advance(10 * minuteMs);
  expect(lines).toEqual([]);
  await clock.advance(5 * minuteMs);
  expect(lines).toEqual([expect.stringMatching(/^a warning began: An order waits long/)]);
  expect(monitor.read()).toMatchObject([{ kind: "job-waits", fields: { job: 7, minutes: 15 } }]);
  waits = false;
  await clock.advance(minuteMs);
  expect(lines).toEqual([lines[0], lines[0]?.replace("a warning began", "a warning is over")]);
  monitor.stop();
  expect(clock.pending).toBe(0);
});

test("a growing queue of documents for the OFD gives a warning, and a queue that is being sent does not", async () => {
  let count = 3;
  const unsent = () => ({ count, firstAt: null });
  const { clock, monitor } = watch({ snapshot: () => makeSnapshot({ unsent: unsent() }) });
  for (let hour = 0; hour < 24; hour += 1) {
    await clock.advance(hourMs);
    count += 1;
  }
  expect(monitor.read()).toEqual([]);
  await clock.advance(hourMs);
  expect(monitor.read()).toMatchObject([{ kind: "ofd-queue", fields: { register: "till", hours: 25 } }]);
  count = 1;
  await clock.advance(minuteMs);
  expect(monitor.read()).toEqual([]);
  count = 0;
  await clock.advance(48 * hourMs);
  count = 1;
  await clock.advance(hourMs);
  expect(monitor.read()).toEqual([]);
});

test("a register that prints for minutes gives a warning, and a print that ends does not", async () => {
  const printing = makeSnapshot({ print: "printing" });
  let snapshot = printing;
  const { clock, monitor } = watch({ snapshot: () => snapshot });
  await clock.advance(3 * minuteMs);
  snapshot = makeSnapshot({ print: "idle" });
  await clock.advance(minuteMs);
  snapshot = printing;
  await clock.advance(3 * minuteMs);
  // It refuses to be read because it prints.
  snapshot = { ...makeSnapshot({ print: "idle" }), phase: "finishing" };
  await clock.advance(2 * minuteMs);
  expect(monitor.read()).toEqual([]);
  await clock.advance(minuteMs);
  expect(monitor.read()).toMatchObject([{ kind: "printing-long", fields: { register: "till", minutes: 5 } }]);
});

test.each<FaultCode>(["site.dns", "site.tls", "site.proxy", "site.unauthorized", "site.clock", "site.unreachable"])(
  "a site that cannot be polled because of %s gives a warning with that reason after a minute",
  async (code) => {
    let health: SiteHealth = { site: toSiteId("shop"), fault: null, since: 0, lostAnswers: 0, polled: new Map() };
    const { clock, lines, monitor } = watch({ sites: () => [health] });
    await clock.advance(30_000);
    health = { ...health, fault: new Fault(code, { message: "why" }), since: clock.now() };
    await clock.advance(30_000);
    expect(monitor.read()).toEqual([]);
    await clock.advance(minuteMs);
    expect(monitor.read()).toMatchObject([
      { kind: "site-unreachable", fields: { site: "shop", code, reason: "why" }, text: { ru: expect.any(String) } },
    ]);
    expect(lines).toEqual([expect.stringContaining("cannot be asked")]);
    health = { ...health, fault: null };
    await clock.advance(minuteMs);
    expect(lines[1]).toMatch(/^a warning is over:/);
  },
);

test("an offline register gives a warning, and a log line when it is back", async () => {
  const well = makeSnapshot({});
  let snapshot: RegisterSnapshot = {
    ...well,
    phase: "offline",
    fault: new Fault("link.timeout", { message: "silent" }),
  };
  const { clock, lines, monitor } = watch({ snapshot: () => snapshot });
  expect(monitor.read()).toMatchObject([{ kind: "register-offline", fields: { register: "till" } }]);
  await clock.advance(minuteMs);
  snapshot = { ...snapshot, phase: "connecting" };
  await clock.advance(minuteMs);
  snapshot = well;
  expect(monitor.read()).toEqual([]);
  await clock.advance(minuteMs);
  expect(lines).toEqual([
    expect.stringMatching(/^a warning began: Register till is offline\./),
    expect.stringMatching(/^a warning is over: Register till is offline\./),
  ]);
  monitor.stop();
});

test("a paused register's warning begins at the time on record, also if the daemon was started later", () => {
  const pausedSince = 5;
  const { monitor } = watch({ snapshot: () => ({ ...makeSnapshot(null), pausedSince }) });
  expect(monitor.read()).toMatchObject([{ kind: "register-paused", since: pausedSince }]);
  monitor.stop();
});

test("a failed job's warning begins at the time when the job failed", () => {
  const { monitor, clock } = watch({ failed: makeJob({ state: "failed", updatedAt: createFakeClock().now() }) });
  expect(monitor.read()).toMatchObject([{ kind: "job-failed", since: clock.now() }]);
});
