/** Combines the receipt store's callbacks with the host's own, which are called after them. */
import type { Logger } from "@fiscald/shared/logger.js";
import type { HostCallbacks, MaybePromise, PrintResult } from "./host-callbacks.js";
import type { OwnReceiptStore } from "./own-receipt-store.js";

/** Callbacks for calls that the store answers but a site may want to see. */
export type HostEvents = Omit<HostCallbacks, "nextReceipt" | "onAnswerLost" | "holdsPolls" | "leases">;

export interface StoreCallbacksOptions {
  readonly store: OwnReceiptStore;
  readonly host: HostEvents;
  /** Called in place of the host's `onResult` with a result that fits no receipt of the store. */
  readonly onUnmatched?: (result: PrintResult) => MaybePromise<void>;
  readonly logger: Logger;
}

/** Makes the callbacks. The host gets a result only if it counts: never `failed` for a printed receipt. */
export function storeCallbacks({ store, host, logger, onUnmatched }: StoreCallbacksOptions): HostCallbacks {
  return {
    ...host,
    holdsPolls: store.holdsPolls === true,
    leases: true,
    nextReceipt: (poll) => store.nextReceipt(poll),
    // A store without this function loses nothing: it offers the receipt again.
    onAnswerLost: (answer, poll) => store.onAnswerLost?.(answer, poll),
    async onResult(result) {
      const { standing, receipt } = await store.recordResult(result);
      const { kkm, outcome, fdNumber: fd, warnings = [] } = result;
      const fields = { kkm, order: result.orderId, receipt: receipt?.receiptId ?? result.receiptId, outcome, fd };
      const isDoubted = standing === "applied" && warnings.length > 0;
      if (isDoubted) logger.warn("the print server doubts a receipt", { ...fields, warnings });
      if (standing === "unmatched") {
        logger.warn("a result fits no receipt of the store", fields);
        if (onUnmatched !== undefined) return onUnmatched(result);
      }
      if (standing === "outdated") return;
      const { orderId, receiptId } = receipt ?? result;
      // A print server that has registered nothing does not say what it was asked to register.
      const { stage = null, operation = null, key = null } = receipt ?? {};
      const ofStore = { orderId, receiptId, stage, operation: result.operation ?? operation };
      await host.onResult?.({ ...result, ...ofStore, ...(key === null ? {} : { key }) });
    },
  };
}
