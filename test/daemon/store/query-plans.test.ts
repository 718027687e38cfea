import { createAttemptStore } from "@fiscald/daemon/store/attempt-store.js";
import type { Database } from "@fiscald/daemon/store/database/sqlite-file.js";
import { createJobStore } from "@fiscald/daemon/store/job-store.js";
import { createJournal } from "@fiscald/daemon/store/journal.js";
import { createOutboxStore } from "@fiscald/daemon/store/outbox-store.js";
import { createRawOrders } from "@fiscald/daemon/store/raw-orders.js";
import { createDocumentStore } from "@fiscald/daemon/store/unowned-documents.js";
import { toOrderId, toRegisterId, toSiteId } from "@fiscald/shared/ids.js";
import { z } from "zod";
import { useStores } from "../../support/use-stores.js";

const { open } = useStores();
const planSchema = z.array(z.object({ detail: z.string() }));

function statementsOf(db: Database, act: () => void): readonly string[] {
  const prepared: string[] = [];
  const prepare = db.prepare.bind(db);
  Object.assign(db, {
    prepare(sql: string) {
      prepared.push(sql);
      return prepare(sql);
    },
  });
  act();
  Object.assign(db, { prepare });
  return prepared;
}

test("no query of the daemon scans a whole table or all orders that were ever refused", () => {
  const { db } = open();
  const page = { limit: 50, offset: 0 };
  const site = toSiteId("shop");
  const register = toRegisterId("till-1");
  const statements = statementsOf(db, () => {
    const jobs = createJobStore(db);
    const outbox = createOutboxStore({ db, journal: createJournal(db), newId: () => "", onAdded: () => {} });
    for (const createOther of [createAttemptStore, createDocumentStore, createRawOrders]) createOther(db);
    for (const state of ["queued", "failed"] as const) jobs.list({ state, site, register, ...page });
    jobs.list({ orderId: toOrderId("A-1"), ...page });
    jobs.list({ state: "refused", missingSince: 0, ...page });
    jobs.list({ register, ...page });
    for (const state of ["pending", "refused"] as const) outbox.list({ state }, page);
    outbox.list({ job: 1 }, page);
  });
  const steps = statements.flatMap((sql) => {
    const plan = planSchema.parse(db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(parametersOf(sql)));
    return plan.map(({ detail }) => `${detail}: ${sql.replace(/\s+/g, " ")}`);
  });
  const fullScan = /^SCAN (jobs|attempts|outbox|orders_raw|journal)\b(?! USING INDEX \w+_(open|not_printed)\b)/;
  expect(steps.filter((step) => fullScan.test(step))).toEqual([]);
  expect(steps).toContainEqual(expect.stringMatching(/^SEARCH .* jobs_not_printed \(state=\? AND rowid>\?\):/));
});

function parametersOf(sql: string): Record<string, null> | null[] {
  const names = [...sql.matchAll(/@(\w+)/g)].map(([, name = ""]) => [name, null] as const);
  return names.length > 0 ? Object.fromEntries(names) : [...sql].filter((char) => char === "?").map(() => null);
}
