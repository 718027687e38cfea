import type { JobState } from "@fiscald/daemon/store/job.js";
import type { JobStore } from "@fiscald/daemon/store/job-store.js";
import { jobStates } from "@fiscald/daemon/store/rows/job-row.js";
import { Fault } from "@fiscald/shared/fault.js";
import { toKkm, toOrderId, toReceiptId, toRegisterId, toSiteId } from "@fiscald/shared/ids.js";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";
import { unfitTexts } from "@fiscald/shared/receipt/texts/unfit-texts.js";
import { makeDocument, makeItem, makeReceipt, newJob } from "../../support/make-job.js";
import { type OpenStores, useStores } from "../../support/use-stores.js";

const { open } = useStores();
let stores: OpenStores;
let jobs: JobStore;
beforeEach(() => {
  stores = open();
  jobs = stores.jobs;
});

const site = toSiteId("shop");
const till = toRegisterId("till-1");
const fault = { code: "device.wrong-mode", message: "wrong mode" } as const;

function insert(receipt: Receipt = makeReceipt(), state: "queued" | "held" | "refused" = "queued") {
  const key = { key: JSON.stringify(receipt), version: 1, canonical: "c" };
  const refusedBy = state === "refused" ? fault : null;
  return jobs.insertJob(
    newJob({ polledKkm: toKkm("1"), receipt, key, register: till, state, fault: refusedBy, now: 5 }),
  );
}

test("a stored job is read back unchanged, with every kind of line and its correction", () => {
  const receipt = makeReceipt({
    receiptId: toReceiptId("11111111-2222-3333-4444-555555555555"),
    internet: { url: "https://shop.example" },
    contact: "a@b.example",
    correction: { type: "instruction", date: "2025-12-30", number: "12-3", rateConfirmed: true },
    lines: [
      makeItem({ agent: { type: 64, supplierName: "ООО", supplierPhones: ["+7"], supplierInn: null } }),
      { type: "barcode", symbology: "qr", data: "x", heightMm: 20, printText: false, alignment: "center" },
      { type: "image", source: "logo.png", alignment: "left" },
      { type: "cut" },
    ],
  });
  const job = insert(receipt);
  forgetWrittenReceipts();
  expect(jobs.get(job.id)).toStrictEqual(job);
  expect(job).toMatchObject({ receipt, operation: "sale", total: 10_000, taxes: [], tries: 0 });
});

/** The cache holds the last 32 written receipts. An earlier receipt is read from its row. */
function forgetWrittenReceipts(): void {
  for (let other = 0; other < 32; other += 1) insert(makeReceipt({ orderId: toOrderId(`B-${other}`) }));
}

test.each([
  ["{", "not JSON"],
  ["[]", "not a receipt"],
  ['{"kind":"receipt"}', "not a receipt"],
  ['{"kind":"sale","lines":[]}', "not a receipt"],
])("reading a job whose stored receipt is damaged throws: %s", (damaged, reason) => {
  const { id } = insert();
  stores.db.prepare("UPDATE jobs SET receipt = ?").run(damaged);
  expect(() => jobs.get(id)).toThrow(reason);
});

const paths: Record<JobState, (id: number) => void> = {
  queued: () => {},
  held: () => {},
  printing: (id) => void jobs.claim(id, till, 6),
  unsure: (id) => void jobs.markUnsure(id, fault, 6),
  printed: (id) => void jobs.markPrinted(id, null, 6),
  failed: (id) => void jobs.markFailed(id, fault, 6),
  refused: () => {},
  cancelled: (id) => void jobs.cancel(id, fault, 6),
};
test.each([
  ["held", true, true],
  ["unsure", true, true],
  ["queued", true, false],
  ["printing", false, false],
  ["printed", false, false],
] as const)(
  "later receipts of an order wait for a job that is %s: %p, and a person or a reading must decide the job: %p",
  (state, isAwaited, isOpen) => {
    const { id } = insert(makeReceipt(), state === "held" ? "held" : "queued");
    paths[state](id);
    expect(jobs.waiting().map((job) => job.id)).toEqual(isAwaited ? [id] : []);
    expect(jobs.undecided().map((job) => job.id)).toEqual(isOpen ? [id] : []);
  },
);

const offeredNow = (id: number) => {
  const job = jobs.get(id);
  return { ...job, taxes: job, state: "queued", fault: null, now: 7 } as const;
};
const changes: readonly (readonly [string, (id: number) => unknown, readonly JobState[]])[] = [
  ["addDonePart", (id) => jobs.addDonePart(id, { parts: 2, document: null }, 7), ["queued", "printing", "unsure"]],
  ["requeue", (id) => jobs.requeue(id, { fault, countTry: true }, 7), ["queued", "printing", "unsure"]],
  ["markPrinted", (id) => jobs.markPrinted(id, null, 7), ["queued", "held", "printing", "unsure"]],
  ["markFailed", (id) => jobs.markFailed(id, fault, 7), ["queued", "printing", "unsure"]],
  ["markUnsure", (id) => jobs.markUnsure(id, fault, 7), ["queued", "printing", "unsure"]],
  ["cancel", (id) => jobs.cancel(id, fault, 7), ["queued", "held"]],
  ["approve", (id) => jobs.approve(id, 7), ["held"]],
  ["requeueFailed", (id) => jobs.requeueFailed(id, 7), ["failed"]],
  ["mend", (id) => jobs.mend(id, offeredNow(id), 0), ["failed"]],
  [
    "requeueByOperator",
    (id) => jobs.requeueByOperator(id, { markDigits: null }, 7),
    ["failed", "refused", "cancelled"],
  ],
  ["move", (id) => jobs.move(id, toRegisterId("till-2"), 7), ["queued", "held"]],
];
test.each(changes)("a job's change %s is permitted only from the states of its comment", (_, change, allowed) => {
  for (const state of jobStates) {
    const { id } = insert(
      makeReceipt({ orderId: toOrderId(state) }),
      state === "refused" || state === "held" ? state : "queued",
    );
    paths[state](id);
    expect(jobs.get(id).state).toBe(state);
    if (allowed.includes(state)) expect(() => change(id)).not.toThrow();
    else expect(() => change(id)).toThrow(expect.objectContaining({ code: "job.wrong-state" }));
  }
});

test("a job that was claimed for printing cannot be claimed again", () => {
  const { id } = insert();
  expect(jobs.claim(id, toRegisterId("till-2"), 6)).toMatchObject({
    state: "printing",
    register: "till-2",
  });
  expect(jobs.claim(id, till, 6)).toBeNull();
});

test("stateOf returns the state of a job, and null without a job", () => {
  const { id } = insert();
  expect(jobs.stateOf(id)).toBe("queued");
  jobs.claim(id, till, 6);
  expect(jobs.stateOf(id)).toBe("printing");
  expect(jobs.stateOf(id + 1)).toBeNull();
});

test("a document that is recorded for one job cannot be recorded for another job", () => {
  const [one, two] = [insert(), insert(makeReceipt({ orderId: toOrderId("A-2") }))];
  jobs.markPrinted(one.id, makeDocument({ fd: 7 }), 6);
  expect(() => jobs.markPrinted(two.id, makeDocument({ fd: 7 }), 6)).toThrow(
    expect.objectContaining({ code: "job.document-mismatch" }),
  );
  expect(jobs.get(two.id).state).toBe("queued");
  expect(jobs.findByDocument(makeDocument().fn, 7)?.id).toBe(one.id);
});

test("the reason why a job failed is stored in Russian too, until the next outcome", () => {
  const { id } = insert();
  const { en: message, ru } = unfitTexts.noReport("x");
  jobs.markFailed(id, new Fault("receipt.unsupported", { message: { en: message, ru } }), 6);
  expect(jobs.get(id).fault).toEqual({ code: "receipt.unsupported", message, ru });
  jobs.requeueFailed(id, 7);
  jobs.markFailed(id, fault, 8);
  expect(jobs.get(id).fault).toEqual(fault);
});

test("a job is printed when its last part is printed, and its earlier fault is removed", () => {
  const { id } = insert();
  jobs.requeue(id, { fault, countTry: true }, 6);
  jobs.claim(id, till, 6);
  expect(jobs.addDonePart(id, { parts: 2, document: null }, 6)).toMatchObject({
    state: "printing",
    doneParts: 1,
    fault,
  });
  const document = makeDocument({ fd: 7 });
  expect(jobs.addDonePart(id, { parts: 2, document }, 6)).toMatchObject({
    state: "printed",
    doneParts: 2,
    fault: null,
    document,
  });
});

test("a job with a finished part cannot be moved", () => {
  const { id } = insert();
  jobs.claim(id, till, 6);
  jobs.addDonePart(id, { parts: 2, document: null }, 6);
  jobs.requeue(id, { fault: null, countTry: false }, 6);
  expect(() => jobs.move(id, toRegisterId("till-2"), 7)).toThrow(expect.objectContaining({ code: "job.wrong-state" }));
});

test("a transaction that throws is rolled back, with the transaction nested in it", () => {
  expect(() =>
    jobs.transaction(() => {
      insert();
      jobs.transaction(() => insert(makeReceipt({ orderId: toOrderId("A-2") })));
      throw new Error("no");
    }),
  ).toThrow(expect.objectContaining({ code: "store.failed" }));
  expect(jobs.queue()).toEqual([]);
});

test("jobs are found by key, by order and by filter, newest first", () => {
  const a = insert();
  const b = insert();
  const other = insert(makeReceipt({ orderId: toOrderId("B") }));
  const key = a.key?.key ?? "";
  expect(jobs.findByKey(site, key, 1).map(({ id }) => id)).toEqual([b.id, a.id]);
  expect(jobs.findByKey(site, key, 2)).toEqual([]);
  expect(jobs.findByOrder(site, toOrderId("A-1")).map(({ id }) => id)).toEqual([b.id, a.id]);
  expect(jobs.list({ orderId: toOrderId("B"), limit: 10 }).map(({ id }) => id)).toEqual([other.id]);
  expect(jobs.list({ limit: 2, offset: 1 }).map(({ id }) => id)).toEqual([b.id, a.id]);
});

test("queued and printing jobs of a register are counted as waiting, unsure jobs are not", () => {
  const [one, two] = [insert(), insert(makeReceipt({ orderId: toOrderId("A-2") }))];
  insert(makeReceipt({ orderId: toOrderId("A-3") }));
  jobs.claim(one.id, till, 6);
  jobs.markUnsure(two.id, fault, 6);
  expect(jobs.waitingCount(till)).toBe(2);
  expect(jobs.unfinished([till]).map(({ state }) => state)).toEqual(["printing", "unsure", "queued"]);
  expect(jobs.unfinished([toRegisterId("till-2")])).toEqual([]);
});

test("jobs are counted in every state", () => {
  const { db } = stores;
  const set = db.prepare("UPDATE jobs SET state = ? WHERE id = ?");
  for (const state of jobStates) set.run(state, insert().id);
  expect(jobs.countByState()).toEqual(new Map(jobStates.map((state) => [state, 1])));
});

test("sales and returns of a shift are summed separately, without corrections, which registers count apart", () => {
  const sale = insert();
  const refund = insert(makeReceipt({ operation: "return" }));
  jobs.markPrinted(sale.id, makeDocument({ fd: 1, shift: 9 }), 6);
  jobs.markPrinted(refund.id, makeDocument({ fd: 2, shift: 9 }), 6);
  const corrected = insert(makeReceipt({ correction: { type: "self", date: "2026-11-01" } }));
  jobs.markPrinted(corrected.id, makeDocument({ fd: 3, shift: 9 }), 6);
  expect(jobs.sumOfShift(makeDocument().fn, 9)).toEqual({ sales: 10_000, returns: 10_000 });
  expect(jobs.sumOfShift(makeDocument().fn, 8)).toEqual({ sales: 0, returns: 0 });
});
