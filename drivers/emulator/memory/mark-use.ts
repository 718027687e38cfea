import type { CoreOperation } from "./documents.js";

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
