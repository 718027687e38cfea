/** Each row of the table of repeated orders (domain 7.3): its reason is in the story that `explain` tells, in the log, and in what the site is told. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OrderIntake } from "@fiscald/daemon/intake/accept-order.js";
import { faultInRussian } from "@fiscald/daemon/sites/result-body.js";
import type { OrderRefusal } from "@fiscald/daemon/sites/site-events.js";
import { type OpenedDatabase, openDatabase } from "@fiscald/daemon/store/database/open-database.js";
import { createJobStore, type JobStore } from "@fiscald/daemon/store/job-store.js";
import { createJournal, type Journal } from "@fiscald/daemon/store/journal.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { createFakeClock, type FakeClock } from "../../support/fake-clock.js";
import { makeIntake, polledKkm, polledRegister, saleTable } from "../../support/make-intake.js";
import { makeDocument } from "../../support/make-job.js";
import { createTestLogger } from "../../support/test-logger.js";

const [kkm, register] = [polledKkm, polledRegister];

interface Shop {
  readonly database: OpenedDatabase;
  readonly jobs: JobStore;
  readonly journal: Journal;
  readonly clock: FakeClock;
  readonly log: string[];
  readonly refusals: OrderRefusal[];
  readonly delivered: Map<number, number>;
  readonly intake: OrderIntake;
  inOpenShift: boolean;
}

let folder: string;
let shop: Shop;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fiscald-same-"));
  const clock = createFakeClock();
  const database = openDatabase({ path: join(folder, "db.sqlite"), clock, log: silentLogger, pid: process.pid });
  const jobs = createJobStore(database.db);
  const journal = createJournal(database.db);
  const log: string[] = [];
  const refusals: OrderRefusal[] = [];
  const delivered = new Map<number, number>();
  const intake = makeIntake({
    ...{ jobs, journal, clock },
    events: {
      addRefusal: (refusal) => refusals.push(refusal),
      resultDeliveredAt: (job) => delivered.get(job.id) ?? null,
    },
    isInOpenShift: () => shop.inOpenShift,
    log: createTestLogger((line) => log.push(line), "all"),
  });
  shop = { database, jobs, journal, clock, log, refusals, delivered, intake, inOpenShift: true };
});

afterEach(() => {
  shop.database.close();
  rmSync(folder, { recursive: true });
});

type Order = { readonly price?: number; readonly back?: boolean; readonly service?: boolean };

function offer({ price = 100, back = false, service = false }: Order = {}): void {
  const taskTable = service ? [{ data: "", type: "CashIncome", param: { summ: price } }] : saleTable({ price, back });
  const body = JSON.stringify({ response: { kkm, orderId: "A-1", taskTable } });
  shop.intake.accept({ register, kkm, askedAt: shop.clock.now(), body });
}

/** What becomes of job 1 before the order comes again. */
const earlier = {
  queued: () => {},
  printing: () => void shop.jobs.claim(1, register, 0),
  unsure: () => void shop.jobs.markUnsure(1, { code: "job.outcome-unknown", message: "" }, 0),
  printed() {
    shop.jobs.claim(1, register, 0);
    shop.jobs.markPrinted(1, makeDocument(), 0);
    shop.delivered.set(1, shop.clock.now() - 1);
  },
  "printed in an earlier shift"() {
    earlier.printed();
    shop.inOpenShift = false;
  },
  "printed long ago"() {
    earlier.printed();
    shop.delivered.set(1, shop.clock.now() - 11 * 60_000);
  },
  "printed, told since the site was asked"() {
    earlier.printed();
    shop.delivered.set(1, shop.clock.now());
  },
  "printed, told by a clock that was ahead"() {
    earlier.printed();
    shop.delivered.set(1, shop.clock.now() + 60_000);
  },
  "printed, its result not delivered yet"() {
    earlier.printed();
    shop.delivered.delete(1);
  },
  failed: () => void shop.jobs.markFailed(1, { code: "device.bad-value", message: "" }, 0),
  "failed three times"() {
    for (const _ of [1, 2, 3]) {
      shop.jobs.markFailed(1, { code: "device.bad-value", message: "" }, 0);
      if (shop.jobs.get(1).tries < 3) shop.jobs.requeueFailed(1, 0);
    }
    shop.delivered.set(1, shop.clock.now());
  },
  cancelled: () => void shop.jobs.cancel(1, { code: "job.cancelled", message: "by hand" }, 0),
} as const;

const row = (first: Order, state: keyof typeof earlier, again: Order, what: string, reason: string) => ({
  first,
  state,
  again,
  what,
  reason,
  told: null as RegExp | null,
});
const refusal = (...[first, state, again, reason, told]: [Order, keyof typeof earlier, Order, string, RegExp]) => ({
  ...row(first, state, again, "order refused", reason),
  told,
});

const ignored = "order repeated, nothing to do";
const resent = "order repeated, result sent again";
const sale: Order = {};
const back: Order = { back: true };
const cash: Order = { service: true };
const cheaper: Order = { price: 90 };
const asBefore = "already printed as FD 7 on 2026-11-20";

test.each([
  row(sale, "queued", sale, ignored, "the same order is queued"),
  row(sale, "printing", sale, ignored, "the same order is printing"),
  row(sale, "unsure", sale, ignored, "the same order is unsure"),
  row(sale, "printed", sale, resent, "already printed; its result is sent again"),
  row(sale, "printed, its result not delivered yet", sale, ignored, "printed, its result is on its way"),
  refusal(sale, "printed in an earlier shift", sale, asBefore, /FD 7.*2026-11-20/),
  refusal(back, "printed long ago", back, asBefore, /FD 7.*2026-11-20/),
  row(back, "printed", back, resent, "already printed; its result is sent again"),
  row(cash, "printed", cash, "order accepted", "the earlier service job is reported"),
  row(cash, "printed, told by a clock that was ahead", cash, "order accepted", "the earlier service job is reported"),
  row(cash, "printed, its result not delivered yet", cash, ignored, "printed, its result is on its way"),
  row(cash, "printed, told since the site was asked", cash, ignored, "printed, its result is on its way"),
  row(sale, "failed", sale, "order repeated, tried again", "the earlier try was proven not registered"),
  row(sale, "failed three times", sale, resent, "failed 3 times: only the operator can retry it"),
  refusal(sale, "cancelled", sale, "cancelled by the operator", /cancelled by the operator/),
  row(sale, "queued", cheaper, "order accepted", "newer content takes the place of the queued one"),
  refusal(sale, "printing", cheaper, "still being printed", /печатается/),
  refusal(sale, "unsure", cheaper, "still being printed", /печатается/),
  refusal(sale, "printed", cheaper, `${asBefore} with other content`, /FD 7.*with other content/),
  row(sale, "failed", cheaper, "order accepted", "new order"),
  row(sale, "printed", { ...back, ...cheaper }, "order accepted", "a further return of the order"),
  refusal(
    sale,
    "printed",
    { ...back, price: 110 },
    "returns of 11000 kopecks would exceed the 10000 sold",
    /11000.*10000/,
  ),
])("$again after $first that is $state: $reason", ({ first, state, again, what, reason, told }) => {
  offer(first);
  earlier[state]();
  shop.log.length = 0;
  offer(again);
  const story = [2, 1].flatMap((id) => shop.journal.ofJob(id));
  expect(story).toContainEqual(expect.objectContaining({ what, details: expect.objectContaining({ reason }) }));
  expect(shop.log.join("\n")).toContain(reason);
  const infos = shop.refusals.map(({ fault }) => faultInRussian(fault));
  expect(infos).toEqual(told === null ? [] : [expect.stringMatching(told)]);
});

test("an order that failed, was printed with other content, and comes as it was first, is refused without that receipt's fields", () => {
  offer(sale);
  earlier.failed();
  offer(cheaper);
  shop.jobs.claim(2, register, 0);
  shop.jobs.markPrinted(2, makeDocument(), 0);
  offer(sale);
  expect(shop.jobs.queue()).toEqual([]);
  expect(shop.jobs.get(1).state).toBe("failed");
  expect(shop.jobs.get(3)).toMatchObject({ state: "refused", fault: { code: "job.already-printed" } });
  expect(shop.refusals).toMatchObject([{ job: { id: 3 }, printed: null }]);
  // Offered for ever, it is refused once.
  offer(sale);
  expect(shop.jobs.find(4)).toBeNull();
});
