/**
 * Listens to the signal of the running exchange. All exchanges of one task have the same signal: adding and removing
 * a listener for each of them would cost as much as the exchange itself.
 */
export interface AbortListener {
  /** From now on listens to this signal only; null = to none. */
  listenTo(signal: AbortSignal | null): void;
}

export function createAbortListener(onAbort: (reason: unknown) => void): AbortListener {
  let current: AbortSignal | null = null;
  const listener = () => onAbort(current?.reason);
  return {
    listenTo(signal) {
      if (signal === current) return;
      current?.removeEventListener("abort", listener);
      current = signal;
      signal?.addEventListener("abort", listener);
    },
  };
}
