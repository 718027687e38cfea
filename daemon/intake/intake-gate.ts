import { EventEmitter, once } from "node:events";
import type { Fault } from "@fiscald/shared/fault.js";

/**
 * Shut while the database cannot commit: no site is polled for an order that could not be stored. All pollers share
 * one gate; the poller that holds an uncommitted answer opens it when its commit succeeds.
 */
export class IntakeGate {
  /** No limit of listeners: any number of pollers may wait. */
  readonly #opened = new EventEmitter().setMaxListeners(0);
  #closedBy: Fault | null = null;

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

  /** Resolves at once when the gate is open; rejects when the signal aborts. */
  async whenOpen(signal: AbortSignal): Promise<void> {
    if (this.#closedBy !== null) await once(this.#opened, "open", { signal });
  }
}
