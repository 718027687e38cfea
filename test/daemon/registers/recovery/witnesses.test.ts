/** The table of witnesses.ts: what proves that a closing, a cash movement or another program was carried out. */
import { settle, type WitnessFacts } from "@fiscald/daemon/registers/recovery/witnesses.js";
import type { FiscalDocument } from "@fiscald/drivers/fiscal-document.js";
import type { Baseline } from "@fiscald/drivers/fiscal-driver.js";
import type { Witness } from "@fiscald/drivers/program.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import { toFnSerial } from "@fiscald/shared/ids.js";
import type { LocalTime } from "@fiscald/shared/local-time.js";

const fn = toFnSerial("9999078900000001");
const zero = kopecks(0);
const drawer = { cash: kopecks(1000), cashIn: kopecks(1000), cashOut: zero };
const before: Baseline = { fn, lastFd: 10, shift: { number: 3, state: "open" }, drawer };

function document(over: Partial<FiscalDocument> = {}): FiscalDocument {
  return {
    ...{ fd: 11, type: "receipt", operation: "sale", total: kopecks(10_000), fiscalSign: "1", shift: 3 },
    ...{
      time: "2026-11-20T14:00:00" as LocalTime,
      receiptNumber: 1,
      mark: null,
      body: "full",
      items: [],
      contact: null,
    },
    ...over,
  };
}

const nothingRead = { type: "unknown", operation: null, total: null, shift: null, time: null } as const;
const unreadable = document({ ...nothingRead, body: "unreadable" });

function inWords(over: Partial<WitnessFacts>): string {
  const verdict = settle({
    ...{
      witness: { kind: "none" },
      before,
      documents: [],
      task: null,
      match: null,
      isClosedByAnother: false,
      fault: null,
    },
    after: { fn, lastFd: 20, shift: { number: 3, state: "open" }, drawer },
    ...over,
  });
  if (verdict.kind === "printed") return `printed ${verdict.document?.fd ?? "without document"}`;
  return verdict.kind === "unsure" ? `unsure: ${verdict.doubt.reason}` : verdict.kind;
}

const closed = { number: 3, state: "closed" } as const;
const open = { number: 3, state: "open" } as const;
const done: WitnessFacts["task"] = { kind: "done", document: null };
const cashIn: Witness = { kind: "drawer", direction: "in", sum: kopecks(500) };
const cashOut: Witness = { kind: "drawer", direction: "out", sum: kopecks(500) };
const refused: WitnessFacts["fault"] = { code: "device.not-enough-cash", message: "46h" };
const unproven: WitnessFacts["fault"] = { code: "device.cash-unproven", message: "moved by 0.00" };
/** The counters of a model that counts what is in the drawer, but not what was put in and taken out. */
const onlySum = (from: number, to: number): Pick<WitnessFacts, "before" | "after"> => {
  const countersAt = (sum: number) => ({ cash: kopecks(sum), cashIn: zero, cashOut: zero });
  const after = { fn, lastFd: 10, shift: open, drawer: countersAt(to) };
  return { before: { ...before, drawer: countersAt(from) }, after };
};
const dead = onlySum(0, 0);
const moved = { cash: kopecks(1500), cashIn: kopecks(1500), cashOut: zero };

const others: readonly (readonly [string, Partial<WitnessFacts>, string])[] = [
  ["a closing, shift still open", { witness: { kind: "shift-close" } }, "not-printed"],
  [
    "a closing, shift closed",
    {
      witness: { kind: "shift-close" },
      after: { fn, lastFd: 11, shift: closed, drawer },
      documents: [document({ type: "shift-close" })],
    },
    "printed 11",
  ],
  [
    "a closing, shift closed, document unreadable",
    { witness: { kind: "shift-close" }, after: { fn, lastFd: 11, shift: closed, drawer }, documents: [unreadable] },
    "printed without document",
  ],
  [
    "a closing, shift closed, without any document",
    { witness: { kind: "shift-close" }, after: { fn, lastFd: 10, shift: closed, drawer } },
    "unsure: unreadable",
  ],
  [
    "a closing, shift closed before, without any document",
    {
      witness: { kind: "shift-close" },
      before: { ...before, shift: closed },
      after: { fn, lastFd: 10, shift: closed, drawer },
    },
    "not-printed",
  ],
  [
    "a closing, shift closed before, and the service says that it is done",
    {
      witness: { kind: "shift-close" },
      before: { ...before, shift: closed },
      after: { fn, lastFd: 10, shift: closed, drawer },
      task: done,
    },
    "unsure: unreadable",
  ],
  [
    "a closing, shift closed, all that came are receipts",
    { witness: { kind: "shift-close" }, after: { fn, lastFd: 11, shift: closed, drawer }, documents: [document()] },
    "unsure: unreadable",
  ],
  [
    "a closing, shift closed by another job's",
    {
      witness: { kind: "shift-close" },
      after: { fn, lastFd: 12, shift: closed, drawer },
      documents: [unreadable],
      isClosedByAnother: true,
    },
    "nothing-to-close",
  ],
  [
    "a closing, shift closed by another job's, and the service says that this one is done too",
    { witness: { kind: "shift-close" }, task: done, isClosedByAnother: true },
    "unsure: unreadable",
  ],
  [
    "a closing, already the next shift",
    {
      witness: { kind: "shift-close" },
      after: { fn, lastFd: 13, shift: { number: 4, state: "open" }, drawer },
      documents: [document({ type: "shift-close" })],
    },
    "printed 11",
  ],
  [
    "a closing that the service may still carry out",
    { witness: { kind: "shift-close" }, task: { kind: "open" } },
    "unsure: in-progress",
  ],
  [
    "a closing that the service says is done, shift still open",
    { witness: { kind: "shift-close" }, task: done },
    "unsure: unreadable",
  ],
  ["a shift opening that may still happen", { witness: { kind: "shift-open" }, task: { kind: "open" } }, "not-printed"],
  ["cash in that the service says is done", { witness: cashIn, task: done }, "printed without document"],
  ["cash in that the service may still do", { witness: cashIn, task: { kind: "open" } }, "unsure: in-progress"],
  ["a shift opening", { witness: { kind: "shift-open" } }, "not-printed"],
  ["plain printing", { witness: { kind: "none" } }, "not-printed"],
  ["cash in without an answer, drawer unmoved", { witness: cashIn }, "not-printed"],
  ["cash in that the register refused, drawer unmoved", { witness: cashIn, fault: refused }, "not-printed"],
  ["cash in that was answered as done, drawer unmoved", { witness: cashIn, fault: unproven }, "unsure: no-evidence"],
  [
    "cash in that was answered as done, drawer moved by it since",
    { witness: cashIn, fault: unproven, after: { fn, lastFd: 10, shift: open, drawer: moved } },
    "printed without document",
  ],
  ["cash in without an answer, all counters 0", { witness: cashIn, ...dead }, "unsure: no-evidence"],
  [
    "cash in that was answered as done, all counters 0",
    { witness: cashIn, ...dead, fault: unproven },
    "unsure: no-evidence",
  ],
  ["cash in that the register refused, all counters 0", { witness: cashIn, ...dead, fault: refused }, "not-printed"],
  [
    "cash out without an answer, only the sum in the drawer is counted and moved by it",
    { witness: cashOut, ...onlySum(1000, 500) },
    "printed without document",
  ],
  [
    "cash out without an answer, only the sum in the drawer is counted and moved the other way",
    { witness: cashOut, ...onlySum(500, 1000) },
    "unsure: no-evidence",
  ],
  [
    "cash out without an answer, only the sum in the drawer is counted and stands",
    { witness: cashOut, ...onlySum(500, 500) },
    "not-printed",
  ],
  [
    "cash in, drawer moved by it",
    { witness: cashIn, after: { fn, lastFd: 10, shift: open, drawer: moved } },
    "printed without document",
  ],
  [
    "cash in, drawer moved by more",
    { witness: cashIn, after: { fn, lastFd: 10, shift: open, drawer: { ...moved, cashIn: kopecks(2000) } } },
    "unsure: no-evidence",
  ],
  [
    "cash in, drawer moved while others sold",
    { witness: cashIn, after: { fn, lastFd: 11, shift: open, drawer: moved }, documents: [document()] },
    "unsure: no-evidence",
  ],
  [
    "cash in, the shift changed meanwhile",
    { witness: cashIn, after: { fn, lastFd: 12, shift: { number: 4, state: "open" }, drawer: moved } },
    "unsure: no-evidence",
  ],
  [
    "cash in, no counters",
    { witness: cashIn, after: { fn, lastFd: 10, shift: open, drawer: null } },
    "unsure: no-evidence",
  ],
];

test.each(others)("%s", (_, over, expected) => {
  expect(inWords(over)).toBe(expected);
});
