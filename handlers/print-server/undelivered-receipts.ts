/**
 * Receipts that the host gave out but no caller received: `nextReceipt` was too slow, or the caller had hung up. A site
 * that marks an order as handed out in `nextReceipt` would otherwise lose the receipt.
 */
import type { Logger } from "@fiscald/shared/logger.js";
import type { HostCallbacks, OrderPoll } from "./host-callbacks.js";
import type { OrderAnswer } from "./order-body.js";

type Asking = Promise<OrderAnswer | null>;

export class UndeliveredReceipts {
  readonly #byCaller = new Map<string, Set<Asking>>();

  constructor(
    private readonly callbacks: HostCallbacks,
    private readonly logger: Logger,
  ) {}

  /** Takes a receipt that an earlier poll of this caller did not get. `nextReceipt` may still be preparing it. */
  take(poll: OrderPoll): Asking | null {
    const kept = this.#byCaller.get(keyOf(poll));
    const [asking = null] = kept ?? [];
    if (asking !== null) kept?.delete(asking);
    return asking;
  }

  /**
   * Reports the lost receipt to the host, or keeps it here if the host has no `onAnswerLost`. A `nextReceipt` that
   * still runs is awaited first.
   */
  keep(poll: OrderPoll, asking: Asking): void {
    const { callbacks } = this;
    const fail = (error: unknown) => this.logger.error("a late callback failed", { fault: error });
    if (callbacks.onAnswerLost !== undefined) {
      asking.then((answer) => (answer === null ? undefined : callbacks.onAnswerLost?.(answer, poll))).catch(fail);
      return;
    }
    const kept = this.#byCaller.get(keyOf(poll)) ?? new Set();
    this.#byCaller.set(keyOf(poll), kept.add(asking));
    // If a later poll has taken the promise, that poll handles its outcome.
    asking.then(
      (answer) => answer === null && kept.delete(asking),
      (error) => kept.delete(asking) && fail(error),
    );
  }
}

function keyOf(poll: OrderPoll): string {
  return `${poll.kkm}\n${poll.daemonId ?? ""}`;
}
