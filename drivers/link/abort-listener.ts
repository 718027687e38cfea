/**
 * Listens to the signal of the exchange in hand. All that a register is asked has one signal: a listener that came and
 * went with each exchange would cost as much as the exchange itself.
 */
export interface AbortListener {
  /** From now on to this one only; null = to none. */
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
