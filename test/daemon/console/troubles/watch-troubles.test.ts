import { watchTroubles } from "@fiscald/daemon/console/troubles/watch-troubles.js";
import type { RegisterSnapshot } from "@fiscald/daemon/registers/register-snapshot.js";
import type { SiteHealth } from "@fiscald/daemon/sites/site-health.js";
import type { Job } from "@fiscald/daemon/store/job.js";
import type { JobFilter } from "@fiscald/daemon/store/job-statements.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { FaultCode } from "@fiscald/shared/fault-codes.js";
import { toRegisterId, toSiteId } from "@fiscald/shared/ids.js";
import { type LogFields, silentLogger } from "@fiscald/shared/logger.js";
import { createFakeClock } from "../../../support/fake-clock.js";
import { makeJob } from "../../../support/make-job.js";
import { makeSnapshot } from "../../../support/make-snapshot.js";
import { limits } from "../../../support/trouble-facts.js";
import { useStores } from "../../../support/use-stores.js";

const { open } = useStores();
const shop = toSiteId("shop");
const minuteMs = 60_000;

function watch(sources: {
  snapshot?: () => RegisterSnapshot;
  sites?: () => readonly SiteHealth[];
  waits?: () => boolean;
  failed?: Job;
}) {
  const { clock, ...stored } = open();
  const lines: string[] = [];
  const tell = (line: string, fields?: LogFields) => void lines.push(`${line}: ${String(fields?.["trouble"])}`);
  const job = makeJob({ id: 7, source: "site", register: toRegisterId("till"), createdAt: clock.now() });
  const stores = {
    ...stored,
    jobs: {
      ...stored.jobs,
      queue: () => (sources.waits?.() === true ? [{ ...job, doneParts: 0 }] : []),
      get: () => job,
      brief: ({ state }: JobFilter) => (state === "failed" && sources.failed !== undefined ? [sources.failed] : []),
    },
  };
  const monitor = watchTroubles({
    config: { sites: [], registers: [], log: { language: "en" } },
    parts: {
      ...{ ...stores, clock, limits },
      snapshots: () => (sources.snapshot === undefined ? [] : [sources.snapshot()]),
      siteHealth: () => sources.sites?.() ?? [],
      storeFault: () => null,
      awaited: () => null,
      whatWaited: () => null,
    },
    ...{ howSet: () => [], hasLock: () => true, alertFault: () => null, stores },
    log: { ...silentLogger, warn: tell, info: tell },
  });
  monitor.start();
  const read = () => monitor.read().map(({ kind, needs, registers, since }) => ({ kind, needs, registers, since }));
  return { clock, lines, monitor, read };
}

test("a job that waits too long is logged once, and is logged again when its wait ends", async () => {
  let waits = true;
  const well = makeSnapshot({});
  const { clock, lines, monitor, read } = watch({ waits: () => waits, snapshot: () => well });
  await clock.advance(10 * minuteMs);
  expect(lines).toEqual([]);
  await clock.advance(5 * minuteMs);
  expect(lines).toEqual(["a trouble began: till: It is next in the queue."]);
  expect(read()).toMatchObject([{ kind: "waits-for-turn", needs: "look" }]);
  waits = false;
  await clock.advance(minuteMs);
  expect(lines.slice(1)).toEqual(["a trouble is over: till: It is next in the queue."]);
  monitor.stop();
  expect(clock.pending).toBe(0);
});

test.each<FaultCode>(["site.dns", "site.tls", "site.proxy", "site.unauthorized", "site.clock", "site.unreachable"])(
  "a site that cannot be polled because of %s needs a person after a minute, until the site answers",
  async (code) => {
    let health: SiteHealth = { site: shop, fault: null, since: 0, lostAnswers: 0, polled: new Map() };
    const till = makeSnapshot(null, { kkm: "0001234567012345" });
    const bound = { ...till, settings: { ...till.settings, sites: [shop] } };
    const { clock, lines, read } = watch({ sites: () => [health], snapshot: () => bound });
    await clock.advance(30_000);
    health = { ...health, fault: new Fault(code, { message: "why" }), since: clock.now() };
    expect(read()).toMatchObject([{ needs: "look" }]);
    await clock.advance(minuteMs);
    expect(read()).toMatchObject([{ needs: "person", since: clock.now() - minuteMs }]);
    expect(lines).toEqual([expect.stringMatching(/^a trouble began: shop: /)]);
    health = { ...health, fault: null };
    await clock.advance(minuteMs);
    expect(lines[1]).toMatch(/^a trouble is over: shop: /);
    expect(read()).toEqual([]);
  },
);

test("an offline register is one trouble until it is back, whatever faults its connection tries end with", async () => {
  const well = makeSnapshot({});
  const offline = (code: FaultCode) => ({ ...well, phase: "offline" as const, fault: new Fault(code) });
  let snapshot: RegisterSnapshot = offline("link.timeout");
  const { clock, lines, monitor, read } = watch({ snapshot: () => snapshot });
  const since = clock.now();
  expect(read()).toMatchObject([{ kind: "register-offline", registers: ["till"], since }]);
  await clock.advance(minuteMs);
  snapshot = offline("link.lost");
  await clock.advance(minuteMs);
  expect(read()).toMatchObject([{ kind: "register-offline", since }]);
  snapshot = well;
  await clock.advance(minuteMs);
  expect(read()).toEqual([]);
  expect(lines).toEqual([
    "a trouble began: till: The register did not answer in time.",
    "a trouble is over: till: The connection to the register was lost.",
  ]);
  monitor.stop();
});

test("a paused register's trouble begins at the time on record, also if the daemon was started later", () => {
  const pausedSince = 5;
  const { monitor, read } = watch({ snapshot: () => ({ ...makeSnapshot(null), pausedSince }) });
  expect(read()).toMatchObject([{ kind: "register-paused", since: pausedSince }]);
  monitor.stop();
});

test("a failed job's trouble begins at the time when the job failed", () => {
  const { read, clock } = watch({ failed: makeJob({ state: "failed", updatedAt: createFakeClock().now() }) });
  expect(read()).toMatchObject([{ kind: "failed", since: clock.now() }]);
});
