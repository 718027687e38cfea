/** What the router needs of a receipt store. A shop may write its own; `testReceiptStore` tests it. */
import type { Operation, Receipt } from "@fiscald/shared/receipt/receipt.js";
import type { MaybePromise, OrderPoll, PrintResult, ReceiptStage } from "./host-callbacks.js";
import type { OrderAnswer, PlainReceipt } from "./order-body.js";
import type { HandleOnce } from "./print-events.js";

/**
 * What a result did to its receipt. `applied`: the receipt has this state now. `repeated`: it had this state before.
 * `outdated`: it keeps a newer or stronger result. `unmatched`: the store has no receipt for the result.
 */
export type ResultStanding = "applied" | "repeated" | "outdated" | "unmatched";

export interface OwnReceiptStore {
  /**
   * The receipt for a poll, with its `receiptId`, or null. Its first offer reserves a receipt for the caller: for the
   * daemon of this `daemonId`, or without one for all callers of this `kkm`. The caller gets it again until its result
   * comes. New receipts go out before repeated offers. Nothing is handed out once `poll.signal` is aborted.
   */
  nextReceipt(poll: OrderPoll): Promise<PlainReceipt | null>;
  /** Stores a result. A printed receipt stays printed; a repeat of an older message (`messageId`) changes nothing. */
  recordResult(result: PrintResult): Promise<{
    readonly standing: ResultStanding;
    readonly receipt: {
      readonly orderId: string | null;
      readonly receiptId: string;
      readonly stage?: ReceiptStage | null;
      readonly operation?: Operation | null;
      readonly key?: string | null;
    } | null;
  }>;
  /** Whether `nextReceipt` itself waits up to `waitMs` for a receipt. */
  readonly holdsPolls?: boolean;
  /** The answer could not be sent: the caller may get the receipt again at once. */
  onAnswerLost?(answer: OrderAnswer, poll: OrderPoll): MaybePromise<void>;
  /** Runs the handler of an event once on all nodes. Without this function each process runs it once. */
  readonly handleOnce?: HandleOnce;
}

/** A store with the further functions that the tests of `testReceiptStore` call. */
export interface TestedReceiptStore extends OwnReceiptStore {
  /** Queues a receipt, or finds an equal one of the order that has not failed. */
  enqueue(receipt: Receipt): Promise<{ readonly receiptId: string }>;
  findByReceiptId(receiptId: string): Promise<{ readonly state: string } | null>;
  close(): Promise<void>;
}
