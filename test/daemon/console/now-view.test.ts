/** The first view of the operator's page, over a database of its own. */
import { join } from "node:path";
import { nowView } from "@fiscald/daemon/console/now-view.js";
import type { RegisterSnapshot } from "@fiscald/daemon/registers/register-snapshot.js";
import type { SiteHealth } from "@fiscald/daemon/sites/site-health.js";
import { openDatabase } from "@fiscald/daemon/store/database/open-database.js";
import { createJobStore } from "@fiscald/daemon/store/job-store.js";
import { createJournal } from "@fiscald/daemon/store/journal.js";
import { createOutboxStore } from "@fiscald/daemon/store/outbox-store.js";
import { Fault } from "@fiscald/shared/fault.js";
import { toKkm, toSiteId } from "@fiscald/shared/ids.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { createFakeClock } from "../../support/fake-clock.js";
import { makeSnapshot } from "../../support/make-snapshot.js";
import { useTempFolder } from "../../support/temp-folder.js";

const folder = useTempFolder();
const shop = toSiteId("shop");
const well: SiteHealth = { site: shop, fault: null, since: 0, lostAnswers: 0, polled: new Map() };

function viewOf({ health = {}, snapshots = [] }: { health?: Partial<SiteHealth>; snapshots?: RegisterSnapshot[] }) {
  const clock = createFakeClock();
  const { db } = openDatabase({ path: join(folder(), "d.sqlite"), clock, log: silentLogger, pid: 1 });
  const outbox = createOutboxStore({ db, journal: createJournal(db), newId: () => "id", onAdded: () => {} });
  const parts = { jobs: createJobStore(db), outbox, snapshots: () => snapshots, howSet: () => [], warnings: () => [] };
  return nowView({ ...parts, siteHealth: () => [{ ...well, ...health }] }, clock.now());
}

function register(id: string, kkm: string, over: Partial<RegisterSnapshot> = {}): RegisterSnapshot {
  const snapshot = makeSnapshot({}, { id, kkm });
  return { ...snapshot, settings: { ...snapshot.settings, sites: [shop] }, ...over };
}

test("the page dates a site's last answer by the register that has waited longest for an answer", () => {
  const polled = new Map([
    [toKkm("1"), 3000],
    [toKkm("2"), 2000],
    [toKkm("3"), 1000],
    [toKkm("removed"), 500],
  ]);
  const snapshots = [register("one", "1"), register("two", "2"), register("paused", "3", { pausedSince: 900 })];
  expect(viewOf({ health: { polled }, snapshots }).sites).toMatchObject([{ polledAt: new Date(2000).toISOString() }]);
});

test("the page's light is not green while a site's card is red", () => {
  const fault = new Fault("site.unreachable");
  const { light } = viewOf({ health: { fault } });
  expect(light).toMatchObject({
    tone: "yellow",
    text: { ru: expect.stringContaining("Сайт shop не удаётся опросить") },
  });
});

test("the figures of a register say when they were read, and its clock is compared with that time", () => {
  const [card] = viewOf({ snapshots: [register("one", "1", { isConnected: false })] }).registers;
  expect(card?.figures).toMatchObject({ isPresent: false, readAt: "2026-11-20T09:00:00.000Z", clockMinutes: 0 });
});
