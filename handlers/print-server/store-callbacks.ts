/** Combines the receipt store's callbacks with the host's own, which are called after them. */
import type { Logger } from "@fiscald/shared/logger.js";
import { onceInMemory } from "./handled-events.js";
import type { HostCallbacks } from "./host-callbacks.js";
import type { OwnReceiptStore } from "./own-receipt-store.js";
import { type PrintEvents, withEvents } from "./print-events.js";

/** Callbacks for calls that the store answers and that a site may want to see too. */
export type HostEvents = Omit<HostCallbacks, "nextReceipt" | "onAnswerLost">;

export interface RouterCallbacks extends HostCallbacks {
  /** `nextReceipt` itself waits up to `waitMs`, as the header `Preference-Applied` of the answer then says. */
  readonly holdsPolls: boolean;
  /** Each receipt is offered again until its result comes, so a poll that is cut off loses nothing. */
  readonly leases: boolean;
}

/** The host gets a result only if the result counts: never `failed` for a printed receipt. */
export function storeCallbacks(
  store: OwnReceiptStore,
  host: HostEvents & PrintEvents,
  logger: Logger,
): RouterCallbacks {
  const told = withEvents(host, store.handleOnce ?? onceInMemory());
  return {
    ...told,
    holdsPolls: store.holdsPolls === true,
    leases: true,
    nextReceipt: (poll) => store.nextReceipt(poll),
    // A store without `onAnswerLost` offers the receipt again by itself.
    onAnswerLost: (answer, poll) => store.onAnswerLost?.(answer, poll),
    async onResult(result) {
      const { standing, receipt } = await store.recordResult(result);
      const { kkm, outcome, fdNumber: fd, warnings = [] } = result;
      const fields = { kkm, order: result.orderId, receipt: receipt?.receiptId ?? result.receiptId, outcome, fd };
      const isDoubted = standing === "applied" && warnings.length > 0;
      if (isDoubted) logger.warn("the print server doubts a receipt", { ...fields, warnings });
      if (standing === "unmatched") {
        logger.warn("a result fits no receipt of the store", fields);
        // Events are about receipts of the store, so a result without a receipt goes to `onResult` alone.
        return host.onResult?.(result);
      }
      if (standing === "outdated") return;
      const { orderId, receiptId } = receipt ?? result;
      // A print server that has registered nothing does not say what it was asked to register.
      const { stage = null, operation = null, key = null } = receipt ?? {};
      const ofStore = { orderId, receiptId, stage, operation: result.operation ?? operation };
      await told.onResult?.({ ...result, ...ofStore, ...(key === null ? {} : { key }) });
    },
  };
}
