/**
 * A closing of a shift that an earlier answer about the register has left in doubt: the shift was said to be closed, and no
 * document told of it. A shift is closed once, and its closing stays on the drive, so a later look tells.
 */
import type { DeviceState, FiscalDocument, FiscalDriver, ShiftTotals } from "@fiscald/drivers/fiscal-driver.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import type { Attempt } from "../store/attempt-store.js";

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

/** The shift's totals at its closing: those before the attempt, and what was registered from then on. */
export function totalsAtClosing(
  { shiftTotals }: Pick<Attempt, "shiftTotals">,
  since: readonly FiscalDocument[],
  closing: Pick<FiscalDocument, "fd">,
): ShiftTotals | null {
  if (shiftTotals === null) return null;
  const receipts = since.filter(({ fd, type }) => type === "receipt" && fd < closing.fd);
  const sumOf = (operation: "sale" | "return") =>
    receipts.filter((receipt) => receipt.operation === operation).reduce((sum, { total }) => sum + (total ?? 0), 0);
  return {
    ...shiftTotals,
    sales: kopecks(shiftTotals.sales + sumOf("sale")),
    returns: kopecks(shiftTotals.returns + sumOf("return")),
  };
}
