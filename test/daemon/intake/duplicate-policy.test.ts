import { type DuplicateFacts, decideDuplicate } from "@fiscald/daemon/intake/duplicate-policy.js";
import type { Job, JobState } from "@fiscald/daemon/store/job.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import { toReceiptId } from "@fiscald/shared/ids.js";
import type { SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { makeItem, makeJob, makeReceipt, makeService } from "../../support/make-job.js";

const MINUTE = 60_000;
const other = { key: "other", version: 1, canonical: "o" };
const receiptId = toReceiptId("7b0c3a52-0000-4000-8000-000000000001");

interface Given {
  readonly receipt?: DuplicateFacts["receipt"];
  readonly jobs: readonly Job[];
  readonly inOpenShift?: boolean;
  readonly deliveredMinutesAgo?: number | null;
  /** Of jobs that were told as failed and are tried once more. */
  readonly cameBack?: boolean;
  readonly askedMinutesAgo?: number;
  readonly whereItStopped?: boolean;
}

function decide({
  receipt = makeReceipt(),
  jobs,
  inOpenShift = true,
  deliveredMinutesAgo = 1,
  cameBack = false,
  askedMinutesAgo = 0,
  whereItStopped = true,
}: Given) {
  const now = 100 * MINUTE;
  return decideDuplicate({
    receipt,
    sameKey: jobs.filter((job) => job.key?.key === "k"),
    sameOrder: jobs,
    isInOpenShift: () => inOpenShift,
    isStillInShiftOf: () => whereItStopped,
    resultDeliveredAt: () => (deliveredMinutesAgo === null ? null : now - deliveredMinutesAgo * MINUTE),
    wasRetried: () => cameBack,
    askedAt: now - askedMinutesAgo * MINUTE,
    now,
  });
}

const job = (state: JobState, over: Partial<Job> = {}) => makeJob({ state, ...over });
const differing = (state: JobState, over: Partial<Job> = {}) => makeJob({ state, key: other, ...over });
const sum = (roubles: number) => [makeItem({ price: kopecks(roubles * 100) })];
const serviceReceipt = makeService([{ type: "report", report: "x" }]);
const service = (state: JobState) => makeJob({ state, receipt: serviceReceipt });

describe("a table of which a part was done", () => {
  const halfDone = (over: Partial<Job> = {}) =>
    makeJob({ state: "failed", receipt: serviceReceipt, doneParts: 1, ...over });

  test("goes on after that part when it comes again, in the same shift only, and three times", () => {
    const again = (over: Partial<Given> = {}, of: Partial<Job> = {}) =>
      decide({ receipt: serviceReceipt, jobs: [halfDone(of)], ...over });
    expect(again()).toMatchObject({ action: "retry" });
    expect(again({ whereItStopped: false })).toMatchObject({ action: "refuse", code: "job.half-done" });
    expect(again({}, { tries: 3 })).toMatchObject({ action: "resend" });
  });

  test("keeps other lines of its order away in that shift, and names what is done", () => {
    const others = (whereItStopped: boolean) =>
      decide({ receipt: serviceReceipt, jobs: [halfDone({ key: other })], whereItStopped });
    expect(others(true)).toMatchObject({ action: "refuse", message: expect.stringContaining("X-отчёт") });
    expect(others(false)).toMatchObject({ action: "accept" });
  });

  test("is what its order repeats, also where an equal table was printed on an earlier day", () => {
    const printed = makeJob({ id: 1, state: "printed", receipt: serviceReceipt, doneParts: 2 });
    const jobs = [halfDone({ id: 2 }), printed];
    expect(decide({ receipt: serviceReceipt, jobs })).toMatchObject({ action: "retry", job: { id: 2 } });
  });

  test.each([
    ["cancelled", {}, { action: "refuse", code: "job.cancelled" }],
    ["failed", { tries: 3 }, { action: "resend", job: { id: 2 } }],
  ] as const)("and so is one that is %s and not told yet", (state, over, decision) => {
    const jobs = [makeJob({ id: 2, state, receipt: serviceReceipt, ...over }), service("printed")];
    expect(decide({ receipt: serviceReceipt, jobs, deliveredMinutesAgo: null })).toMatchObject(decision);
  });

  test("does not begin again after the operator cancelled it, in that shift", () => {
    const again = (whereItStopped: boolean) =>
      decide({ receipt: serviceReceipt, jobs: [halfDone({ state: "cancelled" })], whereItStopped });
    expect(again(true)).toMatchObject({ action: "refuse", code: "job.half-done" });
    expect(again(false)).toMatchObject({ action: "accept" });
  });

  test("keeps other lines of its order away while it waits for its next part", () => {
    const waiting = halfDone({ state: "queued", key: other });
    expect(decide({ receipt: serviceReceipt, jobs: [waiting] })).toMatchObject({
      action: "refuse",
      code: "job.being-printed",
    });
  });
});

describe("an order with an equal key", () => {
  test("is only a repeat, however old, when it carries a receipt id", () => {
    const receipt = makeReceipt({ receiptId });
    expect(decide({ receipt, jobs: [job("printed", { receipt })], inOpenShift: false }).action).toBe("resend");
  });

  test.each([
    [9, "resend"],
    [11, "refuse"],
  ])("as a return reported %p minutes ago means %s", (minutes, action) => {
    const receipt = makeReceipt({ operation: "return" });
    const jobs = [job("printed", { receipt })];
    expect(decide({ receipt, jobs, deliveredMinutesAgo: minutes }).action).toBe(action);
  });

  test.each([
    ["printed", 1, "accept"],
    ["printed", null, "ignore"],
    ["failed", 1, "accept"],
    ["queued", 1, "ignore"],
  ] as const)("of a service job that is %s, delivered %p, means %s", (state, delivered, action) => {
    expect(decide({ receipt: serviceReceipt, jobs: [service(state)], deliveredMinutesAgo: delivered }).action).toBe(
      action,
    );
  });

  test("is tried again twice after a proven failure, then only reported again", () => {
    expect(decide({ jobs: [job("failed", { tries: 1 })] }).action).toBe("retry");
    expect(decide({ jobs: [job("failed", { tries: 2 })] }).action).toBe("retry");
    expect(decide({ jobs: [job("failed", { tries: 3 })] }).action).toBe("resend");
  });

  describe("that failed, while other content of the order came after it,", () => {
    const later = (state: JobState, over: Partial<Job> = {}) => [differing(state, { id: 2, ...over }), job("failed")];

    test("is refused when that was printed", () => {
      expect(decide({ jobs: later("printed") })).toMatchObject({
        action: "refuse",
        code: "job.already-printed",
        printed: null,
      });
    });

    test.each(["printing", "unsure"] as const)("is refused while that is %s", (state) => {
      expect(decide({ jobs: later(state) })).toMatchObject({ action: "refuse", code: "job.being-printed" });
    });

    test("takes its place again while that is queued", () => {
      expect(decide({ jobs: later("queued") })).toMatchObject({ action: "accept", cancel: [{ id: 2 }] });
    });

    test.each(["failed", "refused", "cancelled"] as const)("is tried again when that is %s", (state) => {
      expect(decide({ jobs: later(state) })).toMatchObject({ action: "retry", job: { id: 1 } });
    });

    test("is tried again beside earlier receipt ids, which the kit has judged", () => {
      const receipt = makeReceipt({ receiptId });
      const jobs = [
        job("failed", { id: 2, receipt, receiptId }),
        differing("printed", { id: 1, receiptId: toReceiptId("x") }),
      ];
      expect(decide({ receipt, jobs }).action).toBe("retry");
    });

    test("is refused as a return that would exceed what was sold by now", () => {
      const back = (roubles: number) => makeReceipt({ operation: "return", lines: sum(roubles) });
      const sale = differing("printed", { id: 3, receipt: makeReceipt({ lines: sum(100) }) });
      const other = (roubles: number) => differing("printed", { id: 2, receipt: back(roubles) });
      const failed = job("failed", { receipt: back(60) });
      expect(decide({ receipt: back(60), jobs: [other(40), failed, sale] }).action).toBe("retry");
      expect(decide({ receipt: back(60), jobs: [other(41), failed, sale] })).toMatchObject({
        action: "refuse",
        code: "job.return-exceeds-sale",
      });
    });
  });

  test("counts as printed although a forced second print of it failed later", () => {
    expect(decide({ jobs: [job("failed", { id: 2, forced: true }), job("printed")] }).action).toBe("resend");
  });

  test("is judged again when its earlier self was only refused or replaced", () => {
    const fault = { code: "job.replaced", message: "" } as const;
    expect(decide({ jobs: [job("refused"), job("cancelled", { fault })] }).action).toBe("accept");
  });
});

describe("a sale whose content differs", () => {
  test.each(["failed", "refused", "cancelled"] as const)("is a new job when the other was %s", (state) => {
    expect(decide({ jobs: [differing(state)] })).toMatchObject({ action: "accept", cancel: [] });
  });

  test("is refused by what was printed even though a later one failed", () => {
    expect(decide({ jobs: [differing("failed", { id: 2 }), differing("printed")] }).action).toBe("refuse");
  });

  test("is a new job beside other receipt ids, which the kit has already judged", () => {
    const jobs = [differing("printed", { receiptId: toReceiptId("x") })];
    expect(decide({ receipt: makeReceipt({ receiptId }), jobs }).action).toBe("accept");
  });

  test("is judged by content against jobs without a receipt id", () => {
    expect(decide({ receipt: makeReceipt({ receiptId }), jobs: [differing("printed")] }).action).toBe("refuse");
  });
});

describe("a settlement of prepayments", () => {
  const prepaid = (roubles: number, state: JobState = "printed") =>
    differing(state, { receipt: makeReceipt({ lines: [makeItem({ price: kopecks(roubles * 100), method: 1 })] }) });
  const settlement = (roubles: number) =>
    makeReceipt({ lines: sum(roubles), payments: [{ typeClose: 2, sum: kopecks(roubles * 100) }] });
  const settled = (roubles: number, state: JobState) => differing(state, { id: 9, receipt: settlement(roubles) });

  test("is printed while the prepayments cover it", () => {
    expect(decide({ receipt: settlement(100), jobs: [prepaid(100)] })).toMatchObject({ action: "accept", cancel: [] });
  });

  test("is refused above them, and beside an earlier settlement that used them", () => {
    expect(decide({ receipt: settlement(101), jobs: [prepaid(100)] }).action).toBe("refuse");
    expect(decide({ receipt: settlement(50), jobs: [settled(60, "printed"), prepaid(100)] }).action).toBe("refuse");
    expect(decide({ receipt: settlement(50), jobs: [settled(60, "queued"), prepaid(100)] }).action).toBe("refuse");
    expect(decide({ receipt: settlement(40), jobs: [settled(60, "queued"), prepaid(100)] }).action).toBe("accept");
  });

  test("never pushes its own prepayment out of the queue", () => {
    expect(decide({ receipt: settlement(100), jobs: [prepaid(100, "queued")] })).toMatchObject({
      action: "refuse",
      code: "job.being-printed",
    });
  });
});

describe("a return whose content differs", () => {
  const refund = (roubles: number, state: JobState) =>
    differing(state, { id: 5, receipt: makeReceipt({ operation: "return", lines: sum(roubles) }) });
  const incoming = (roubles: number) => makeReceipt({ operation: "return", lines: sum(roubles) });
  const sale = differing("printed", { receipt: makeReceipt({ lines: sum(100) }) });

  test("is a new job while the returns stay within what was sold", () => {
    expect(decide({ receipt: incoming(40), jobs: [refund(60, "printed"), sale] }).action).toBe("accept");
  });

  test.each(["printed", "queued", "unsure", "printing"] as const)("counts the returns that are %s", (state) => {
    expect(decide({ receipt: incoming(41), jobs: [refund(60, state), sale] })).toMatchObject({
      action: "refuse",
      code: "job.return-exceeds-sale",
    });
  });

  test("is printed when the sale is not known here", () => {
    expect(decide({ receipt: incoming(500), jobs: [] }).action).toBe("accept");
  });

  test("may give back a settlement and then its prepayment", () => {
    const offset = [{ typeClose: 2, sum: kopecks(10_000) }];
    const prepaid = differing("printed", { receipt: makeReceipt({ lines: sum(100) }) });
    const settled = differing("printed", { id: 2, receipt: makeReceipt({ lines: sum(100), payments: offset }) });
    const givenBack = makeReceipt({ operation: "return", lines: sum(100), payments: offset });
    const returned = differing("printed", { id: 3, receipt: givenBack });
    expect(decide({ receipt: incoming(100), jobs: [returned, settled, prepaid] }).action).toBe("accept");
    expect(decide({ receipt: incoming(101), jobs: [returned, settled, prepaid] }).action).toBe("refuse");
  });

  test("with a receipt id is the kit's own decision, also above what was sold", () => {
    const receipt = makeReceipt({ operation: "return", lines: sum(101), receiptId });
    const sold = differing("printed", { receiptId: toReceiptId("x"), receipt: makeReceipt({ lines: sum(100) }) });
    expect(decide({ receipt, jobs: [sold] }).action).toBe("accept");
  });
});

describe("two receipts of the kit for one order", () => {
  const second = makeReceipt({ receiptId: toReceiptId("7b0c3a52-0000-4000-8000-000000000002") });
  const ofKit = (state: JobState, over: Partial<Job> = {}) =>
    job(state, { key: other, receipt: makeReceipt({ receiptId }), ...over });
  const accepted = { action: "accept", cancel: [] };
  const beingPrinted = { action: "refuse", code: "job.being-printed" };

  test.each(["queued", "printing", "unsure", "printed"] as const)(
    "are the kit's matter while the first is %s",
    (state) => {
      const deliveredMinutesAgo = null;
      expect(decide({ receipt: second, jobs: [ofKit(state)], deliveredMinutesAgo })).toMatchObject(accepted);
    },
  );

  test("are one where the first had been reported as failed and waits once more: it is replaced", () => {
    const replaced = { action: "accept", cancel: [{ id: 1 }] };
    expect(decide({ receipt: second, jobs: [ofKit("queued")], cameBack: true })).toMatchObject(replaced);
  });

  test.each(["printing", "unsure"] as const)("and refused where the first came back and is %s", (state) => {
    expect(decide({ receipt: second, jobs: [ofKit(state)], cameBack: true })).toMatchObject(beingPrinted);
  });

  test.each([
    [null, beingPrinted],
    [1, accepted],
  ])("where the first came back and is printed, its result delivered (%p), %o", (deliveredMinutesAgo, expected) => {
    const jobs = [ofKit("printed")];
    expect(decide({ receipt: second, jobs, cameBack: true, deliveredMinutesAgo })).toMatchObject(expected);
  });

  test.each([
    [0.5, accepted],
    [1, beingPrinted],
    [2, beingPrinted],
  ])("where it was printed and told a minute ago, and the second asked for %p minutes ago, %o", (ago, expected) => {
    const given = { jobs: [ofKit("printed")], cameBack: true, deliveredMinutesAgo: 1, askedMinutesAgo: ago };
    expect(decide({ receipt: second, ...given })).toMatchObject(expected);
  });

  test("a settlement follows at once the prepayment that came back and was printed", () => {
    const prepaid = makeReceipt({ receiptId, lines: [makeItem({ price: kopecks(10_000), method: 1 })] });
    const receipt = { ...second, payments: [{ typeClose: 2, sum: kopecks(10_000) }] };
    const jobs = [ofKit("printed", { receipt: prepaid })];
    expect(decide({ receipt, jobs, cameBack: true, askedMinutesAgo: 2 })).toMatchObject(accepted);
    expect(decide({ receipt, jobs: [ofKit("unsure", { receipt: prepaid })], cameBack: true })).toMatchObject(
      beingPrinted,
    );
  });

  test("a settlement is refused beside another one that came back, though the prepayment has room for both", () => {
    const prepaid = makeReceipt({ lines: [makeItem({ price: kopecks(10_000), method: 1 })] });
    const settlement = { ...makeReceipt({ receiptId }), payments: [{ typeClose: 2, sum: kopecks(4_000) }] };
    const printed = [ofKit("printed", { receipt: settlement }), differing("printed", { receipt: prepaid })];
    const receipt = { ...settlement, receiptId: second.receiptId };
    expect(decide({ receipt, jobs: printed, cameBack: true, askedMinutesAgo: 2 })).toMatchObject(beingPrinted);
  });

  test("are both printed where they are returns of other lines, though the first came back", () => {
    const first = makeReceipt({ receiptId, operation: "return", lines: sum(40) });
    const given = { jobs: [ofKit("printing", { receipt: first })], cameBack: true };
    const receipt = { ...second, operation: "return", lines: sum(50) } as const;
    expect(decide({ receipt, ...given })).toMatchObject(accepted);
    expect(decide({ receipt: { ...first, receiptId: second.receiptId }, ...given })).toMatchObject(beingPrinted);
  });

  test("a failed return is tried again beside a later one of other lines, not beside an equal one", () => {
    const receipt = makeReceipt({ receiptId, operation: "return", lines: sum(40) });
    const first = ofKit("failed", { id: 1, key: { key: "k", version: 1, canonical: "k" }, receipt });
    const beside = (lines: SaleReceipt["lines"]) => {
      const later = { ...receipt, receiptId: second.receiptId, lines };
      return [ofKit("printed", { id: 2, receipt: later, receiptId: second.receiptId }), first];
    };
    expect(decide({ receipt, jobs: beside(sum(50)) })).toMatchObject({ action: "retry", job: { id: 1 } });
    expect(decide({ receipt, jobs: beside(sum(40)) })).toMatchObject({ action: "resend", job: { id: 1 } });
  });

  test("leave a return beside a sale that came back", () => {
    const receipt = { ...second, operation: "return" } as const;
    expect(decide({ receipt, jobs: [ofKit("printing")], cameBack: true })).toMatchObject(accepted);
  });

  test.each(["queued", "printing", "unsure", "printed"] as const)(
    "a late offer of the failed first one tries it no more while the second is %s",
    (state) => {
      const first = ofKit("failed", { id: 1, key: { key: "k", version: 1, canonical: "k" } });
      const jobs = [ofKit(state, { id: 2, receipt: second, receiptId: second.receiptId }), first];
      const given = { receipt: makeReceipt({ receiptId }), jobs };
      expect(decide(given)).toMatchObject({ action: "resend", job: { id: 1 } });
      expect(decide({ ...given, jobs: [first] }).action).toBe("retry");
    },
  );
});
