/** Keeps receipts that no caller received, because the site may have marked their orders as handed out. */
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

  take(poll: OrderPoll): Asking | null {
    const kept = this.#byCaller.get(keyOf(poll));
    const [asking = null] = kept ?? [];
    if (asking !== null) kept?.delete(asking);
    return asking;
  }

  /** Gives the receipt back to the host, or keeps it here for a host without `onAnswerLost`. */
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
