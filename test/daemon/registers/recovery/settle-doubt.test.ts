import { type DoubtFacts, settleDoubt } from "@fiscald/daemon/registers/recovery/recover-job.js";
import type { Baseline, FiscalDocument, RequestDocument } from "@fiscald/drivers/fiscal-driver.js";
import type { Witness } from "@fiscald/drivers/program.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import { toFnSerial } from "@fiscald/shared/ids.js";
import type { LocalTime } from "@fiscald/shared/local-time.js";
import { makeItem, makeReceipt } from "../../../support/make-job.js";

const fn = toFnSerial("9999078900000001");
const zero = kopecks(0);
const drawer = { cash: kopecks(1000), cashIn: kopecks(1000), cashOut: zero };
const baseline: Baseline = { fn, lastFd: 10, shift: { number: 3, state: "open" }, drawer };
const receipt = makeReceipt();
const witness: Witness = { kind: "receipt", operation: "sale", total: kopecks(10_000), mark: "A-1 89abcdef.0a1b2c3d" };

function document(over: Partial<FiscalDocument> = {}): FiscalDocument {
  return {
    fd: 11,
    type: "receipt",
    operation: "sale",
    total: kopecks(10_000),
    fiscalSign: "1",
    time: "2026-11-20T14:00:00" as LocalTime,
    shift: 3,
    receiptNumber: 1,
    mark: null,
    body: "full",
    items: [{ name: "Чай", price: kopecks(10_000), quantity: 1_000_000, sum: kopecks(10_000) }],
    contact: null,
    ...over,
  };
}

const unreadable = document({
  type: "unknown",
  operation: null,
  total: null,
  shift: null,
  time: null,
  body: "unreadable",
  items: [],
});

function settle(over: Partial<DoubtFacts> = {}): string {
  const verdict = settleDoubt({
    witness,
    baseline,
    receipt,
    after: { fn, lastFd: 20, shift: { number: 3, state: "open" }, drawer },
    documents: [],
    owned: [],
    answeredWithOwned: false,
    closedByAnother: false,
    proven: true,
    standsOpen: true,
    request: null,
    requestIsOwned: false,
    named: null,
    ...over,
  });
  if (verdict.kind === "printed") return `printed ${verdict.document?.fd ?? "without document"}`;
  return verdict.kind === "unsure" ? `unsure: ${verdict.doubt.reason}` : verdict.kind;
}

const ours = document({ fd: 12, mark: "A-1 89abcdef.0a1b2c3d" });
const unmarked: Witness = { ...witness, mark: null };

const receipts: readonly (readonly [string, Partial<DoubtFacts>, string])[] = [
  ["no document", {}, "not-printed"],
  ["no document on an unproven model", { proven: false }, "not-printed"],
  ["our mark", { documents: [document(), ours] }, "printed 12"],
  ["our mark on an unproven model", { documents: [ours], proven: false }, "printed 12"],
  ["our mark on a receipt of another total", { documents: [{ ...ours, total: kopecks(5_000) }] }, "unsure: unreadable"],
  ["our mark on a return", { documents: [{ ...ours, operation: "return" as const }] }, "unsure: unreadable"],
  ["our mark twice", { documents: [ours, { ...ours, fd: 13 }] }, "unsure: several"],
  [
    "an equal receipt without our mark, of a register that was sent all at once",
    { documents: [document()], standsOpen: false },
    "not-printed",
  ],
  [
    "an equal receipt without our mark, which may be ours, closed by a person",
    { documents: [document()] },
    "unsure: unmarked",
  ],
  ["an equal return without our mark", { documents: [document({ operation: "return" })] }, "not-printed"],
  ["an equal receipt without our mark, and ours", { documents: [document(), ours] }, "printed 12"],
  ["an equal receipt with another mark", { documents: [document({ mark: "B-2 89abcdef.ffffffff" })] }, "not-printed"],
  ["our digits after a respelt order id", { documents: [document({ mark: "?-1 89abcdef.0a1b2c3d" })] }, "printed 11"],
  ["our digits of another issuer", { documents: [document({ mark: "A-1 99999999.0a1b2c3d" })] }, "not-printed"],
  ["another receipt on an unproven model", { documents: [document()], proven: false }, "unsure: unproven"],
  [
    "only a shift document on an unproven model",
    { documents: [document({ type: "shift-open" })], proven: false },
    "unsure: unproven",
  ],
  [
    "only shift documents and reports",
    { documents: [document({ type: "shift-open" }), document({ type: "other", fd: 12 })] },
    "not-printed",
  ],
  ["a document that cannot be read", { documents: [unreadable] }, "unsure: unreadable"],
  ["a header of our total", { documents: [document({ body: "header", items: [] })] }, "unsure: unreadable"],
  [
    "a header of our total, rounded",
    { documents: [document({ body: "header", items: [], total: kopecks(9_901) })] },
    "unsure: unreadable",
  ],
  [
    "a header of another total",
    { documents: [document({ body: "header", items: [], total: kopecks(9_899) })] },
    "not-printed",
  ],
  [
    "a header of a return",
    { documents: [document({ body: "header", items: [], operation: "return" })] },
    "not-printed",
  ],
  [
    "another drive",
    { after: { fn: toFnSerial("2"), lastFd: 11, shift: { number: 1, state: "open" }, drawer } },
    "unsure: drive-changed",
  ],
  [
    "a drive that counts backwards",
    { after: { fn, lastFd: 9, shift: { number: 3, state: "open" }, drawer } },
    "unsure: no-witness",
  ],
  ["our mark on a document that another job has", { owned: [ours] }, "unsure: several"],
  ["an answer with another job's document", { owned: [document()], answeredWithOwned: true }, "unsure: several"],
  ["without marks: an equal receipt", { witness: unmarked, documents: [document()] }, "printed 11"],
  [
    "without marks: two equal receipts",
    { witness: unmarked, documents: [document(), document({ fd: 12 })] },
    "unsure: several",
  ],
  [
    "without marks: an equal one and an unreadable one",
    { witness: unmarked, documents: [document(), unreadable] },
    "unsure: several",
  ],
  [
    "without marks: an equal one that carries a mark",
    { witness: unmarked, documents: [document({ mark: "C-3 89abcdef.00000000" })] },
    "not-printed",
  ],
  [
    "without marks: our sum, other goods",
    {
      witness: unmarked,
      documents: [
        document({ items: [{ name: "Кофе", price: kopecks(10_000), quantity: 1_000_000, sum: kopecks(10_000) }] }),
      ],
    },
    "not-printed",
  ],
  [
    "without marks: our sum, our name cut short",
    {
      witness: unmarked,
      receipt: makeReceipt({ lines: [makeItem({ name: "Чай чёрный байховый" })] }),
      documents: [
        document({
          items: [{ name: "Чай чёрный", price: kopecks(10_000), quantity: 1_000_000, sum: kopecks(10_000) }],
        }),
      ],
    },
    "unsure: unreadable",
  ],
  [
    "without marks: our sum, a name that no code page holds",
    {
      witness: unmarked,
      receipt: makeReceipt({ lines: [makeItem({ name: "Café 🍵" })] }),
      documents: [
        document({ items: [{ name: "Cafe ??", price: kopecks(10_000), quantity: 1_000_000, sum: kopecks(10_000) }] }),
      ],
    },
    "unsure: unreadable",
  ],
  [
    "without marks: a position that was split in two",
    {
      witness: unmarked,
      documents: [
        document({
          items: [
            { name: "Чай", price: kopecks(3333), quantity: 2_000_000, sum: kopecks(6666) },
            { name: "Чай", price: kopecks(3334), quantity: 1_000_000, sum: kopecks(3334) },
          ],
        }),
      ],
    },
    "printed 11",
  ],
];

test.each(receipts)("a receipt in doubt and %s", (_, over, expected) => {
  expect(settle(over)).toBe(expected);
});

function made(over: Partial<RequestDocument> = {}): Partial<DoubtFacts> {
  const time = "2026-11-20T14:00:00" as LocalTime;
  const numbers = { fn, fd: 4, fiscalSign: "1", shift: 1, receiptNumber: 1, time, total: kopecks(10_000) };
  return { request: { kind: "done", document: { ...numbers, ...over } } };
}

const inService: readonly (readonly [string, Partial<DoubtFacts>, string])[] = [
  ["ended without effect", { request: { kind: "ended" } }, "not-printed"],
  ["open", { request: { kind: "open" } }, "unsure: no-final-status"],
  ["open, our mark on the drive", { request: { kind: "open" }, documents: [ours] }, "printed 12"],
  [
    "open, a document cannot be read",
    { request: { kind: "open" }, documents: [unreadable] },
    "unsure: no-final-status",
  ],
  ["done long before", made(), "printed 4"],
  ["done, without a sum", made({ total: null }), "printed 4"],
  ["done long before, by a document that is ours", { ...made(), named: { ...ours, fd: 4 } }, "printed 4"],
  ["done long before, by a document that is another's", { ...made(), named: document({ fd: 4 }) }, "unsure: misplaced"],
  ["done, its document unreadable here", { ...made({ fd: 11 }), named: { ...unreadable, fd: 11 } }, "printed 11"],
  ["done, our mark elsewhere", { ...made(), documents: [ours] }, "printed 12"],
  [
    "done, another's mark on that document",
    { ...made({ fd: 11 }), named: document({ fd: 11, mark: "B-2 89abcdef.ffffffff" }) },
    "unsure: misplaced",
  ],
  [
    "done on a drive that is gone",
    { ...made(), after: { fn: toFnSerial("2"), lastFd: 1, shift: { number: 1, state: "open" }, drawer } },
    "printed 4",
  ],
  ["done on another drive", made({ fn: toFnSerial("2") }), "unsure: misplaced"],
  ["done, another job's document", { ...made(), requestIsOwned: true }, "unsure: misplaced"],
  ["done over another sum", made({ total: kopecks(1) }), "unsure: misplaced"],
  ["done, no numbers", { request: { kind: "done", document: null } }, "unsure: misplaced"],
];

test.each(inService)("a receipt whose request is %s", (_, over, expected) => {
  expect(settle(over)).toBe(expected);
});

const closed = { number: 3, state: "closed" } as const;
const open = { number: 3, state: "open" } as const;
const cashIn: Witness = { kind: "drawer", direction: "in", sum: kopecks(500) };
const moved = { cash: kopecks(1500), cashIn: kopecks(1500), cashOut: zero };

const others: readonly (readonly [string, Partial<DoubtFacts>, string])[] = [
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
    "unsure: no-witness",
  ],
  [
    "a closing, shift closed, all that came are receipts",
    { witness: { kind: "shift-close" }, after: { fn, lastFd: 11, shift: closed, drawer }, documents: [document()] },
    "unsure: no-witness",
  ],
  [
    "a closing, shift closed by another job's",
    {
      witness: { kind: "shift-close" },
      after: { fn, lastFd: 12, shift: closed, drawer },
      documents: [unreadable],
      owned: [document({ type: "shift-close", fd: 12 })],
      closedByAnother: true,
    },
    "unsure: no-witness",
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
    { witness: { kind: "shift-close" }, request: { kind: "open" } },
    "unsure: no-final-status",
  ],
  [
    "a closing that the service says is done, shift still open",
    { witness: { kind: "shift-close" }, ...made() },
    "unsure: misplaced",
  ],
  [
    "a shift opening that may still happen",
    { witness: { kind: "shift-open" }, request: { kind: "open" } },
    "not-printed",
  ],
  [
    "cash in that the service says is done",
    { witness: cashIn, request: { kind: "done", document: null } },
    "printed without document",
  ],
  ["cash in that the service may still do", { witness: cashIn, request: { kind: "open" } }, "unsure: no-final-status"],
  ["a shift opening", { witness: { kind: "shift-open" } }, "not-printed"],
  ["plain printing", { witness: { kind: "none" } }, "not-printed"],
  ["cash in, drawer unmoved", { witness: cashIn }, "not-printed"],
  [
    "cash in, drawer moved by it",
    { witness: cashIn, after: { fn, lastFd: 10, shift: open, drawer: moved } },
    "printed without document",
  ],
  [
    "cash in, drawer moved by more",
    { witness: cashIn, after: { fn, lastFd: 10, shift: open, drawer: { ...moved, cashIn: kopecks(2000) } } },
    "unsure: no-witness",
  ],
  [
    "cash in, drawer moved while others sold",
    { witness: cashIn, after: { fn, lastFd: 11, shift: open, drawer: moved }, documents: [document()] },
    "unsure: no-witness",
  ],
  [
    "cash in, the shift changed meanwhile",
    { witness: cashIn, after: { fn, lastFd: 12, shift: { number: 4, state: "open" }, drawer: moved } },
    "unsure: no-witness",
  ],
  [
    "cash in, no counters",
    { witness: cashIn, after: { fn, lastFd: 10, shift: open, drawer: null } },
    "unsure: no-witness",
  ],
];

test.each(others)("%s", (_, over, expected) => {
  expect(settle(over)).toBe(expected);
});
