import { Fault } from "@fiscald/shared/fault.js";
import { type FaultCode, isFaultCode } from "@fiscald/shared/fault-codes.js";

/** Faults and the register's error names that differ from theirs: `tax-unknown` is `device.tax-unknown`. */
const otherNames: readonly (readonly [code: FaultCode, words: readonly string[]])[] = [
  ["device.bad-value", ["no-lines", "too-many-lines", "tax-system-unknown", "sum-mismatch", "bad-sign"]],
  ["device.bad-value", ["value-out-of-range", "total-out-of-range"]],
  ["device.print-unfinished", ["print-halted"]],
  ["device.wrong-mode", ["nothing-halted", "no-receipt"]],
  ["device.clock", ["clock-behind"]],
  ["device.fn-expired", ["drive-full", "drive-expired"]],
  ["device.marking-unavailable", ["mark-unchecked"]],
  ["device.marking-refused", ["mark-rejected"]],
  ["device.marking-unparsed", ["mark-unparsed"]],
  ["device.not-supported", ["unknown-command"]],
];

/** The fault of a refusal, with `command` and the register's error name in the details. */
export function deviceFault(word: string, command: string): Fault {
  const own = `device.${word}`;
  const [code] = otherNames.find(([, words]) => words.includes(word)) ?? [isFaultCode(own) ? own : null];
  const options = { message: `${command} was refused: ${word}`, details: { command, deviceError: word } };
  return new Fault(code ?? "device.unknown-error", options);
}
