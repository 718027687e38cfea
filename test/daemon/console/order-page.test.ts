/** The search of the operator's page over a database of its own. */
import { join } from "node:path";
import { orderPage } from "@fiscald/daemon/console/order-views.js";
import { openDatabase } from "@fiscald/daemon/store/database/open-database.js";
import { createJobStore } from "@fiscald/daemon/store/job-store.js";
import { toFnSerial, toOrderId, toRegisterId, toSiteId } from "@fiscald/shared/ids.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { createFakeClock } from "../../support/fake-clock.js";
import { makeDocument, makeReceipt } from "../../support/make-job.js";
import { useTempFolder } from "../../support/temp-folder.js";

const folder = useTempFolder();

/** One job an order id, each of the same sum; those of `fds` are printed on a drive that no register has now. */
function pagesOf(orders: readonly string[], fds: Readonly<Record<string, number>> = {}) {
  const clock = createFakeClock();
  const { db } = openDatabase({ path: join(folder(), "jobs.sqlite"), clock, log: silentLogger, pid: 1 });
  const jobs = createJobStore(db);
  const nobody = {
    source: "site",
    site: toSiteId("shop"),
    raw: null,
    polledKkm: null,
    key: null,
    fault: null,
  } as const;
  const taxes = { taxes: [{ id: 1, vat: 1, title: null }], taxpayer: null } as const;
  for (const orderId of orders) {
    const receipt = makeReceipt({ orderId: toOrderId(orderId) });
    const where = { register: toRegisterId("till"), forced: false, state: "queued", now: 0 } as const;
    const { id } = jobs.insertJob({ ...nobody, ...where, receipt, taxes });
    const fd = fds[orderId];
    if (fd !== undefined) jobs.markPrinted(id, makeDocument({ fn: toFnSerial("9999078900000009"), fd }), 0);
  }
  return (search: string, page = 1) => orderPage({ jobs, snapshots: () => [], clock }, { search, page });
}

test("orders of one sum go on over the second page", () => {
  const pages = pagesOf(Array.from({ length: 31 }, (_, index) => `A-${index}`));
  const total = pages("").orders[0]?.total ?? "";
  expect(pages(total)).toMatchObject({ hasMore: true, orders: { length: 30 } });
  expect(pages(total, 2)).toMatchObject({ hasMore: false, orders: [{ order: "A-0" }] });
});

test("a number finds the order of that id and the document of that number, on a former drive too", () => {
  const pages = pagesOf(["7", "A-1", "A-2"], { "A-1": 7 });
  expect(pages("7").orders.map(({ order }) => order)).toEqual(["7", "A-1"]);
  expect(pages("a-2").orders.map(({ order }) => order)).toEqual(["A-2"]);
  expect(pages("8").orders).toEqual([]);
});
