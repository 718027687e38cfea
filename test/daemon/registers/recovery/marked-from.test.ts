/** From which document on receipts of ours carry marks. */
import { ALWAYS_MARKED, markedFrom, NEVER_MARKED } from "@fiscald/daemon/registers/recovery/marked-from.js";
import { unknownDocument } from "@fiscald/drivers/codec/document-tags.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import { toFnSerial, toRegisterId } from "@fiscald/shared/ids.js";

const [register, fn] = [toRegisterId("till-1"), toFnSerial("9999078900000001")];
const documentWith = (fd: number, mark: string | null) => ({ ...unknownDocument(fd), mark });
const theirs = "A-5 99999999.00c0ffee";
const documents = [
  documentWith(4, "A-4 89abcdef.00c0ffee"),
  documentWith(5, theirs),
  documentWith(6, "A-6 89abcdef.00c0ffee"),
];
const from = (before: string | null | "no receipt", lost = true, from = 4) => {
  const witness = { kind: "receipt", operation: "sale", total: kopecks(100) } as const;
  const lastReceipt = before === "no receipt" ? null : { witness: { ...witness, mark: before } };
  return markedFrom(
    { lastReceiptBefore: () => lastReceipt },
    { register, fn, from, documents, lost, isOurs: (mark) => mark !== theirs },
  );
};

test("all of them after one that did", () => {
  expect(from("A-4 89abcdef.00c0ffee")).toEqual(ALWAYS_MARKED);
});

test("after one that did not from the next one in question that does", () => {
  expect(from(null)).toEqual({ from: 6, isKnown: true });
  expect(from(null, false)).toEqual({ from: 6, isKnown: true });
  expect(from(null, true, 6)).toEqual(NEVER_MARKED);
});

test("where none is known from the first one that does after a loss, and all of them without", () => {
  expect(from("no receipt", true, 3)).toEqual({ from: 4, isKnown: false });
  expect(from("no receipt", false)).toEqual(ALWAYS_MARKED);
});
