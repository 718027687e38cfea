/** What the router needs of a receipt store: a shop on a database of another kind writes it, `testReceiptStore` proves it. */
import type { OrderId, ReceiptId } from "@fiscald/shared/ids.js";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";
import type { MaybePromise, OrderPoll, PrintResult } from "./host-callbacks.js";
import type { OrderAnswer } from "./order-body.js";
import type { HandleOnce } from "./print-events.js";

/**
 * `applied`: the receipt has this state now. `repeated`: it had it already. `outdated`: a newer or stronger result
 * stands. `unmatched`: no receipt of this store.
 */
export type ResultStanding = "applied" | "repeated" | "outdated" | "unmatched";

export interface OwnReceiptStore {
  /**
   * A receipt with its `receiptId`, or null. A queued one becomes the caller's (`daemonId`, or without it the callers for
   * this `kkm`), is offered to nobody else from then on, and to the caller again until its result comes. New ones go
   * before repeated offers. Nothing is handed out once `poll.signal` is aborted.
   */
  nextReceipt(poll: OrderPoll): Promise<Receipt | null>;
  /** What is printed stays printed, and a repeat of an older message (`messageId`) changes nothing. */
  recordResult(result: PrintResult): Promise<{
    readonly standing: ResultStanding;
    /** Null for `unmatched`. */
    readonly receipt: { readonly orderId: OrderId | null; readonly receiptId: ReceiptId } | null;
  }>;
  /** Whether `nextReceipt` itself waits up to `waitMs` for a receipt. */
  readonly holdsPolls?: boolean;
  /** The answer could not be sent: its receiver may have the receipt again at once. */
  onAnswerLost?(answer: OrderAnswer, poll: OrderPoll): MaybePromise<void>;
  /** Runs an event's handler once, on any node; without it once until the process ends. */
  readonly handleOnce?: HandleOnce;
}

/** What a shop's own code calls, and the suite with it. */
export interface TestedReceiptStore extends OwnReceiptStore {
  /** The new receipt, or the same one: equal content of an order whose receipt has not failed. */
  enqueue(receipt: Receipt): Promise<{ readonly receiptId: ReceiptId }>;
  findByReceiptId(receiptId: ReceiptId): Promise<{ readonly state: string } | null>;
  close(): Promise<void>;
}
