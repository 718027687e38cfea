/**
 * A closing of a shift that an earlier answer about the register has left in doubt: the shift was said to be closed, and no
 * document told of it. A shift is closed once, and its closing stays on the drive, so a later look tells.
 */
import type { DeviceState, FiscalDocument, FiscalDriver, ShiftTotals } from "@fiscald/drivers/fiscal-driver.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import type { Operation } from "@fiscald/shared/receipt/receipt.js";
import type { Attempt } from "../../store/attempt-store.js";
import type { Job } from "../../store/job.js";

export function isUnwitnessedClosing({ witness, doubt }: Pick<Attempt, "witness" | "doubt">): boolean {
  return witness.kind === "shift-close" && doubt?.reason === "no-witness";
}

/** Whether the register says the same when it is asked once more: one answer of the two may be an earlier one. */
export async function saysSoAgain(
  driver: Pick<FiscalDriver, "readState">,
  said: DeviceState,
  signal: AbortSignal,
): Promise<boolean> {
  const { fn, lastFd, shift } = await driver.readState(signal);
  const { number, state } = said.shift;
  return fn === said.fn && lastFd === said.lastFd && shift.number === number && shift.state === state;
}

/**
 * The shift's totals at its closing: those before the attempt, and what was registered from then on. A receipt of ours that
 * cannot be read is in it with what its job says, one of another program is not.
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
