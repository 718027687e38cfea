import { storedReceiptSchema } from "@fiscald/daemon/store/rows/stored-receipt.js";
import { localTimeAt } from "@fiscald/shared/local-time.js";
import { readOrder } from "@fiscald/shared/receipt/formats/read-order.js";
import { toOnlineReceipt } from "@fiscald/shared/receipt/formats/to-online-receipt.js";
import { toTaskTable } from "@fiscald/shared/receipt/formats/to-task-table.js";
import type { Correction, Receipt } from "@fiscald/shared/receipt/receipt.js";
import fc from "fast-check";
import { makeReceipt } from "../../../support/make-job.js";
import { anyOnlineReceipt, anyServiceJob, anyTableReceipt } from "../../../support/receipt-arbitrary.js";

const noon = localTimeAt(Date.UTC(2026, 10, 20, 12), "UTC");

/** The receipt that intake reads from an order. */
function accepted(wire: object): Receipt {
  const answer = readOrder(JSON.stringify(wire), { format: "auto" });
  if (answer.kind !== "receipt") throw new Error(`read as ${answer.kind}`);
  return answer.receipt;
}

/** Strict equality: no key is undefined or unknown, and no number is without a form in JSON. */
function expectSame(receipt: Receipt): void {
  expect(storedReceiptSchema.parse(JSON.parse(JSON.stringify(receipt)))).toStrictEqual(receipt);
}

describe("the stored form of a receipt", () => {
  test.each([
    ["a task table", anyTableReceipt.map((receipt) => toTaskTable(receipt))],
    ["an online receipt", anyOnlineReceipt.map((receipt) => toOnlineReceipt(receipt, noon))],
    ["a service job", anyServiceJob.map((job) => toTaskTable(job))],
  ])("an accepted receipt is read unchanged from its stored JSON: %s", (_, orders) => {
    fc.assert(fc.property(orders, (wire) => expectSame(accepted(wire))));
  });

  test.each<Correction>([
    { type: "self", date: "2026-07-14" },
    { type: "instruction", date: "2025-12-30", number: "12-3", rateConfirmed: true },
  ])("a correction is read from its stored JSON as the same correction, and not as a sale (%o)", (correction) => {
    expectSame(makeReceipt({ correction }));
  });
});
