import { findRemovedSites } from "@fiscald/daemon/console/troubles/gather-facts.js";
import { createOutboxStore, type NewEvent, type OutboxStore } from "@fiscald/daemon/store/outbox-store.js";
import { Fault } from "@fiscald/shared/fault.js";
import { toOrderId, toRegisterId, toSiteId } from "@fiscald/shared/ids.js";
import { given } from "../../support/given.js";
import { makeReceipt, newJob } from "../../support/make-job.js";
import { siteAt } from "../../support/raw-config.js";
import { type OpenStores, useStores } from "../../support/use-stores.js";

const { open: openStores } = useStores();
const shop = toSiteId("shop");
let stores: OpenStores;
let outbox: OutboxStore;
let woken: string[];
let ids: number;

function open(): void {
  stores = openStores();
  const { db, journal } = stores;
  outbox = createOutboxStore({ db, journal, newId: () => `msg-${++ids}`, onAdded: (site) => woken.push(site) });
}

beforeEach(() => {
  woken = [];
  ids = 0;
  open();
  for (const id of [1, 2]) stores.jobs.insertJob(newJob({ receipt: makeReceipt({ orderId: toOrderId(`A-${id}`) }) }));
});

const found = (id: number) => given(outbox.find(id));
const refused = { fault: new Fault("site.refused", { message: "answered resultCode 4" }), refused: true, aside: true };

function event(rest: Partial<NewEvent> = {}): NewEvent {
  const names = { site: shop, kind: "result", lane: "order A-1", job: null, register: toRegisterId("till") } as const;
  return { ...names, body: { n: 1 }, latestOnly: false, ...rest };
}

test("an event survives a restart with its message id", () => {
  const id = outbox.add(event({ job: 1 }), 1000);
  stores.close();
  open();
  expect(outbox.find(id)).toEqual({
    id,
    site: shop,
    kind: "result",
    lane: "order A-1",
    job: 1,
    register: "till",
    body: { n: 1 },
    webhookId: "msg-1",
    state: "pending",
    revision: 0,
    tries: 0,
    refusals: 0,
    lastError: null,
    createdAt: 1000,
    deliveredAt: null,
  });
  expect(woken).toEqual(["shop"]);
});

test("the oldest pending event of each lane is sent next, and an event of a kind that is not sent now keeps its lane waiting", () => {
  const first = outbox.add(event(), 0);
  outbox.add(event({ kind: "zreport" }), 0);
  const other = outbox.add(event({ kind: "zreport", lane: "register till" }), 0);
  outbox.add(event({ site: toSiteId("other") }), 0);
  expect(outbox.heads(shop, 10).map(({ id }) => id)).toEqual([first, other]);
  expect(outbox.heads(shop, 1).map(({ id }) => id)).toEqual([first]);
  expect(outbox.heads(shop, 1, new Set(["result"])).map(({ id }) => id)).toEqual([other]);
});

test("a second result of a job replaces the first and is delivered as a new revision", () => {
  const id = outbox.add(event({ job: 1 }), 0);
  const before = found(id);
  outbox.markDelivered(before, 5);
  expect(outbox.add(event({ job: 1, body: { n: 2 } }), 10)).toBe(id);
  const after = outbox.find(id);
  expect(after).toMatchObject({ body: { n: 2 }, state: "pending", revision: 1, deliveredAt: null });
  expect(after?.webhookId).not.toBe(before.webhookId);
});

test("only the commit of a delivery is not flushed, and the next one is flushed again even if the delivery fails", () => {
  const { db } = stores;
  const flushed: unknown[] = [];
  const isFlushed = () => db.pragma("synchronous", { simple: true }) === 2;
  const add = () => {
    flushed.push(isFlushed());
    if (flushed.length > 2) throw new Fault("store.full");
  };
  outbox = createOutboxStore({ db, journal: { ...stores.journal, add }, newId: () => "", onAdded: () => {} });
  const head = found(outbox.add(event({ job: 1 }), 0));
  outbox.markDelivered(head, 5);
  outbox.markFailed(head, refused, 6);
  expect(() => outbox.markDelivered(head, 7)).toThrow("The disk is full.");
  expect([...flushed, isFlushed()]).toEqual([false, true, false, true]);
});

test("a delivery of an event's former revision does not count for the present revision", () => {
  const id = outbox.add(event({ job: 1 }), 0);
  const old = found(id);
  outbox.add(event({ job: 1, body: { n: 2 } }), 1);
  outbox.markDelivered(old, 2);
  outbox.markFailed(old, refused, 2);
  expect(outbox.find(id)).toMatchObject({ state: "pending", tries: 0, deliveredAt: null });
});

test("pending results of a site that is no longer configured are listed with their number", () => {
  const old = toSiteId("old");
  for (const job of [1, 2]) outbox.add(event({ job, site: old }), 0);
  outbox.add(event({ kind: "connected", site: old }), 0);
  outbox.add(event({ job: 1 }), 0);
  const sites = [siteAt("https://shop.example/")];
  expect(findRemovedSites(outbox, { sites })).toEqual([{ site: old, results: 2 }]);
  for (const { site, id } of outbox.list({ site: old }, { limit: 9, offset: 0 })) {
    if (site === old) outbox.markDelivered(found(id), 1);
  }
  expect(findRemovedSites(outbox, { sites })).toEqual([]);
});

test("results of different jobs or sites are different events in the outbox", () => {
  const ids = [event({ job: 1 }), event({ job: 2 }), event({ job: 1, site: toSiteId("other") })].map((one) =>
    outbox.add(one, 0),
  );
  expect(new Set(ids).size).toBe(3);
  expect(outbox.ofJob(1)).toHaveLength(2);
});

test("an event with latestOnly replaces the pending event of its kind and lane", () => {
  const sync = event({ kind: "sync", lane: "sync", latestOnly: true });
  const first = outbox.add(sync, 0);
  expect(outbox.add({ ...sync, body: { n: 2 } }, 1)).toBe(first);
  const head = found(first);
  expect(head.body).toEqual({ n: 2 });
  outbox.markDelivered(head, 2);
  expect(outbox.add({ ...sync, body: { n: 3 } }, 3)).not.toBe(first);
});

test("an event with latestOnly replaces an earlier event that was set aside, which the site then never gets", () => {
  const sync = event({ kind: "sync", lane: "sync", latestOnly: true });
  const first = outbox.add(sync, 0);
  const head = found(first);
  outbox.markFailed(head, refused, 1);
  outbox.add({ ...sync, body: { n: 2 } }, 2);
  expect(outbox.refused(shop)).toEqual([]);
  expect(outbox.heads(shop, 10)).toMatchObject([{ id: first, state: "pending", refusals: 0, body: { n: 2 } }]);
});

test("a refused event is listed with the site's reason and can be resent", () => {
  const id = outbox.add(event({ job: 1 }), 0);
  const head = found(id);
  outbox.markFailed(head, refused, 5);
  expect(outbox.heads(shop, 10)).toEqual([]);
  expect(outbox.refused(shop)).toMatchObject([{ id, tries: 1, lastError: "site.refused: answered resultCode 4" }]);
  expect([outbox.oldestAt(shop, "refused"), outbox.oldestAt(shop, "pending")]).toEqual([0, null]);
  expect(outbox.countUndelivered(shop)).toEqual({ pending: 0, refused: 1 });
  expect(outbox.rearm(id)).toBe(true);
  expect(outbox.find(id)).toMatchObject({ state: "pending", revision: 1, tries: 0 });
  expect(outbox.rearm(999)).toBe(false);
});

test("an event that waits to be sent again still has the time of its earlier delivery", () => {
  const id = outbox.add(event({ job: 1 }), 0);
  const head = found(id);
  outbox.markDelivered(head, 7);
  outbox.rearm(id);
  expect(outbox.find(id)).toMatchObject({ state: "pending", deliveredAt: 7 });
});

test("the journal has every delivery of an event, and a repeated failure only once", () => {
  const id = outbox.add(event({ job: 1 }), 0);
  const out = { fault: new Fault("site.unreachable", { message: "out" }), refused: false, aside: false };
  for (let time = 1; time < 50; time += 1) outbox.markFailed(found(id), out, time);
  outbox.markDelivered(found(id), 60);
  const entries = stores.journal.ofJob(1);
  expect(entries.map(({ what, at }) => [what, at])).toEqual([
    ["result not delivered", 1],
    ["result delivered", 60],
  ]);
  expect(entries[1]?.details).toEqual({ tries: 50 });
});

test("an event that was added in a rolled back transaction is not in the outbox", () => {
  const { db } = stores;
  const work = db.transaction(() => {
    outbox.add(event(), 0);
    throw new Error("no");
  });
  expect(work).toThrow("no");
  expect(outbox.list({}, { limit: 10, offset: 0 })).toEqual([]);
  expect(outbox.oldestAt(shop, "pending")).toBeNull();
});
