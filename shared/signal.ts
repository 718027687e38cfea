import { EventEmitter, once } from "node:events";

/** "There is something to do": a signal wakes the waiting code and carries no data; the work is in the database. */
export class Signal {
  readonly #wakes = new EventEmitter();
  #pending = false;

  notify(): void {
    this.#pending = true;
    this.#wakes.emit("wake");
  }

  /** Forgets all earlier calls of `notify`; called after all work was looked at. */
  clear(): void {
    this.#pending = false;
  }

  /** Resolves at the next `notify`, or at once if `notify` came while nobody waited. Only one waiter at a time. */
  async wait(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (!this.#pending) await once(this.#wakes, "wake", { signal });
    this.#pending = false;
  }
}
