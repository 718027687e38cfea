export interface WaitOptions {
  /** Real milliseconds; default 60,000: a slow machine is no fault. */
  readonly timeoutMs?: number;
  /** Real milliseconds between two questions; default 2. A server that limits its calls is asked less often. */
  readonly everyMs?: number;
}

/**
 * The condition's first value that is neither false, null nor undefined. It is asked again every few milliseconds,
 * so nothing is slept through; `what` is in the error when time is up: "job 57 is printed".
 */
export async function waitFor<T>(
  what: string,
  condition: () => T | Promise<T>,
  options: WaitOptions = {},
): Promise<Exclude<T, false | null | undefined>> {
  const { timeoutMs = 60_000, everyMs = 2 } = options;
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const value = await condition();
    if (isThere(value)) return value;
    if (performance.now() > deadline) throw new Error(`waited ${timeoutMs} ms in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

function isThere<T>(value: T): value is Exclude<T, false | null | undefined> {
  return value !== false && value !== null && value !== undefined;
}
