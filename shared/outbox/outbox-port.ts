import type { Fault } from "../fault.js";

/** An event that waits for its delivery, without its body. */
export interface OutboxHead {
  readonly id: number;
  /** Events of one lane are delivered one after the other, oldest first; lanes do not wait for one another. */
  readonly lane: string;
  /** The origin of the address: events to one origin share an outage. */
  readonly destination: string;
  /** Grows when the event gets another body; the sender then forgets earlier failures. */
  readonly revision: number;
  /** Deliveries that failed so far. */
  readonly tries: number;
  /** How many of the tries a working receiver refused; 0 where this is not counted. */
  readonly refusals: number;
  /** The remaining wait that the store has recorded; 0 where the store records none. */
  readonly dueInMs: number;
}

/**
 * The store of events behind a sender. The daemon's is SQLite; the delivery backend's may be a database server that
 * other nodes share.
 */
export interface OutboxPort<Event> {
  /**
   * The oldest waiting event of each lane: those due before those not due, oldest first, at most `limit`. Nothing is
   * sent to the destinations in `without` at present: a store with a limit leaves them out, or they fill it.
   */
  heads(limit: number, without: ReadonlySet<string>): Promise<readonly OutboxHead[]>;
  /** Events that were set aside, oldest first. */
  aside(): Promise<readonly OutboxHead[]>;
  /** Takes an event for delivery; null when it is no longer pending or another node has taken it. */
  take(head: OutboxHead): Promise<Event | null>;
  delivered(event: Event): Promise<void>;
  failed(event: Event, failure: DeliveryFailure): Promise<void>;
}

export interface DeliveryFailure {
  readonly fault: Fault;
  /** A working receiver refused it. */
  readonly refused: boolean;
  /** Null: set aside, its lane goes on without it. */
  readonly againInMs: number | null;
}
