/** The read-back proof (design.md 5, rule 7): once per model and firmware, a document of ours is read and compared. */
import type { DocumentNumbers, FiscalDocument } from "@fiscald/drivers/fiscal-driver.js";
import { toFault } from "@fiscald/shared/fault.js";
import { type SaleReceipt, totalOf } from "@fiscald/shared/receipt/receipt.js";
import { provenModelOf } from "../connected-register.js";
import type { BegunPart } from "../job-recorder.js";
import { compareLines } from "../recovery/compare-document.js";
import type { RegisterTools } from "../recovery/sweep.js";

/**
 * Reads the receipt just registered, where its model is not proven. A disagreement leaves it unproven: its unsure jobs stay
 * unsure.
 */
export async function proveOnce(
  { context, recorder, connected, signal }: RegisterTools,
  { job: { receipt }, witness }: Pick<BegunPart, "job" | "witness">,
  numbers: DocumentNumbers | null,
): Promise<void> {
  const { driver, stores, clock, log } = context;
  const model = provenModelOf(connected);
  if (witness.kind !== "receipt" || receipt.kind !== "receipt" || numbers === null) return;
  if (stores.registers.hasProof(model)) return;
  try {
    const { fd } = numbers;
    const read = (await driver.documentsSince(fd - 1, signal)).find((document) => document.fd === fd);
    const isFull = connected.capabilities.documentBodies === "full";
    // Names that the register may have cut short neither prove nor disprove anything: the next receipt is asked.
    if (isFull && read !== undefined && compareLines(receipt, read.items) === "unclear") return;
    const known = { receipt, mark: witness.mark, numbers };
    const wrong = read === undefined ? ["missing"] : disagreements(known, read, isFull);
    stores.jobs.transaction(() => {
      if (wrong.length === 0) stores.registers.addProof(model, clock.now());
      recorder.note(wrong.length === 0 ? "read-back agrees" : "read-back disagrees", null, { ...model, wrong });
    });
    if (wrong.length === 0) return;
    const message =
      "a receipt read back from the register is not what was sent: unsure jobs of this model need a person";
    log.error(message, { ...model, fd, wrong: wrong.join(", ") });
  } catch (error) {
    log.warn("the receipt could not be read back; it is tried with the next one", {
      fault: toFault(error, "internal"),
    });
  }
}

/** What of the document read back is not what we know of it; empty = nothing speaks against it. */
function disagreements(
  { receipt, numbers, mark }: { receipt: SaleReceipt; numbers: DocumentNumbers; mark: string | null },
  read: FiscalDocument,
  isFull: boolean,
): string[] {
  const checks: readonly (readonly [string, boolean])[] = [
    ["type", read.type === "receipt"],
    ["operation", read.operation === receipt.operation],
    ["total", read.total === totalOf(receipt)],
    ["fiscal sign", read.fiscalSign === numbers.fiscalSign],
    ["body", read.body === (isFull ? "full" : "header")],
    ["mark", !isFull || read.mark === mark],
    ["lines", !isFull || compareLines(receipt, read.items) !== "other"],
  ];
  return checks.flatMap(([what, agrees]) => (agrees ? [] : [what]));
}
