import { checkGap, type UnfinishedJob } from "@fiscald/daemon/registers/recovery/gap-check.js";
import type { FiscalDocument } from "@fiscald/drivers/fiscal-driver.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import type { LocalTime } from "@fiscald/shared/local-time.js";
import { makeReceipt } from "../../../support/make-job.js";

const mark = "A-1 89abcdef.0a1b2c3d";
const job: UnfinishedJob = { id: 57, receipt: makeReceipt(), ownMark: mark, unmarked: "doubt" };

const document = (over: Partial<FiscalDocument> = {}): FiscalDocument => ({
  ...{
    fd: 11,
    type: "receipt",
    operation: "sale",
    total: kopecks(10_000),
    fiscalSign: "1",
    shift: 3,
    receiptNumber: 1,
  },
  ...{ time: "2026-11-20T14:00:00" as LocalTime, mark, body: "header", items: [], contact: null },
  ...over,
});

test.each([
  ["one document with its mark", [document()], { printed: [11], unsure: [], unowned: [] }],
  ["two documents with its mark", [document(), document({ fd: 12 })], { printed: [], unsure: [57], unowned: [11, 12] }],
  ["its mark on another total", [document({ total: kopecks(100) })], { printed: [], unsure: [57], unowned: [11] }],
  ["its mark, without a shift number", [document({ shift: null })], { printed: [], unsure: [57], unowned: [11] }],
  ["another mark", [document({ mark: "A-1 99999999.0a1b2c3d" })], { printed: [], unsure: [], unowned: [11] }],
])("a job that is not finished, and %s in the gap", (_, documents, expected) => {
  const { printed, unsure, unowned } = checkGap(documents, [job], 1);
  expect({
    printed: printed.map((found) => found.document.fd),
    unsure: unsure.map((found) => found.job),
    unowned: unowned.map(({ fd }) => fd),
  }).toEqual(expected);
});
