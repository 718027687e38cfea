import type { FiscalDocument, ShiftTotals } from "@fiscald/drivers/fiscal-driver.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import type { Operation } from "@fiscald/shared/receipt/receipt.js";
import type { Attempt } from "../../store/attempt-store.js";
import type { Job } from "../../store/job.js";

/**
 * The shift's totals at its closing: those before the attempt, and what was registered from then on. A receipt of ours that
 * cannot be read counts with what its job says; one of another program does not count.
 */
export function totalsAtClosing(
  { shiftTotals }: Pick<Attempt, "shiftTotals">,
  since: readonly FiscalDocument[],
  { closing, ownerOf }: ClosingFacts,
): ShiftTotals | null {
  if (shiftTotals === null) return null;
  const registered = since.map((document) => factsOf(document, ownerOf(document.fd)));
  const ofShift = registered.filter(({ fd, shift }) =>
    closing === null ? shift === shiftTotals.shift : fd < closing.fd,
  );
  const sumOf = (operation: Operation) =>
    ofShift.filter((one) => one.operation === operation).reduce((sum, { total }) => sum + (total ?? 0), 0);
  return {
    ...shiftTotals,
    sales: kopecks(shiftTotals.sales + sumOf("sale")),
    returns: kopecks(shiftTotals.returns + sumOf("return")),
  };
}

interface ClosingFacts {
  /** Null: it cannot be read. */
  readonly closing: Pick<FiscalDocument, "fd"> | null;
  ownerOf(fd: number): Pick<Job, "operation" | "total" | "document"> | null;
}

function factsOf({ fd, type, operation, total, shift }: FiscalDocument, owner: ReturnType<ClosingFacts["ownerOf"]>) {
  if (type === "receipt" && total !== null) return { fd, operation, total, shift };
  return { fd, operation: owner?.operation, total: owner?.total, shift: owner?.document?.shift };
}
