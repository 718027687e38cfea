/** The maker's error numbers and the extended reasons of errors 01 and 03 (PIRIT protocol, 10). */
import { Fault } from "@fiscald/shared/fault.js";
import { errorsByNumber, makerErrorOf } from "../../driver-parts.js";

const rows = errorsByNumber([
  ["device.wrong-mode", "not possible in this state", [1]],
  ["device.not-supported", "unknown function", [2]],
  ["device.bad-value", "bad format or parameter", [3]],
  ["link.corrupt", "the frame came damaged", [4, 5, 7]],
  ["device.wrong-password", "wrong password", [6]],
  ["device.paper-out", "out of paper", [8]],
  ["device.printer-fault", "printer not ready", [9]],
  ["device.shift-expired", "shift over 24 hours", [10]],
  ["device.clock", "clocks differ by more than 8 minutes", [11]],
  ["device.clock", "date before the last fiscal document", [12]],
  ["device.not-enough-cash", "not enough cash", [14]],
  ["device.shift-open", "close the shift first", [15]],
  ["device.bad-value", "no data in the journal", [16]],
  ["device.hardware", "control tape error", [17]],
  ["device.hardware", "sending to the OFD failed", [18]],
  ["device.hardware", "update error", [19]],
  ["device.hardware", "fatal error", [32]],
  ["device.fn-state", "drive: wrong command or state", [65, 66]],
  ["device.fn-failure", "drive: failure", [67, 68]],
  ["device.fn-expired", "drive: lifetime over", [69]],
  ["device.fn-expired", "drive: archive or crypto resource exhausted", [70, 82]],
  ["device.clock", "drive: bad date or time", [71]],
  ["device.bad-value", "drive: no such data", [72]],
  ["device.bad-value", "drive: bad value or tag", [73, 74, 75, 88, 89]],
  ["device.bad-value", "drive: the data was there already", [76]],
  ["device.bad-value", "drive: tags missing", [77, 124]],
  ["device.bad-value", "drive: too much data", [78, 80]],
  ["device.fn-state", "drive: no transport connection", [81]],
  ["device.ofd-blocked", "drive: unsent documents older than 30 days", [84]],
  ["device.ofd-exchange", "drive: storage for unsent documents full", [85]],
  ["device.shift-expired", "drive: shift over 24 hours", [86]],
  ["device.clock", "drive: clocks differ by more than 5 minutes", [87]],
  ["device.fn-state", "drive: message of the OFD refused", [96]],
  ["device.fn-failure", "the drive does not answer", [97, 98]],
  ["device.fn-failure", "command to the drive too long", [99]],
  ["device.marking-unavailable", "key service: unknown answer", [100]],
  ["device.marking-refused", "drive: marking not allowed at registration", [114]],
  ["device.marking-unavailable", "drive: wrong order of marking commands", [115]],
  ["device.marking-unavailable", "drive: marking memory full", [116, 117]],
  ["device.marking-refused", "drive: marking code not checked", [126]],
]);

const reasons = errorsByNumber([
  ["device.wrong-mode", "start of work was not done", [1]],
  ["device.not-registered", "drive is not registered", [2, 4]],
  ["device.fn-state", "archive of the drive is closed", [3]],
  ["device.wrong-mode", "drive is registered already", [5]],
  ["device.wrong-mode", "nothing to register again", [7]],
  ["device.wrong-mode", "no document is open", [8]],
  ["device.receipt-open", "a document is open", [9]],
  ["device.wrong-mode", "another state of the document is needed", [11, 12, 13, 14]],
  ["device.print-unfinished", "document is closed in the drive, its print is not", [15]],
  ["device.wrong-mode", "another type of document is needed", [16, 17, 18, 19]],
  ["device.shift-closed", "shift is not open", [20]],
  ["device.fn-failure", "fatal error of the drive", [21]],
  ["device.fn-state", "drive is not ready to give documents", [22]],
  ["device.not-registered", "a fact of the registration is missing", [23, 24, 25, 27, 28, 30]],
  ["device.zero-total", "zero total", [26]],
  ["device.bad-value", "only one item may pay a credit", [29]],
  ["device.bad-value", "only one discount is possible", [35]],
  ["device.bad-value", "data cannot be changed any more", [38]],
  ["device.bad-value", "too many codes", [82]],
  ["device.bad-value", "cashier is not named", [33]],
  ["device.fn-state", "documents wait for the OFD", [34]],
  ["device.bad-value", "bad field of the registration", [37, 59, 60, 61, 62, 63, 64, 65]],
  ["device.clock", "bad date or time", [39]],
  ["device.bad-value", "bad document type", [40]],
  ["device.bad-value", "bad department or section", [41, 50]],
  ["device.bad-value", "bad field of the document", [42, 45, 49, 51, 52, 57, 71, 72, 73]],
  ["device.bad-value", "bad image", [94]],
  ["device.bad-value", "tax system is not registered", [43]],
  ["device.bad-value", "bad field of the item", [44, 46, 47, 53, 54, 83, 89, 90, 91]],
  ["device.tax-unknown", "no such tax row", [48]],
  ["device.bad-value", "bad payment type", [55]],
  ["device.cashless-above-total", "bad payment sum", [56]],
  ["device.bad-value", "bad data of the buyer or the agent", [58, 85, 86, 93]],
  ["device.not-supported", "unknown query", [66]],
  ["device.marking-refused", "marking of this kind is not supported", [69]],
  ["device.marking-unavailable", "keys of marking", [70]],
  ["device.bad-value", "bad field of the correction", [75, 76, 77, 78]],
  ["device.bad-value", "agent's data does not fit the agent's sign", [79]],
  ["device.marking-refused", "bad goods code", [81]],
  ["device.not-supported", "firmware too old for FFD 1.2", [88]],
]);

/** Errors that say that the frame was not executed (PIRIT protocol, 10). */
const notExecuted: readonly number[] = [0x04, 0x05, 0x07];
const explained: readonly number[] = [0x01, 0x03];

export const errors = {
  badParameter: 0x03,
  paperOut: 0x08,
  printerNotReady: 0x09,
  longShiftOrLeap: 0x0a,
  clockGap: 0x0b,
} as const;

/** `reason`: the extended reason that query 06/1 gave, if it was asked. */
export function piritFault(error: number, command: string, reason: number | null = null): Fault {
  const hex = error.toString(16).toUpperCase().padStart(2, "0");
  const { code, name } = (reason === null ? undefined : reasons.get(reason)) ?? rows.get(error) ?? unknown;
  const why = reason === null ? "" : `, reason ${reason}`;
  return new Fault(code, {
    message: `${command}: error ${hex}${why}, ${name}`,
    details: { makerError: error, makerReason: reason, makerName: name, command },
  });
}

const unknown = { code: "device.unknown-error", name: "unknown error" } as const;

export function wasNotExecuted(fault: Fault): boolean {
  return notExecuted.includes(makerErrorOf(fault) ?? -1);
}

export function needsReason(fault: Fault): boolean {
  return explained.includes(makerErrorOf(fault) ?? -1) && fault.details.makerReason === null;
}

/** Bits in the mask of command 04, the state of the printer (PIRIT protocol, 5). */
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
