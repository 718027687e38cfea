import { join } from "node:path";
import { createMetrics } from "@fiscald/daemon/console/metrics.js";
import type { EarlyWarning } from "@fiscald/daemon/console/warnings/warning-texts.js";
import { warningTexts } from "@fiscald/daemon/console/warnings/warning-texts.js";
import { openDatabase } from "@fiscald/daemon/store/database/open-database.js";
import { createJobStore } from "@fiscald/daemon/store/job-store.js";
import { createJournal } from "@fiscald/daemon/store/journal.js";
import { createOutboxStore } from "@fiscald/daemon/store/outbox-store.js";
import { Fault } from "@fiscald/shared/fault.js";
import { toRegisterId, toSiteId } from "@fiscald/shared/ids.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { createFakeClock } from "../../support/fake-clock.js";
import { makeReceipt } from "../../support/make-job.js";
import { local, makeSnapshot } from "../../support/make-snapshot.js";
import { useTempFolder } from "../../support/temp-folder.js";

const folder = useTempFolder();

test("every early warning is in the metrics, as a value and as a warning of its kind", async () => {
  const clock = createFakeClock();
  const { db, close } = openDatabase({ path: join(folder(), "f.sqlite"), clock, log: silentLogger, pid: 1 });
  const jobs = createJobStore(db);
  const till = toRegisterId("till");
  const site = toSiteId("shop");
  const raw = { source: "site", site, raw: null, polledKkm: null, key: null, forced: false, fault: null } as const;
  jobs.insertJob({ ...raw, receipt: makeReceipt(), register: toRegisterId("till"), state: "queued", now: clock.now() });
  // It is in doubt: nobody else may take it, and somebody has to know.
  jobs.claim(1, till, clock.now());
  jobs.markUnsure(1, { code: "link.timeout", message: "" }, clock.now());
  await clock.advance(90_000);
  const warnings: readonly EarlyWarning[] = [
    { key: "a", kind: "paper-low", text: warningTexts["paper-low"], fields: { register: "till" } },
    { key: "b", kind: "site-unreachable", text: { en: "no", ru: "нет" }, fields: { site, code: "site.dns" } },
    { key: "c", kind: "job-waits", text: warningTexts["job-waits"], fields: { register: "till", job: 1 } },
    { key: "d", kind: "job-waits", text: warningTexts["job-waits"], fields: { register: "till", job: 2 } },
  ];
  const state = {
    fnDaysLeft: 12,
    fnDocumentsLeft: 345,
    paper: "low",
    unsent: { count: 7, firstAt: local("2026-11-19T12:00:00") },
  } as const;
  const journal = createJournal(db);
  journal.add({ at: clock.now(), actor: "daemon", what: "printed twice", job: 1, register: till });
  const metrics = createMetrics({
    snapshots: () => [makeSnapshot(state)],
    siteHealth: () => [{ site, fault: new Fault("site.dns"), since: 0, lostAnswers: 2, polled: new Map() }],
    warnings: () => warnings.map((warning) => ({ ...warning, since: 0 })),
    jobs,
    journal,
    outbox: createOutboxStore({ db, journal, newId: () => "id", onAdded: () => {} }),
    clock,
  });
  const text = await metrics.metrics();
  close();
  for (const line of [
    'fiscald_register_drive_days_left{register="till"} 12',
    'fiscald_register_drive_documents_left{register="till"} 345',
    'fiscald_register_unsent_documents{register="till"} 7',
    'fiscald_register_paper{register="till",paper="low"} 1',
    'fiscald_oldest_waiting_job_seconds{register="till"} 90',
    'fiscald_site_reachable{site="shop"} 0',
    'fiscald_site_lost_answers{site="shop"} 2',
    "fiscald_double_receipts 1",
    "fiscald_warnings 4",
    'fiscald_warning{kind="paper-low",register="till",site="",code=""} 1',
    'fiscald_warning{kind="site-unreachable",register="",site="shop",code="site.dns"} 1',
    'fiscald_warning{kind="job-waits",register="till",site="",code=""} 2',
  ]) {
    expect(text.split("\n")).toContain(line);
  }
});
