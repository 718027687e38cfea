/**
 * Receipts that the host gave out but no caller received: `nextReceipt` was slower than the answer, or the caller had
 * hung up. Without this, a site that marks an order as handed out in `nextReceipt` would lose it.
 */
import type { Logger } from "@fiscald/shared/logger.js";
import type { HostCallbacks, OrderPoll } from "./host-callbacks.js";
import type { OrderAnswer } from "./order-body.js";

type Asking = Promise<OrderAnswer | null>;

export class UndeliveredReceipts {
  readonly #byCaller = new Map<string, Asking[]>();
  readonly #callbacks: HostCallbacks;
  readonly #logger: Logger;

  constructor(callbacks: HostCallbacks, logger: Logger) {
    this.#callbacks = callbacks;
    this.#logger = logger;
  }

  /** A receipt that an earlier poll of this caller did not get. It may still be in preparation. */
  take(poll: OrderPoll): Asking | null {
    const key = keyOf(poll);
    const [asking, ...others] = this.#byCaller.get(key) ?? [];
    this.#keepAll(key, others);
    return asking ?? null;
  }

  /** Stores the answer of a `nextReceipt` that is still running: its caller is gone. */
  keep(poll: OrderPoll, asking: Asking): void {
    if (this.#callbacks.onAnswerLost !== undefined) {
      this.giveBack(poll, asking);
      return;
    }
    const key = keyOf(poll);
    this.#add(key, asking);
    asking.then(
      (answer) => answer === null && this.#forget(key, asking),
      (error: unknown) => this.#forget(key, asking) && this.#logFailure(error),
    );
  }

  /**
   * Reports to the host that the receipt did not arrive; for a host without this callback the receipt is stored here.
   */
  giveBack(poll: OrderPoll, asking: Asking): void {
    const { onAnswerLost } = this.#callbacks;
    if (onAnswerLost === undefined) {
      this.#add(keyOf(poll), asking);
      return;
    }
    asking
      .then((answer) => (answer === null ? undefined : onAnswerLost.call(this.#callbacks, answer, poll)))
      .catch(this.#logFailure);
  }

  #add(key: string, asking: Asking): void {
    this.#keepAll(key, [...(this.#byCaller.get(key) ?? []), asking]);
  }

  /** False when a later poll has already taken it. */
  #forget(key: string, asking: Asking): boolean {
    const kept = this.#byCaller.get(key) ?? [];
    this.#keepAll(
      key,
      kept.filter((other) => other !== asking),
    );
    return kept.includes(asking);
  }

  #keepAll(key: string, askings: Asking[]): void {
    if (askings.length === 0) this.#byCaller.delete(key);
    else this.#byCaller.set(key, askings);
  }

  readonly #logFailure = (error: unknown): void => {
    this.#logger.error("a late callback failed", { fault: error });
  };
}

function keyOf(poll: OrderPoll): string {
  return `${poll.kkm}\n${poll.daemonId ?? ""}`;
}
