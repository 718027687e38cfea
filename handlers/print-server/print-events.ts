/** The events of a site. Each comes once, although print servers repeat a call until it is answered. */
import type { HostCallbacks, MaybePromise, PrintResult, RegisterActivity, ZReport } from "./host-callbacks.js";

/** Every handler may be async. When one throws, the print server calls again, and the event comes again. */
export interface PrintEvents {
  /** The receipt exists: keep its link and numbers. */
  onPrinted?(result: ResultOf<"printed">): MaybePromise<void>;
  /** Nothing was printed; `resultInfo` says why. Correct the order and enqueue it again. */
  onFailed?(result: ResultOf<"failed">): MaybePromise<void>;
  /** The receipt may exist: do not sell again. `onPrinted` or `onFailed` follows when it is known. */
  onUnknown?(result: ResultOf<"unknown">): MaybePromise<void>;
  onConnected?(register: RegisterActivity): MaybePromise<void>;
  onDisconnected?(register: RegisterActivity): MaybePromise<void>;
  onShiftClosed?(report: ZReport): MaybePromise<void>;
}

export type ResultOf<Outcome extends PrintResult["outcome"]> = PrintResult & { readonly outcome: Outcome };

/** Runs `handle` unless it has succeeded for this event before. `event` null: repeats cannot be recognised. */
export type HandleOnce = (event: string | null, handle: () => Promise<void>) => Promise<void>;

type EventCallbacks = Pick<HostCallbacks, "onResult" | "onSync" | "onActivity" | "onZReport" | "onError">;

export function withEvents(host: EventCallbacks & PrintEvents, once: HandleOnce): EventCallbacks {
  return {
    async onResult(result) {
      await host.onResult?.(result);
      const handle = resultHandler(host, result);
      if (handle !== null) await once(eventOfResult(result), handle);
    },
    async onSync(registers, messageId) {
      if (host.onSync === undefined) return;
      await once(eventOfMessage("sync", messageId), async () => host.onSync?.(registers, messageId));
    },
    async onActivity(activity) {
      await host.onActivity?.(activity);
      const isHeard = activity.connected ? host.onConnected !== undefined : host.onDisconnected !== undefined;
      if (!isHeard) return;
      await once(eventOfMessage("activity", activity.messageId), async () =>
        activity.connected ? host.onConnected?.(activity) : host.onDisconnected?.(activity),
      );
    },
    async onZReport(report) {
      await host.onZReport?.(report);
      if (host.onShiftClosed === undefined || report.resultCode !== 0) return;
      const event = report.closedShift === "" ? null : `shift ${report.fn} ${report.closedShift}`;
      await once(event, async () => host.onShiftClosed?.(report));
    },
    async onError(problem) {
      await host.onError?.(problem);
    },
  };
}

function resultHandler(host: PrintEvents, result: PrintResult): (() => Promise<void>) | null {
  if (isOf(result, "printed")) return host.onPrinted === undefined ? null : async () => host.onPrinted?.(result);
  if (isOf(result, "failed")) return host.onFailed === undefined ? null : async () => host.onFailed?.(result);
  if (isOf(result, "unknown")) return host.onUnknown === undefined ? null : async () => host.onUnknown?.(result);
  return null;
}

function isOf<Outcome extends PrintResult["outcome"]>(
  result: PrintResult,
  outcome: Outcome,
): result is ResultOf<Outcome> {
  return result.outcome === outcome;
}

/** A receipt is printed once. It may fail several times, each time with another message. */
function eventOfResult({ outcome, receiptId, orderId, messageId, fn, fdNumber, resultInfo }: PrintResult) {
  if (outcome !== "printed" && messageId !== null) return `${outcome} ${messageId}`;
  if (receiptId !== null)
    return outcome === "printed" ? `printed ${receiptId}` : `${outcome} ${receiptId} ${resultInfo}`;
  if (outcome === "printed" && fdNumber !== null) return `printed ${orderId} ${fn} ${fdNumber}`;
  return eventOfMessage(outcome, messageId);
}

function eventOfMessage(kind: string, messageId: string | null): string | null {
  return messageId === null ? null : `${kind} ${messageId}`;
}
