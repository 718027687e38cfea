import { Fault } from "@fiscald/shared/fault.js";

/**
 * Where no reference confirms how a register gets tag 1125, a setting may; the drive's document then shows whether it
 * worked. A warning, since the document is registered. Checked after a program that succeeded, but not after one that
 * recovery found printed.
 */
export function missingInternetTag(fd: number, setting: string): Fault {
  const message = `document ${fd} went to the tax office without tag 1125 (settlement on the internet): the option ${setting} does not do it on this register`;
  return new Fault("receipt.unsupported", { message, details: { fd, setting } });
}
