/** Turns error numbers of the maker's driver and HTTP statuses of the service into faults. */
import { Fault } from "@fiscald/shared/fault.js";
import type { FaultCode } from "@fiscald/shared/fault-codes.js";

/** The driver's error number for a failure of its web server: the HTTP status then decides the meaning. */
const WEB_SERVER = 505;

/** Known error numbers of the maker's driver (sources in ../README.md). Any other: `device.unknown-error`. */
const rows: readonly (readonly [FaultCode, readonly number[]])[] = [
  ["link.lost", [1, 2, 4, 241, 277, 603]],
  ["link.corrupt", [5]],
  ["device.printing", [3, 55, 226, 601]],
  ["device.bad-value", [8, 13, 16, 17, 26, 40, 48, 59, 110, 128, 133, 134, 205, 227, 243, 412, 413]],
  ["device.not-supported", [11, 12, 190, 191, 504]],
  ["device.service-setup", [9, 10, 14, 94, 96, 189, 245, 246, 247, 248, 602]],
  ["device.wrong-mode", [32, 151, 249, 502, 503]],
  ["device.clock", [35, 36, 121, 142, 198]],
  ["device.paper-out", [44]],
  ["device.cover-open", [45]],
  ["device.printer-fault", [46, 47, 114, 150]],
  ["device.cashless-above-total", [52]],
  ["device.payments-below-total", [66]],
  ["device.shift-expired", [68, 141]],
  ["device.wrong-password", [71, 172, 196]],
  ["device.shift-closed", [73]],
  ["device.shift-open", [83]],
  ["device.not-enough-cash", [80]],
  ["device.receipt-open", [82, 201, 203]],
  ["device.wrong-mode", [81, 200]],
  ["device.not-registered", [89, 224, 225]],
  ["device.fn-failure", [104, 115, 116, 118, 159, 166, 173, 174, 175, 176, 177, 178]],
  ["device.fn-state", [105, 106, 117, 122, 123, 124]],
  ["device.fn-expired", [119, 120, 136, 137]],
  ["device.ofd-blocked", [140]],
  ["device.ofd-exchange", [135, 138, 139]],
  ["device.tax-unknown", [144, 219]],
  ["device.hardware", [165, 179, 180, 181, 188, 206, 207, 208, 209, 210]],
  ["device.bad-value", [60, 98, 143, 145, 146, 147, 148, 154, 158, 161, 167, 192, 193, 195, 215, 216, 217, 228, 231]],
  ["device.bad-value", [235, 244, 265]],
  ["device.marking-unavailable", [401, 402, 403, 407, 410, 411, 415, 417, 418, 419, 421, 423, 424, 425]],
  ["device.marking-refused", [404, 405, 406, 408, 409, 414, 416, 420, 422, 426]],
  // The driver's "internal", "unknown" and "web server" errors; 501 means that the task cannot be parsed. This program
  // sends well-formed tasks, so a task with this error was perhaps damaged on the way, and is sent again a few times.
  ["device.unknown-error", [6, 15, 501, WEB_SERVER]],
];

const codes: ReadonlyMap<number, FaultCode> = new Map(
  rows.flatMap(([fault, numbers]) => numbers.map((number) => [number, fault] as const)),
);

/** True: the marking server cannot be reached. The drive's own check is then enough for a sale. */
export function meansUncheckedOnline(code: number): boolean {
  return code === 402 || code === 421;
}

export function driverFault(task: string, code: number, description: string): Fault {
  return new Fault(codes.get(code) ?? "device.unknown-error", {
    message: `${task} failed: ${description === "" ? `error ${code}` : description} (${code})`,
    details: { task, deviceError: code, description },
  });
}

export function serviceFault(status: number, error: { readonly code: number; readonly description: string }): Fault {
  const message = `the print service answered ${status}${error.description === "" ? "" : `: ${error.description}`}`;
  const details = { status, deviceError: error.code };
  if (status === 401) return new Fault("device.wrong-password", { message, details });
  if (status === 403)
    return new Fault("link.not-found", { message: `${message}; is the register switched on in it?`, details });
  if (status === 404) return new Fault("link.not-found", { message, details });
  const code = error.code === WEB_SERVER ? undefined : codes.get(error.code);
  if (code !== undefined) return new Fault(code, { message, details });
  return new Fault(status === 400 ? "device.unknown-error" : "link.foreign", { message, details });
}

export function driverCodeOf(fault: Fault): number | null {
  const { deviceError } = fault.details;
  return typeof deviceError === "number" ? deviceError : null;
}
