import { setFlagsFromString } from "node:v8";

/**
 * That of Node 20. Later ones have a compiler between the quick one and the good one; that of Node 24 has no such flag.
 */
const LAST_V8_WITHOUT_MAGLEV = 11;
/**
 * Bytes of bytecode that a function executes before V8 compiles it well; 67584 by default. Below 10000 nothing more is
 * gained.
 */
const INTERRUPT_BUDGET = 10_000;

/**
 * A till prints some hundreds of receipts a day: what each of them runs is to be compiled well after tens of them, not
 * after thousands. It counts from the next look that V8 takes at a function, so it may be said at any time, best before
 * the work.
 */
export function lowerTierUpBudget(v8: string = process.versions.v8, setFlags = setFlagsFromString): void {
  // A flag that V8 does not know would be complained of on standard error.
  if (Number.parseInt(v8, 10) <= LAST_V8_WITHOUT_MAGLEV) setFlags(`--interrupt-budget=${INTERRUPT_BUDGET}`);
}
