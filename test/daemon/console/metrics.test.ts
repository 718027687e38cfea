import { createMetrics } from "@fiscald/daemon/console/metrics.js";
import { found } from "@fiscald/daemon/console/troubles/found.js";
import { Fault } from "@fiscald/shared/fault.js";
import { toRegisterId, toSiteId } from "@fiscald/shared/ids.js";
import { newJob } from "../../support/make-job.js";
import { local, makeSnapshot } from "../../support/make-snapshot.js";
import { useStores } from "../../support/use-stores.js";

const { open } = useStores();

test("the metrics count the troubles of each kind that need a person or that a person should look at", async () => {
  const { clock, jobs, journal, outbox } = open();
  const till = toRegisterId("till");
  const site = toSiteId("shop");
  jobs.insertJob(newJob({ now: clock.now() }));
  // The job's outcome is in doubt: nobody else may take the job, and somebody has to know.
  jobs.claim(1, till, clock.now());
  jobs.markUnsure(1, { code: "link.timeout", message: "" }, clock.now());
  await clock.advance(90_000);
  const say = () => ({ text: "", next: "" });
  const fault = { code: "site.dns", message: "" } as const;
  const orders = [1, 2].map((job) => ({ name: `A-${job}`, job }));
  const troubles = [
    found({ kind: "paper-low", needs: "look", register: till, say }),
    found({ kind: "site-unreachable", needs: "person", site, fault, say }),
    found({ kind: "failed", needs: "person", register: till, orders, say }),
    found({ kind: "printing", needs: "nobody", register: till, say }),
  ];
  const state = {
    fnDaysLeft: 12,
    fnDocumentsLeft: 345,
    paper: "low",
    unsent: { count: 7, firstAt: local("2026-11-19T12:00:00") },
  } as const;
  journal.add({ at: clock.now(), actor: "daemon", what: "printed twice", job: 1, register: till });
  const metrics = createMetrics({
    snapshots: () => [makeSnapshot(state)],
    siteHealth: () => [{ site, fault: new Fault("site.dns"), since: 0, lostAnswers: 2, polled: new Map() }],
    troubles: () => troubles.map((trouble) => ({ ...trouble, since: 0 })),
    ...{ jobs, journal, outbox, clock },
  });
  const text = await metrics.metrics();
  for (const line of [
    'fiscald_register_drive_days_left{register="till"} 12',
    'fiscald_register_drive_documents_left{register="till"} 345',
    'fiscald_register_unsent_documents{register="till"} 7',
    'fiscald_register_paper{register="till",paper="low"} 1',
    'fiscald_oldest_waiting_job_seconds{register="till"} 90',
    'fiscald_site_reachable{site="shop"} 0',
    'fiscald_site_lost_answers{site="shop"} 2',
    "fiscald_double_receipts 1",
    'fiscald_troubles{needs="person"} 2',
    'fiscald_troubles{needs="look"} 1',
    'fiscald_trouble{kind="paper-low",needs="look",register="till",site="",code=""} 1',
    'fiscald_trouble{kind="site-unreachable",needs="person",register="",site="shop",code="site.dns"} 1',
    'fiscald_trouble{kind="failed",needs="person",register="till",site="",code=""} 2',
  ]) {
    expect(text.split("\n")).toContain(line);
  }
});
