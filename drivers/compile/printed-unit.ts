import { Fault } from "@fiscald/shared/fault.js";
import { unitOf } from "@fiscald/shared/receipt/measure.js";
import type { ItemLine } from "@fiscald/shared/receipt/receipt.js";

const OTHER_MEASURE = 255;

/**
 * Tag 1197 of formats before 1.2: the order's own text, or the name of a measure that the order gives as a code. Null
 * = pieces. Fault `receipt.unsupported` for the code "other", which has no name.
 */
export function printedUnit({ unit, measure }: Pick<ItemLine, "unit" | "measure">, path: string): string | null {
  if (unit !== null) return unit;
  if (measure !== OTHER_MEASURE) return unitOf(measure);
  throw new Fault("receipt.unsupported", {
    message: `${path}.measure is 255 (other), which format 1.05 writes as a text: the order must name the unit`,
    place: `${path}.unit`,
  });
}
