import { EventEmitter, once } from "node:events";
import type { Clock } from "@fiscald/shared/clock.js";
import type { Fault } from "@fiscald/shared/fault.js";

/**
 * The gate is shut while the database cannot commit: no site is polled for an order that could not be stored. The
 * poller that holds an uncommitted answer opens the gate when its commit succeeds.
 */
export class IntakeGate {
  /** The number of listeners has no limit, because any number of pollers may wait. */
  readonly #opened = new EventEmitter().setMaxListeners(0);
  #closedBy: Fault | null = null;
  #lastTurn: Promise<void> = Promise.resolve();

  get closedBy(): Fault | null {
    return this.#closedBy;
  }

  close(fault: Fault): void {
    this.#closedBy = fault;
  }

  open(): void {
    this.#closedBy = null;
    this.#opened.emit("open");
  }

  /** One answer is stored in each turn of the event loop, so that registers go on printing meanwhile. */
  whenTurn(clock: Pick<Clock, "turn">): Promise<void> {
    const turn = this.#lastTurn;
    this.#lastTurn = turn.then(() => clock.turn());
    return turn;
  }

  async whenOpen(signal: AbortSignal): Promise<void> {
    if (this.#closedBy !== null) await once(this.#opened, "open", { signal });
  }
}
