/** Leaves a register out of routing for a while when it keeps failing. Pure state, monotonic ms. */
export interface CircuitBreaker {
  succeeded(): void;
  failed(at: number): void;
  isOpen(at: number): boolean;
}

const FAILURES_IN_A_ROW = 3;
const FIRST_REST_MS = 60_000;
const LONGEST_REST_MS = 600_000;

export function createCircuitBreaker(): CircuitBreaker {
  let failures = 0;
  let restsUntil = Number.NEGATIVE_INFINITY;
  return {
    succeeded() {
      failures = 0;
      restsUntil = Number.NEGATIVE_INFINITY;
    },
    failed(at) {
      failures += 1;
      if (failures < FAILURES_IN_A_ROW) return;
      restsUntil = at + Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** (failures - FAILURES_IN_A_ROW));
    },
    isOpen: (at) => at < restsUntil,
  };
}
