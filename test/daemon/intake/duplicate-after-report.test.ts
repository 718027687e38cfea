/** Each row of the table of repeated orders (decide-repeat.ts) with its reason in history, log and result. */

import type { OrderIntake } from "@fiscald/daemon/intake/accept-order.js";
import { faultInRussian } from "@fiscald/daemon/sites/result-body.js";
import type { OrderRefusal } from "@fiscald/daemon/sites/site-events.js";
import type { JobStore } from "@fiscald/daemon/store/job-store.js";
import type { Journal } from "@fiscald/daemon/store/journal.js";
import { answerOf, makeIntake, polledKkm, polledRegister, saleTable } from "../../support/make-intake.js";
import { makeDocument } from "../../support/make-job.js";
import { createTestLogger } from "../../support/test-logger.js";
import { useStores } from "../../support/use-stores.js";

const [kkm, register] = [polledKkm, polledRegister];

interface Shop {
  readonly jobs: JobStore;
  readonly journal: Journal;
  readonly log: string[];
  readonly refusals: OrderRefusal[];
  readonly told: Map<number, "yes" | "meanwhile">;
  readonly intake: OrderIntake;
  inOpenShift: boolean;
}

const { open } = useStores();
let shop: Shop;

beforeEach(() => {
  const { clock, jobs, journal } = open();
  const log: string[] = [];
  const refusals: OrderRefusal[] = [];
  const told = new Map<number, "yes" | "meanwhile">();
  const intake = makeIntake({
    ...{ jobs, journal, clock },
    events: {
      addRefusal: (refusal) => refusals.push(refusal),
      told: (job) => told.get(job.id) ?? "no",
      resendResult: (job) => told.has(job.id),
    },
    isInOpenShift: () => shop.inOpenShift,
    log: createTestLogger((line) => log.push(line), "all"),
  });
  shop = { jobs, journal, log, refusals, told, intake, inOpenShift: true };
});

type Order = { readonly price?: number; readonly back?: boolean; readonly service?: boolean };

function offer({ price = 100, back = false, service = false }: Order = {}): void {
  const taskTable = service ? [{ data: "", type: "CashIncome", param: { summ: price } }] : saleTable({ price, back });
  shop.intake.accept(answerOf({ response: { kkm, orderId: "A-1", taskTable } }));
}

/** What happens to job 1 before the order comes again. */
const earlier = {
  queued: () => {},
  printing: () => void shop.jobs.claim(1, register, 0),
  unsure: () => void shop.jobs.markUnsure(1, { code: "job.outcome-unknown", message: "" }, 0),
  printed() {
    shop.jobs.claim(1, register, 0);
    shop.jobs.markPrinted(1, makeDocument(), 0);
    shop.told.set(1, "yes");
  },
  "printed in an earlier shift"() {
    earlier.printed();
    shop.inOpenShift = false;
  },
  "printed, told since the site was asked"() {
    earlier.printed();
    shop.told.set(1, "meanwhile");
  },
  "printed, its result not delivered yet"() {
    earlier.printed();
    shop.told.delete(1);
  },
  failed: () => void shop.jobs.markFailed(1, { code: "device.bad-value", message: "" }, 0),
  "failed three times"() {
    for (const _ of [1, 2, 3]) {
      shop.jobs.markFailed(1, { code: "device.bad-value", message: "" }, 0);
      if (shop.jobs.get(1).tries < 3) shop.jobs.requeueFailed(1, 0);
    }
    shop.told.set(1, "yes");
  },
  cancelled: () => void shop.jobs.cancel(1, { code: "job.cancelled", message: "by hand" }, 0),
} as const;

const row = (first: Order, state: keyof typeof earlier, again: Order, what: string, reason: string | null) => ({
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
const asBefore = "already printed as FD 7 of 2026-11-20";
const equalReturn =
  "an equal return is printed as FD 7 of 2026-11-20: another equal return needs a receiptId of its own";

test.each([
  row(sale, "queued", sale, ignored, "the same order is queued"),
  row(sale, "printed", sale, resent, "already printed"),
  refusal(sale, "printed in an earlier shift", sale, asBefore, /ФД 7.*2026-11-20/),
  refusal(back, "printed", back, equalReturn, /ФД 7.*receiptId/),
  row(back, "printed, told since the site was asked", back, ignored, "its result was delivered during this poll"),
  row(cash, "printed, its result not delivered yet", cash, ignored, "its result is on its way"),
  row(sale, "failed", sale, "order repeated, tried again", null),
  row(sale, "failed three times", sale, resent, "failed 3 times: only the operator can try it again"),
  refusal(sale, "cancelled", sale, "cancelled by the operator", /отменил оператор/),
  refusal(sale, "printing", cheaper, "job 1 of this order is still being printed", /печатается/),
  refusal(sale, "unsure", cheaper, "job 1 of this order is unknown: it may be printed", /задание 1.*неясно/),
  refusal(sale, "printed", cheaper, `${asBefore} with other content`, /с другим содержимым.*ФД 7/),
  refusal(sale, "printed", { ...back, price: 110 }, "returns of 110.00 would exceed the 100.00 sold", /110,00.*100,00/),
])(
  "the order $again offered after $first that is $state is decided by the reason: $reason",
  ({ first, state, again, what, reason, told }) => {
    offer(first);
    earlier[state]();
    shop.log.length = 0;
    offer(again);
    const story = [2, 1].flatMap((id) => shop.journal.ofJob(id));
    const details = reason === null ? {} : { reason };
    expect(story).toContainEqual(expect.objectContaining({ what, details: expect.objectContaining(details) }));
    if (reason !== null) expect(shop.log.join("\n")).toContain(reason);
    const infos = shop.refusals.map(({ fault }) => faultInRussian(fault));
    expect(infos).toEqual(told === null ? [] : [expect.stringMatching(told)]);
  },
);

test("an order that comes again while its result is being delivered changes nothing", () => {
  offer(sale);
  earlier["printed, its result not delivered yet"]();
  const story = shop.journal.ofJob(1);
  offer(sale);
  expect(shop.journal.ofJob(1)).toEqual(story);
  expect(shop.jobs.find(2)).toBeNull();
});

test("an order that comes again after a part of it was done is refused, and the refusal names the parts that are done", () => {
  const taskTable = [
    { data: "", type: "CashIncome", param: { summ: 5 } },
    { data: "", type: "Cut" },
  ];
  const offerTable = (table: readonly object[]) =>
    shop.intake.accept(answerOf({ response: { kkm, orderId: "A-1", taskTable: table } }));
  offerTable(taskTable);
  shop.jobs.claim(1, register, 0);
  shop.jobs.addDonePart(1, { parts: 2, document: null }, 0);
  shop.jobs.markFailed(1, { code: "device.bad-value", message: "" }, 0);
  offerTable(taskTable.slice(0, 1));
  expect(shop.refusals.map(({ fault }) => fault.message)).toEqual([
    expect.stringMatching(/job 1 \(done: .*внесен.*\) of this order was half done/i),
  ]);
});

test("a failed order that was printed with other content is refused with its first content, without document numbers", () => {
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
  // An order that is offered again and again is refused once.
  offer(sale);
  expect(shop.jobs.find(4)).toBeNull();
});
