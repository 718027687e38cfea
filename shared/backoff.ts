export interface BackoffOptions {
  readonly firstMs: number;
  readonly maxMs: number;
  /** Growth per attempt; default 2. */
  readonly factor?: number;
  /** Share of the delay that is random, 0 to 1; default 0.2. */
  readonly jitter?: number;
}

/** Delay before the next try after `attempt` failures (1 = the first failure). `random` is in [0, 1). */
export function backoffDelayMs(attempt: number, options: BackoffOptions, random: () => number): number {
  const { firstMs, maxMs, factor = 2, jitter = 0.2 } = options;
  const plain = Math.min(maxMs, firstMs * factor ** Math.max(0, attempt - 1));
  return Math.round(plain * (1 - jitter + 2 * jitter * random()));
}
