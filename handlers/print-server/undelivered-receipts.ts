/**
 * Receipts that the host gave out but no caller received: `nextReceipt` was slower than the answer, or the caller had
 * hung up. Without this, a site that marks an order as handed out in `nextReceipt` would lose it.
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

  /** A receipt that an earlier poll of this caller did not get. It may still be in preparation. */
  take(poll: OrderPoll): Asking | null {
    const kept = this.#byCaller.get(keyOf(poll));
    const [asking = null] = kept ?? [];
    if (asking !== null) kept?.delete(asking);
    return asking;
  }

  /**
   * Reports to the host that the receipt did not arrive; for a host without this callback it is stored here. The
   * answer of a `nextReceipt` that is still running is awaited for that.
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
    // What a later poll has taken already is that poll's to tell.
    asking.then(
      (answer) => answer === null && kept.delete(asking),
      (error) => kept.delete(asking) && fail(error),
    );
  }
}

function keyOf(poll: OrderPoll): string {
  return `${poll.kkm}\n${poll.daemonId ?? ""}`;
}
