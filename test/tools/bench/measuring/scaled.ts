/** The option `--short`: a fraction of the work, only to see that a benchmark runs. */
const SHORT = 0.02;
export const isShort = process.argv.includes("--short");

/** The amount of work, or a fiftieth of it with `--short`; at least 1. */
export function scaled(amount: number): number {
  return isShort ? Math.max(1, Math.round(amount * SHORT)) : amount;
}
