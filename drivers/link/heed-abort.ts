/**
 * Listens to the signal of the exchange in hand. All that a register is asked has one signal: a listener that came and
 * went with each exchange would cost as much as the exchange itself.
 */
export interface AbortEar {
  /** From now on to this one only; null = to none. */
  heed(signal: AbortSignal | null): void;
}

export function createAbortEar(onAbort: (reason: unknown) => void): AbortEar {
  let heeded: AbortSignal | null = null;
  const listener = () => onAbort(heeded?.reason);
  return {
    heed(signal) {
      if (signal === heeded) return;
      heeded?.removeEventListener("abort", listener);
      heeded = signal;
      signal?.addEventListener("abort", listener);
    },
  };
}
