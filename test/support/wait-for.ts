export interface WaitOptions {
  /** Real milliseconds; default 60,000, because a slow machine is no fault. */
  readonly timeoutMs?: number;
  /** Real milliseconds between two calls; default 2. A server that limits its calls is asked less often. */
  readonly everyMs?: number;
}

/**
 * Calls the condition every few milliseconds and resolves with its first value that is neither false, null nor
 * undefined. The error after the timeout contains `what`: "job 57 is printed".
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
