import type { CloseReason } from "@fiscald/shared/byte-transport.js";
import { Fault } from "@fiscald/shared/fault.js";

/** Reports the close to every listener once, even to listeners that are added later. */
export function createCloseOnce() {
  const listeners: ((reason: CloseReason) => void)[] = [];
  let reported: CloseReason | null = null;

  function onClosed(listener: (reason: CloseReason) => void): void {
    if (reported === null) listeners.push(listener);
    else listener(reported);
  }

  return {
    report(reason: CloseReason): void {
      if (reported !== null) return;
      reported = reason;
      for (const listener of listeners) listener(reason);
    },
    onClosed,
    /** Resolves when the pipe is closed; at once when `already` or reported. */
    closed: (already: boolean): Promise<void> =>
      already || reported !== null ? Promise.resolve() : new Promise((resolve) => onClosed(() => resolve())),
  };
}

/** Stops waiting for work that cannot be stopped itself. Rejects with `link.aborted`. */
export function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(new Fault("link.aborted", { message: "stopped", cause: signal.reason }));
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
