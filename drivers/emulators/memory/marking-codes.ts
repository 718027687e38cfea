/** How an emulated register judges marking codes: what their check finds, and whether they are used as they were checked. */
import type { CoreOperation } from "./documents.js";

/**
 * What the checks of a marking code find is written in the code itself; words may stand together:
 *
 *   REJECT    the drive and the marking system refuse it
 *   NOKEY     the drive cannot check it
 *   RECALL    the marking system refuses it
 *   OFFLINE   the marking system is not reached
 *
 * Every other code is good to both. The answer is tag 2106: 1 checked by the drive, 2 and good, 4 checked by the marking
 * system, 8 and good.
 */
export function markResult(code: Uint8Array): number {
  const says = (word: string) => Buffer.from(code).includes(word);
  return driveBits(says) | systemBits(says);
}

const GS = String.fromCharCode(0x1d);
/** Number and serial of the goods, then elements with an identifier of two digits, each behind a GS. */
const gs1 = new RegExp(`^01\\d{14}(?:21[ -~]{1,20}|(?!21)\\d{2}[ -~]+)?(?:${GS}\\d{2}[ -~]+)*$`);
/** A pack of cigarettes has no identifiers. */
const pack = /^\d{14}[ -~]{15}$/;

/** Whether a register can parse the code at all. */
export function isMarkingCode(code: Uint8Array): boolean {
  const text = Buffer.from(code).toString("latin1");
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

/** The use that a marking code was checked for. */
export interface MarkUse {
  /** Tag 2003. */
  readonly status: number;
  /** Tag 2108. */
  readonly measure: number;
  /** Millionths. */
  readonly quantity: number;
}

/** The line that carries the code. */
export interface MarkedLine extends Omit<MarkUse, "status"> {
  readonly operation: CoreOperation;
}

const PIECES = 0;
const UNCHANGED = 255;
const leaves = { piece: 1, measured: 2 } as const;
const comesBack = { piece: 3, measured: 4 } as const;

/** A code that was checked for something else than what happens to it would be counted wrongly by the marking system. */
export function isUsedAsChecked({ status, measure, quantity }: MarkUse, line: MarkedLine): boolean {
  const statuses = line.operation === "sale" || line.operation === "purchase-return" ? leaves : comesBack;
  const planned = line.measure === PIECES ? statuses.piece : statuses.measured;
  return (status === planned || status === UNCHANGED) && measure === line.measure && quantity === line.quantity;
}
