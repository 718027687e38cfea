import type { Fault } from "../fault.js";

export interface OutboxHead {
  readonly id: number;
  /** Events of one lane are delivered one after the other, oldest first; lanes do not wait for one another. */
  readonly lane: string;
  /** The origin of the event's address. An outage concerns all events to one origin. */
  readonly destination: string;
  /** Grows when the event gets another body; the sender then forgets earlier failures. */
  readonly revision: number;
  readonly tries: number;
  /** How many of the failed deliveries a receiver that works refused to take; 0 where this is not counted. */
  readonly refusals: number;
  /** The remaining wait in milliseconds that the store has recorded; 0 where it records none. */
  readonly dueInMs: number;
}

/** The store of events that a sender works on: SQLite, or a database server that other nodes share. */
export interface OutboxPort<Event> {
  /**
   * The oldest waiting event of each lane, at most `limit`: due events before others, oldest first. A list that several
   * nodes read may begin at any of them. Destinations in `without` get nothing at present. A store that uses the limit
   * leaves out their events, which would fill it.
   */
  heads(limit: number, without: ReadonlySet<string>): Promise<readonly OutboxHead[]>;
  /** Events that were set aside after too many refusals, oldest first. */
  aside(): Promise<readonly OutboxHead[]>;
  /** Takes an event for delivery; null when it is no longer pending or another node has taken it. */
  take(head: OutboxHead): Promise<Event | null>;
  delivered(event: Event): Promise<void>;
  failed(event: Event, failure: DeliveryFailure): Promise<void>;
}

export interface DeliveryFailure {
  readonly fault: Fault;
  readonly refused: boolean;
  /** Milliseconds until the next try; null: the event is set aside, and its lane goes on without the event. */
  readonly againInMs: number | null;
}
