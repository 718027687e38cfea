import { Fault } from "@fiscald/shared/fault.js";
import type { FaultCode } from "@fiscald/shared/fault-codes.js";

const faultCodes: Readonly<Record<string, FaultCode>> = {
  "paper-out": "device.paper-out",
  "cover-open": "device.cover-open",
  "print-halted": "device.print-unfinished",
  "nothing-halted": "device.wrong-mode",
  "shift-open": "device.shift-open",
  "shift-closed": "device.shift-closed",
  "shift-expired": "device.shift-expired",
  "receipt-open": "device.receipt-open",
  "no-receipt": "device.wrong-mode",
  "no-lines": "device.bad-value",
  "too-many-lines": "device.bad-value",
  "tax-unknown": "device.tax-unknown",
  "tax-system-unknown": "device.bad-value",
  "sum-mismatch": "device.bad-value",
  "value-out-of-range": "device.bad-value",
  "total-out-of-range": "device.bad-value",
  "bad-value": "device.bad-value",
  "bad-sign": "device.bad-value",
  "payments-below-total": "device.payments-below-total",
  "cashless-above-total": "device.cashless-above-total",
  "zero-total": "device.zero-total",
  "not-enough-cash": "device.not-enough-cash",
  "clock-behind": "device.clock",
  "drive-full": "device.fn-expired",
  "drive-expired": "device.fn-expired",
  "ofd-blocked": "device.ofd-blocked",
  "mark-unchecked": "device.marking-unavailable",
  "mark-rejected": "device.marking-refused",
  "mark-unparsed": "device.marking-unparsed",
  "unknown-command": "device.not-supported",
};

export function deviceFault(word: string, command: string): Fault {
  const code = Object.hasOwn(faultCodes, word) ? faultCodes[word] : undefined;
  const options = { message: `${command} was refused: ${word}`, details: { command, deviceError: word } };
  return new Fault(code ?? "device.unknown-error", options);
}
