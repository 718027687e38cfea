import { Fault } from "@fiscald/shared/fault.js";

/** Stops waiting for work that cannot be stopped itself. Rejects with `link.aborted`. */
export function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(new Fault("link.aborted", { message: "stopped", cause: signal.reason }));
    if (signal.aborted) {
      onAbort();
      return;
    }
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
