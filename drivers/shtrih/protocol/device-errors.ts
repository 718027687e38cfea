/** The maker's error numbers (Shtrih-M protocol, 10). Numbers below 20h and A0h to B2h come from the fiscal drive. */
import { Fault } from "@fiscald/shared/fault.js";
import { errorsByNumber } from "../../driver-parts.js";

const byNumber = errorsByNumber([
  ["device.fn-state", "drive: wrong command or state", [1, 2]],
  ["device.fn-failure", "drive: failure", [3, 4]],
  ["device.fn-expired", "drive: lifetime over", [5]],
  ["device.fn-expired", "drive: archive or crypto resource exhausted", [6, 18]],
  ["device.clock", "drive: bad date or time", [7]],
  ["device.bad-value", "drive: no such data", [8]],
  ["device.bad-value", "drive: bad parameter value", [9]],
  ["device.bad-value", "drive: tag too long", [16]],
  ["device.fn-state", "drive: no transport connection", [17]],
  ["device.ofd-exchange", "drive: storage for unsent documents full", [20]],
  ["device.ofd-blocked", "drive: unsent documents older than 30 days", [21]],
  ["device.shift-expired", "shift over 24 hours", [22, 78]],
  ["device.shift-expired", "a Z report is required", [150]],
  ["device.clock", "drive: clocks differ by more than 5 minutes", [23]],
  ["device.fn-state", "drive: message of the OFD refused", [32]],
  ["device.fn-failure", "the drive does not answer", [47, 48]],
  ["device.bad-value", "bad parameters", [51]],
  ["device.bad-value", "no data", [52]],
  ["device.bad-value", "parameter not valid with these settings", [53]],
  ["device.not-supported", "parameter not valid for this model", [54]],
  ["device.not-supported", "command not supported", [55]],
  [
    "device.hardware",
    "a fault of the hardware or of its memory",
    [56, 57, 92, 106, 116, 117, 120, 121, 123, 128, 129, 130, 131, 147, 194],
  ],
  [
    "device.bad-value",
    "a sum, quantity or counter is out of its range",
    [
      58, 62, 63, 64, 65, 66, 67, 68, 71, 72, 76, 81, 82, 83, 84, 90, 91, 95, 96, 97, 98, 99, 101, 102, 104, 105, 109,
      110, 127, 132, 133, 134, 135, 136, 137, 138, 139, 140, 141,
    ],
  ],
  ["device.shift-open", "shift open, impossible", [60]],
  ["device.shift-closed", "shift not open, impossible", [61]],
  ["device.payments-below-total", "payments below the total", [69]],
  ["device.not-enough-cash", "not enough cash in the drawer", [70]],
  ["device.wrong-mode", "impossible in a receipt of this type", [73]],
  ["device.receipt-open", "receipt open, impossible", [74]],
  ["device.bad-value", "too many operations in the receipt", [75, 148]],
  ["device.cashless-above-total", "cashless payments above the total", [77]],
  ["device.wrong-password", "wrong password", [79]],
  ["device.printing", "printing the previous command", [80]],
  ["device.wrong-mode", "receipt closed, impossible", [85]],
  ["device.wrong-mode", "nothing to repeat", [86]],
  ["device.print-unfinished", "waits for the continue print command", [88]],
  ["device.receipt-open", "document opened by another operator", [89]],
  ["device.not-supported", "no such table, or a field that cannot be written", [93, 122, 199]],
  ["device.wrong-mode", "invalid operation", [94]],
  ["device.wrong-mode", "not in this mode", [114, 115]],
  ["device.paper-out", "no receipt paper", [107]],
  ["device.paper-out", "no journal paper", [108]],
  ["device.not-enough-cash", "cash out overflow", [111]],
  ["device.printer-fault", "a fault of the printer", [113, 118, 119, 200, 201, 202]],
  ["device.clock", "the date is wrong or not confirmed", [124, 125, 192, 207]],
  ["device.bad-value", "bad length", [126]],
  ["device.zero-total", "zero total", [142]],
  ["device.not-registered", "not fiscalised", [143]],
  ["device.bad-value", "a text field is too long or out of place", [144, 145, 146]],
  ["device.marking-refused", "drive: marking not allowed at registration", [160]],
  ["device.marking-unavailable", "drive: wrong sequence of marking commands", [161]],
  ["device.marking-unavailable", "drive: marking blocked, memory full", [162, 163]],
  ["device.bad-value", "drive: tags missing", [164, 170]],
  ["device.marking-refused", "drive: marking code not checked", [165, 172]],
  ["device.fn-state", "shift numbers differ", [196]],
  ["device.bad-value", "no data in the buffer", [209]],
  ["device.marking-unparsed", "the marking code cannot be parsed", [211]],
  ["device.marking-refused", "bad marking code", [212]],
  ["device.printer-fault", "the printer did not start", [213]],
]);

/** Errors for missing data: the drive has none of that kind (08h), or the register's buffer has none (34h). */
export const noDataErrors: readonly number[] = [0x08, 0x34];

const unknown = { code: "device.unknown-error", name: "unknown error" } as const;

export function shtrihFault(errorByte: number, commandName: string): Fault {
  const hex = errorByte.toString(16).toUpperCase().padStart(2, "0");
  const { code, name } = byNumber.get(errorByte) ?? unknown;
  return new Fault(code, {
    message: `${commandName}: error ${hex}h, ${name}`,
    details: { makerError: errorByte, makerName: name, command: commandName },
  });
}
