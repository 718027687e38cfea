/** The read-back proof (design.md 5, rule 7): once per model and firmware, a document of ours is read and compared. */
import type { DocumentNumbers, FiscalDocument } from "@fiscald/drivers/fiscal-driver.js";
import { type SaleReceipt, totalOf } from "@fiscald/shared/receipt/receipt.js";
import { type ConnectedRegister, provenModelOf } from "../connected-register.js";
import type { JobRecorder } from "../job-recorder.js";
import { compareLines } from "../recovery/compare-document.js";
import type { RegisterContext } from "../register-context.js";

export interface KnownReceipt {
  readonly receipt: SaleReceipt;
  readonly mark: string | null;
  readonly numbers: DocumentNumbers;
}

/** What of the document read back is not what we know of it; empty = nothing speaks against it. */
function disagreements(known: KnownReceipt, read: FiscalDocument, bodies: "full" | "header"): string[] {
  const { receipt, numbers, mark } = known;
  const isFull = bodies === "full";
  const checks: readonly (readonly [string, boolean])[] = [
    ["number", read.fd === numbers.fd],
    ["type", read.type === "receipt"],
    ["operation", read.operation === receipt.operation],
    ["total", read.total === totalOf(receipt)],
    ["fiscal sign", read.fiscalSign === numbers.fiscalSign],
    ["body", read.body === bodies],
    ["mark", !isFull || read.mark === mark],
    ["lines", !isFull || compareLines(receipt, read.items) !== "other"],
  ];
  return checks.flatMap(([what, agrees]) => (agrees ? [] : [what]));
}

/** Reads the receipt just registered. A disagreement leaves the model unproven: its unsure jobs stay unsure. */
export async function verifyReadBack(
  context: RegisterContext,
  recorder: JobRecorder,
  connected: ConnectedRegister,
  known: KnownReceipt,
  signal: AbortSignal,
): Promise<void> {
  const { driver, stores, clock, log } = context;
  const documents = await driver.documentsSince(known.numbers.fd - 1, signal);
  const read = documents.find(({ fd }) => fd === known.numbers.fd);
  const model = provenModelOf(connected);
  const wrong = read === undefined ? ["missing"] : disagreements(known, read, connected.capabilities.documentBodies);
  // Names that the register may have cut short neither prove nor disprove anything: the next receipt is asked.
  const isFull = connected.capabilities.documentBodies === "full";
  if (isFull && read !== undefined && compareLines(known.receipt, read.items) === "unclear") return;
  stores.jobs.transaction(() => {
    if (wrong.length === 0) stores.registers.addProof(model, clock.now());
    recorder.note(wrong.length === 0 ? "read-back agrees" : "read-back disagrees", null, { ...model, wrong });
  });
  if (wrong.length > 0) {
    log.error("a receipt read back from the register is not what was sent: unsure jobs of this model need a person", {
      ...model,
      fd: known.numbers.fd,
      wrong: wrong.join(", "),
    });
  }
}
