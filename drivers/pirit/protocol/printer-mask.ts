/** The mask of command 04 (reference, section 5). */
import { Fault } from "@fiscald/shared/fault.js";

export const printerBits = { notReady: 0, paperOut: 1, coverOpen: 2, cutter: 3, noLink: 7 } as const;

/** What a person must do at the printer; null = nothing. */
export function printerFault(mask: number): Fault | null {
  if (mask === 0) return null;
  const code = hasBit(mask, printerBits.coverOpen)
    ? "device.cover-open"
    : hasBit(mask, printerBits.paperOut)
      ? "device.paper-out"
      : "device.printer-fault";
  return new Fault(code, { details: { printer: mask } });
}

export function hasBit(mask: number, bit: number): boolean {
  return ((mask >> bit) & 1) === 1;
}
