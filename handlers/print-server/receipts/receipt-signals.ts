/** Signals between the nodes of a receipt store. */
import type { Clock } from "@fiscald/shared/clock.js";
import type { Signals } from "../../store/signals.js";
import { ASKED_AGAIN_MS } from "../../store/unchanged.js";

export interface Signal {
  readonly channel: string;
  readonly payload: string;
}

/** There may be a receipt for a waiting poll. */
export const wakeChannel = "fiscald_receipts";
/** A receipt has changed; the payload is its id. */
export const changeChannel = "fiscald_receipt_changes";

/** `kkm` null: a receipt for any register. */
export function wakeSignal(resource: string, kkm: string | null): Signal {
  return { channel: wakeChannel, payload: JSON.stringify([resource, kkm]) };
}

export function changeSignal(receiptId: string): Signal {
  return { channel: changeChannel, payload: receiptId };
}

/** An empty payload means that changes may have been missed. */
function concerns(payload: string, resource: string, kkm: string): boolean {
  return ["", wakeSignal(resource, null).payload, wakeSignal(resource, kkm).payload].includes(payload);
}

export interface Wakes {
  /**
   * Resolves at the next wake (at once when one has come since the last), after `ms` but no later than a lost signal
   * may delay, or when the caller has gone.
   */
  next(ms: number, signal: AbortSignal): Promise<void>;
  end(): void;
}

/** The wake signals for polls of one register from now on. Subscribe before the first read, so that none is missed. */
export function watchWakes(
  { signals, clock }: { readonly signals: Signals; readonly clock: Clock },
  resource: string,
  kkm: string,
): Wakes {
  let woken = false;
  let tell = () => {};
  const unsubscribe = signals.subscribe(wakeChannel, (payload) => {
    if (!concerns(payload, resource, kkm)) return;
    woken = true;
    tell();
  });
  return {
    next: (ms, signal) =>
      new Promise<void>((resolve) => {
        tell = () => {
          woken = false;
          tell = () => {};
          timer.cancel();
          resolve();
        };
        const timer = clock.setTimer(Math.min(ms, ASKED_AGAIN_MS), () => tell());
        signal.addEventListener("abort", () => tell(), { once: true });
        if (woken || signal.aborted) tell();
      }),
    end: unsubscribe,
  };
}
