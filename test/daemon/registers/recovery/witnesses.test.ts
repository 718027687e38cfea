import { settleByWitness, type WitnessFacts } from "@fiscald/daemon/registers/recovery/witnesses.js";
import type { FiscalDocument } from "@fiscald/drivers/fiscal-document.js";
import type { Baseline } from "@fiscald/drivers/fiscal-driver.js";
import type { Witness } from "@fiscald/drivers/program.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import { toFnSerial } from "@fiscald/shared/ids.js";
import type { LocalTime } from "@fiscald/shared/local-time.js";

const fn = toFnSerial("9999078900000001");
const zero = kopecks(0);
const drawer = { cash: kopecks(1000), cashIn: kopecks(1000), cashOut: zero };
const [open, closed] = [{ number: 3, state: "open" } as const, { number: 3, state: "closed" } as const];
const before: Baseline = { fn, lastFd: 10, shift: open, drawer };

function document(over: Partial<FiscalDocument> = {}): FiscalDocument {
  const time = "2026-11-20T14:00:00" as LocalTime;
  return {
    ...{ fd: 11, type: "receipt", operation: "sale", total: kopecks(10_000), fiscalSign: "1", shift: 3, time },
    ...{ receiptNumber: 1, mark: null, body: "full", items: [], contact: null, ...over },
  };
}

const nothingRead = { type: "unknown", operation: null, total: null, shift: null, time: null } as const;
const unreadable = document({ ...nothingRead, body: "unreadable" });
const zReport = document({ type: "shift-close" });

function inWords(witness: Witness, over: Partial<WitnessFacts>): string {
  const nothing = { documents: [], task: null, match: null, isClosedByAnother: false, fault: null };
  const verdict = settleByWitness({ witness, before, ...nothing, ...after(20, open), ...over });
  if (verdict.kind === "printed") return `printed ${verdict.document?.fd ?? "without document"}`;
  return verdict.kind === "unsure" ? `unsure: ${verdict.doubt.reason}` : verdict.kind;
}

function after(lastFd: number, shift: Baseline["shift"], counters: Baseline["drawer"] = drawer) {
  return { after: { fn, lastFd, shift, drawer: counters } };
}

type Row = readonly [title: string, facts: Partial<WitnessFacts>, verdict: string];

const done: WitnessFacts["task"] = { kind: "done", document: null };
const underWay: WitnessFacts["task"] = { kind: "open" };
const closedBefore = { before: { ...before, shift: closed }, ...after(10, closed) };
const another = { documents: [unreadable], isClosedByAnother: true };
const closings: readonly Row[] = [
  ["the shift is still open", {}, "not-printed"],
  ["the shift is closed", { ...after(11, closed), documents: [zReport] }, "printed 11"],
  ["its document is unreadable", { ...after(11, closed), documents: [unreadable] }, "printed without document"],
  ["the shift is closed without any document", after(10, closed), "unsure: unreadable"],
  ["the shift was closed before, without any document", closedBefore, "not-printed"],
  ["the shift was closed before, and the service has done it", { ...closedBefore, task: done }, "unsure: unreadable"],
  ["all new documents are receipts", { ...after(11, closed), documents: [document()] }, "unsure: unreadable"],
  ["another job has closed the shift", { ...after(12, closed), ...another }, "nothing-to-close"],
  [
    "another job has closed the shift, and the print service says that this job is done too",
    { task: done, isClosedByAnother: true },
    "unsure: unreadable",
  ],
  ["the next shift is open", { ...after(13, { number: 4, state: "open" }), documents: [zReport] }, "printed 11"],
  ["the print service may still carry out the job", { task: underWay }, "unsure: in-progress"],
  ["the print service says that the job is done, and the shift is still open", { task: done }, "unsure: unreadable"],
];

const refused: WitnessFacts["fault"] = { code: "device.not-enough-cash", message: "46h" };
const unproven: WitnessFacts["fault"] = { code: "device.cash-unproven", message: "moved by 0.00" };
/** The counters of a model that counts the cash in the drawer, but not what was put in and taken out. */
const onlySum = (from: number, to: number) => {
  const countersAt = (sum: number) => ({ cash: kopecks(sum), cashIn: zero, cashOut: zero });
  return { before: { ...before, drawer: countersAt(from) }, ...after(10, open, countersAt(to)) };
};
const dead = onlySum(0, 0);
const moved = { cash: kopecks(1500), cashIn: kopecks(1500), cashOut: zero };
const movedByMore = { ...moved, cashIn: kopecks(2000) };
const cashIns: readonly Row[] = [
  ["the print service says that the job is done", { task: done }, "printed without document"],
  ["the print service may still carry out the job", { task: underWay }, "unsure: in-progress"],
  ["the counters have not moved", {}, "not-printed"],
  ["the register refused, and the counters have not moved", { fault: refused }, "not-printed"],
  ['the register answered "done", and the counters have not moved', { fault: unproven }, "unsure: no-evidence"],
  [
    'the register answered "done", and the counters have moved since',
    { fault: unproven, ...after(10, open, moved) },
    "printed without document",
  ],
  ["all counters are 0", dead, "unsure: no-evidence"],
  ['the register answered "done", and all counters are 0', { ...dead, fault: unproven }, "unsure: no-evidence"],
  ["the register refused, and all counters are 0", { ...dead, fault: refused }, "not-printed"],
  ["a counter has moved by the sum", after(10, open, moved), "printed without document"],
  ["a counter has moved by more than the sum", after(10, open, movedByMore), "unsure: no-evidence"],
  ["a counter moved while others sold", { ...after(11, open, moved), documents: [document()] }, "unsure: no-evidence"],
  ["the shift has changed meanwhile", after(12, { number: 4, state: "open" }, moved), "unsure: no-evidence"],
  ["there are no counters", after(10, open, null), "unsure: no-evidence"],
];
const sumOnlyRows: readonly Row[] = [
  ["has moved by the payout", onlySum(1000, 500), "printed without document"],
  ["has moved the other way", onlySum(500, 1000), "unsure: no-evidence"],
  ["stands", onlySum(500, 500), "not-printed"],
];

test.each(closings)("a closing is settled as the table in witnesses.ts says when %s", (_, facts, verdict) => {
  expect(inWords({ kind: "shift-close" }, facts)).toBe(verdict);
});

test.each(cashIns)("a deposit of cash is settled as the table in witnesses.ts says when %s", (_, facts, verdict) => {
  expect(inWords({ kind: "drawer", direction: "in", sum: kopecks(500) }, facts)).toBe(verdict);
});

test.each(sumOnlyRows)(
  "a payout of cash is settled as the table says on a model that counts only the drawer's sum, which %s",
  (_, facts, verdict) => {
    expect(inWords({ kind: "drawer", direction: "out", sum: kopecks(500) }, facts)).toBe(verdict);
  },
);

test("an unanswered opening of a shift or plain printing counts as not printed and is done again", () => {
  expect([inWords({ kind: "shift-open" }, { task: underWay }), inWords({ kind: "none" }, {})]).toEqual([
    "not-printed",
    "not-printed",
  ]);
});
