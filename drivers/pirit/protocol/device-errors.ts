/** The maker's error numbers and the extended reasons of 01 and 03 (reference, section 10). */
import { Fault } from "@fiscald/shared/fault.js";
import type { FaultCode } from "@fiscald/shared/fault-codes.js";

type ErrorRow = readonly [code: FaultCode, name: string];

const rows: Readonly<Record<number, ErrorRow>> = {
  1: ["device.wrong-mode", "not possible in this state"],
  2: ["device.not-supported", "unknown function"],
  3: ["device.bad-value", "bad format or parameter"],
  4: ["link.corrupt", "port buffer overflow"],
  5: ["link.corrupt", "the frame came in pieces"],
  6: ["device.wrong-password", "wrong password"],
  7: ["link.corrupt", "the frame came with a wrong checksum"],
  8: ["device.paper-out", "out of paper"],
  9: ["device.printer-fault", "printer not ready"],
  10: ["device.shift-expired", "shift over 24 hours"],
  11: ["device.clock", "clocks differ by more than 8 minutes"],
  12: ["device.clock", "date before the last fiscal document"],
  14: ["device.not-enough-cash", "not enough cash"],
  15: ["device.shift-open", "close the shift first"],
  16: ["device.bad-value", "no data in the journal"],
  17: ["device.hardware", "control tape error"],
  18: ["device.hardware", "sending to the OFD failed"],
  19: ["device.hardware", "update error"],
  32: ["device.hardware", "fatal error"],
  65: ["device.fn-state", "drive: bad command format"],
  66: ["device.fn-state", "drive: wrong state"],
  67: ["device.fn-failure", "drive: failure"],
  68: ["device.fn-failure", "drive: crypto failure"],
  69: ["device.fn-expired", "drive: lifetime over"],
  70: ["device.fn-expired", "drive: archive full"],
  71: ["device.clock", "drive: bad date or time"],
  72: ["device.bad-value", "drive: no such data"],
  73: ["device.bad-value", "drive: bad parameter value"],
  74: ["device.bad-value", "drive: bad command"],
  75: ["device.bad-value", "drive: data that it makes itself"],
  76: ["device.bad-value", "drive: the data was there already"],
  77: ["device.bad-value", "drive: data is missing"],
  78: ["device.bad-value", "drive: too many items"],
  80: ["device.bad-value", "drive: tags too long"],
  81: ["device.fn-state", "drive: no transport connection"],
  82: ["device.fn-expired", "drive: crypto resource exhausted"],
  84: ["device.ofd-blocked", "drive: unsent documents older than 30 days"],
  85: ["device.ofd-exchange", "drive: storage for unsent documents full"],
  86: ["device.shift-expired", "drive: shift over 24 hours"],
  87: ["device.clock", "drive: clocks differ by more than 5 minutes"],
  88: ["device.bad-value", "drive: bad tag"],
  89: ["device.bad-value", "drive: a tag is not as registered"],
  96: ["device.fn-state", "drive: message of the OFD refused"],
  97: ["device.fn-failure", "no link with the drive"],
  98: ["device.fn-failure", "exchange with the drive failed"],
  99: ["device.fn-failure", "command to the drive too long"],
  100: ["device.marking-unavailable", "key service: unknown answer"],
  114: ["device.marking-refused", "drive: marking not allowed at registration"],
  115: ["device.marking-unavailable", "drive: wrong order of marking commands"],
  116: ["device.marking-unavailable", "drive: marking blocked"],
  117: ["device.marking-unavailable", "drive: marking table full"],
  124: ["device.bad-value", "drive: tags missing"],
  126: ["device.marking-refused", "drive: marking code not checked"],
};

/** Reasons in 06/1 after errors 01 and 03. */
const reasons: Readonly<Record<number, ErrorRow>> = {
  1: ["device.wrong-mode", "start of work was not done"],
  2: ["device.not-registered", "non-fiscal mode"],
  3: ["device.fn-state", "archive of the drive is closed"],
  4: ["device.not-registered", "drive is not registered"],
  5: ["device.wrong-mode", "drive is registered already"],
  7: ["device.wrong-mode", "nothing to register again"],
  8: ["device.wrong-mode", "no document is open"],
  9: ["device.receipt-open", "a document is open"],
  11: ["device.wrong-mode", "document state is not 1"],
  12: ["device.wrong-mode", "document state is not 1 or 2"],
  13: ["device.wrong-mode", "document state is not 1 to 3"],
  14: ["device.wrong-mode", "document state is not 4"],
  15: ["device.print-unfinished", "document is closed in the drive, its print is not"],
  16: ["device.wrong-mode", "document is no sale and no return"],
  17: ["device.wrong-mode", "document is no cash in and no cash out"],
  18: ["device.wrong-mode", "document is no service document"],
  19: ["device.wrong-mode", "document is a service document"],
  20: ["device.shift-closed", "shift is not open"],
  21: ["device.fn-failure", "fatal error of the drive"],
  22: ["device.fn-state", "drive is not ready to give documents"],
  23: ["device.not-registered", "site of the tax service is missing"],
  24: ["device.not-registered", "name of the OFD is missing"],
  25: ["device.not-registered", "INN of the OFD is missing"],
  26: ["device.zero-total", "zero total"],
  27: ["device.not-registered", "place of settlement is missing"],
  28: ["device.not-registered", "number of the automat is missing"],
  29: ["device.bad-value", "only one item may pay a credit"],
  30: ["device.not-registered", "sender's address is missing"],
  33: ["device.bad-value", "cashier is not named"],
  34: ["device.fn-state", "documents wait for the OFD"],
  35: ["device.bad-value", "only one discount is possible"],
  37: ["device.bad-value", "bad registration number"],
  38: ["device.bad-value", "data cannot be changed any more"],
  39: ["device.clock", "bad date or time"],
  40: ["device.bad-value", "bad document type"],
  41: ["device.bad-value", "bad department"],
  42: ["device.bad-value", "bad document number"],
  43: ["device.bad-value", "tax system is not registered"],
  44: ["device.bad-value", "bad item name"],
  45: ["device.bad-value", "bad article"],
  46: ["device.bad-value", "bad quantity"],
  47: ["device.bad-value", "bad price"],
  48: ["device.tax-unknown", "no such tax row"],
  49: ["device.bad-value", "bad position"],
  50: ["device.bad-value", "bad section"],
  51: ["device.bad-value", "bad name of the discount"],
  52: ["device.bad-value", "bad sum of the discount"],
  53: ["device.bad-value", "bad method of settlement"],
  54: ["device.bad-value", "bad subject of settlement"],
  55: ["device.bad-value", "bad payment type"],
  56: ["device.cashless-above-total", "bad payment sum"],
  57: ["device.bad-value", "bad text"],
  58: ["device.bad-value", "bad buyer's address"],
  59: ["device.bad-value", "bad field of the registration"],
  60: ["device.bad-value", "bad field of the registration"],
  61: ["device.bad-value", "bad field of the registration"],
  62: ["device.bad-value", "bad field of the registration"],
  63: ["device.bad-value", "bad field of the registration"],
  64: ["device.bad-value", "bad field of the registration"],
  65: ["device.bad-value", "bad field of the registration"],
  66: ["device.not-supported", "unknown query"],
  69: ["device.marking-refused", "marking of this kind is not supported"],
  70: ["device.marking-unavailable", "keys of marking"],
  71: ["device.bad-value", "bad receipt requisite"],
  72: ["device.bad-value", "bad name of the user's requisite"],
  73: ["device.bad-value", "bad value of the user's requisite"],
  75: ["device.bad-value", "bad field of the correction"],
  76: ["device.bad-value", "bad field of the correction"],
  77: ["device.bad-value", "bad field of the correction"],
  78: ["device.bad-value", "bad field of the correction"],
  79: ["device.bad-value", "agent's data does not fit the agent's sign"],
  81: ["device.marking-refused", "bad goods code"],
  82: ["device.bad-value", "too many codes"],
  83: ["device.bad-value", "name does not fit the subject of settlement"],
  85: ["device.bad-value", "bad data of the buyer"],
  86: ["device.bad-value", "bad data of the buyer"],
  88: ["device.not-supported", "firmware too old for FFD 1.2"],
  89: ["device.bad-value", "bad country"],
  90: ["device.bad-value", "bad customs declaration"],
  91: ["device.bad-value", "bad excise"],
  93: ["device.bad-value", "bad phone"],
  94: ["device.bad-value", "bad image"],
};

/** The frame was not executed (reference, section 10). */
const notExecuted: readonly number[] = [0x04, 0x05, 0x07];
/** Errors that 06/1 explains. */
const explained: readonly number[] = [0x01, 0x03];

export const errors = {
  badParameter: 0x03,
  paperOut: 0x08,
  printerNotReady: 0x09,
  longShiftOrLeap: 0x0a,
  clockGap: 0x0b,
} as const;

/** `reason`: extended reason of 06/1 where it was asked for. */
export function piritFault(error: number, command: string, reason: number | null = null): Fault {
  const hex = error.toString(16).toUpperCase().padStart(2, "0");
  const [code, name] = (reason === null ? undefined : reasons[reason]) ?? rows[error] ?? unknown;
  const why = reason === null ? "" : `, reason ${reason}`;
  return new Fault(code, {
    message: `${command}: error ${hex}${why}, ${name}`,
    details: { makerError: error, makerReason: reason, makerName: name, command },
  });
}

const unknown: ErrorRow = ["device.unknown-error", "unknown error"];

/** The maker's number of a fault that `piritFault` made, else null. */
export function makerErrorOf(fault: Fault): number | null {
  const { makerError } = fault.details;
  return typeof makerError === "number" ? makerError : null;
}

export function wasNotExecuted(fault: Fault): boolean {
  return notExecuted.includes(makerErrorOf(fault) ?? -1);
}

export function needsReason(fault: Fault): boolean {
  return explained.includes(makerErrorOf(fault) ?? -1) && fault.details.makerReason === null;
}

/** The mask of command 04 (reference, section 5). */
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
