/** An order that comes under another site id than its earlier self, whose key names the id of then. */
import { join } from "node:path";
import { createMetaStore } from "@fiscald/daemon/store/database/meta-store.js";
import { openDatabase } from "@fiscald/daemon/store/database/open-database.js";
import { createJobStore } from "@fiscald/daemon/store/job-store.js";
import { createJournal } from "@fiscald/daemon/store/journal.js";
import { applySiteNames, knownSites } from "@fiscald/daemon/store/site-names.js";
import { toSiteId } from "@fiscald/shared/ids.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { createFakeClock } from "../../support/fake-clock.js";
import { answerOf, makeIntake, polledKkm, polledRegister, saleTable } from "../../support/make-intake.js";
import { makeDocument } from "../../support/make-job.js";
import { useTempFolder } from "../../support/temp-folder.js";
import { createTestLogger } from "../../support/test-logger.js";

const folder = useTempFolder();
const [kkm, register] = [polledKkm, polledRegister];
const receiptId = "11111111-2222-4333-8444-555555555555";

function open() {
  const clock = createFakeClock();
  const { db, close } = openDatabase({ path: join(folder(), "d.sqlite"), clock, log: silentLogger, pid: 1 });
  const [jobs, meta] = [createJobStore(db), createMetaStore(db)];
  const warnings: string[] = [];
  /** The ids of the sites in the config; when it is empty, every site that has offered is in the config. */
  const configured = new Set<string>();
  /** The site `id` is in the config, and offers the order to a daemon that polls it. */
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
      ...{ jobs, clock, journal: createJournal(db) },
      log: createTestLogger((line) => warnings.push(line)),
    });
    return intake.accept(answerOf({ response: { orderId: "A-1", ...ids, kkm: named, taskTable: saleTable() } }));
  }
  function print(id: number) {
    jobs.claim(id, register, clock.now());
    jobs.markPrinted(id, makeDocument(), clock.now());
  }
  return { offer, print, warnings, configured, story: () => createJournal(db).ofJob(1), close };
}

test.each([
  ["of the kit", { receiptId }],
  ["of another site", {}],
])("an order %s that was printed counts as known when its site has a new id", (_what, ids) => {
  const { offer, print, close } = open();
  expect(offer("shop", ids)).toMatchObject({ kind: "order", job: { id: 1 } });
  print(1);
  expect(offer("store", ids, "shop")).toMatchObject({ kind: "repeat", job: { id: 1, state: "printed" } });
  close();
});

test("a kit's receipt that two sites of the config offer is taken once, and the log says why", () => {
  const { offer, warnings, close } = open();
  expect(offer("shop", { receiptId })).toMatchObject({ kind: "order", job: { id: 1 } });
  expect(offer("www", { receiptId })).toMatchObject({ kind: "repeat", job: { id: 1 } });
  expect(warnings).toEqual([expect.stringContaining("both sites lead to one store")]);
  close();
});

test("a receipt of a site that is no longer configured is not taken twice, and its story says what to do", () => {
  const { offer, print, configured, story, close } = open();
  offer("shop", { receiptId });
  print(1);
  configured.add("store");
  expect(offer("store", { receiptId })).toMatchObject({ kind: "repeat", job: { site: "shop" } });
  expect(story().at(-1)?.details).toMatchObject({
    reason: expect.stringContaining('write "renamedFrom": "shop" there'),
  });
  expect(offer("store", { receiptId }, "shop")).toMatchObject({ kind: "repeat", job: { id: 1, site: "store" } });
  close();
});

test("a receiptId that another site used for another order makes no duplicate and names no other order", () => {
  const { offer, warnings, close } = open();
  offer("shop", { receiptId });
  const other = { receiptId, orderId: "B-7" };
  expect(offer("www", other)).toMatchObject({ kind: "order", job: { id: 2, site: "www" } });
  expect(warnings).toEqual([]);
  close();
});

test("equal order numbers of two sites without the kit are two orders", () => {
  const { offer, close } = open();
  expect(offer("shop", {})).toMatchObject({ kind: "order", job: { id: 1 } });
  expect(offer("www", {})).toMatchObject({ kind: "order", job: { id: 2 } });
  close();
});

test("an order printed under its site's former id is known under the new id, also with an unknown register", () => {
  const { offer, print, close } = open();
  offer("shop", { receiptId });
  print(1);
  const named = "0009999999999999";
  expect(offer("store", { receiptId }, "shop", named)).toMatchObject({
    kind: "repeat",
    job: { id: 1, state: "printed" },
  });
  close();
});

test("a refusal of one site does not hide the same receipt that another site of the store offered", () => {
  const { offer, close } = open();
  expect(offer("www", { receiptId }, null, "0009999999999999")).toMatchObject({ kind: "refused" });
  expect(offer("shop", { receiptId })).toMatchObject({ kind: "order", job: { site: "shop" } });
  expect(offer("www", { receiptId })).toMatchObject({ kind: "repeat", job: { site: "shop" } });
  close();
});
