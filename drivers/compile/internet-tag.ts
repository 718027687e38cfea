import { Fault } from "@fiscald/shared/fault.js";

/**
 * Where no reference confirms how a register is told tag 1125, a setting may: what the drive holds then shows whether it was
 * right. A warning, since the document is there. Asked after a program that went through; one whose closing ended in doubt and
 * was found later is not asked about.
 */
export function missingInternetTag(fd: number, setting: string): Fault {
  const message = `document ${fd} went to the tax office without tag 1125 (settlement on the internet): the option ${setting} does not do it on this register`;
  return new Fault("receipt.unsupported", { message, details: { fd, setting } });
}
