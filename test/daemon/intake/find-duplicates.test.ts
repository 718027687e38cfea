/** An order comes under another site id than before. Its stored key has the earlier id. */

import { createMetaStore } from "@fiscald/daemon/store/database/meta-store.js";
import { applySiteNames, knownSites } from "@fiscald/daemon/store/site-names.js";
import { toSiteId } from "@fiscald/shared/ids.js";
import { answerOf, makeIntake, polledKkm, polledRegister, saleTable } from "../../support/make-intake.js";
import { makeDocument } from "../../support/make-job.js";
import { createTestLogger } from "../../support/test-logger.js";
import { useStores } from "../../support/use-stores.js";

const { open: openStores } = useStores();
const [kkm, register] = [polledKkm, polledRegister];
const receiptId = "11111111-2222-4333-8444-555555555555";

function open() {
  const { clock, db, jobs, journal } = openStores();
  const meta = createMetaStore(db);
  const warnings: string[] = [];
  /** The ids of the sites in the config; empty = every site that has offered an order is in the config. */
  const configured = new Set<string>();
  /** The site `id` is in the config and offers the order at a poll. */
  function offer(
    id: string,
    ids: { readonly receiptId?: string; readonly orderId?: string },
    renamedFrom: string | null = null,
    named: string = kkm,
  ) {
    const former = renamedFrom === null ? null : toSiteId(renamedFrom);
    applySiteNames(db, meta, [{ id: toSiteId(id), ordersUrl: `https://${id}.example/`, renamedFrom: former }]);
    const intake = makeIntake({
      site: toSiteId(id),
      otherSites: () => knownSites(meta).filter((other) => other !== id),
      isConfigured: (other) => configured.size === 0 || configured.has(other),
      ...{ jobs, clock, journal },
      log: createTestLogger((line) => warnings.push(line)),
    });
    return intake.accept(answerOf({ response: { orderId: "A-1", ...ids, kkm: named, taskTable: saleTable() } }));
  }
  function print(id: number) {
    jobs.claim(id, register, clock.now());
    jobs.markPrinted(id, makeDocument(), clock.now());
  }
  return { offer, print, warnings, configured, story: () => journal.ofJob(1) };
}

test.each([
  ["of the kit", { receiptId }],
  ["of another site", {}],
])("an order %s that was printed counts as known when its site has a new id", (_what, ids) => {
  const { offer, print } = open();
  expect(offer("shop", ids)).toMatchObject({ kind: "order", job: { id: 1 } });
  print(1);
  expect(offer("store", ids, "shop")).toMatchObject({ kind: "repeat", job: { id: 1, state: "printed" } });
});

test("a kit's receipt that two sites of the config offer is accepted once, and the log says why", () => {
  const { offer, warnings } = open();
  expect(offer("shop", { receiptId })).toMatchObject({ kind: "order", job: { id: 1 } });
  expect(offer("www", { receiptId })).toMatchObject({ kind: "repeat", job: { id: 1 } });
  expect(warnings).toEqual([expect.stringContaining("both sites lead to one store")]);
});

test("a receipt of a site that is no longer configured is not accepted twice, and its history says what to do", () => {
  const { offer, print, configured, story } = open();
  offer("shop", { receiptId });
  print(1);
  configured.add("store");
  expect(offer("store", { receiptId })).toMatchObject({ kind: "repeat", job: { site: "shop" } });
  expect(story().at(-1)?.details).toMatchObject({
    reason: expect.stringContaining('write "renamedFrom": "shop" there'),
  });
  expect(offer("store", { receiptId }, "shop")).toMatchObject({ kind: "repeat", job: { id: 1, site: "store" } });
});

test("an order with a receiptId that another site used for another order is accepted without a warning", () => {
  const { offer, warnings } = open();
  offer("shop", { receiptId });
  const other = { receiptId, orderId: "B-7" };
  expect(offer("www", other)).toMatchObject({ kind: "order", job: { id: 2, site: "www" } });
  expect(warnings).toEqual([]);
});

test("equal order numbers of two sites without the kit are accepted as two orders", () => {
  const { offer } = open();
  expect(offer("shop", {})).toMatchObject({ kind: "order", job: { id: 1 } });
  expect(offer("www", {})).toMatchObject({ kind: "order", job: { id: 2 } });
});

test("an order printed under its site's former id is known under the new id, even if it names an unknown register", () => {
  const { offer, print } = open();
  offer("shop", { receiptId });
  print(1);
  const named = "0009999999999999";
  expect(offer("store", { receiptId }, "shop", named)).toMatchObject({
    kind: "repeat",
    job: { id: 1, state: "printed" },
  });
});

test("a receipt that one site of a store had refused is accepted from the other site, and then known to the first", () => {
  const { offer } = open();
  expect(offer("www", { receiptId }, null, "0009999999999999")).toMatchObject({ kind: "refused" });
  expect(offer("shop", { receiptId })).toMatchObject({ kind: "order", job: { site: "shop" } });
  expect(offer("www", { receiptId })).toMatchObject({ kind: "repeat", job: { site: "shop" } });
});
