import { nowView } from "@fiscald/daemon/console/now-view.js";
import { findTroubles } from "@fiscald/daemon/console/troubles/find-troubles.js";
import type { RegisterSnapshot } from "@fiscald/daemon/registers/register-snapshot.js";
import type { SiteHealth } from "@fiscald/daemon/sites/site-health.js";
import type { Job } from "@fiscald/daemon/store/job.js";
import { Fault } from "@fiscald/shared/fault.js";
import { toKkm, toOrderId, toSiteId } from "@fiscald/shared/ids.js";
import { createFakeClock } from "../../support/fake-clock.js";
import { makeJob, newJob } from "../../support/make-job.js";
import { makeSnapshot } from "../../support/make-snapshot.js";
import { factsOf } from "../../support/trouble-facts.js";
import { useStores } from "../../support/use-stores.js";

const { open } = useStores();
const shop = toSiteId("shop");
const well: SiteHealth = { site: shop, fault: null, since: 0, lostAnswers: 0, polled: new Map() };

interface Given {
  readonly health?: Partial<SiteHealth>;
  readonly snapshots?: readonly RegisterSnapshot[];
  readonly waiting?: readonly Job[];
}

function viewOf({ health = {}, snapshots = [], waiting = [] }: Given) {
  const { clock, outbox, jobs } = open();
  const sites = [{ ...well, ...health }];
  const facts = factsOf({ present: { registers: snapshots, sites, now: clock.now() }, jobs: waiting });
  const troubles = () => findTroubles(facts).map((trouble) => ({ ...trouble, since: trouble.since ?? clock.now() }));
  const parts = { jobs, outbox, troubles, snapshots: () => snapshots, howSet: () => [] };
  return nowView({ ...parts, siteHealth: () => sites }, clock.now());
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

test.each([
  [30_000, "yellow", "Печатается, есть предупреждения"],
  [90_000, "red", "shop: Сайт недоступен. Чеки ждут."],
] as const)("the status light and the card of a site that is silent for %i ms are %s", (silentMs, tone, text) => {
  const health = { fault: new Fault("site.unreachable"), since: createFakeClock().now() - silentMs };
  const { light, sites, registers } = viewOf({ health, snapshots: [register("one", "1")] });
  expect(light).toMatchObject({ tone, text: { ru: text } });
  expect(sites).toMatchObject([{ tone, troubles: [{ text: { ru: "Сайт недоступен. Чеки ждут." } }] }]);
  expect(registers).toMatchObject([{ tone: "green", troubles: [] }]);
});

test("a site that answers each poll with neither an order nor «no orders» is red, with the cause on its card", () => {
  const health = { since: createFakeClock().now() - 90_000, strangeAt: new Set([toKkm("1")]) };
  const { light, sites } = viewOf({ health, snapshots: [register("one", "1")] });
  const said = "Сайт ответил не заказом и не сообщением, что заказов нет.";
  expect(light).toMatchObject({ tone: "red", text: { ru: `shop: ${said}` } });
  expect(sites).toMatchObject([{ tone: "red", troubles: [{ text: { ru: said } }] }]);
});

test("the card of a site does not take a return made by a person for the site's newest order", () => {
  const { jobs, clock, ...stores } = open();
  const [old, now] = [clock.now() - 60_000, clock.now()];
  jobs.insertJob(newJob({ site: shop, now: old }));
  jobs.insertJob(newJob({ site: shop, source: "operator", now }));
  const parts = {
    ...stores,
    jobs,
    troubles: () => [],
    snapshots: () => [],
    howSet: () => [],
    siteHealth: () => [well],
  };
  expect(nowView(parts, now).sites).toMatchObject([{ orderAt: new Date(old).toISOString() }]);
});

test("the figures of a register say when they were read, and the register's clock is compared with that time", () => {
  const [card] = viewOf({ snapshots: [register("one", "1", { isConnected: false })] }).registers;
  expect(card?.figures).toMatchObject({ isPresent: false, readAt: "2026-11-20T09:00:00.000Z", clockMinutes: 0 });
});

test("registers without paper say the same on their cards when other orders wait for each, and the light names the orders", () => {
  const fault = new Fault("device.paper-out");
  const snapshots = ["one", "two"].map((id) => register(id, id, { phase: "blocked", fault }));
  const waiting = snapshots.map(({ settings: { id } }, index) =>
    makeJob({ id: index + 1, register: id, orderId: toOrderId(`A-${index + 1}`) }),
  );
  const { light, registers } = viewOf({ snapshots, waiting });
  const said = "В кассе закончилась бумага.";
  expect(registers.map(({ troubles }) => troubles.map(({ text }) => text.ru))).toEqual([[said], [said]]);
  expect(light.text.ru).toContain(`${said} Ждут 2 заказа: A-1, A-2.`);
});
