/** How emulated registers judge marking codes: the result of a check, and whether codes are used as checked. */
import type { CoreOperation } from "./documents.js";

/**
 * What the checks of a marking code (in hex) find is written in the code itself; words may be combined:
 *
 *   REJECT    the drive and the marking system refuse it
 *   NOKEY     the drive cannot check it
 *   RECALL    the marking system refuses it
 *   OFFLINE   the marking system is not reached
 *
 * Drive and marking system accept every other code. The answer is the mask of tag 2106 (result of the check): 1 checked
 * by the drive, 2 accepted by the drive, 4 checked by the marking system, 8 accepted by the marking system.
 */
export function markResult(code: string): number {
  const says = (word: string) => Buffer.from(code, "hex").includes(word);
  return driveBits(says) | systemBits(says);
}

const GS = String.fromCharCode(0x1d);
/** A code by GS1: number and serial of the goods, then elements with two-digit identifiers, each after a GS byte. */
const gs1 = new RegExp(`^01\\d{14}(?:21[ -~]{1,20}|(?!21)\\d{2}[ -~]+)?(?:${GS}\\d{2}[ -~]+)*$`);
/** The code on a pack of cigarettes, which has no identifiers. */
const pack = /^\d{14}[ -~]{15}$/;

export function isMarkingCode(code: string): boolean {
  const text = Buffer.from(code, "hex").toString("latin1");
  return gs1.test(text) || pack.test(text);
}

type Says = (word: string) => boolean;

function driveBits(says: Says): number {
  if (says("REJECT")) return 0b0001;
  return says("NOKEY") ? 0 : 0b0011;
}

function systemBits(says: Says): number {
  if (says("OFFLINE")) return 0;
  return says("REJECT") || says("RECALL") ? 0b0100 : 0b1100;
}

export interface MarkUse {
  /** Tag 2003 (planned status of the goods). */
  readonly status: number;
  /** Tag 2108 (measure). */
  readonly measure: number;
  readonly quantity: number;
}

export interface MarkedLine extends Omit<MarkUse, "status"> {
  readonly operation: CoreOperation;
}

const PIECES = 0;
const UNCHANGED = 255;
const leaves = { piece: 1, measured: 2 } as const;
const comesBack = { piece: 3, measured: 4 } as const;

/** False: the code is used for something else than it was checked for, which the marking system would count wrongly. */
export function isUsedAsChecked({ status, measure, quantity }: MarkUse, line: MarkedLine): boolean {
  const statuses = line.operation === "sale" || line.operation === "purchase-return" ? leaves : comesBack;
  const planned = line.measure === PIECES ? statuses.piece : statuses.measured;
  return (status === planned || status === UNCHANGED) && measure === line.measure && quantity === line.quantity;
}
